"""What a record that was read proves: whether it, and the list that it holds, is all, and whether a write is done."""

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final

from roomctl.contract.doubts import READ, STATE, against, makes_doubt
from roomctl.contract.fields import fields
from roomctl.contract.outcome import denial, refuses, remarks
from roomctl.contract.paging import LESS, Rows, members, words_of
from roomctl.contract.records import error_of, folded
from roomctl.text import JSON

_HELD: Final = {
    "RoomSet": ("socials", "socials?|rooms?"),
    "Recording": ("participants", "participants?|attendees?|visitors?"),
    "EntryConfig": ("rules", "rules?"),
    "Registration": ("values", "values?|answers?"),
}
"""The list that a record holds, by its resource, and what that is called in the names of what is said of it."""
_MORE: Final = {
    "RoomSet": "(open|closed|active|visible|all|of|total|num(ber)?|count)*",
    "Recording": r"(?!.*(max|min|limit|capacity|expected|allowed|invited|registered))\w*",
}
"""What else stands in the name of a number of them, which may be more than the list has."""
LISTED: Final = frozenset(name for name, _ in _HELD.values()) - {"values"}
"""Lists of records with errors of their own, which are heard where those are read."""
_FIRST: Final = "(default|first|main|start(ing)?|lobby|entry|home|initial)(social|room)id"
_OF_ITSELF: Final = f"{LESS}|truncated|cached|(served )?from cache|replica(tion)? lag( \\w+)?|freshness"


def cut_short(record: Mapping[str, JSON], resource: str) -> str:
    """Say by what a record shows that it, or the list that it holds, is not all; empty where nothing says so."""
    if record.keys() <= fields(resource).keys():
        return ""
    said = _said(record, resource)
    more = f"it has {len(said)} of {said.total} {_HELD[resource][0]}" if (said.total or 0) > len(said) else ""
    more = more or ("the list that it holds has several pages" if said.pages > 1 else "")
    return said.partial or said.more or more or _more_beside(record, resource)


def _more_beside(record: Mapping[str, JSON], resource: str) -> str:
    """Say by which member a record counts more in the list that it holds, or names others; empty where none does."""
    name, called = _HELD.get(resource, ("", "$."))
    rows = held if type(held := record.get(name)) is list else []
    listed = {folded(value) for row in rows if type(row) is dict for value in row.values()} | {""}
    for key, value in _about(record, resource):
        word = "".join(filter(str.isalpha, key.lower()))
        if (
            type(value) is int
            and value > len(rows)
            and re.fullmatch(f"{_MORE.get(resource, '$.')}({called})(count|total|number)?", word)
        ):
            return f"its `{key}` is {value}, but it has {len(rows)} {name}"
        ids = value if type(value) is list else [value] if re.fullmatch(_FIRST, word) else []
        ids = [folded(each.get("socialId") if type(each) is dict else each) for each in ids]
        if resource == "RoomSet" and not listed.issuperset(ids):
            return f"its `{key}` names {name} that it does not show"
    return ""


def _about(record: Mapping[str, JSON], resource: str) -> list[tuple[str, JSON]]:
    """Give the members that say something of the list that a record holds, also those one level further down."""
    _, called = _HELD.get(resource, ("", "$."))
    others = [(key, value) for key, value in record.items() if key not in fields(resource)]
    inner = [pair for _, value in others if type(value) is dict for pair in value.items()]
    return [pair for pair in (*others, *inner) if re.search(called, pair[0], re.IGNORECASE)]


def _said(record: Mapping[str, JSON], resource: str) -> Rows:
    """Give the list that a record holds, with what it says of that, and of itself.

    It says it as a page does of its rows, with their name: `socialsHasMore`, `totalRules`, `participantCount`.
    """
    name, called = _HELD.get(resource, ("", "$."))
    held, about = record.get(name), _about(record, resource)
    said = Rows(held if type(held) is list else ())
    said.heed(chain(about, *(members(value) for _, value in about if type(value) is dict)), called)
    others = ((key, value) for key, value in record.items() if key not in fields(resource))
    return said.heed(((key, value) for key, value in others if re.fullmatch(_OF_ITSELF, words_of(key))), "$.")


def unproven(record: Mapping[str, JSON], resource: str) -> str:
    """Say how a record that was read is no proof of a write: by what would deny or delay it in a reply."""
    if (remark := remarks(record, resource)) and refuses(remark):
        return f"a record that says: {remark}"
    no = denial(record, resource) or doubted(record, resource)
    return no or cut_short(record, resource) or _said(record, resource).stored


def read_badly(record: Mapping[str, JSON], resource: str) -> str:
    """Say how a record that was read may be old, or not whole; empty where nothing says so."""
    name = against(record, resource, READ, depth=0)
    return cut_short(record, resource) or (f"its `{name}` says that it may be wrong" if name else "")


def may_tell(names: Iterable[str], resource: str) -> bool:
    """Whether a record that is read may say by a member of such a name that it is old, or not whole."""
    _, called = _HELD.get(resource, ("", "$."))
    others = set(names) - fields(resource).keys()
    listed = any(re.search(called, name, re.IGNORECASE) for name in others)
    return listed or any(makes_doubt(name) or re.fullmatch(_OF_ITSELF, words_of(name)) for name in others)


def doubted(record: Mapping[str, JSON], resource: str) -> str:
    """Say by which member a record shows that it is old, failed, or of a state that is still to come; empty if none."""
    name = against(record, resource, STATE)
    return f"a record whose `{name}` says that it may be wrong" if name else ""


def shows_all(record: Mapping[str, JSON], resource: str) -> bool:
    """Whether a record shows all of the list that it holds: an array, if need be empty, of records without errors."""
    held = record.get(_HELD[resource][0])
    whole = type(held) is list and all(type(each) is dict and not error_of(each) for each in held)
    return whole and not (cut_short(record, resource) or against(record, resource, STATE))
