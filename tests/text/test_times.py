"""Moments as the service writes them, and as they are told in the viewer's zone."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

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


NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SAME = ["2026-12-01T12:00:00Z", "2026-12-01T13:00:00+01:00", "2026-12-01T12:00:00.000Z", "2026-12-01t12:00:00z"]
NONE = ["", "soon", "2026-12-01T12:00:00", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00", None, 20261201, ["x"]]
ODD: list[Any] = ["soon", "2026-12-01", "", True, [], [2026, 12, 1], [2026, 13, 1, 1, 1], ["x"] * 5, 1e99, {}]


@pytest.mark.parametrize(
    ("text", "read"), [*((each, NOON) for each in SAME), *((each, None) for each in NONE)], ids=str
)
def test_a_moment_is_a_place_in_time_or_none(text: Any, read: datetime | None) -> None:
    assert moment(text) == read


@pytest.mark.parametrize(
    ("value", "read"),
    [
        *((each, NOON) for each in (
            1796126400, 1796126400.0, 1796126400000, [2026, 12, 1, 12, 0], [2026, 12, 1, 12, 0, 0, 7],
            "2026-12-01T13:00:00+01:00[Europe/Berlin]", "2026-12-01T12:00Z",
        )),
        *((text, None) for text in ODD),
    ],
    ids=str,
)  # fmt: skip
def test_a_moment_is_read_in_any_form_in_which_services_write_one(value: Any, read: datetime | None) -> None:
    assert instant(value) == read
