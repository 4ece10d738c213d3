"""What a refused write says of work that was done, or is being done, all the same."""

import re
from collections.abc import Container, Iterator
from typing import Final

from roomctl.contract.records import error_of, folded, is_uuid
from roomctl.contract.statements import is_state, words_of
from roomctl.text import JSON

_DID: Final = "invited|sent|created|copied|updated|ended|saved|stored|applied|inserted|imported|delivered|committed"
_DONE: Final = frozenset([*_DID.split("|"), "success", "successful", "succeeded", "completed", "processed", "done"])
_THINGS: Final = "(invitations?|people|users?|rooms?|rows?|items?|fields?|emails?)"
_SAID: Final = (
    r"\b(still|currently|already|is|are|was|were) (being )?process(ed|ing)\b|\bpartial(ly|[ _-]?success|[ _-]?failure)"
    r"|\bin progress\b|\bduplicate (request|submission|operation|transaction)\b|\bdeadline.exceeded\b"
    r"|\b(?<!session )time[ds]?[ -]?out\b|\bconnection (was )?(reset|lost|closed|terminated)\b"
    rf"|(?<!of )\b(some|part|[1-9][0-9]*)( of( the)? [0-9]+)?( {_THINGS})?"
    rf"( was| were| has been| have been| had been)?( already)? ({_DID}|accepted|processed|queued)\b"
    rf"|\b({_DID}) [1-9][0-9]* of [0-9]+|\bafter [1-9][0-9]* {_THINGS}\b"
    rf"|(?<!not )(?<!be )(?<!been )(?<!was )(?<!already )\b({_DID})( *[,;]| but\b)"
)
"""Words of work that is under way, or done in part, or whose answer was lost behind the service's door."""


def done_anyway(value: JSON, identity: str, known: Container[str] = ()) -> str:
    """Say how a refusal shows that part of what was asked is done or under way; empty where it does not.

    `identity` is the field with the id of a record that the request makes; those that are `known` were there before.
    Words, counts, numbers of HTTP and records count wherever they stand in the body.
    """
    for name, each in _members("", value):
        words = words_of(name)
        if isinstance(each, str) and re.search(_SAID, each.lower()):
            return "whose reply says that part of it is done or under way"
        number = str(len(each) or "") if isinstance(each, list) else str(each).lower()
        if not _DONE.isdisjoint(words) and re.fullmatch("true|yes|[1-9][0-9]*", number):
            return f"whose reply has a `{name}` of {number}"
        if (is_state(name) or "@" in name) and re.fullmatch("(5|2)[0-9]{2}", str(each)):
            return f"whose reply has a `{name}` of {each}"
        made = folded(each.get(identity)) if isinstance(each, dict) else ""
        if is_uuid(made) and made not in known and not error_of(each):
            return f"whose reply shows a record that was made{f', under `{name}`' if name else ''}"
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
