"""Exists only to be fast: pages decoded no further than their export needs, where the client gives them as bytes.

A row of a table is a registration with the fields of its columns; a row of JSON is the texts of its members. Whatever
is unusual about a page (a field of another type, a row without an id, twice or of another event, a bearer credential
where none belongs, deep nesting, blanks between tokens, invalid text) has it decoded in full instead, strictly and row
by row: the result is the same, later.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from operator import attrgetter
from types import GenericAlias, SimpleNamespace
from typing import Any

import msgspec

from roomctl.contract.evidence import may_tell
from roomctl.contract.fields import INDEXED
from roomctl.contract.paging import Decode
from roomctl.contract.records import EVENT_IDS, folded
from roomctl.exports.cells import shows
from roomctl.exports.columns import EVENT, TOP, USER, Registrations
from roomctl.exports.job import Job
from roomctl.exports.jsonrows import decode, encode_lines
from roomctl.service.distinct import KeyedRows, folded_keys
from roomctl.text import JSON

Decoded = tuple[Sequence[Any], list[str], set[JSON]]
"""The rows of a page, their keys, and the ids of the events that they say they belong to."""
Decoder = Callable[[bytes, bytes], Decoded]
_SHALLOW = 12  # levels; replies have four
_ALL_BUT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
UNUSUAL = ("error", "errors", "success", *EVENT_IDS)
_BEARER = re.compile(b"bearer")  # twice as fast as `in`
_ESCAPED_LETTER = re.compile(rb"\\u00[4-7]")  # the name of a field could be hidden so


def quick_decoder(job: Job) -> Decode | None:
    """Give what decodes the pages of an export; None where each row is needed in full."""
    row_id, resource = job.operation.row_id, job.operation.resource
    if job.hashed or job.enrich or row_id is None or resource != "Registration":
        return None
    if not job.tabular:
        return line_decoder(row_id, job.event)
    usual = partial(_decode_usual, partial(_decode_table, job.format.longest, False), job.event)
    return None if job.columns else usual


def registration_decoder(event: str) -> Decode:
    """Give what decodes pages of an event's registrations as for a table, but with whole events."""
    return partial(_decode_usual, partial(_decode_table, None, True), event)


def _decode_table(longest: int | None, whole_events: bool, body: bytes, _: bytes) -> Decoded:
    types = quick_types()
    try:
        rows = types.plain_registrations.decode(body)
    except ValueError:  # with fields that the interface does not have
        _check_names(body, "Registration", "User", "RegistrationValue")
        rows = types.registrations.decode(body)
        bare = sum(row.user == types.no_user for row in rows)
        if bare > body.count(b'"user":{}') or body.count(b'"values":') > len(rows):
            raise ValueError("a user, or an answer, may stand elsewhere") from None
    if longest is not None and max(map(len, types.texts.decode(body)), default=0) > longest:
        raise ValueError("a cell may be too long")
    texts = [row.event for row in rows]
    events = _decode_once(texts, types.plain_event.decode, types.event.decode)
    for row, own in zip(rows, _decode_once(texts, decode) if whole_events else events, strict=True):
        row.event = own
    return rows, [row.registrationId for row in rows], {each.socialEventId for each in events if each}


def line_decoder(row_id: str, event: str = "") -> Decode:
    """Give what cuts pages into the texts of members, but for bearer fields that stand in a row itself."""

    def decoded(body: bytes, marks: bytes) -> Decoded:
        blank = any(blank in marks for blank in (b"\n", b"\r", b"\t"))
        if blank or (b"\\" in marks and _ESCAPED_LETTER.search(body)):
            raise ValueError("not on one line, or with names that are not plain")
        types = quick_types()
        rows: list[dict[str, Any]] = types.members.decode(body)
        names = set().union(*rows)
        if not names.isdisjoint(UNUSUAL) or (not event and b'"error' in body):  # in a registration each part is checked
            raise ValueError("a row may name an error, or its event in a field of its own")
        if may_tell(names, "Registration" if "registrationId" in names else ""):
            raise ValueError("a row may say that it is not whole")
        try:
            types.plain_users.decode(_array(rows, "user"))
            types.plain_values.decode(_array(rows, "values"))
        except ValueError:
            _check_names(_array(rows, "user") + _array(rows, "values"), "User", "RegistrationValue")
        for name in [name for name in names if "bearer" in name.lower()]:
            for row in rows:
                row.pop(name, None)
        keys = types.ids.decode(_array(rows, row_id))
        if _BEARER.search(encode_lines(rows).lower()):
            raise ValueError("a bearer where none is expected")
        texts = [row.get("event", b"null") for row in rows] if event else ()
        events = _decode_once(texts, types.plain_event.decode, types.event.decode)
        return rows, keys, {each.socialEventId for each in events if each}

    return partial(_decode_usual, decoded, event)


def _check_names(body: bytes, *resources: str) -> None:
    """Leave a page to the strict decoder where the name of a field may say that a row is old, or not whole."""
    names = {name.decode() for name in re.findall(rb'"([\w@.-]+)":', body)}
    if may_tell(names - {name for each in resources for name in INDEXED[each]}, resources[0]):
        raise ValueError("a field may say that a row is not whole")


def _decode_usual(decoded: Decoder, event: str, body: bytes, marks: bytes) -> KeyedRows | None:
    """Decode a page quickly; None where it is unusual: the strict decoder says what it is."""
    try:
        if not marks.isascii():
            body.decode()
        rows, keys, events = decoded(body, marks)
    except (ValueError, KeyError, RecursionError):
        return None
    brackets = marks.translate(None, _ALL_BUT_BRACKETS)
    for _ in range(_SHALLOW):
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    if brackets or "" in keys or len(set(folded_keys(keys))) != len(rows):
        return None
    if event and not {*map(folded, events)} <= {event}:
        return None
    page = KeyedRows(rows)
    page.keys, page.shown = keys, b"\\" not in marks and shows(marks)
    return page


def _array(rows: Sequence[Mapping[str, Any]], name: str) -> bytes:
    return b"[" + b",".join([row.get(name, b"null") for row in rows]) + b"]"


def _decode_once(
    texts: Sequence[Any], decode: Callable[[bytes], Any], unknown: Callable[[bytes], Any] | None = None
) -> list[Any]:
    """Decode the text of each row; most rows of a list have the same. `unknown` decodes events with other fields."""
    if unknown:
        try:
            return _decode_once(texts, decode)
        except ValueError:
            for text in {*map(bytes, texts)}:
                _check_names(text, "Event")
            decode = unknown
    if texts and b"".join(texts) == bytes(texts[0]) * len(texts):
        return [decode(texts[0])] * len(texts)
    texts = [*map(bytes, texts)]
    known = {text: decode(text) for text in {*texts}}
    return [*map(known.__getitem__, texts)]


def table(layout: Registrations, rows: Sequence[Any]) -> list[Sequence[JSON]]:
    """Give the columns of registrations that were decoded for a table."""
    types = quick_types()
    users = [row.user or types.no_user for row in rows]
    events = [row.event or types.no_event for row in rows]
    parts = ((TOP, rows), (USER, users), (EVENT, events))
    fixed = [[*map(attrgetter(name), part)] for names, part in parts for name in names]
    return [*fixed, *answers_of(layout, rows)]


def answers_of(layout: Registrations, rows: Sequence[Any]) -> list[Sequence[JSON]]:
    """Give a column for each question found so far. Most forms are filled in alike: all questions, in one order."""
    values = [row.values or () for row in rows]
    answers = [*chain.from_iterable(values)]
    asked = [answer.name for answer in values[0]]
    width = len({*asked})
    if not layout.found and width == len(asked):
        layout.found.update(dict.fromkeys(asked))
    is_alike = [*layout.found] == asked and {*map(len, values)} == {width}
    if is_alike and [answer.name for answer in answers] == asked * len(values):
        cells = [answer.value for answer in answers]
        return [cells[at::width] for at in range(width)]
    table: list[list[JSON]] = [[] for _ in values]
    for given, row in zip(values, table, strict=True):
        layout.add_values([(answer.name, answer.value) for answer in given], row)
    return [*zip(*(row + [None] * (len(layout.found) - len(row)) for row in table), strict=True)]


def event_of(row: Any) -> JSON:
    """Give what a registration, in whichever form, says of its event, in short; None where it says nothing."""
    event = row.get("event") if type(row) is dict else getattr(row, "event", None)
    event = msgspec.structs.asdict(event) if isinstance(event, msgspec.Struct) else event
    event = decode(bytes(event)) if type(event) is msgspec.Raw else event
    if type(event) is not dict:
        return None
    return {name: value if type(value := event.get(name)) is str else None for name in EVENT}


@cache
def quick_types() -> SimpleNamespace:
    """Make decoders: of a page of registrations for a table (with what stands in for a missing user or event), of the
    texts of rows and of their members, of columns of ids, users and values, of an event. `plain`: with the fields of
    the interface only.
    """
    raw, null = msgspec.Raw, msgspec.Raw(b"null")
    cell = str | bool | None  # a number may be written in a way that only the strict decoder keeps
    unusual = [(name, None, None) for name in UNUSUAL]  # a row that names one is left to the strict decoder

    lists: dict[str, Any] = {"texts": raw, "members": dict[str, msgspec.Raw], "ids": str}
    top = [(TOP[0], str), *[(name, cell, None) for name in TOP[1:]]]
    columns = {"User": USER, "RegistrationValue": ("name", "value"), "Registration": (*TOP, "user", "event", "values")}
    for prefix, plain in (("plain_", True), ("", False)):
        struct: Any = partial(msgspec.defstruct, gc=False, forbid_unknown_fields=plain)
        others = {
            resource: [(name, raw, null) for name in INDEXED[resource] if name not in own] if plain else unusual
            for resource, own in columns.items()
        }
        user = struct("User", [*[(name, cell, None) for name in USER], *others["User"]])
        value = struct("Value", [("name", str), ("value", cell, None), *others["RegistrationValue"]])
        values = GenericAlias(list, value)
        parts = [("user", user | None, None), ("event", raw, null), ("values", values | None, None)]
        lists[f"{prefix}registrations"] = struct("Registration", [*top, *parts, *others["Registration"]])
        lists |= {f"{prefix}users": user | None, f"{prefix}values": values | None}
    short = [(name, cell, None) for name in EVENT]
    event = msgspec.defstruct("Event", [*short, *unusual[:3]], gc=False)
    rest = [(name, raw, null) for name in INDEXED["Event"] if name not in EVENT]
    plain_event = msgspec.defstruct("Event", [*short, *rest], gc=False, forbid_unknown_fields=True)
    return SimpleNamespace(
        no_user=user(),
        no_event=event(),
        event=msgspec.json.Decoder(event | None),
        plain_event=msgspec.json.Decoder(plain_event | None),
        **{name: msgspec.json.Decoder(GenericAlias(list, kind)) for name, kind in lists.items()},
    )
