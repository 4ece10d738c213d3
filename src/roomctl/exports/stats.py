"""Registrations in numbers: when they came, from where, how many are confirmed, how long before the event."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta, tzinfo
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.paging import is_record
from roomctl.contract.records import SPELLED, spelled, truth
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.times import local, moment

Column = Sequence[JSON]
COLUMNS = ("registeredDateTime", "confirmed", "source", "event")
"""What is counted of a registration."""
UNREAD = "cannot be read:"
_LEADS = ((0, "after it began"), (1, "on the last day"), (7, "in the last week"), (30, "in the last month"))
_EARLIER = "earlier"
_LONGEST = 3_660  # days; a moment that is centuries away is a slip, and gets no row for each day until then
_AT_ONCE = 500


class Statistics:
    """Counts registrations column by column, in one pass and with memory for the days and sources only."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone or UTC
        self.spelled = False  # whether some say as a text that they are confirmed, or not
        self._unread: dict[str, list[JSON]] = {}  # how often a field could not be read, and a value of it
        self._confirmed: Counter[bool | None] = Counter()
        self._days: Counter[date | None] = Counter()
        self._sources: Counter[str | None] = Counter()
        self._leads: Counter[int | None] = Counter()

    def add(self, registered: Column, confirmed: Column, sources: Column, events: Column) -> None:
        moments = [local(each, self._zone) for each in registered]
        truths = [each if type(each) is bool else truth(each) for each in confirmed]
        for name, came, read in (("confirmed", confirmed, truths), ("registeredDateTime", registered, moments)):
            if lost := [each for each, it in zip(came, read, strict=True) if it is None and each not in (None, "")]:
                self._unread.setdefault(name, [0, lost[0]])[0] += len(lost)
        self._confirmed.update(truths)
        self.spelled = self.spelled or any(spelled(each) for each in confirmed if type(each) is str)
        self._days.update([at and at.date() for at in moments])
        self._sources.update([each if type(each) is str else None for each in sources])
        for event, at, text in zip(events, moments, registered, strict=True):
            begin = event.get("startDateTime") if type(event) is dict else None
            start = _start(begin) if type(begin) is str else None
            when = at or moment(text)
            self._leads[(start - when).days if start and when else None] += 1

    def notes(self) -> Iterator[str]:
        for name, (count, value) in self._unread.items():
            yield f"{UNREAD} `{name}` of {numbered(count, 'registrations')}, such as {compact(value)[:40]}"

    def told(self) -> dict[str, JSON]:
        """Give `perDay` of the zone (None: UTC), days without a registration in between with 0; `timeToEvent` from
        registration to the event's start, without both moments `unknown`; `confirmedShare` of those which show it.
        """
        confirmed = self._confirmed
        shown = confirmed[True] + confirmed[False]
        return {
            "registrations": confirmed.total(),
            "confirmed": confirmed[True],
            "confirmedNotShown": confirmed[None],
            "confirmedShare": round(confirmed[True] / shown, 4) if shown else None,
            "zone": str(self._zone),
            "perDay": _per_day(self._days),
            "bySource": [{"source": source, "registrations": count} for source, count in self._sources.most_common()],
            "timeToEvent": _time_to_event(self._leads),
        }


def statistics(rows: Iterable[JSON], zone: tzinfo | None = None, note: Note = lambda _: None) -> dict[str, JSON]:
    """Count registrations and give the numbers; `note` is told how fields are spelled, and which cannot be read."""
    counted, registrations = Statistics(zone), (row for row in rows if is_record(row, REGISTRATION_LIST))
    while some := [*islice(registrations, _AT_ONCE)]:
        counted.add(*([row.get(name) for row in some] for name in COLUMNS))
    for each in (*[SPELLED.format("confirmed")] * counted.spelled, *counted.notes()):
        note(each)
    return counted.told()


_start = lru_cache(maxsize=8)(moment)
"""Reads the start of an event, which most rows have in common."""


def _per_day(days: Counter[date | None]) -> list[dict[str, JSON]]:
    known = sorted(filter(None, days))
    shown: list[dict[str, JSON]] = []
    if known:
        span = (known[-1] - known[0]).days + 1
        each = known if span > _LONGEST else [known[0] + timedelta(number) for number in range(span)]
        shown = [{"day": day.isoformat(), "registrations": days[day]} for day in each]
    return [*shown, {"day": None, "registrations": days[None]}] if days[None] else shown


def _time_to_event(leads: Counter[int | None]) -> dict[str, JSON]:
    known = sorted((days, count) for days, count in leads.items() if days is not None)
    parts: Counter[str] = Counter()
    for days, count in known:
        parts[next((name for limit, name in _LEADS if days < limit), _EARLIER)] += count
    return {
        "unknown": leads[None],
        "medianDays": quantile(known, 0.5),
        "quartileDays": [quantile(known, 0.25), quantile(known, 0.75)],
        "parts": [{"when": name, "registrations": parts[name]} for name in (*(name for _, name in _LEADS), _EARLIER)],
    }


def quantile(known: Sequence[tuple[Any, int]], share: float) -> Any:
    """Give the number that this share of all does not exceed, of numbers in order, each with how often it is."""
    total, reached = sum(count for _, count in known), accumulate(count for _, count in known)
    return next((number for (number, _), at in zip(known, reached, strict=True) if at >= share * total), None)
