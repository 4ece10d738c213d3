"""What a record that was read proves: whether it, and the list that it holds, is all, and whether a write is done."""

import re
from collections.abc import Mapping
from itertools import chain
from typing import Final

from roomctl.contract.fields import fields
from roomctl.contract.outcome import denial, refuses, remarks, waits
from roomctl.contract.paging import LESS, Rows, members, words_of
from roomctl.contract.records import error_of
from roomctl.text import JSON

_HELD: Final = {
    "RoomSet": ("socials", "socials?|rooms?"),
    "Recording": ("participants", "participants?|attendees"),
    "EntryConfig": ("rules", "rules?"),
}
"""The list that a record holds, by its resource, and what that is called in the names of what is said of it."""
LISTED: Final = frozenset(name for name, _ in _HELD.values())
_OF_ITSELF: Final = f"{LESS}|truncated|cached|(served )?from cache|replica(tion)? lag( \\w+)?|freshness"


def cut_short(record: Mapping[str, JSON], resource: str) -> str:
    """Say by what a record shows that it, or the list that it holds, is not all; empty where nothing says so."""
    said = _said(record, resource)
    more = f"it has {len(said)} of {said.total} {_HELD[resource][0]}" if (said.total or 0) > len(said) else ""
    return said.partial or said.more or more


def _said(record: Mapping[str, JSON], resource: str) -> Rows:
    """Give the list that a record holds, with what it says of that, and of itself.

    It says it as a page does of its rows, with their name: `socialsHasMore`, `totalRules`, `participantCount`.
    """
    name, called = _HELD.get(resource, ("", "$."))
    held = record.get(name)
    said = Rows(held if type(held) is list else ())
    others = [(key, value) for key, value in record.items() if key not in fields(resource)]
    about = {key: value for key, value in others if re.search(called, key, re.IGNORECASE)}
    said.heed(chain(about.items(), *(members(value) for value in about.values() if type(value) is dict)), called)
    return said.heed(((key, value) for key, value in others if re.fullmatch(_OF_ITSELF, words_of(key))), "$.")


def unproven(record: Mapping[str, JSON], resource: str) -> str:
    """Say how a record that was read is no proof of a write: by what would deny or delay it in a reply."""
    if (remark := remarks(record, resource)) and refuses(remark):
        return f"a record that says: {remark}"
    no = denial(record, resource) or waits(record, resource)
    return no or cut_short(record, resource) or _said(record, resource).stored


def shows_all(record: Mapping[str, JSON], resource: str) -> bool:
    """Whether a record shows all of the list that it holds: an array, if need be empty, of records without errors."""
    held = record.get(_HELD[resource][0])
    whole = type(held) is list and all(type(each) is dict and not error_of(each) for each in held)
    return whole and not cut_short(record, resource)
