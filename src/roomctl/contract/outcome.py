"""What a reply means for a write: done, refused or unknown. A record that says neither proves nothing (R45)."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple
from unicodedata import normalize

from roomctl.contract.fields import fields, skeleton
from roomctl.contract.operations import Operation
from roomctl.contract.records import error_of, folded, is_uuid
from roomctl.text.times import moment

JSON = Any
Query = Sequence[tuple[str, str]]
Status = Literal["ok", "failed", "unknown", "skipped"]
NO_ID = "the service's record for this person has no socialInviteId"
NO_RECORD = "the service's reply has no record for this person"
TWO_PEOPLE = "the service's record for this person names two people"
SAME_ID = "the service's record for this person has the socialInviteId of another's"
NOT_SAID = "does not say that the invitation was made"
_KNOWN_BY: Final = ("name", "socialThemeName", "socialRoomSetId")
"""What tells a new record from others, beside its id: its name, and the room set that it is in."""


class Outcome(NamedTuple):
    """What became of one of the things that were asked for in a request: `id` is the new one, `reply` its record."""

    status: Status = "ok"
    error: str = ""
    id: str = ""
    reply: JSON = None


# Names and texts without case and `_`, as services write them in a 200 that refuses.
_FAULT = re.compile(
    "error|exception|invalid|denied|denial|reject|refus|problem|violation|forbidden|fail(?!over)|(?<!de)fault"
    "|err(s|no|msg|code|text)?$"
)
_SUCCESS = re.compile("(is|was|has)?(success(ful)?|succeeded|ok|accepted)")
_DONE = re.compile(
    "(is|was|has|been)*(saved|stored|persisted|committed|applied|executed|created|updated|copied|ended|invited|sent"
    "|done|valid|allowed|permitted|granted|authori[sz]ed)"
)
_GONE = re.compile("(is|was|has|been)*(deleted|removed)")
_STATE = re.compile(r"\w*(status|result|outcome)(code|text)?|state|code|(return|response)code")
_REFUSING = re.compile(
    r"(?!no[^a-z])(.*(error|fail|denied|refus|reject|forbidden|invalid|unauthori|unsuccess|abort|declin|delet|cannot|unable|time.?out)"
    r"|not[^a-z]+(saved|stored|created|updated|done|applied|ok|accept|permit|allow|authori|found|ended|sent|invited|valid)"
    r"|(nok|ko)$|-[0-9]|[45][0-9][0-9]\b)"
)
_READ = re.compile(
    "errors?|error(message|code)|exception|fault|problem|(is|has)errors?|failed|failure|denied|rejected"
    "|success(ful)?|succeeded|ok|accepted|(http)?status(code)?|code|result|outcome"
)
_ERRORS = ("error", "errors")
_NOTHING = ("", "0", "false", "no", "none", "null")
_TELLING = re.compile(r"\w*(status|result|outcome|state)|delivered|skipped|reason|warnings?")
_MADE = ("sent", "ok", "created", "pending", "invited", "accepted", "delivered", "success", "200", "201", "202")


def denial(record: Mapping[str, JSON], resource: str = "", sent: JSON = None, *, read: bool = False) -> str:
    """Say how a record denies what was asked (R45); empty where it does not.

    What the interface declares for the resource is data, but for what went wrong (`error`, `failureReason`) and for a
    state that fails and is not the one that was sent. Of what is only `read`, a field that the interface may have got
    since is data too: only the plainest words deny there.
    """
    declared = fields(resource) if resource else {}
    for name, value in record.items():
        field = declared.get(name)
        if read and (value is None or not _READ.fullmatch(name.lower().replace("_", ""))):
            continue
        if field is None:
            denies = _denies(name, value)
        elif isinstance(value, dict):  # another resource, that has its own story: only what it declares counts
            told = [each for each in value if each in fields(field.type) or each.lower() in _ERRORS]
            denies = any(_denies(each, value[each], data=True) for each in told)
        else:
            state = _STATE.fullmatch(name.lower())
            listed = value in field.values and shown(sent, name) in (None, value)
            denies = _denies(name, value, data=not state or listed)
        if denies:
            return f"a record whose `{name}` says that it failed"
    return ""


def _denies(field: str, value: JSON, *, data: bool = False) -> bool:
    """Whether a field denies, or one inside it; what is `data` only by what went wrong."""
    name = field.lower().replace("_", "").replace("-", "")
    text = "null" if value is None else str(value).strip().lower()
    if name in _ERRORS or _FAULT.search(name):
        return bool(value) and (text not in ("0", "false", "none", "null") or name in _ERRORS)
    if data:
        return False
    if isinstance(value, dict | list):
        inner = value if isinstance(value, list) else [value]
        return any(_denies(*pair) for each in inner if isinstance(each, dict) for pair in each.items())
    if _SUCCESS.fullmatch(name):
        return text in _NOTHING
    if _DONE.fullmatch(name) or _GONE.fullmatch(name):
        return value is (_GONE.fullmatch(name) is not None)
    state = _STATE.fullmatch(name) and (isinstance(value, str | int) or value is False)
    return bool(state and (value is False or _REFUSING.match(text)))


def shown(record: JSON, name: str) -> JSON:
    """Give a field of what may be a record; None where it has none."""
    return record.get(name) if isinstance(record, dict) else None


def differing(record: Mapping[str, JSON], sent: JSON) -> list[str]:
    """Name the fields that were sent and that a record shows with another value; moments count, not their form."""
    given = sent if isinstance(sent, dict) else {}
    both = [name for name, value in given.items() if value is not None and shown(record, name) is not None]
    unlike = [name for name in both if not shows(record[name], given[name])]
    return [name for name in unlike if (when := moment(record[name])) is None or when != moment(given[name])]


def asked(
    operation: Operation, path: Mapping[str, str], query: Query, body: JSON, standing: Mapping[str, JSON] = {}
) -> dict[str, JSON]:
    """Give the fields that the record of a reply is asked to have; the body of operation 10 holds its record.

    A copy is to be in the room set of its original. Of query parameters that are not documented those count that name
    the record.
    """
    record = shown(body, "theme") if operation.body == "CustomTheme" else body
    fields = dict(record) if isinstance(record, dict) else {}
    given = {**dict(query), **path}
    if operation.open_query:
        known = {"socialRoomSetId": original(operation, query, standing).get("socialRoomSetId"), **given}
        fields |= {name: known[name] for name in _KNOWN_BY if known.get(name) and name != operation.identity}
    for param in operation.params:
        name = param.name if param.name == operation.identity and not operation.creates else param.field
        if name and param.name in given:
            fields[name] = given[param.name]
    return fields


def original(operation: Operation, query: Query, standing: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Give the record that a request copies, as it stood before; empty where it copies none, or that was not shown."""
    ids = [folded(value) for _, value in query] if operation.creates and operation.body is None else []
    return next((standing[key] for key in ids if key in standing), {})


def settings(record: Mapping[str, JSON], resource: str) -> dict[str, JSON]:
    """Give what people set of a record, without ids, and how many `rooms` it shows: what a copy is to have too."""
    rooms = record.get("socials")
    found = {name: record[name] for name in skeleton(resource) if name in record and not is_uuid(record[name])}
    return found | ({"rooms": len(rooms)} if isinstance(rooms, list) else {})


def unlike(operation: Operation, record: Mapping[str, JSON], asked: Mapping[str, JSON]) -> str:
    """Say why a record is not the one of which these fields were asked (R45, R46); empty where nothing says so.

    A new record is another where its name or its room set is another; what a service made of the rest is its own.
    """
    read, resource = not operation.writes, operation.resource or operation.body or ""
    if denial(record, read=read) and (why := denial(record, resource, asked, read=read)):
        return why
    key = operation.identity
    wanted, found = "" if operation.creates else folded(asked.get(key)), folded(record.get(key))
    if wanted and found != wanted:
        return f"not the {key} that was requested"
    if operation.writes and not is_uuid(found):
        return f"a record without its {key}"
    if wanted and operation.reply and not operation.saves:
        return ""
    names = differing(record, asked)
    if operation.reply and not wanted:
        names = [name for name in names if name in _KNOWN_BY and not respelt(record[name], asked[name])]
    return f"a record with another {', '.join(names)} than requested" if names else ""


def done_for_all(operation: Operation, body: bytes | None, records: Sequence[JSON]) -> bool:
    """Whether a reply has a record for each that was sent, and none that denies or lacks its id (operation 8)."""
    done = [
        each for each in records if type(each) is dict and not denial(each, operation.resource) and not _doubt(each)
    ]
    ids = {key for each in done if (key := folded(each.get(operation.identity)))}
    return len(ids) == len(records) == len(json.loads(body or b"[]"))


def respelt(one: JSON, other: JSON) -> bool:
    """Whether two values are one text but for case, blanks and the form of its characters."""
    return plain(one) == plain(other)


def plain(value: JSON) -> str:
    """Give a text without what a service may change in a name: case, blanks and the form of its characters."""
    return " ".join(normalize("NFKC", str(value)).split()).casefold()


def shows(record: JSON, sent: JSON) -> bool:
    """Whether a record shows every field that was sent, at any depth; a field that was cleared may be absent.

    Ids may come back in another case (R48).
    """
    if isinstance(sent, dict):
        return isinstance(record, dict) and all(shows(record.get(name), value) for name, value in sent.items())
    if isinstance(sent, list):
        same = isinstance(record, list) and len(record) == len(sent)
        return same and all(shows(have, want) for have, want in zip(record, sent, strict=True))
    if is_uuid(sent):
        return folded(record) == folded(sent)
    return bool(record == sent and isinstance(record, bool) is isinstance(sent, bool))


def person(invitation: JSON) -> str:
    """What a SocialInvite names its person by, an id or an address; empty where it names nobody."""
    if not isinstance(invitation, dict):
        return ""
    user = invitation.get("invitedUser") or {}
    return str(invitation.get("invitedUserId") or user.get("userId") or user.get("emailAddress") or "")


def invited(
    people: Sequence[Sequence[str]],
    replies: JSON,
    room: str,
    say: Callable[[str], None] = lambda _: None,
    made: dict[str, object] | None = None,
) -> list[Outcome]:
    """Match the service's records with people: by their ids or addresses, else by position; a missing one is unknown.

    A record of another room than `room` says nothing of a person. An error that belongs to no person stands beside
    those that have no record, else `say` hears it. `made` are the ids of all invitations of a run, from any thread:
    each is that of one person in one room.
    """
    found = [record for record in replies if isinstance(record, dict)] if isinstance(replies, list) else []
    matched = _matched(people, [record for record in found if folded(record.get("socialId") or room) == room])
    used = {id(record) for each in matched for record in each}
    strays = [(record, fault) for record in found if id(record) not in used and (fault := _fault(record))]
    stray = [fault for _, fault in strays]
    if all(matched):
        for record, fault in strays:
            whose = "for an invitation that was not sent" if _names(record, *_NAMES) else "for nobody in particular"
            say(f"the service reports an error {whose}: {fault}")
    missing = Outcome("unknown", "; it says: ".join([NO_RECORD, *stray]))
    pairs = zip(people, matched, strict=True)
    outcomes = [_outcome(who, records) if records else missing for who, records in pairs]
    times, made = Counter(folded(each.id) for each in outcomes), {} if made is None else made
    return [
        Outcome("unknown", SAME_ID, reply=each.reply)
        if (key := folded(each.id)) and (made.setdefault(key, each) is not each or times[key] > 1)
        else each
        for each in outcomes
    ]


def _matched(people: Sequence[Sequence[str]], records: Sequence[JSON]) -> list[list[JSON]]:
    """Give the records of each person.

    Position counts where there are as many records as people, no name says that their order is another, and the
    record shows no name of a kind by which the person is named.
    """
    kinds = [_kinds(record) for record in records]
    naming: dict[str, list[int]] = {}
    for place, names in enumerate(kinds):
        for name in set().union(*names):
            naming.setdefault(name, []).append(place)
    named = [sorted({place for name in who for place in naming.get(name.casefold(), ())}) for who in people]
    whole = len(records) == len(people)
    in_order = whole and all(place in places for place, places in enumerate(named) if places)
    found = []
    for place, (who, places) in enumerate(zip(people, named, strict=True)):
        here = in_order and (place in places or not _others(who, records[place]))
        found.append([records[place]] if here else [records[other] for other in places])
    return found


_NAMES = ("invitedUserId", "userId", "emailAddress")


def _names(record: Mapping[str, JSON], *fields: str) -> set[str]:
    user = record.get("invitedUser")
    shown = {**(user if isinstance(user, dict) else {}), **record}
    return {name.casefold() for field in fields if isinstance(name := shown.get(field), str) and name}


def _kinds(record: Mapping[str, JSON]) -> tuple[set[str], set[str]]:
    """Give the ids and the addresses that a record shows of its person."""
    return _names(record, "invitedUserId", "userId"), _names(record, "emailAddress")


def _others(who: Sequence[str], record: Mapping[str, JSON]) -> bool:
    """Whether a record shows a name of a kind by which the person is named, and it is another."""
    own = [{each.casefold() for each in who if is_uuid(each) is by_id} for by_id in (True, False)]
    return any(mine and names and not mine & names for mine, names in zip(own, _kinds(record), strict=True))


def _fault(record: Mapping[str, JSON]) -> str:
    """Say what a record names as its error, or how else it denies; empty where it does not."""
    if error := error_of(record):
        return error if isinstance(error, str) else json.dumps(error, default=str)
    return denial(record, "SocialInvite")


def _doubt(record: Mapping[str, JSON]) -> str:
    """Name the member of an invitation that may say that it was not made; the interface declares none of these."""
    declared = fields("SocialInvite")
    for name, value in record.items():
        word = name.lower().replace("_", "")
        if name in declared or not _TELLING.fullmatch(word) or value in (None, "", [], {}):
            continue
        good = (
            value is not word.startswith(("skip", "reason", "warn"))
            if isinstance(value, bool)
            else str(value).strip().lower() in _MADE
        )
        if not good:
            return name
    return ""


def _outcome(who: Sequence[str], records: Sequence[JSON]) -> Outcome:
    """Say what the records of a person mean; where one of several names an error, nobody knows."""
    record, faults = records[0], [fault for each in records if (fault := _fault(each))]
    if faults:
        return Outcome("failed" if len(records) == 1 else "unknown", "; ".join(faults), reply=record)
    ids = {folded(record.get("invitedUserId")), folded(shown(record.get("invitedUser"), "userId"))} - {""}
    if len(ids) > 1 or _others(who, record):
        return Outcome("unknown", TWO_PEOPLE, reply=record)
    if doubt := _doubt(record):
        return Outcome("unknown", f"the `{doubt}` of the service's record for this person {NOT_SAID}", reply=record)
    made = str(record.get("socialInviteId") or "")
    return Outcome(id=made, reply=record) if is_uuid(folded(made)) else Outcome("unknown", NO_ID, reply=record)
