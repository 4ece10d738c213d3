"""Registrations in numbers."""

from typing import Any
from zoneinfo import ZoneInfo

from roomctl.exports.stats import statistics
from tests.exports.paged import registration


def test_days_are_counted_in_a_zone_and_days_without_any_are_there() -> None:
    moments = [
        "2026-10-01T21:59:00Z",
        "2026-10-01T22:01:00Z",
        "2026-10-04T10:00:00Z",
        None,
        "soon",
        "2026-10-04T10:00:00",
    ]
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


def test_sources_and_the_confirmed_share_are_counted() -> None:
    sources: list[Any] = ["web", "web", None, 5, "mail"]
    rows = [registration(number, source=source) for number, source in enumerate(sources)]
    found = statistics([*rows, "odd"])
    assert (found["registrations"], found["confirmed"], found["confirmedShare"], found["zone"]) == (6, 3, 0.5, "UTC")
    assert found["bySource"] == [
        {"source": None, "registrations": 3},
        {"source": "web", "registrations": 2},
        {"source": "mail", "registrations": 1},
    ]


def test_the_time_to_the_event_is_counted_in_days() -> None:
    moments = [
        "2026-12-01T12:00:01Z",
        "2026-12-01T11:00:00Z",
        "2026-11-28T12:00:00Z",
        "2026-11-10T12:00:00Z",
        "2026-01-01T00:00:00Z",
    ]
    rows = [registration(number, registeredDateTime=at) for number, at in enumerate(moments)]
    rows.append(registration(9, event=None))
    assert statistics(rows)["timeToEvent"] == {
        "unknown": 1,
        "medianDays": 3,
        "quartileDays": [0, 21],
        "parts": [
            {"when": "after it began", "registrations": 1},
            {"when": "on the last day", "registrations": 1},
            {"when": "in the last week", "registrations": 1},
            {"when": "in the last month", "registrations": 1},
            {"when": "earlier", "registrations": 1},
        ],
    }


def test_no_registrations_make_no_share() -> None:
    found = statistics([])
    assert (found["registrations"], found["confirmedShare"], found["perDay"], found["bySource"]) == (0, None, [], [])
    assert found["timeToEvent"]["medianDays"] is None


def test_a_moment_that_is_centuries_away_gets_no_row_for_each_day_until_then() -> None:
    rows = [registration(0), registration(1, registeredDateTime="0001-02-03T00:00:00Z")]
    assert statistics(rows)["perDay"] == [
        {"day": "0001-02-03", "registrations": 1},
        {"day": "2026-10-01", "registrations": 1},
    ]
