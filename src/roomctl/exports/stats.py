"""Registrations in numbers: when they came, from where, how many are confirmed, how long before the event."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any

from roomctl.contract.moments import moment
from roomctl.contract.records import truth
from roomctl.exports.cells import local

JSON = Any
_LEADS = ((0, "after it began"), (1, "on the last day"), (7, "in the last week"), (30, "in the last month"))
_EARLIER = "earlier"
_LONGEST = 3_660  # days; a moment that is centuries away is a slip, and gets no row for each day until then
_DAY = 86_400


def statistics(registrations: Iterable[JSON], zone: tzinfo | None = None) -> dict[str, JSON]:
    """Count registrations, in one pass and with memory for the days and sources only.

    `perDay` are days in `zone` (None: UTC); those without a registration in between are there with 0. `timeToEvent` is
    from registration to the event's start; a registration without both moments counts as `unknown`. `confirmedShare` is
    that of those which show whether they are.
    """
    zone = zone or UTC
    confirmed: Counter[bool | None] = Counter()
    days: Counter[str | None] = Counter()
    sources: Counter[str | None] = Counter()
    leads: Counter[int | None] = Counter()
    for found in registrations:
        row = found if type(found) is dict else {}
        confirmed[truth(row.get("confirmed"))] += 1
        at = local(row.get("registeredDateTime"), zone)
        days[at.date().isoformat() if at else None] += 1
        sources[_source(row.get("source"))] += 1
        leads[_lead(row, at)] += 1
    shown = confirmed[True] + confirmed[False]
    return {
        "registrations": confirmed.total(),
        "confirmed": confirmed[True],
        "confirmedNotShown": confirmed[None],
        "confirmedShare": round(confirmed[True] / shown, 4) if shown else None,
        "zone": str(zone),
        "perDay": _per_day(days),
        "bySource": [{"source": source, "registrations": count} for source, count in sources.most_common()],
        "timeToEvent": _time_to_event(leads),
    }


_start = lru_cache(maxsize=8)(moment)
"""Reads the start of an event, which most rows have in common."""


def _source(source: JSON) -> str | None:
    return source if type(source) is str else None


def _lead(row: dict[str, JSON], local: datetime | None) -> int | None:
    """Give the whole days from registration to the event's start; negative once it has begun."""
    event = row.get("event")
    text = event.get("startDateTime") if type(event) is dict else None
    start = _start(text) if type(text) is str else None
    at = local or moment(row.get("registeredDateTime"))
    return None if start is None or at is None else int((start - at).total_seconds() // _DAY)


def _per_day(days: Counter[str | None]) -> list[dict[str, JSON]]:
    from datetime import date, timedelta

    known = sorted(date.fromisoformat(day) for day in days if day)
    shown: list[dict[str, JSON]] = []
    if known:
        span = (known[-1] - known[0]).days + 1
        each = known if span > _LONGEST else [known[0] + timedelta(number) for number in range(span)]
        shown = [{"day": day.isoformat(), "registrations": days[day.isoformat()]} for day in each]
    return [*shown, {"day": None, "registrations": days[None]}] if days[None] else shown


def _time_to_event(leads: Counter[int | None]) -> dict[str, JSON]:
    known = sorted((days, count) for days, count in leads.items() if days is not None)
    parts: Counter[str] = Counter()
    for days, count in known:
        parts[next((name for limit, name in _LEADS if days < limit), _EARLIER)] += count
    return {
        "unknown": leads[None],
        "medianDays": _at(known, 0.5),
        "quartileDays": [_at(known, 0.25), _at(known, 0.75)],
        "parts": [{"when": name, "registrations": parts[name]} for name in (*(name for _, name in _LEADS), _EARLIER)],
    }


def _at(known: list[tuple[int, int]], share: float) -> int | None:
    """Give the day below which at least `share` of the registrations lie."""
    total = sum(count for _, count in known)
    reached = 0
    for days, count in known:
        reached += count
        if reached >= share * total:
            return days
    return None
