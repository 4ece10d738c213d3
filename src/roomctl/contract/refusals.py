"""What a refused write says of work that was done, or is being done, all the same."""

import re
from collections.abc import Iterator
from typing import Final

from roomctl.contract.records import error_of, folded, is_uuid
from roomctl.text import JSON

_DID: Final = "invited|sent|created|copied|updated|ended|saved|applied|inserted|imported|delivered|committed"
_COUNTED: Final = rf"(num(ber)?|total|count)?(of)?({_DID}|succeeded|success(es|ful)?|completed|done)(count|total)?"
_SAID: Final = (
    r"\b(still|currently|already|is|are|was|were) (being )?process(ed|ing)\b|\bpartially\b|\bonly part of\b"
    r"|\b(request|operation|invitations?|submission|import|batch|job) (is )?(still |already |currently )?in progress"
    r"|\bduplicate (request|submission|operation|transaction)\b"
    r"|\b(request|upstream|gateway|backend|operation|connection|database|downstream) (\w+ )?time[ds]?[ -]?out\b"
    r"|\b(?<!session )timed out\b"
    r"|(?<!of )\b(some|part|[1-9][0-9]*)( of( the)? [0-9]+)?( (invitations?|people|users?|rooms?|rows?|emails?))?"
    rf" (was|were|has been|have been|had been)( already)? ({_DID}|accepted|processed|queued)\b"
)


def done_anyway(value: JSON, identity: str) -> str:
    """Say how a refusal shows that part of what was asked is done or under way; empty where it does not.

    `identity` is the field with the id of a record that the request makes. Words, counts and records count wherever
    they stand in the body.
    """
    for name, each in _members("", value):
        word = re.sub("[^a-z]", "", name.lower())
        if isinstance(each, str) and re.search(_SAID, each.lower()):
            return "whose reply says that part of it is done or under way"
        if re.fullmatch(_COUNTED, word) and re.fullmatch("true|yes|[1-9][0-9]*", str(each).lower()):
            return f"whose reply has a `{name}` of {each}"
        if isinstance(each, dict) and is_uuid(folded(each.get(identity))) and name and not error_of(each):
            return f"whose reply shows a record that was made, under `{name}`"
    return ""


def _members(name: str, value: JSON, depth: int = 5) -> Iterator[tuple[str, JSON]]:
    """Give a value and all that it holds, each with the name of the member in which it stands."""
    yield name, value
    if depth and isinstance(value, dict):
        for key, each in value.items():
            yield from _members(str(key), each, depth - 1)
    elif depth and isinstance(value, list):
        for each in value:
            yield from _members(name, each, depth - 1)
