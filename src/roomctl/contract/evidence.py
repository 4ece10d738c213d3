"""What proves a write: a record that was read, if it is all of it, and what a refusal says was done all the same."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from roomctl.contract.fields import INDEXED, fields
from roomctl.contract.outcome import denial
from roomctl.contract.paging import Rows, members
from roomctl.contract.records import error_of, folded, is_uuid
from roomctl.contract.statements import can_say, is_state, is_text, says, something, statement, words_of
from roomctl.contract.vocabulary import COUNTING, GONE, READ, STATE, WRITE
from roomctl.text import JSON
from roomctl.text.counted import numbered

_HELD: Final = {
    "RoomSet": ("socials", ("social", "room", "open", "closed", "active", "visible")),
    "Recording": ("participants", ("participant", "attendee", "visitor")),
    "EntryConfig": ("rules", ("rule",)),
    "Registration": ("values", ("value", "answer")),
}
"""The list that a record holds, by its resource, and what that is called in the names of what is said of it."""
LISTED: Final = frozenset(name for name, _ in _HELD.values()) - {"values"}
"""Lists of records with errors of their own, which are heard where those are read."""
_READ: Final = {"Registration": READ, "User": READ, "EntryConfig": STATE, "RoomSet": ("partial", "pending")}
"""What counts against a record that was read, by its resource; of others only what is partial."""
_ANSWERING: Final = ("value", "answer", "response", "text", "option", "choice", "choose", "select")
"""Parts of the names under which an answer may stand whose `value` is not shown."""
_LISTS: Final = COUNTING | {"id"}
"""Words of the names of other lists of what a record holds, by which it may be longer: `socialIds`."""
MARKED: Final = "the service marks as deleted or not valid:"
_DID: Final = "invited|sent|created|copied|updated|ended|saved|stored|applied|inserted|imported|delivered|committed"
_DONE: Final = frozenset([*_DID.split("|"), "success", "successful", "succeeded", "completed", "processed", "done"])
_THINGS: Final = "(invitations?|people|users?|rooms?|rows?|items?|fields?|emails?)"
_AT_WORK: Final = r"\b(started|[a-z]{2,}ing)\b"
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
    about = [(key, each) for key, each in members(others, called) if any(word in key.lower() for word in called)]
    rows.heed(about, called)
    lists = (each for key, each in about if type(each) is list and {*words_of(key, called)} <= {*called, *_LISTS})
    rows.total = max([rows.total or 0, *map(len, lists)])
    for key, value in others.items():
        if not {"truncated", "partial"}.isdisjoint(words_of(key)) and statement(words_of(key), value, READ):
            return f"its `{key}` says that it is incomplete"
    if rows.total > len(rows):
        return f"it has {len(rows)} of {rows.total} {name}"
    return rows.partial or rows.more or ("the list that it holds has several pages" if rows.pages > 1 else "")


def unproven(record: Mapping[str, JSON], resource: str) -> str:
    """Say how a record that was read is no proof of a write: by what would deny or delay it in a reply."""
    found = says(record, fields(resource), WRITE)
    return denial(record, resource) or (found.of_record if found else "") or cut_short(record, resource)


def read_badly(record: Mapping[str, JSON], resource: str) -> str:
    """Say how a record that was read, or one that it holds, may be old, or not whole; empty where nothing says so.

    Those of rooms, recordings and the like that failed are heard where these are read: what failed is no less shown.
    """
    for each, kind in records_in(record, resource):
        families = _READ.get(kind) or (READ if resource == "Registration" else ("partial",))
        found = says(each, fields(kind), families, depth=0)
        if why := cut_short(each, kind) or (resource == "Registration" and elsewhere(each, kind)):
            return why
        if found and found.family in families:
            return f"its `{found.name}` {found.why}"
    return ""


def elsewhere(record: Mapping[str, JSON], resource: str) -> str:
    """Say by which field a record shows that what belongs in its fields stands elsewhere; empty where none does.

    It has a reference in place of a record (`"user": {"$ref": "3"}`), or an answer under another name than `value`.
    """
    user = record.get("user") if resource == "Registration" else None
    if user and (type(user) is not dict or fields("User").keys().isdisjoint(user)):
        return "its `user` does not have the form that the API defines"
    if resource == "RegistrationValue" and record.get("value") is None:
        others = (name for name, each in record.items() if name not in fields(resource) and something(each))
        name = next((each for each in others if any(part in each.lower() for part in _ANSWERING)), "")
        return f"an answer has `{name}`, but no `value`" if name else ""
    return ""


def records_in(
    record: Mapping[str, JSON], resource: str, *, listed: bool = True
) -> Iterator[tuple[Mapping[str, JSON], str]]:
    """Give a record, and the records that it holds, with their resources; `listed`: also those of its own list."""
    yield record, resource
    for name, kind in _holding(resource):
        if name in record and (listed or name not in LISTED):
            value = record[name]
            for each in value if type(value) is list else (value,):
                if type(each) is dict:
                    yield from records_in(each, kind, listed=listed)


@cache
def _holding(resource: str) -> list[tuple[str, str]]:
    """Name the fields of a resource that hold records, with the resources of these."""
    return [(name, known.item.type) for name, known in fields(resource).items() if known.item.type in INDEXED]


def may_tell(names: Iterable[str], resource: str) -> bool:
    """Whether a record that is read may say by a member of such a name that it is old, or not whole.

    Of a registration, also that it is deleted or not valid.
    """
    families = (*READ, *GONE) if resource == "Registration" else READ
    _, called = _HELD.get(resource, ("", ()))
    others = set(names) - fields(resource).keys()
    telling = ("$", "@", *called, *(_ANSWERING if resource == "Registration" else ()))  # `$ref`: a reference
    return any(can_say(name, families) or any(word in name.lower() for word in telling) for name in others)


def doubted(record: Mapping[str, JSON], resource: str) -> str:
    """Say by which member a record shows that it is old, failed, contradictory or not final; empty if none."""
    found = says(record, fields(resource), STATE)
    return found.of_record if found else contradiction(record, resource)


def beside(record: Mapping[str, JSON], resource: str) -> str:
    """Say what a record says beside the status that it is complete: a warning, or a state of work that goes on."""
    for name in record.keys() - fields(resource).keys():
        value = record[name]
        if is_text(name) and "warning" in words_of(name) and something(value):
            return f"a record whose `{name}` may say what went wrong"
        if is_state(name) and isinstance(value, str) and re.search(_AT_WORK, value.lower().replace("_", " ")):
            return f"a record whose `{name}` says that it is not done yet"
    return ""


def contradiction(record: Mapping[str, JSON], resource: str) -> str:
    """Say which field a record shows in two spellings, with different values; empty where it shows none so."""
    for name in record.keys() - fields(resource).keys():
        own = spellings(resource).get(name.replace("_", "").lower(), name)
        if own in record and record[own] != record[name]:
            return f"a record whose `{name}` contradicts its `{own}`"
    return ""


@cache
def spellings(resource: str) -> Mapping[str, str]:
    return {name.lower(): name for name in fields(resource)}


def invalid(record: Mapping[str, JSON], resource: str = "Social") -> str:
    """Name the field by which a record says that it is deleted or not valid; empty where none does."""
    if str(record.get("isValid")).lower() in ("false", "no", "0"):
        return "isValid"
    declared = fields(resource).keys()
    found = says(record, declared, GONE, texts=False, depth=0) if record.keys() - declared else None
    return found.name if found and found.family in GONE else ""


def not_valid(records: Iterable[JSON], resource: str) -> Counter[str]:
    """Count, by the field that says so, the records that are deleted or not valid."""
    return Counter(why for each in records if type(each) is dict and (why := invalid(each, resource)))


def told_not_valid(counts: Mapping[str, int], noun: str = "registrations") -> list[str]:
    """Say how many rows, by the field that says so, are deleted or not valid; nothing where none is."""
    found = f"{numbered(sum(counts.values()), noun)} ({', '.join(f'`{name}`' for name in counts)})"
    return [f"{MARKED} {found}, still included"] if counts else []


def shows_all(record: Mapping[str, JSON], resource: str) -> bool:
    """Whether a record shows all of the list that it holds: an array, if need be empty, of records without errors."""
    held = record.get(_HELD[resource][0])
    whole = type(held) is list and all(type(each) is dict and not error_of(each) for each in held)
    return whole and not (cut_short(record, resource) or doubted(record, resource))


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
