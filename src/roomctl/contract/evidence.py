"""What a record that was read proves: whether it, and the list that it holds, is all, and whether a write is done."""

from collections.abc import Iterable, Mapping
from typing import Final

from roomctl.contract.fields import fields
from roomctl.contract.outcome import denial
from roomctl.contract.paging import Rows, members
from roomctl.contract.records import error_of, folded
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
_NAMING: Final = ("id", "order")
"""What else stands in the names of lists of ids."""
_OF_ITSELF: Final = ("more", "left out")


def cut_short(record: Mapping[str, JSON], resource: str) -> str:
    """Say by what a record shows that it, or the list that it holds, is not all; empty where nothing says so."""
    others = {key: value for key, value in record.items() if key not in fields(resource)}
    if not others:
        return ""
    name, called = _HELD.get(resource, ("", ()))
    held = record.get(name)
    rows = Rows(held if type(held) is list else ()).heed(_of_list(others, called), called)
    for key, value in others.items():
        words = words_of(key)
        if words in (("truncated",), ("partial",)) and (family := statement(words, value, ("more", "partial"))):
            return f"its `{key}` says that " + ("there is more" if family == "more" else "it is not whole")
    if (rows.total or 0) > len(rows):
        return f"it has {len(rows)} of {rows.total} {name}"
    more = "the list that it holds has several pages" if rows.pages > 1 else ""
    return rows.partial or rows.more or more or (_other_rooms(others, rows) if resource == "RoomSet" else "")


def _of_list(others: Mapping[str, JSON], called: tuple[str, ...]) -> Iterable[tuple[str, JSON]]:
    """Give the members that say something of a list by what its rows are called, those one level further down too."""
    for key, value in members(others):
        if any(word in key.lower() for word in called):
            yield key, value
            yield from members(value) if type(value) is dict else ()


def _other_rooms(others: Mapping[str, JSON], rows: Rows) -> str:
    """Say by which member a room set names rooms that it does not show: a list of ids, or the one to start in."""
    listed = {folded(value) for row in rows if type(row) is dict for value in row.values()} | {""}
    for key, value in _of_list(others, ("social", "room")):
        ids = value if type(value) is list else [value] if "default" in key.lower() else []
        if not listed.issuperset(folded(each.get("socialId") if type(each) is dict else each) for each in ids):
            return f"its `{key}` names socials that it does not show"
    return ""


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
