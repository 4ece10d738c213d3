"""Registrations in numbers: when they came, from where, how many are confirmed, how long before the event."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta, tzinfo
from functools import lru_cache
from math import ceil

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.paging import is_record
from roomctl.contract.records import SPELLED, spelled, truth
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.times import local, moment

UNREAD = "cannot be read:"
_LEADS = ((0, "after it began"), (1, "on the last day"), (7, "in the last week"), (30, "in the last month"))
_EARLIER = "earlier"
_LONGEST = 3_660  # days; a moment that is centuries away is a slip, and gets no row for each day until then


def statistics(rows: Iterable[JSON], zone: tzinfo | None = None, note: Note = lambda _: None) -> dict[str, JSON]:
    """Count registrations; `note` is told how fields are spelled, and which cannot be read.

    Give `perDay` of the zone (None: UTC), days without a registration in between with 0; `timeToEvent` from
    registration to the event's start, without both moments `unknown`; `confirmedShare` of those which show it.
    """
    zone = zone or UTC
    registrations = [row for row in rows if is_record(row, REGISTRATION_LIST)]
    came = {name: [row.get(name) for row in registrations] for name in ("confirmed", "registeredDateTime", "source")}
    truths = [*map(truth, came["confirmed"])]
    moments = [local(each, zone) for each in came["registeredDateTime"]]
    if any(spelled(each) for each in came["confirmed"] if type(each) is str):
        note(SPELLED.format("confirmed"))
    for name, read in (("confirmed", truths), ("registeredDateTime", moments)):
        pairs = zip(came[name], read, strict=True)
        if lost := [each for each, found in pairs if found is None and each not in (None, "")]:
            note(f"{UNREAD} `{name}` of {numbered(len(lost), 'registrations')}, such as {compact(lost[0])[:40]}")
    confirmed = Counter(truths)
    shown = confirmed[True] + confirmed[False]
    sources = Counter(each if type(each) is str else None for each in came["source"])
    starts = map(_start_of, registrations)
    leads = [(start - at).days for start, at in zip(starts, moments, strict=True) if start and at]
    return {
        "registrations": len(registrations),
        "confirmed": confirmed[True],
        "confirmedNotShown": confirmed[None],
        "confirmedShare": round(confirmed[True] / shown, 4) if shown else None,
        "zone": str(zone),
        "perDay": [*_per_day(Counter(at and at.date() for at in moments))],
        "bySource": [{"source": source, "registrations": count} for source, count in sources.most_common()],
        "timeToEvent": {"unknown": len(registrations) - len(leads), **_time_to_event(sorted(leads))},
    }


_moment = lru_cache(maxsize=8)(moment)
"""Reads the start of an event, which most rows have in common."""


def _start_of(registration: JSON) -> JSON:
    event = registration.get("event")
    start = event.get("startDateTime") if type(event) is dict else None
    return _moment(start) if type(start) is str else None


def _per_day(days: Counter[date | None]) -> Iterator[dict[str, JSON]]:
    known = sorted(filter(None, days))
    span = (known[-1] - known[0]).days + 1 if known else 0
    for day in known if span > _LONGEST else [known[0] + timedelta(number) for number in range(span)]:
        yield {"day": day.isoformat(), "registrations": days[day]}
    if days[None]:
        yield {"day": None, "registrations": days[None]}


def _time_to_event(leads: Sequence[int]) -> dict[str, JSON]:
    parts = Counter(next((name for limit, name in _LEADS if days < limit), _EARLIER) for days in leads)
    return {
        "medianDays": _quantile(leads, 0.5),
        "quartileDays": [_quantile(leads, 0.25), _quantile(leads, 0.75)],
        "parts": [{"when": name, "registrations": parts[name]} for name in (*(name for _, name in _LEADS), _EARLIER)],
    }


def _quantile(numbers: Sequence[int], share: float) -> int | None:
    """Give the number that this share of all does not exceed, of numbers in order."""
    return numbers[max(ceil(share * len(numbers)), 1) - 1] if numbers else None
