"""What a reply means for a write: done, refused or unknown. A record that says neither proves nothing (R45)."""

import json
import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from roomctl.contract.moments import moment
from roomctl.contract.records import folded, is_uuid

JSON = Any
Status = Literal["ok", "failed", "unknown", "skipped"]
NO_ID = "the service's record for this person has no socialInviteId"
NO_RECORD = "the service's reply has no record for this person"


class Outcome(NamedTuple):
    """What became of one of the things that were asked for in a request: `id` is the new one, `reply` its record."""

    status: Status = "ok"
    error: str = ""
    id: str = ""
    reply: JSON = None


_ERRORS = frozenset({"error", "errors", "errormessage", "errorcode", "exception", "fault", "problem"})
_GOOD = frozenset({"success", "successful", "succeeded", "ok", "accepted"})
_BAD = frozenset({"failed", "failure", "denied", "rejected", "iserror", "haserrors"})
_STATES = frozenset({"status", "statuscode", "httpstatus", "code", "result", "outcome"})
_REFUSING = re.compile(r"(?!no[^a-z])(.*(error|fail|denied|refus|reject|forbidden|invalid|unauthori)|[45][0-9][0-9]\b)")


def denial(record: Mapping[str, JSON], declared: Container[str] = ()) -> str:
    """Say how a record denies what was asked (R45); empty where it does not.

    A field that the interface declares for the resource is data: only an `error` denies there too.
    """
    for field, value in record.items():
        name = field.lower().replace("_", "")
        text = str(value).strip().lower()
        if name in _ERRORS and value and (field not in declared or name == "error"):
            return "a record that says that it is an error"
        if field in declared and not (name in _STATES and type(value) is int):
            continue
        if name in _GOOD and text in ("false", "0", "no"):
            return "a record that says that it is no success"
        if name in _BAD and text in ("true", "1", "yes"):
            return "a record that says that it failed"
        if name in _STATES and type(value) in (str, int) and _REFUSING.match(text):
            return f"a record whose {field} says that it failed"
    return ""


def differing(record: Mapping[str, JSON], sent: JSON) -> list[str]:
    """Name the fields that were sent and that a record shows with another value; moments count, not their form."""
    given = sent if isinstance(sent, dict) else {}
    both = [name for name, value in given.items() if value is not None and record.get(name) is not None]
    return [name for name in both if not (shows(record[name], given[name]) or _same(record[name], given[name]))]


def _same(one: JSON, other: JSON) -> bool:
    """Whether two texts name one moment."""
    return moment(one) is not None and moment(one) == moment(other)


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
    people: Sequence[str], replies: JSON, room: str, say: Callable[[str], None] = lambda _: None
) -> list[Outcome]:
    """Match the service's records with people: by id or address, else by position; a missing record is unknown.

    A record of another room than `room` says nothing of a person. An error that belongs to no person stands beside
    those that have no record, else `say` hears it.
    """
    found = [record for record in replies if isinstance(record, dict)] if isinstance(replies, list) else []
    matched = _matched(people, [record for record in found if folded(record.get("socialId") or room) == room])
    used = {id(record) for each in matched for record in each}
    stray = [fault for record in found if id(record) not in used and (fault := _fault(record))]
    if all(matched):
        for fault in stray:
            say(f"the service names an error of an invitation that was not sent: {fault}")
    missing = Outcome("unknown", "; it says: ".join([NO_RECORD, *stray]))
    return [_outcome(each) if each else missing for each in matched]


def _matched(people: Sequence[str], records: Sequence[JSON]) -> list[list[JSON]]:
    """Give the records of each person.

    Position counts where there are as many records as people, no name says that their order is another, and the
    record shows no name of the kind by which the person is named.
    """
    ids = [_names(record, "invitedUserId", "userId") for record in records]
    mails = [_names(record, "emailAddress") for record in records]
    naming: dict[str, list[int]] = {}
    for place, names in enumerate(zip(ids, mails, strict=True)):
        for name in set().union(*names):
            naming.setdefault(name, []).append(place)
    named = [naming.get(each.casefold(), []) for each in people]
    whole = len(records) == len(people)
    in_order = whole and all(place in places for place, places in enumerate(named) if places)
    found = []
    for place, (each, places) in enumerate(zip(people, named, strict=True)):
        kind = ids if is_uuid(each) else mails
        here = in_order and (place in places or not kind[place])
        found.append([records[place]] if here else [records[other] for other in places])
    return found


def _names(record: Mapping[str, JSON], *fields: str) -> set[str]:
    user = record.get("invitedUser")
    shown = {**(user if isinstance(user, dict) else {}), **record}
    return {name.casefold() for field in fields if isinstance(name := shown.get(field), str) and name}


def _fault(record: Mapping[str, JSON]) -> str:
    """Say what a record names as its error, or how else it denies; empty where it does not."""
    error = record.get("error") or record.get("errors")
    return error if isinstance(error, str) else json.dumps(error, default=str) if error else denial(record)


def _outcome(records: Sequence[JSON]) -> Outcome:
    """Say what the records of a person mean; where one of several names an error, nobody knows."""
    record, faults = records[0], [fault for each in records if (fault := _fault(each))]
    if faults:
        return Outcome("failed" if len(records) == 1 else "unknown", "; ".join(faults), reply=record)
    made = str(record.get("socialInviteId") or "")
    return Outcome(id=made, reply=record) if is_uuid(made) else Outcome("unknown", NO_ID, reply=record)
