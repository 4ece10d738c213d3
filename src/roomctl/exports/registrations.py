"""Registrations in columns, for what counts them: in one pass, in memory for some at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.paging import is_record
from roomctl.contract.records import event_id
from roomctl.exports.columns import EVENT, REGISTRATION, Misfit, Registrations, join_values, named_values
from roomctl.exports.quick import answers_of, quick_types
from roomctl.text import JSON

Columns = dict[str, Sequence[JSON]]
OWN = ("registeredDateTime", "confirmed", "source")
USER = ("userId", "emailAddress", "name", "firstName", "middleName", "lastName", "mobilePhone")
_STORED: dict[JSON, JSON] = {"true": True, "false": False, 1: True, 0: False}  # booleans in text and in SQLite


@dataclass(frozen=True, eq=False)
class Page:
    """Some registrations: `columns` of OWN, of `user.` and each of USER, and of `event`; their `answers` by question.

    Several answers of one person to one question are one. The answers of so many were `unreadable`; so many other rows
    were `strange`, no registrations.
    """

    columns: Columns
    answers: Columns
    unreadable: int = 0
    strange: int = 0

    @property
    def size(self) -> int:
        return len(self.columns["event"])

    def users(self) -> Iterator[dict[str, JSON]]:
        """Give of each registration what attendance needs to know."""
        columns = (self.columns[name] for name in ("user.userId", "user.emailAddress", "event"))
        for key, address, event in zip(*columns, strict=True):
            yield {"user": {"userId": key, "emailAddress": address}, "event": event}

    def rows(self) -> Iterable[dict[str, JSON]]:
        """Give each row's cells by column."""
        return (dict(zip(self.columns, cells, strict=True)) for cells in zip(*self.columns.values(), strict=True))


def of_decoded(rows: Sequence[Any]) -> Page:
    """Make a page of registrations that were decoded for a table, with their whole events."""
    layout, nobody = Registrations(()), quick_types().no_user
    users = [row.user or nobody for row in rows]
    columns: Columns = {name: [*map(attrgetter(name), rows)] for name in (*OWN, "event")}
    columns |= {f"user.{name}": [*map(attrgetter(name), users)] for name in USER}
    answers = answers_of(layout, rows)
    return Page(columns, dict(zip(layout.found, answers, strict=True)))


def of_rows(rows: Iterable[JSON]) -> Page:
    """Make a page of rows that were decoded in full."""
    rows = [*rows]
    records = [row for row in rows if is_record(row, REGISTRATION_LIST)]
    users = [user if type(user := row.get("user")) is dict else {} for row in records]
    columns: Columns = {name: [row.get(name) for row in records] for name in OWN}
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
    return Page(columns, by_question, unreadable, len(rows) - len(records))


def of_cells(rows: Sequence[Mapping[str, JSON]], further: Iterable[str] = ()) -> Page:
    """Make a page of the rows of a table; its columns but those of registrations and `further` ones are questions."""
    found = {name: [None if cell == "" else cell for cell in column] for name, column in _columns(rows).items()}
    nothing = [None] * len(rows)
    columns: Columns = {name: found.get(name, nothing) for name in (*OWN, *(f"user.{each}" for each in USER))}
    columns["confirmed"] = [_STORED.get(each, each) for each in columns["confirmed"]]
    events = zip(*(found.get(f"event.{name}", nothing) for name in EVENT), strict=True)
    columns["event"] = [dict(zip(EVENT, cells, strict=True)) for cells in events]
    fixed = {*REGISTRATION, *further}
    asked = [name for name in found if name not in fixed and not name.startswith(("user.", "event."))]
    return Page(columns, {name.removeprefix("values."): found[name] for name in asked})


def _columns(rows: Sequence[Mapping[str, JSON]]) -> dict[str, Sequence[JSON]]:
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
