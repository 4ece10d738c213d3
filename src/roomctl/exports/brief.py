"""Registrations in brief: columns of what is counted of them, with the answers by question.

Of usual lines only that is decoded. Any other line is decoded in full: the result is the same, later.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from types import GenericAlias
from typing import Any, NamedTuple

from roomctl.exports.columns import Misfit, join_values, named_values
from roomctl.exports.jsonrows import decode
from roomctl.exports.stats import COLUMNS

JSON = Any
Columns = dict[str, Sequence[JSON]]
USER = ("userId", "emailAddress", "name", "firstName", "middleName", "lastName", "mobilePhone")


class Page(NamedTuple):
    """Columns, those of the user as `user.name`, and the answers to each question; None where there is none.

    Several answers of one person to one question are one. The `values` of so many rows were `unreadable`.
    """

    columns: Columns
    answers: Columns
    unreadable: int = 0


def of_lines(lines: Sequence[bytes]) -> Page:
    """Make a page of lines of an ndjson export. Raises ValueError for what is no JSON."""
    from msgspec import MsgspecError

    types = _types()
    try:
        rows = [*map(types.row, lines)]
        events = _events([row.event for row in rows])
    except (MsgspecError, RecursionError):
        return of_rows([*map(decode, lines)])
    users = [row.user or types.no_user for row in rows]
    values = [row.values or () for row in rows]
    return Page(
        {name: [*map(attrgetter(name), rows)] for name in COLUMNS[:-1]}
        | {"event": events}
        | {f"user.{name}": [*map(attrgetter(name), users)] for name in USER},
        _alike(values) or by_question([[(value.name, value.value) for value in found] for found in values]),
    )


def of_rows(rows: Sequence[JSON]) -> Page:
    """Make a page of rows that were decoded in full; one that is no object counts as empty."""
    objects = [row if type(row) is dict else {} for row in rows]
    users = [user if type(user := row.get("user")) is dict else {} for row in objects]
    pairs, unreadable = [], 0
    for row in objects:
        try:
            pairs.append(named_values(row.get("values")))
        except Misfit:
            pairs.append([])
            unreadable += 1
    columns: Columns = {name: [row.get(name) for row in objects] for name in COLUMNS}
    columns |= {f"user.{name}": [user.get(name) for user in users] for name in USER}
    return Page(columns, by_question(pairs), unreadable)


def by_question(rows: Iterable[Sequence[tuple[str, JSON]]]) -> Columns:
    """Put the answers of rows, which are pairs of a question and an answer, in the columns of the questions."""
    each = [join_values(pairs) for pairs in rows]
    return {question: [answers.get(question) for answers in each] for question in dict.fromkeys(chain(*each))}


def _alike(rows: Sequence[Sequence[Any]]) -> Columns:
    """Put the answers in columns where each row answers the same questions in one order, as most forms are filled in.

    Empty where one does not.
    """
    flat = [*chain.from_iterable(rows)]
    first = [value.name for value in rows[0]] if rows else []
    width = len(set(first))
    if not width or width != len(first) or [value.name for value in flat] != first * len(rows):
        return {}
    cells = [value.value for value in flat]
    return {question: cells[at::width] for at, question in enumerate(first)}


def _events(texts: list[Any]) -> list[JSON]:
    """Decode the events of rows, of which most are alike, each once."""
    event = _types().event
    if texts and b"".join(texts) == bytes(texts[0]) * len(texts):
        return [event(texts[0])] * len(texts)
    return [*map(event, texts)]


class _Types(NamedTuple):
    row: Any
    event: Any
    no_user: Any


@cache
def _types() -> _Types:
    import msgspec

    def struct(name: str, *fields: Any) -> Any:
        return msgspec.defstruct(name, fields, gc=False)

    cell = str | bool | None  # a number may be written in a way that only the strict decoder keeps
    user = struct("User", *[(name, cell, None) for name in USER])
    values = GenericAlias(list, struct("Value", ("name", str), ("value", cell, None)))
    nested = (
        ("user", user | None, None),
        ("values", values | None, None),
        ("event", msgspec.Raw, msgspec.Raw(b"null")),
    )
    row = struct("Row", *[(name, cell, None) for name in COLUMNS[:-1]], *nested)
    event = msgspec.json.Decoder(dict[str, Any] | None)
    return _Types(msgspec.json.Decoder(row).decode, event.decode, user())
