"""Moments as the service writes them, and as they are told in the viewer's zone."""

from datetime import UTC, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

from roomctl.text.times import Told, instant, moment, told
from tests.conftest import Cases

BERLIN = ZoneInfo("Europe/Berlin")


def test_a_time_is_told_in_the_viewers_zone_or_stays_as_it_came(cases: Cases) -> None:
    cases("times.txt", lambda text: " ".join(told(text, BERLIN) or ["as it came"]))


DUBAI, ODD_ZONE = ZoneInfo("Asia/Dubai"), timezone(timedelta(hours=-3, minutes=-30))


def test_a_zone_without_a_name_is_named_by_its_offset_and_seconds_are_told_where_they_are_asked_for() -> None:
    assert told("2026-11-21T08:00:00Z", DUBAI) == Told("2026-11-21 12:00", "UTC+04:00")
    assert told("2026-11-21T08:00:00Z", ODD_ZONE) == Told("2026-11-21 04:30", "UTC-03:30")
    assert told("2026-11-21T08:00:07.5Z", UTC, seconds=True) == Told("2026-11-21 08:00:07", "UTC")


def test_a_moment_is_a_place_in_time_or_none_in_each_form_in_which_services_write_one(cases: Cases) -> None:
    def says(value: Any, form: str) -> str:
        found = {"moment": moment, "instant": instant}[form](value)
        return found.astimezone(UTC).isoformat() if found else "none"

    cases("instants.txt", says)
