"""Moments as people type them."""

import contextlib
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.cli.times import future, moment, wire
from roomctl.errors import BadValue

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-21T18:30:00+01:00", "2026-11-21T17:30:00Z"),
        ("2026-11-21T18:30Z", "2026-11-21T18:30:00Z"),
        ("2026-11-21 18:30:00.5z", "2026-11-21T18:30:00Z"),
        ("+15m", "2026-11-21T08:15:00Z"),
        ("+90s", "2026-11-21T08:01:30Z"),
        ("+2h", "2026-11-21T10:00:00Z"),
        ("+1d", "2026-11-22T08:00:00Z"),
        ("18:30@Europe/Berlin", "2026-11-21T17:30:00Z"),
        ("9:00@Europe/Berlin", "2026-11-22T08:00:00Z"),
        ("08:59@Europe/Berlin", "2026-11-22T07:59:00Z"),
        ("23:59@Pacific/Kiritimati", "2026-11-21T09:59:00Z"),
    ],
)
def test_a_moment_is_read_in_each_of_its_forms(text: str, expected: str) -> None:
    assert wire(moment(text, NOW)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18:30", "2026-11-21T17:30:00Z"),
        ("8:59", "2026-11-22T07:59:00Z"),
        ("2026-12-01 09:00", "2026-12-01T08:00:00Z"),
        ("2026-12-01T09:00:00", "2026-12-01T08:00:00Z"),
        ("2026-12-01 9:00@Asia/Tokyo", "2026-12-01T00:00:00Z"),
        ("2026-12-01T09:00Z", "2026-12-01T09:00:00Z"),
        ("+15m", "2026-11-21T08:15:00Z"),
    ],
)
def test_a_time_without_a_zone_is_on_the_clock_of_the_one_given(text: str, expected: str) -> None:
    assert wire(moment(text, NOW, ZoneInfo("Europe/Berlin"))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "20261201",
        "2026-02-30T00:00:00Z",
        "2026-11-21",
        "2026-11-21T18:30:00",
        "+15",
        "15m",
        "+1w",
        "tomorrow",
        "24:00@UTC",
        "18:30",
        "18:30@Nowhere/City",
        "18:30@../../etc/passwd",
        "１８:30@UTC",
        "+١m",
        "2026-13-01T00:00:00Z",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        moment(text, NOW)


def test_a_time_that_the_clocks_skip_is_refused() -> None:
    before = datetime(2026, 3, 28, 20, 0, tzinfo=UTC)
    with pytest.raises(BadValue, match="the clocks skip 02:30 in Europe/Berlin on 2026-03-29"):
        moment("02:30@Europe/Berlin", before)


def test_a_time_that_comes_twice_is_refused() -> None:
    before = datetime(2026, 10, 24, 20, 0, tzinfo=UTC)
    with pytest.raises(BadValue, match="02:30 occurs twice in Europe/Berlin on 2026-10-25"):
        moment("02:30@Europe/Berlin", before)


def test_a_moment_in_the_past_is_refused() -> None:
    with pytest.raises(BadValue, match="a time in the past"):
        future("2026-11-21T07:59:59Z", NOW)
    assert wire(future("2026-11-21T08:00:01Z", NOW)) == "2026-11-21T08:00:01Z"


@given(st.text(max_size=40))
def test_no_text_fails_in_another_way(text: str) -> None:
    with contextlib.suppress(BadValue):
        assert moment(text, NOW).utcoffset() is not None


def test_a_day_may_stand_before_the_time_in_a_zone() -> None:
    when = moment("2027-03-28T18:30@Europe/Berlin", datetime(2026, 1, 1, tzinfo=UTC))
    assert when.isoformat() == "2027-03-28T18:30:00+02:00"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2027-03-28T02:30@Europe/Berlin", "the clocks skip 02:30"),
        ("2027-10-31T02:30@Europe/Berlin", "02:30 occurs twice"),
        ("2027-02-30T02:30@Europe/Berlin", "not a valid day: '2027-02-30'"),
        ("2027-02-20T02:30@Nowhere", "not a time zone: 'Nowhere'"),
    ],
)
def test_a_day_and_time_that_is_not_one_moment_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadValue, match=why):
        moment(text, datetime(2026, 1, 1, tzinfo=UTC))
