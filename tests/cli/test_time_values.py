"""Moments as people type them."""

import contextlib
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.cli.time_values import future, moment, since, wire
from roomctl.errors import BadValue

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("2026-11-21T18:30:00+01:00", None, "2026-11-21T17:30:00Z"),
        ("2026-11-21T18:30Z", None, "2026-11-21T18:30:00Z"),
        ("2026-11-21 18:30:00.5z", None, "2026-11-21T18:30:00Z"),
        ("+15m", None, "2026-11-21T08:15:00Z"),
        ("+90s", None, "2026-11-21T08:01:30Z"),
        ("+2h", None, "2026-11-21T10:00:00Z"),
        ("+1d", None, "2026-11-22T08:00:00Z"),
        ("18:30@Europe/Berlin", None, "2026-11-21T17:30:00Z"),
        ("9:00@Europe/Berlin", None, "2026-11-22T08:00:00Z"),
        ("08:59@Europe/Berlin", None, "2026-11-22T07:59:00Z"),
        ("23:59@Pacific/Kiritimati", None, "2026-11-21T09:59:00Z"),
        ("2027-03-28T18:30@Europe/Berlin", None, "2027-03-28T16:30:00Z"),
        ("18:30", BERLIN, "2026-11-21T17:30:00Z"),
        ("8:59", BERLIN, "2026-11-22T07:59:00Z"),
        ("2026-12-01 09:00", BERLIN, "2026-12-01T08:00:00Z"),
        ("2026-12-01T09:00:00", BERLIN, "2026-12-01T08:00:00Z"),
        ("2026-12-01 9:00@Asia/Tokyo", BERLIN, "2026-12-01T00:00:00Z"),
        ("2026-12-01T09:00Z", BERLIN, "2026-12-01T09:00:00Z"),
    ],
)
def test_a_moment_is_read_in_each_of_its_forms_on_the_clock_of_its_zone(
    text: str, zone: ZoneInfo | None, expected: str
) -> None:
    assert wire(moment(text, NOW, zone)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "2026-11-20T23:00:00Z"),
        ("-2h", "2026-11-21T06:00:00Z"),
        ("9:00", "2026-11-21T08:00:00Z"),
        ("9:01", "2026-11-20T08:01:00Z"),
        ("18:30@Asia/Tokyo", "2026-11-20T09:30:00Z"),
        ("2026-11-01 18:30", "2026-11-01T17:30:00Z"),
        ("2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z"),
    ],
)
def test_a_time_of_the_past_is_the_last_one_that_the_clock_showed(text: str, expected: str) -> None:
    assert wire(since(text, NOW, BERLIN)) == expected
    with pytest.raises(BadValue, match=r"is in the future|is not a time"):
        since("2026-11-21T08:00:01Z" if text != "today" else "+2h", NOW, BERLIN)


REFUSED = {
    "not a time": "|20261201|2026-02-30T00:00:00Z|2026-11-21|+15|15m|+1w|tomorrow|24:00@UTC|１８:30@UTC|+١m"
    "|2026-13-01T00:00:00Z",
    "has no time zone": "18:30|2026-11-21T18:30:00",
    "not a time zone": "18:30@Nowhere/City|18:30@../../etc/passwd|2027-02-20T02:30@Nowhere",
    "not a valid day": "2027-02-30T02:30@Europe/Berlin",
    "the clocks in Europe/Berlin skip 02:30 on 2027-03-28": "2027-03-28T02:30@Europe/Berlin",
    "02:30 occurs twice in Europe/Berlin on 2027-10-31": "2027-10-31T02:30@Europe/Berlin",
}


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in REFUSED.items() for text in texts.split("|")])
def test_anything_else_is_refused_and_says_why(why: str, text: str) -> None:
    with pytest.raises(BadValue, match=why):
        moment(text, NOW)


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
