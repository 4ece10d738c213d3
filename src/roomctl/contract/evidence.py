"""What a record that was read proves: whether it, and the list that it holds, is all, and whether a write is done."""

from collections.abc import Iterable, Mapping
from typing import Final

from roomctl.contract.fields import fields
from roomctl.contract.outcome import denial
from roomctl.contract.paging import Rows, members
from roomctl.contract.records import error_of
from roomctl.contract.statements import READ, STATE, WRITE, can_say, says, statement, words_of
from roomctl.text import JSON

_HELD: Final = {
    "RoomSet": ("socials", ("social", "room", "open", "closed", "active", "visible")),
    "Recording": ("participants", ("participant", "attendee", "visitor")),
    "EntryConfig": ("rules", ("rule",)),
    "Registration": ("values", ("value", "answer")),
}
"""The list that a record holds, by its resource, and what that is called in the names of what is said of it."""
LISTED: Final = frozenset(name for name, _ in _HELD.values()) - {"values"}
"""Lists of records with errors of their own, which are heard where those are read."""


def cut_short(record: Mapping[str, JSON], resource: str) -> str:
    """Say by what a record shows that it, or the list that it holds, is not all; empty where nothing says so.

    It says it as a page does of its rows, with their name: `socialsHasMore`, `totalRules`, `participantCount`.
    """
    others = {key: value for key, value in record.items() if key not in fields(resource)}
    if not others:
        return ""
    name, called = _HELD.get(resource, ("", ()))
    held = record.get(name)
    rows = Rows(held if type(held) is list else ())
    about = ((key, each) for key, each in members(others, called) if any(word in key.lower() for word in called))
    rows.heed(about, called)
    for key, value in others.items():
        if not {"truncated", "partial"}.isdisjoint(words_of(key)) and statement(words_of(key), value, READ):
            return f"its `{key}` says that it is incomplete"
    if (rows.total or 0) > len(rows):
        return f"it has {len(rows)} of {rows.total} {name}"
    return rows.partial or rows.more or ("the list that it holds has several pages" if rows.pages > 1 else "")


def unproven(record: Mapping[str, JSON], resource: str) -> str:
    """Say how a record that was read is no proof of a write: by what would deny or delay it in a reply."""
    found = says(record, fields(resource), WRITE)
    return denial(record, resource) or (found.of_record if found else "") or cut_short(record, resource)


def read_badly(record: Mapping[str, JSON], resource: str) -> str:
    """Say how a record that was read may be old, or not whole; empty where nothing says so."""
    found = says(record, fields(resource), READ, depth=0)
    return cut_short(record, resource) or (f"its `{found.name}` says that it may be wrong" if found else "")


def may_tell(names: Iterable[str], resource: str) -> bool:
    """Whether a record that is read may say by a member of such a name that it is old, or not whole."""
    _, called = _HELD.get(resource, ("", ()))
    others = set(names) - fields(resource).keys()
    return any(can_say(name, READ) or any(word in name.lower() for word in called) for name in others)


def doubted(record: Mapping[str, JSON], resource: str) -> str:
    """Say by which member a record shows that it is old, failed, or of a state that is still to come; empty if none."""
    found = says(record, fields(resource), STATE)
    return found.of_record if found else ""


def shows_all(record: Mapping[str, JSON], resource: str) -> bool:
    """Whether a record shows all of the list that it holds: an array, if need be empty, of records without errors."""
    held = record.get(_HELD[resource][0])
    whole = type(held) is list and all(type(each) is dict and not error_of(each) for each in held)
    return whole and not (cut_short(record, resource) or doubted(record, resource))
