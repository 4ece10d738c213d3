"""Exists only to be fast: pages decoded no further than their export needs, where the client gives them as bytes.

Whatever is unusual about a page (a field of another type, a bearer credential where none belongs, deep nesting, blanks
between tokens, invalid text) has it decoded in full instead, strictly and row by row: the result is the same, later.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from types import GenericAlias
from typing import Any, NamedTuple, TypeVar

from roomctl.exports.cells import shows
from roomctl.exports.columns import REGISTRATION, Registrations
from roomctl.exports.encoding import decode
from roomctl.exports.job import Job
from roomctl.exports.pages import Decode, QuickRows

JSON = Any
_T = TypeVar("_T")
_SHALLOW = 12  # levels; replies have four
_PIECE = 1 << 15
_ALL_BUT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_ESCAPED_LETTER = re.compile(rb"\\u00[4-7]")  # the name of a field could be hidden so
_USER = tuple(name[5:] for name in REGISTRATION if name.startswith("user."))
_EVENT = tuple(name[6:] for name in REGISTRATION if name.startswith("event."))
_TOP = tuple(name for name in REGISTRATION if "." not in name)


def hold_memory() -> None:
    """Have glibc keep the memory of a page for the next, as it does once it has freed a block as large as this one.

    Nothing touches it. Else the memory goes back to the system each time: up to a sixth of the time of an export.
    """
    bytes(31 << 20)


def decoder(job: Job) -> Decode | None:
    """Give what decodes the pages of an export; None where each row is needed in full."""
    row_id = job.operation.row_id
    if job.hashed or job.enrich or row_id is None:
        return None
    if not job.tabular:
        return lambda body, marks: or_none(marks, lambda: lines(body, marks, row_id))
    if job.operation.resource == "Registration" and not job.columns:
        return lambda body, marks: or_none(marks, lambda: registrations(body, marks, job.format.longest))
    return None


def is_quick(row: Any) -> bool:
    """Whether a row is a registration that was decoded for a table."""
    return hasattr(row, "__struct_fields__")


def table(layout: Registrations, rows: Sequence[Any]) -> list[Sequence[JSON]]:
    """Give the columns of registrations that were decoded for a table."""
    fixed = _fixed(rows)
    answers = _answers(layout.found, rows)
    if answers is not None:
        return fixed + answers
    cells = [[*row] for row in zip(*fixed, strict=True)]
    for row, made in zip(rows, cells, strict=True):
        layout.add_values([(value.name, value.value) for value in row.values or ()], made)
    return [*layout.columns(cells)]


def _fixed(rows: Sequence[Any]) -> list[Sequence[JSON]]:
    """Give the columns of `REGISTRATION`. An attribute that is named here is read twice as fast as by its name."""
    fields = _fields()
    users = [row.user or fields.no_user for row in rows]
    events = [row.event or fields.no_event for row in rows]
    return [
        [row.registrationId for row in rows],
        [row.registeredDateTime for row in rows],
        [row.confirmed for row in rows],
        [row.source for row in rows],
        [user.userId for user in users],
        [user.name for user in users],
        [user.firstName for user in users],
        [user.middleName for user in users],
        [user.lastName for user in users],
        [user.emailAddress for user in users],
        [user.emailVerified for user in users],
        [user.mobilePhone for user in users],
        [user.timeZone for user in users],
        [event.socialEventId for event in events],
        [event.name for event in events],
        [event.startDateTime for event in events],
        [event.endDateTime for event in events],
    ]


def _answers(found: Sequence[str], rows: Sequence[Any]) -> list[Sequence[JSON]] | None:
    """Give the columns of `values` where each row has those found so far, in their order, as most forms are filled in.

    None where one has others.
    """
    each = [row.values or () for row in rows]
    width = len(found)
    if set(map(len, each)) != {width}:
        return None
    values = list(chain.from_iterable(each))
    if [value.name for value in values] != [*found] * len(rows):
        return None
    cells = [value.value for value in values]
    return [cells[at::width] for at in range(width)]


def event_of(row: Any) -> JSON:
    """Give what a registration, in whichever form, says of its event, in short; None where it says nothing."""
    if is_quick(row):
        event = row.event and {name: getattr(row.event, name) for name in _EVENT}
    else:
        event = row.get("event") if type(row) is dict else None
        if isinstance(event, _raw()):
            event = decode(event)
    if type(event) is not dict:
        return None
    return {name: value if type(value := event.get(name)) is str else None for name in _EVENT}


def or_none(marks: bytes, quickly: Callable[[], _T]) -> _T | None:
    """Do quickly what can be done so with a page; None where it is unusual."""
    from msgspec import MsgspecError

    try:
        return quickly() if _shallow(marks) else None
    except (MsgspecError, ValueError, KeyError, RecursionError):  # unusual; the strict decoder says what it is
        return None


def _shallow(marks: bytes) -> bool:
    """Whether brackets nest a few levels at most, as far as a look at brackets alone can tell."""
    brackets = marks.translate(None, _ALL_BUT_BRACKETS)
    for _ in range(_SHALLOW):
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return not brackets


def _check_text(body: bytes, marks: bytes) -> None:
    """Check that all is UTF-8, what the decoder skips too, piece by piece: a large text for nothing costs its memory.

    Raises ValueError.
    """
    end = len(body) if not marks.isascii() else 0
    start = 0
    while start < end:
        stop = body.find(b",", start + _PIECE)
        body[start : stop if stop >= 0 else end].decode()
        start = stop if stop >= 0 else end


def _shown(marks: bytes) -> bool:
    """Whether all text of a page shows: it has no escapes, and no characters that do not show."""
    return b"\\" not in marks and shows(marks)


def registrations(body: bytes, marks: bytes, longest: int | None) -> QuickRows:
    """Decode a page of registrations for a table. Raises what `or_none` takes for unusual."""
    _check_text(body, marks)
    rows = _fields().page.decode(body)
    keys = [row.registrationId for row in rows]
    if "" in keys:
        raise ValueError("a row without an id")
    if longest is not None and (_has_long_text(body, marks, longest) or _has_joint(rows)):
        raise ValueError("a cell may be too long")
    return QuickRows(rows, keys, shown=_shown(marks))


def _has_long_text(body: bytes, marks: bytes, longest: int) -> bool:
    """Whether there may be a string of so many bytes: it would fill a block of half as many without a quote."""
    if b"\\" in marks:  # before a quote, it may be one that ends no string
        body = body.replace(b"\\\\", b"..").replace(b'\\"', b"..")
    block = longest // 2
    return any(body.find(b'"', start, start + block) < 0 for start in range(0, len(body) - block, block))


def _has_joint(rows: Sequence[Any]) -> bool:
    """Whether a row has two values of one name, which stand in one cell. Most often all rows have the names of one."""
    each = [row.values or () for row in rows]
    first = [value.name for value in each[0]] if each else []
    if [value.name for values in each for value in values] == first * len(each):
        return len(set(first)) < len(first)
    return any(len({value.name for value in values}) < len(values) for values in each)


def lines(body: bytes, marks: bytes, row_id: str) -> QuickRows:
    """Cut a page into rows and their members, as they came, without the bearer fields that stand in a row itself.

    Raises what `or_none` takes for unusual.
    """
    _check_text(body, marks)
    blank = any(blank in marks for blank in (b"\n", b"\r", b"\t"))
    if blank or (b"\\" in marks and _ESCAPED_LETTER.search(body)):
        raise ValueError("not on one line, or with names that are not plain")
    rows: list[dict[str, Any]] = _members().decode(body)
    bearers = [name for name in set().union(*rows) if "bearer" in name.lower()]
    for name in bearers:
        for row in rows:
            row.pop(name, None)
    keys = _texts([row[row_id] for row in rows])
    text = _encoder().encode_lines(rows)
    if b"bearer" in text.lower():
        raise ValueError("a bearer where none is expected")
    return QuickRows(rows, keys, shown=_shown(marks), lines=text)


def _texts(raw: list[bytes]) -> list[str]:
    """Give the texts of JSON strings without escapes that are not empty; other things are no usual ids."""
    whole = b"\n".join(raw)
    texts = whole[1:-1].decode().split('"\n"') if raw else []
    odd = raw and not whole[:1] == whole[-1:] == b'"'  # the array or object around the one text of a page of one row
    if odd or len(texts) != len(raw) or "" in texts or b"\\" in whole or whole.count(b'"') != 2 * len(raw):
        raise ValueError("not the usual ids")
    return texts


class _Fields(NamedTuple):
    """The decoder of registrations for a table, and what stands in where a registration has no user or event."""

    page: Any
    no_user: Any
    no_event: Any


@cache
def _fields() -> _Fields:
    import msgspec

    def struct(name: str, *fields: Any) -> Any:
        return msgspec.defstruct(name, fields, gc=False)

    cell = str | bool | None  # a number may be written in a way that only the strict decoder keeps
    user = struct("User", *[(name, cell, None) for name in _USER])
    event = struct("Event", *[(name, cell, None) for name in _EVENT])
    value = struct("Value", ("name", str), ("value", cell, None))
    values = GenericAlias(list, value)
    nested = (("user", user | None, None), ("event", event | None, None), ("values", values | None, None))
    row = struct("Row", (_TOP[0], str), *[(name, cell, None) for name in _TOP[1:]], *nested)
    page = msgspec.json.Decoder(GenericAlias(list, row))
    return _Fields(page, user(), event())


@cache
def _members() -> Any:
    import msgspec

    return msgspec.json.Decoder(list[dict[str, msgspec.Raw]])


@cache
def _raw() -> Any:
    import msgspec

    return msgspec.Raw


@cache
def _encoder() -> Any:
    import msgspec

    return msgspec.json.Encoder()
