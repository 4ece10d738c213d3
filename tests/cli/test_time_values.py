"""Moments as people type them."""

import contextlib
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.cli.time_values import future, moment, since, wire
from roomctl.errors import BadValue
from tests.conftest import Cases

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def test_a_moment_is_read_in_each_of_its_forms_on_the_clock_of_its_zone_or_refused(cases: Cases) -> None:
    def says(text: str, zone: str = "") -> str:
        try:
            return wire(moment(text, NOW, ZoneInfo(zone) if zone else None))
        except BadValue as error:
            return f"refused: {error.message}"

    cases("moments.txt", says)


def test_a_time_of_the_past_is_the_last_one_that_the_clock_showed(cases: Cases) -> None:
    cases("since.txt", lambda text: wire(since(text, NOW, BERLIN)))
    for text, why in (("2026-11-21T08:00:01Z", "is in the future"), ("+2h", "is not a valid date or time")):
        with pytest.raises(BadValue, match=why):
            since(text, NOW, BERLIN)


@pytest.mark.parametrize(
    ("now", "why"),
    [((2026, 3, 28, 20), "the clocks in Europe/Berlin skip 02:30"), ((2026, 10, 24, 20), "02:30 occurs twice")],
)
def test_the_next_time_that_a_clock_shows_is_one_moment(now: tuple[int, int, int, int], why: str) -> None:
    with pytest.raises(BadValue, match=why):
        moment("02:30@Europe/Berlin", datetime(*now, tzinfo=UTC))


def test_a_moment_in_the_past_is_refused() -> None:
    with pytest.raises(BadValue, match="is in the past"):
        future("2026-11-21T07:59:59Z", NOW)
    assert wire(future("2026-11-21T08:00:01Z", NOW)) == "2026-11-21T08:00:01Z"


@given(st.text(max_size=40))
def test_no_text_fails_in_another_way(text: str) -> None:
    with contextlib.suppress(BadValue):
        assert moment(text, NOW).utcoffset() is not None
