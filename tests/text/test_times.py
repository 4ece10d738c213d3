"""Times in the viewer's zone."""

from datetime import UTC, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from roomctl.text.times import Moment, moment

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2026-11-21T08:00:00Z", Moment("2026-11-21 09:00", "CET")),
        ("2026-07-21T08:00:00.123456789+00:00", Moment("2026-07-21 10:00", "CEST")),
        ("2026-10-25T00:30:00Z", Moment("2026-10-25 02:30", "CEST")),
        ("2026-10-25T01:30:00Z", Moment("2026-10-25 02:30", "CET")),
        ("2026-11-21t23:30:00-0500", Moment("2026-11-22 05:30", "CET")),
        ("0999-01-01T00:00:00Z", Moment("0999-01-01 00:53", "LMT")),
    ],
)
def test_a_time_is_told_in_the_viewers_zone(text: str, told: Moment) -> None:
    assert moment(text, BERLIN) == told


@pytest.mark.parametrize(
    "text",
    [
        *("2026-11-21T08:00:00", "2026-11-21", "20261121T080000Z", "2026-02-30T08:00:00Z", "soon", ""),
        *("9999-12-31T23:59:59Z", "2026-11-21T25:00:00Z", "２０２６-11-21T08:00:00Z"),
    ],
)
def test_what_cannot_be_told_stays_as_it_came(text: str) -> None:
    assert moment(text, BERLIN) is None


def test_a_zone_without_a_name_is_named_by_its_offset() -> None:
    assert moment("2026-11-21T08:00:00Z", ZoneInfo("Asia/Dubai")) == Moment("2026-11-21 12:00", "UTC+04:00")
    assert moment("2026-11-21T08:00:00Z", timezone(timedelta(hours=-3, minutes=-30))) == (
        Moment("2026-11-21 04:30", "UTC-03:30")
    )


def test_seconds_are_told_where_they_are_asked_for() -> None:
    assert moment("2026-11-21T08:00:07.5Z", UTC, seconds=True) == Moment("2026-11-21 08:00:07", "UTC")
