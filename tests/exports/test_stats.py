"""Registrations in numbers."""

from zoneinfo import ZoneInfo

import pytest

from roomctl.exports.stats import Statistics, statistics
from tests.exports.paged import registration


def test_days_are_counted_in_a_zone_and_days_without_any_are_there() -> None:
    moments = [
        "2026-10-01T21:59:00Z", "2026-10-01T22:01:00Z", "2026-10-04T10:00:00Z", None, "soon", "2026-10-04T10:00:00",
    ]  # fmt: skip
    rows = [registration(number, registeredDateTime=at) for number, at in enumerate(moments)]
    found = statistics(rows, ZoneInfo("Europe/Berlin"))
    assert found["zone"] == "Europe/Berlin"
    assert found["perDay"] == [
        {"day": "2026-10-01", "registrations": 1},
        {"day": "2026-10-02", "registrations": 1},
        {"day": "2026-10-03", "registrations": 0},
        {"day": "2026-10-04", "registrations": 1},
        {"day": None, "registrations": 3},
    ]


CONFIRMED = [True, "TRUE", False, "false", None, "yes", 1, ...]


def test_whether_a_registration_is_confirmed_is_read_as_it_is_written_or_not_shown() -> None:
    rows = [registration(number, confirmed=value) for number, value in enumerate(CONFIRMED)]
    del rows[-1]["confirmed"]
    assert {name: value for name, value in statistics(rows).items() if "confirmed" in name} == {
        "confirmed": 2,
        "confirmedNotShown": 4,
        "confirmedShare": 0.5,
    }
    assert statistics(rows[-1:])["confirmedShare"] is None


@pytest.mark.parametrize(("confirmed", "spelled"), [*zip(CONFIRMED[:-1], [0, 1, 0, 1, 0, 0, 0], strict=True)])
def test_r46_a_boolean_that_was_read_off_a_text_is_known_to_be_one(confirmed: object, spelled: int) -> None:
    counts = Statistics()
    counts.add(*([each] for each in (None, confirmed, None, None)))
    assert counts.spelled is bool(spelled)


def test_what_cannot_be_read_is_said_with_a_value_of_it() -> None:
    rows = [registration(0), registration(1, confirmed=None, registeredDateTime=None)]
    rows += [registration(2, confirmed=value, registeredDateTime=1_790_000_000) for value in ("Y", 1)]
    notes: list[str] = []
    statistics(rows, note=notes.append)
    times = "cannot be read: `registeredDateTime` of 2 registrations, such as 1790000000"
    assert notes == ['cannot be read: `confirmed` of 2 registrations, such as "Y"', times]


def test_a_moment_that_is_centuries_away_gets_no_row_for_each_day_until_then() -> None:
    rows = [registration(0), registration(1, registeredDateTime="0001-02-03T00:00:00Z")]
    assert statistics(rows)["perDay"] == [
        {"day": "0001-02-03", "registrations": 1},
        {"day": "2026-10-01", "registrations": 1},
    ]
