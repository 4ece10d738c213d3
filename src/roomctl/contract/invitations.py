"""What a reply to invitations says of each person: records are matched with people, by name or by position."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from roomctl.contract.fields import fields
from roomctl.contract.outcome import Outcome, compared, denial, remarks, shown
from roomctl.contract.records import error_of, folded, is_uuid, truth
from roomctl.contract.statements import is_state, says, something, words_of
from roomctl.contract.vocabulary import WRITE
from roomctl.text import JSON, Note
from roomctl.text.times import DAY, MINUTE, latest, moment

Names = Sequence[Sequence[str]]
"""The ids and addresses of each person."""
NO_ID = "the service's record for this person has no socialInviteId"
NO_RECORD = "the service's reply has no record for this person"
TWO_PEOPLE = "the service's record for this person names two people"
SAME = "the service's record for this person names the same invitation or person as another's"
NOT_SAID = "does not say that the invitation was made"
_PROVEN = re.compile(
    r"(((the |this )?(user|person)|they|\S+@\S+) )?((is|was|has|are|were|have) )?already (been )?invited( at \S+)?\.?",
    re.IGNORECASE,
)
_STOOD = ("alreadyInvited", "already_invited", "alreadyExists", "already_exists")
_MADE = "true sent ok created new open pending invited delivered success 0 200 201 202"
_APPROVAL = frozenset(["approval", "review", "confirmation", "verification", "validation"])
_REPLIED = ("accepted", "declined", "tentative", "confirmed", "acknowledged")
"""What people answer to an invitation that they have."""


def person(invitation: JSON) -> str:
    """What a SocialInvite names its person by, an id or an address; empty where it names nobody."""
    if not isinstance(invitation, dict):
        return ""
    user = invitation.get("invitedUser") or {}
    return str(invitation.get("invitedUserId") or user.get("userId") or user.get("emailAddress") or "")


def invited(
    people: Names, replies: JSON, room: str, say: Note = lambda _: None, made: dict[str, object] | None = None
) -> list[Outcome]:
    """Match the service's records with people: by their ids or addresses, else by position; a missing one is unknown.

    A record of another room than `room` says nothing of a person. An error that belongs to no person stands beside
    those that have no record, else `say` hears it, and of an invitation of somebody who was not asked for. `made` holds
    what identifies each invitation of a run, from any thread: its id, and in its room the person's id and address.
    """
    found = [record for record in replies if isinstance(record, dict)] if isinstance(replies, list) else []
    matched = _matched(people, [record for record in found if folded(record.get("socialId") or room) == room])
    used = {id(record) for each in matched for record in each}
    others = [record for record in found if id(record) not in used]
    strays = [fault for record in others if (fault := fault_of(record))]
    if all(matched):
        for fault in strays:
            say(f"the service reports an error for nobody who was invited: {fault}")
        for name in (person(record) for record in others if record.get("socialInviteId") and not fault_of(record)):
            say(f"the service's reply has an invitation that was not asked for: {name or 'it names nobody'}")
    missing = Outcome("unknown", "; it says: ".join([NO_RECORD, *strays]))
    when = getattr(replies, "made", None)
    pairs = zip(people, matched, strict=True)
    outcomes = [_outcome(who, records, when) if records else missing for who, records in pairs]
    made, marks = {} if made is None else made, [_marks(each.reply, room) if each.id else set() for each in outcomes]
    times = Counter(mark for each in marks for mark in each)
    return [
        Outcome("unknown", SAME, reply=each.reply)
        if [mark for mark in own if made.setdefault(mark, each) is not each or times[mark] > 1]
        else each
        for each, own in zip(outcomes, marks, strict=True)
    ]


def _matched(people: Names, records: Sequence[JSON]) -> list[list[JSON]]:
    """Give the records of each person; position counts where there are as many records as people, no name says that
    their order is another, and the record shows no name of a kind by which the person is named.
    """
    naming: dict[str, list[int]] = {}
    known = {compared(name) for who in people for name in who}
    for place, record in enumerate(records):
        for name in _ids(record) | _addresses(record) or known & _mentioned(record):
            naming.setdefault(name, []).append(place)
    named = [sorted({place for name in who for place in naming.get(compared(name), ())}) for who in people]
    in_order = len(records) == len(people) and all(place in places for place, places in enumerate(named) if places)
    found = []
    for place, (who, places) in enumerate(zip(people, named, strict=True)):
        here = in_order and (place in places or not _names_another(who, records[place]))
        found.append([records[place]] if here else [records[other] for other in places])
    return found


def _ids(record: Mapping[str, JSON]) -> set[str]:
    user = record.get("invitedUser")
    given = [record.get("invitedUserId"), record.get("userId"), shown(user, "userId")]
    return {folded(key) for key in given} - {""}


def _addresses(record: Mapping[str, JSON]) -> set[str]:
    given = [record.get("emailAddress"), shown(record.get("invitedUser"), "emailAddress")]
    return {compared(text) for text in given if isinstance(text, str) and text}


def _mentioned(record: Mapping[str, JSON]) -> set[str]:
    """The addresses in what a record says went wrong."""
    return {compared(each) for each in re.findall(r"[^\s<>\"',;:]+@[^\s<>\"',;:]+", str(error_of(record) or ""))}


def _marks(record: Mapping[str, JSON], room: str) -> set[str]:
    """Give what no other invitation has: its id, and in its room the id and the address of the person."""
    people = _ids(record) | _addresses(record)
    return {folded(record.get("socialInviteId")), *(f"{room} {name}" for name in people)}


def _names_another(who: Sequence[str], record: Mapping[str, JSON]) -> bool:
    """Whether a record shows a name of a kind by which the person is named, and it is another."""
    ids = {compared(each) for each in who if is_uuid(each)}
    addresses = {compared(each) for each in who if each and not is_uuid(each)}
    pairs = ((ids, _ids(record)), (addresses, _addresses(record)))
    return any(own and names and not own & names for own, names in pairs)


def fault_of(record: Mapping[str, JSON]) -> str:
    """Say what a record names as its error, or how else it denies; empty where it does not.

    Beside the id of an invitation only the plainest words do: others may speak of what that person did with it.
    """
    if error := error_of(record):
        return error if isinstance(error, str) else json.dumps(error, default=str)
    if any(truth(record.get(name)) for name in _STOOD):
        return "already invited" + (f" at {record['dateTimeInvited']}" if moment(record.get("dateTimeInvited")) else "")
    if is_uuid(folded(record.get("socialInviteId"))):
        inside = error_of(record.get("invitedUser"))
        return f"a record whose `invitedUser` has the error: {inside}" if inside else ""
    return denial({name: record[name] for name in record if name.lower() not in _REPLIED}, "SocialInvite")


def _doubt(record: Mapping[str, JSON], made: float | None) -> str:
    """Say why an invitation may not have been made, such as a member that the interface does not declare.

    One that is older than the reply, which was `made` then, may be an earlier one; one of a later day is not made yet.
    """
    when, declared = record.get("dateTimeInvited"), fields("SocialInvite")
    if (newest := latest(when)) is None and something(when):
        return f"the invitation may be an earlier one: its date cannot be read: {json.dumps(when, default=str)}"
    if made and newest is not None and newest < made - MINUTE:
        return f"the invitation may be an earlier one, made at {when}"
    if made and newest is not None and newest > made + 2 * DAY:
        return f"the invitation is not made yet: it is dated {when}"
    for name, value in record.items():
        if name in declared or name.lower() in _REPLIED or value in (None, "", [], {}):
            continue
        if is_state(name) and name[0] not in "@_":
            bad = str(value).strip().lower() not in (*_MADE.split(), *_REPLIED)
            bad = bad or (not _APPROVAL.isdisjoint(words_of(name)) and says({name: value}, (), WRITE) is not None)
        else:
            bad = says({name: value}, (), WRITE) is not None or remarks({name: value}, "SocialInvite") != ""
        if bad:
            return f"the `{name}` of the service's record for this person {NOT_SAID}"
    return ""


def _outcome(who: Sequence[str], records: Sequence[JSON], made_at: float | None) -> Outcome:
    """Say what the records of a person mean; where one of several names an error, nobody knows."""
    record, faults = records[0], [fault for each in records if (fault := fault_of(each))]
    if faults:
        return Outcome("failed" if len(records) == 1 else "unknown", "; ".join(faults), reply=record)
    if len(_ids(record)) > 1 or _names_another(who, record):
        return Outcome("unknown", TWO_PEOPLE, reply=record)
    if doubt := _doubt(record, made_at):
        return Outcome("unknown", doubt, reply=record)
    made = str(record.get("socialInviteId") or "")
    return Outcome(id=made, reply=record) if is_uuid(folded(made)) else Outcome("unknown", NO_ID, reply=record)


def stood(outcome: Outcome) -> bool:
    """Whether an outcome says no more than that this person is invited already."""
    return outcome.status == "failed" and _PROVEN.fullmatch(outcome.error) is not None


def all_stood(replies: JSON) -> bool:
    """Whether a reply says of each person that an earlier invitation is there already."""
    records = replies if isinstance(replies, list) else ()
    told = [fault_of(each) if isinstance(each, dict) else "" for each in records]
    return bool(told) and all(map(_PROVEN.fullmatch, told))


def done_for_all(body: bytes | None, room: JSON, records: Sequence[JSON]) -> bool:
    """Whether a reply has a record for each invitation that was sent, and none that denies or lacks its id."""
    people = [[name] if (name := person(each)) else [] for each in json.loads(body or b"[]")]
    return len(records) == len(people) and all(each.status == "ok" for each in invited(people, records, folded(room)))
