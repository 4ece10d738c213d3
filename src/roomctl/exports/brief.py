"""Registrations in brief: pages decoded no further than they are counted, with the answers by question.

Of a usual page the members of its rows are told apart, and those that count are decoded for the whole page at once. Any
other page is decoded in full: the result is the same, later.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from types import GenericAlias
from typing import Any, NamedTuple, TypedDict

from roomctl.exports.columns import Misfit, join_values, named_values
from roomctl.exports.jsonrows import decode, lines
from roomctl.exports.quick import Members

JSON = Any
Row = dict[str, JSON]


class _User(TypedDict, total=False):
    """What counts of a user."""

    userId: JSON
    emailAddress: JSON
    name: JSON
    firstName: JSON
    middleName: JSON
    lastName: JSON
    mobilePhone: JSON


class _Event(TypedDict, total=False):
    socialEventId: JSON
    socialRoomSetId: JSON
    startDateTime: JSON
    endDateTime: JSON


class Page(NamedTuple):
    """Registrations in brief, and the answers to each question: as many as there are rows, None where there is none.

    Several answers of one person to one question are one. The `values` of so many rows were `unreadable`.
    """

    rows: list[Row]
    answers: dict[str, list[JSON]]
    unreadable: int = 0


def of_lines(lines: Sequence[bytes]) -> Page:
    """Make a page of the lines of an ndjson export. Raises ValueError for what is no JSON."""
    from msgspec import MsgspecError

    try:
        return of_members(_types().members.decode(b"[" + b",".join(lines) + b"]"))
    except (MsgspecError, RecursionError):
        return of_rows([*map(decode, lines)])


def ndjson(rows: Sequence[JSON]) -> bytes:
    """Give a page, as `of_page` takes it, as the lines that an ndjson export writes."""
    if isinstance(rows, Members):
        text = rows.text
    elif rows and _is_cut(rows[0]):
        text = b"".join([_types().encode(row) + b"\n" for row in rows])
    else:
        return lines(rows)
    return lines([text[:-1]], shown=isinstance(rows, Members) and rows.shown)  # all of them as if they were one


def of_page(rows: Sequence[JSON]) -> Page:
    """Make a page of rows that `quick.member_decoder`, or else the strict decoder, made."""
    return of_members(rows) if rows and _is_cut(rows[0]) else of_rows(rows)


def whole(row: JSON) -> Row:
    """Give a row of a page, or a line, in full; one that is no object is empty."""
    found = decode(row) if type(row) is bytes else decode(_types().encode(row)) if _is_cut(row) else row
    return found if type(found) is dict else {}


def of_members(rows: Sequence[Row]) -> Page:
    """Make a page of rows whose members are `msgspec.Raw`. Raises ValueError for what is no JSON."""
    from msgspec import MsgspecError

    def members(name: str) -> bytes:
        return b"[" + b",".join([row.get(name, b"null") for row in rows]) + b"]"

    types = _types()
    try:
        each = zip(
            *(types.cells.decode(members(name)) for name in ("registeredDateTime", "confirmed", "source")),
            types.users.decode(members("user")),
            _events(types, [row.get("event", b"null") for row in rows]),
            strict=True,
        )
        brief = [
            {"registeredDateTime": at, "confirmed": confirmed, "source": source, "user": user, "event": event}
            for at, confirmed, source, user, event in each
        ]
        values = types.values.decode(members("values"))
    except (MsgspecError, RecursionError):
        return of_rows([*map(whole, rows)])
    return Page(brief, _alike(values) or by_question([(v.name, v.value) for v in found or ()] for found in values))


def of_rows(rows: Sequence[JSON]) -> Page:
    """Make a page of rows that were decoded in full; one that is no object counts as empty."""
    objects = [row if type(row) is dict else {} for row in rows]
    pairs, unreadable = [], 0
    for row in objects:
        try:
            pairs.append(named_values(row.get("values")))
        except Misfit:
            pairs.append([])
            unreadable += 1
    return Page(objects, by_question(pairs), unreadable)


def by_question(rows: Iterable[Sequence[tuple[str, JSON]]]) -> dict[str, list[JSON]]:
    """Put the answers of rows, which are pairs of a question and an answer, in the columns of the questions."""
    each = [join_values(pairs) for pairs in rows]
    return {question: [answers.get(question) for answers in each] for question in dict.fromkeys(chain(*each))}


def _alike(rows: Sequence[Sequence[Any] | None]) -> dict[str, list[JSON]]:
    """Put the answers in columns where each row answers the same questions in one order, as most forms are filled in.

    Empty where one does not.
    """
    flat = [value for found in rows if found for value in found]
    first = [value.name for value in rows[0] or ()]
    width = len(set(first))
    if not width or width != len(first) or [value.name for value in flat] != first * len(rows):
        return {}
    cells = [value.value for value in flat]
    return {question: cells[at::width] for at, question in enumerate(first)}


def _events(types: "_Types", members: list[Any]) -> list[JSON]:
    """Decode the events of rows, of which most are alike, each once."""
    if members and b"".join(members) == bytes(members[0]) * len(members):
        return [types.event.decode(members[0])] * len(members)
    return [*map(types.event.decode, members)]


def _is_cut(row: JSON) -> bool:
    return type(row) is dict and any(type(each) is _types().raw for each in row.values())


class _Types(NamedTuple):
    members: Any
    cells: Any
    users: Any
    event: Any
    values: Any
    encode: Any
    raw: type


@cache
def _types() -> _Types:
    import msgspec

    cell = str | bool | None
    value = msgspec.defstruct("Value", [("name", str), ("value", cell, None)], gc=False)
    pages = (GenericAlias(list, each) for each in (cell, _User | None, GenericAlias(list, value) | None))
    cells, users, values = map(msgspec.json.Decoder, pages)
    members = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])
    return _Types(members, cells, users, msgspec.json.Decoder(_Event | None), values, msgspec.json.encode, msgspec.Raw)
