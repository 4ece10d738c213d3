"""Registrations in columns, and in numbers: when, from where, how many are confirmed, how long before the event."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any

from roomctl.contract.evidence import not_valid, told_not_valid
from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.paging import is_record
from roomctl.contract.records import SPELLED, event_id, spelled, truth
from roomctl.exports.cells import text
from roomctl.exports.columns import EVENT, REGISTRATION, Misfit, Registrations, join_values, named_values
from roomctl.exports.quick import answers_of, quick_types
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.times import local, moment

Columns = dict[str, Sequence[JSON]]
ID = "registrationId"
OWN = ("registeredDateTime", "confirmed", "source")
USER = ("userId", "emailAddress", "name", "firstName", "middleName", "lastName", "mobilePhone")
_STORED: dict[JSON, JSON] = {"true": True, "false": False, 1: True, 0: False}  # booleans in text and in SQLite
UNREAD = "cannot be read:"
_LEADS = {0: "after it began", 1: "less than a day", 7: "1 to 6 days", 30: "7 to 29 days"}
_EARLIER = "30 days or more"
_LONGEST = 3_660  # days; a moment that is centuries away is a slip, and gets no row for each day until then


@dataclass(frozen=True, eq=False)
class Page:
    """Some registrations: `columns` of their ids, OWN, `user.` and each of USER, `event`; their `answers` by question.

    Several answers of one person to one question are one. The answers of so many were `unreadable`; so many other rows
    were `strange`, no registrations. `not_valid` counts those that say that they are deleted, by the field.
    """

    columns: Columns
    answers: Columns
    unreadable: int = 0
    strange: int = 0
    not_valid: Mapping[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.columns["event"])

    def users(self) -> Iterator[dict[str, JSON]]:
        """Give of each registration what attendance needs to know."""
        columns = (self.columns[name] for name in (ID, "user.userId", "user.emailAddress", "event"))
        for row, key, address, event in zip(*columns, strict=True):
            yield {ID: row, "user": {"userId": key, "emailAddress": address}, "event": event}

    def rows(self) -> Iterable[dict[str, JSON]]:
        """Give each row's cells by column."""
        return (dict(zip(self.columns, cells, strict=True)) for cells in zip(*self.columns.values(), strict=True))


def of_decoded(rows: Sequence[Any]) -> Page:
    """Make a page of registrations that were decoded for a table, with their whole events."""
    layout, nobody = Registrations(()), quick_types().no_user
    users = [row.user or nobody for row in rows]
    columns: Columns = {name: [*map(attrgetter(name), rows)] for name in (ID, *OWN, "event")}
    columns |= {f"user.{name}": [*map(attrgetter(name), users)] for name in USER}
    answers = answers_of(layout, rows)
    return Page(columns, dict(zip(layout.found, answers, strict=True)))


def of_rows(rows: Iterable[JSON]) -> Page:
    """Make a page of rows that were decoded in full."""
    rows = [*rows]
    records = [row for row in rows if is_record(row, REGISTRATION_LIST)]
    users = [user if type(user := row.get("user")) is dict else {} for row in records]
    columns: Columns = {name: [row.get(name) for row in records] for name in (ID, *OWN)}
    columns |= {f"user.{name}": [user.get(name) for user in users] for name in USER}
    columns["event"] = [
        event if type(event := row.get("event")) is dict else {"socialEventId": event_id(row)} for row in records
    ]
    answers = list[dict[str, JSON]]()
    unreadable = 0
    for row in records:
        try:
            answers.append(join_values(named_values(row.get("values"))))
        except Misfit:
            answers.append({})
            unreadable += 1
    questions = dict.fromkeys(chain.from_iterable(answers))
    by_question: Columns = {each: [given.get(each) for given in answers] for each in questions}
    return Page(columns, by_question, unreadable, len(rows) - len(records), not_valid(records, "Registration"))


def of_cells(rows: Sequence[Mapping[str, JSON]], further: Iterable[str] = ()) -> Page:
    """Make a page of the rows of a table; its columns but those of registrations and `further` ones are questions."""
    found = {name: [None if row[name] == "" else row[name] for row in rows] for name in (rows[0] if rows else ())}
    nothing = [None] * len(rows)
    columns: Columns = {name: found.get(name, nothing) for name in (ID, *OWN, *(f"user.{each}" for each in USER))}
    columns["confirmed"] = [_STORED.get(each, each) for each in columns["confirmed"]]
    events = zip(*(found.get(f"event.{name}", nothing) for name in EVENT), strict=True)
    columns["event"] = [dict(zip(EVENT, cells, strict=True)) for cells in events]
    fixed = {*REGISTRATION, *further}
    asked = [name for name in found if name not in fixed and not name.startswith(("user.", "event."))]
    return Page(columns, {name.removeprefix("values."): found[name] for name in asked})


class Statistics:
    """Counts registrations page by page, with memory for their days and sources only. `zone` None: UTC."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone or UTC
        self._confirmed = Counter[bool | None]()
        self._days = Counter[date | None]()
        self._sources = Counter[str | None]()
        self._leads = Counter[int | None]()
        self._spelled = False
        self._not_valid = Counter[str]()
        self._unread: dict[str, tuple[int, JSON]] = {}  # by field: how many could not be read, and one of them

    def add(self, page: Page) -> None:
        columns = page.columns
        self._not_valid.update(page.not_valid)
        moments = [local(each, self._zone) for each in columns["registeredDateTime"]]
        truths = [*map(truth, columns["confirmed"])]
        self._spelled |= any(spelled(each) for each in columns["confirmed"] if type(each) is str)
        for name, read in (("confirmed", truths), ("registeredDateTime", moments)):
            pairs = zip(columns[name], read, strict=True)
            if lost := [each for each, found in pairs if found is None and each not in (None, "")]:
                number, first = self._unread.get(name, (0, lost[0]))
                self._unread[name] = (number + len(lost), first)
        self._confirmed.update(truths)
        self._days.update([at and at.date() for at in moments])
        self._sources.update([each if each is None else text(each) for each in columns["source"]])
        starts = map(_start_of, columns["event"])
        pairs = zip(starts, moments, strict=True)
        self._leads.update([(start - at).days if start and at else None for start, at in pairs])

    @property
    def notes(self) -> list[str]:
        """How fields are spelled, which cannot be read, and how many registrations are said to be deleted."""
        said = [SPELLED.format("confirmed")] if self._spelled else []
        said += told_not_valid(self._not_valid)
        for name, (number, first) in self._unread.items():
            said.append(f"{UNREAD} `{name}` of {numbered(number, 'registrations')}, such as {compact(first)[:40]}")
        return said

    @property
    def doubts(self) -> list[str]:
        """Name the fields that are there, and could be read of no registration."""
        lost = {"registeredDateTime": self._days[None], "confirmed": self._confirmed[None]}
        none = [name for name in self._unread if lost[name] == self._confirmed.total()]
        return [f"no registration has a `{name}` that can be read" for name in none]

    def result(self) -> dict[str, JSON]:
        """Give `perDay` of the zone, days without a registration in between with 0; `timeToEvent` from registration to
        the event's start, without both moments `unknown`; `confirmedShare` of those which show it.
        """
        confirmed = self._confirmed
        shown = confirmed[True] + confirmed[False]
        return {
            "registrations": confirmed.total(),
            "confirmed": confirmed[True],
            "confirmedNotShown": confirmed[None],
            "confirmedShare": round(confirmed[True] / shown, 4) if shown else None,
            "zone": str(self._zone),
            "perDay": [*_per_day(self._days)],
            "bySource": [{"source": source, "registrations": count} for source, count in self._sources.most_common()],
            "timeToEvent": _time_to_event(self._leads),
        }


def statistics(rows: Iterable[JSON], zone: tzinfo | None = None, note: Note = lambda _: None) -> dict[str, JSON]:
    """Count registrations that were decoded in full; `note` is told what `Statistics.notes` says."""
    counted = Statistics(zone)
    counted.add(of_rows(rows))
    for each in counted.notes:
        note(each)
    return counted.result()


_moment = lru_cache(maxsize=8)(moment)  # reads the start of an event, which most rows have in common


def _start_of(event: JSON) -> datetime | None:
    start = event.get("startDateTime") if type(event) is dict else None
    return _moment(start) if type(start) is str else None


def _per_day(days: Counter[date | None]) -> Iterator[dict[str, JSON]]:
    known = sorted(filter(None, days))
    span = (known[-1] - known[0]).days + 1 if known else 0
    for day in known if span > _LONGEST else [known[0] + timedelta(number) for number in range(span)]:
        yield {"day": day.isoformat(), "registrations": days[day]}
    if days[None]:
        yield {"day": None, "registrations": days[None]}


def _time_to_event(leads: Counter[int | None]) -> dict[str, JSON]:
    known = sorted((days, count) for days, count in leads.items() if days is not None)
    parts = Counter[str]()
    for days, count in known:
        parts[next((name for limit, name in _LEADS.items() if days < limit), _EARLIER)] += count
    return {
        "unknown": leads[None],
        "medianDays": quantile(known, 0.5),
        "quartileDays": [quantile(known, 0.25), quantile(known, 0.75)],
        "parts": [{"when": name, "registrations": parts[name]} for name in (*_LEADS.values(), _EARLIER)],
    }


def quantile(counts: Sequence[tuple[Any, int]], share: float) -> Any:
    """Give the number that this share of all does not exceed, of numbers in order, each with how often it is.

    Where the share ends between two numbers, it is their mean.
    """
    if not counts:
        return None
    reached = [*accumulate(count for _, count in counts)]
    at = share * reached[-1]
    low, high = counts[bisect_left(reached, at)][0], counts[bisect_right(reached, at)][0]
    mean = (low + high) / 2
    return low if low == high else int(mean) if mean == int(mean) else mean
