"""Moments, read only where something is reckoned with them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from roomctl.exports.cells import in_zone, is_moment, local, now, written


def test_a_moment_that_a_zone_cannot_show_is_none() -> None:
    assert local("9999-12-31T23:59:59Z", ZoneInfo("Asia/Tokyo")) is None


def test_moments_are_written_in_utc() -> None:
    assert written(datetime(2026, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))) == "2026-07-01T10:00:00Z"
    assert written(datetime(2026, 7, 1, 12, 0, 0, 5_999, tzinfo=UTC)) == "2026-07-01T12:00:00.005Z"
    assert now().tzinfo is UTC


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("registeredDateTime", True),
        ("event.startDateTime", True),
        ("dateCreated", True),
        ("dateTimeInvited", True),
        ("firstSeen", True),
        ("source", False),
        ("date", False),
    ],
)
def test_the_name_of_a_field_says_that_it_holds_a_moment(name: str, expected: bool) -> None:
    assert is_moment(name) == expected


def test_only_moments_are_put_on_the_clock_of_a_zone() -> None:
    zone = ZoneInfo("Europe/Berlin")
    utc, berlin = "2026-12-01T12:00:00Z", "2026-12-01T13:00:00+01:00"
    column = [utc, None, "soon", 5]
    assert in_zone(column, "startDateTime", zone) == [berlin, None, "soon", 5]
    assert in_zone(column, "source", zone) is column
    nested = [{"name": utc, "startDateTime": utc, "user": {"dateCreated": utc}, "at": [utc, {"firstSeen": utc}]}, utc]
    assert in_zone(nested, "event", zone) == [
        {"name": utc, "startDateTime": berlin, "user": {"dateCreated": berlin}, "at": [utc, {"firstSeen": berlin}]},
        utc,
    ]
