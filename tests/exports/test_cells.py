"""Text cells: nothing hidden, nothing run, nothing lost (R21, R26)."""

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.cells import guard, in_zone, now, shows, text, unguard, written
from roomctl.text.safe import unsafe
from roomctl.text.times import local
from tests.conftest import Cases


def test_what_a_spreadsheet_would_run_is_guarded_and_phone_numbers_and_the_rest_are_spared_r26(cases: Cases) -> None:
    cases("guarded.txt", lambda cell: json.dumps(guard(cell)))


@given(st.text(alphabet=st.one_of(st.sampled_from("'=+-@ \u00a0\t\n0159(.)\uff1d"), st.characters()), max_size=8))
def test_the_guard_can_be_undone_for_any_text_r26(cell: str) -> None:
    assert unguard(guard(cell)) == cell


@given(st.text())
def test_a_guarded_cell_begins_with_nothing_that_runs_r26(cell: str) -> None:
    start = guard(cell).lstrip("\u00a0 \t\r\n")[:1]
    assert start not in ("=", "@", "-")
    assert start != "+" or guard(cell) == cell


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_the_look_at_the_whole_text_finds_what_a_look_at_each_character_finds(raw: str) -> None:
    line = raw.replace("\n", "")
    assert shows(line.encode()) == (unsafe("").search(line) is None)


def test_values_become_text_as_json_writes_them(cases: Cases) -> None:
    cases("cells.txt", lambda value: json.dumps(text(value), ensure_ascii=False))


def test_moments_are_written_in_utc_and_not_where_a_zone_cannot_show_them() -> None:
    assert written(datetime(2026, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))) == "2026-07-01T10:00:00Z"
    assert written(datetime(2026, 7, 1, 12, 0, 0, 5_999, tzinfo=UTC)) == "2026-07-01T12:00:00.005Z"
    assert (now().tzinfo, local("9999-12-31T23:59:59Z", ZoneInfo("Asia/Tokyo"))) == (UTC, None)


def test_only_moments_are_put_on_the_clock_of_a_zone() -> None:
    zone = ZoneInfo("Europe/Berlin")
    utc, berlin = "2026-12-01T12:00:00.1234567Z", "2026-12-01T13:00:00.1234567+01:00"
    column = [utc, None, "soon", 5]
    for name in ("registeredDateTime", "event.startDateTime", "dateCreated", "dateTimeInvited", "firstSeen"):
        assert in_zone(column, name, zone) == [berlin, None, "soon", 5], name
    assert in_zone(column, "source", zone) is in_zone(column, "date", zone) is column
    nested = [{"name": utc, "startDateTime": utc, "user": {"dateCreated": utc}, "at": [utc, {"firstSeen": utc}]}, utc]
    told = {"name": utc, "startDateTime": berlin, "user": {"dateCreated": berlin}}
    assert in_zone(nested, "event", zone) == [{**told, "at": [utc, {"firstSeen": berlin}]}, utc]
