"""Inviting people: who they are, in batches, and which of them the service took."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from roomctl.bulk import Job, Outcome, Row, Shape, Table
from roomctl.cli.asking import announce, check_profile, confirm
from roomctl.cli.bodies import check_new, checked
from roomctl.cli.bulking import Run, planned, read_table, run
from roomctl.cli.lookup import called, fault_of_id, room_id, same_id
from roomctl.cli.session import Answer, Session
from roomctl.cli.writing import instead, settled
from roomctl.contract.operations import INVITE_SEND, UUID
from roomctl.contract.records import denial, folded
from roomctl.errors import BadInput, OutcomeUnknown, Partial, RoomctlError
from roomctl.output.values import numbered
from roomctl.settling import Write

JSON = Any
ASKED_LIGHTLY = 25
NO_RECORDS: Mapping[int, JSON] = {}
NO_ID = "the service's record for this person has no socialInviteId"
UNKNOWN = "the service's reply has no record for this person"


def fault_of_address(text: str) -> str:
    """Say what is wrong with an e-mail address: something, @, something with no blanks; nothing when it is one."""
    name, _, host = text.rpartition("@")
    plain = name and host and text.isprintable() and not any(character.isspace() for character in text)
    return "" if plain and "." not in (host[0], host[-1]) and "@" not in name else f"not an e-mail address: {text}"


PEOPLE = Shape(("invitedUserId", "emailAddress"), {"invitedUserId": fault_of_id, "emailAddress": fault_of_address})


def table_of(session: Session, users: Sequence[str], emails: Sequence[str], source: str | None) -> Table:
    """Make the table of the people to invite, from options or a file. Raises BadInput."""
    if source is not None:
        table = read_table(session, source, PEOPLE)
        both = sum(all(row.columns.get(name) for name in PEOPLE.columns) for row in table.rows)
        if both:
            session.note(f"{numbered(both, 'rows')} with an id and an address: the id is what is invited")
        return table
    people = [("invitedUserId", user) for user in users] + [("emailAddress", email) for email in emails]
    people = list(dict.fromkeys(people))
    header = ("invitedUserId", "emailAddress")
    rows = tuple(
        Row(line, {column: value}, value, tuple(value if column == each else "" for each in header))
        for line, (column, value) in enumerate(people, 1)
    )
    return Table("arguments", header=header, rows=rows)


def from_records(session: Session, records: JSON) -> tuple[Table, dict[int, JSON]]:
    """Make the table of SocialInvite records given by `--input`, and the records by line. Raises BadInput."""
    checked(session, "SocialInvite[]", records)
    rows = []
    for line, record in enumerate(records, 1):
        key = _person(record)
        if not key:
            raise BadInput(f"record {line} of `--input` names nobody", hint="give invitedUserId or invitedUser")
        rows.append(Row(line, {}, key, (key,)))
    return Table("--input", header=("person",), rows=tuple(rows)), dict(enumerate(records, 1))


def invite(session: Session, which: str, table: Table, batch: int, records: Mapping[int, JSON] = NO_RECORDS) -> Answer:
    """Invite the people of a table to a room, in batches; one result for each. `records` are sent as they are."""
    room = room_id(session, which)
    begun = planned(session, table, f"{INVITE_SEND.name} {room}")
    rows = begun.plan.send
    batches = [rows[start : start + batch] for start in range(0, len(rows), batch)]
    bodies = [
        checked(session, "SocialInvite[]", [records.get(row.line) or _invitation(row) for row in part])
        for part in batches
    ]
    for record in records.values():
        same_id(which, room, record.get("socialId"))
    check_new(INVITE_SEND, [*records.values()])
    shown = [instead(session, INVITE_SEND, path={"socialId": room}, query=(), body=body) for body in bodies]
    if shown and shown[0] is not None:
        return shown[0] if len(shown) == 1 else shown[0]._replace(value=[each.value for each in shown if each])
    check_profile(session)
    if rows:
        _ask(session, called(which, room), begun)
    announce(session)
    jobs = [_job(session, room, tuple(part), body) for part, body in zip(batches, bodies, strict=True)]
    return run(session, begun, jobs, noun="people", resource="InviteResult")


def _ask(session: Session, room: str, begun: Run) -> None:
    rows = begun.plan.send
    people = ", ".join(row.key for row in rows[:5]) + (f" and {len(rows) - 5} more" if len(rows) > 5 else "")
    card = [f"about to invite {_people(len(rows))} to room {room}: {people}"]
    confirm(session, card, word="invite" if len(rows) > ASKED_LIGHTLY else None)


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"


def _invitation(row: Row) -> JSON:
    if key := row.columns.get("invitedUserId"):
        return {"invitedUserId": key}
    return {"invitedUser": {"emailAddress": row.columns["emailAddress"]}}


def _job(session: Session, room: str, rows: tuple[Row, ...], body: JSON) -> Job:
    def call() -> list[Outcome]:
        write = Write(INVITE_SEND, {"socialId": room}, (), body, f"invite {_people(len(rows))} to room {room}")
        return outcomes(rows, settled(session, write).value, room, session.say)

    return Job(rows, call)


def outcomes(
    rows: Sequence[Row], replies: JSON, room: str, say: Callable[[str], None] = lambda _: None
) -> list[Outcome]:
    """Match the service's records with rows: by id or address, else by position; a missing record is unknown.

    A record of another room than `room` says nothing of a row. An error that belongs to no row stands beside the rows
    that have no record, else `say` hears it.
    """
    found = [record for record in replies if isinstance(record, dict)] if isinstance(replies, list) else []
    records = [record for record in found if folded(record.get("socialId") or room) == room]
    matched = _matched(rows, records)
    used = {id(record) for each in matched for record in each}
    stray = [fault for record in found if id(record) not in used and (fault := _fault(record))]
    if all(matched):
        for fault in stray:
            say(f"the service names an error of an invitation that was not sent: {fault}")
    unknown = Outcome("unknown", "; it says: ".join([UNKNOWN, *stray]))
    return [_outcome(each) if each else unknown for each in matched]


def failure_of(room: str, body: JSON, replies: JSON) -> RoomctlError | None:
    """Say what failed or is not known of invitations that were sent in one request; None where all were made."""
    records = body if isinstance(body, list) else [body]
    rows = [Row(line, {}, _person(record) or f"record {line}", ()) for line, record in enumerate(records, 1)]
    found = outcomes(rows, replies, folded(room))
    faults = [f"{row.key}: {each.error}" for row, each in zip(rows, found, strict=True) if each.status != "ok"]
    if not faults:
        return None
    why = f"of {numbered(len(rows), 'invitations')}, {len(faults)} failed or may have: {'; '.join(faults[:20])}"
    unknown = any(each.status == "unknown" for each in found)
    return OutcomeUnknown(why) if unknown else Partial(why, outcome="applied")


def _person(record: JSON) -> str:
    """What a SocialInvite names its person by; empty where it names nobody."""
    if not isinstance(record, dict):
        return ""
    user = record.get("invitedUser") or {}
    return str(record.get("invitedUserId") or user.get("userId") or user.get("emailAddress") or "")


def _matched(rows: Sequence[Row], records: Sequence[JSON]) -> list[list[JSON]]:
    """Give the records of each row.

    Position counts where there are as many records as rows, no name says that their order is another, and the record
    shows no name of the kind by which the row names its person.
    """
    ids = [_names(record, "invitedUserId", "userId") for record in records]
    mails = [_names(record, "emailAddress") for record in records]
    naming: dict[str, list[int]] = {}
    for place, names in enumerate(zip(ids, mails, strict=True)):
        for name in set().union(*names):
            naming.setdefault(name, []).append(place)
    named = [naming.get(row.key.casefold(), []) for row in rows]
    whole = len(records) == len(rows)
    in_order = whole and all(place in places for place, places in enumerate(named) if places)
    found = []
    for place, (row, places) in enumerate(zip(rows, named, strict=True)):
        kind = ids if UUID.fullmatch(row.key) else mails
        here = in_order and (place in places or not kind[place])
        found.append([records[place]] if here else [records[each] for each in places])
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
    """Say what the records of a row mean; where one of several names an error, nobody knows."""
    record, faults = records[0], [fault for each in records if (fault := _fault(each))]
    if faults:
        return Outcome("failed" if len(records) == 1 else "unknown", "; ".join(faults), reply=record)
    made = str(record.get("socialInviteId") or "")
    return Outcome(id=made, reply=record) if UUID.fullmatch(made) else Outcome("unknown", NO_ID, reply=record)
