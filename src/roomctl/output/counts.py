"""Registrations in numbers as rows, for csv, tsv and md: one for each day, source and time to the event."""

from collections.abc import Iterator
from typing import Any

JSON = Any


def count_rows(counts: dict[str, JSON]) -> list[dict[str, JSON]]:
    """Give the numbers of `registration stats` as rows of `by`, `value`, `registrations` and their `share` of all."""
    total = counts["registrations"]
    return [
        {"by": by, "value": value, "registrations": number, "share": round(number / total, 4) if total else None}
        for by, value, number in _rows(counts)
    ]


def _rows(counts: dict[str, JSON]) -> Iterator[tuple[str, JSON, int]]:
    yield "all", None, counts["registrations"]
    yield "confirmed", True, counts["confirmed"]
    yield from (("day", each["day"], each["registrations"]) for each in counts["perDay"])
    yield from (("source", each["source"], each["registrations"]) for each in counts["bySource"])
    lead = counts["timeToEvent"]
    yield from (("timeToEvent", each["when"], each["registrations"]) for each in lead["parts"])
    yield "timeToEvent", None, lead["unknown"]
