"""Inviting people: who they are, in batches, and which of them the service took."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from roomctl.bulk import Job, Outcome, Row, Shape, Table
from roomctl.cli.asking import announce, check_profile, confirm
from roomctl.cli.bodies import checked
from roomctl.cli.bulking import Run, planned, read_table, run
from roomctl.cli.lookup import called, fault_of_id, room_id
from roomctl.cli.session import Answer, Session
from roomctl.cli.writing import instead, settled
from roomctl.contract.operations import INVITE_SEND, UUID
from roomctl.errors import BadInput
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
        user = record.get("invitedUser") or {}
        key = record.get("invitedUserId") or user.get("userId") or user.get("emailAddress")
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
        return outcomes(rows, settled(session, write).value, room)

    return Job(rows, call)


def outcomes(rows: Sequence[Row], replies: JSON, room: str) -> list[Outcome]:
    """Match the service's records with rows: by id or address, else by position; a missing record is unknown.

    A record of another room than `room` says nothing of a row.
    """
    found = [record for record in replies if isinstance(record, dict)] if isinstance(replies, list) else []
    records = [record for record in found if str(record.get("socialId") or room).lower() == room]
    by_name: dict[str, JSON] = {}
    for record in records:
        for name in _names(record):
            by_name.setdefault(name, record)
    whole = len(records) == len(rows)
    by_place = {place: each for place, each in enumerate(records) if whole and not _names(each)}
    return [_outcome(by_name.get(row.key.casefold(), by_place.get(place))) for place, row in enumerate(rows)]


def _names(record: Mapping[str, JSON]) -> list[str]:
    user = record.get("invitedUser")
    known = user if isinstance(user, dict) else {}
    names = (record.get("invitedUserId"), known.get("userId"), known.get("emailAddress"))
    return [name.casefold() for name in names if isinstance(name, str)]


def _outcome(record: JSON) -> Outcome:
    if record is None:
        return Outcome("unknown", UNKNOWN)
    if error := record.get("error"):
        return Outcome("failed", error if isinstance(error, str) else json.dumps(error), reply=record)
    made = str(record.get("socialInviteId") or "")
    return Outcome(id=made, reply=record) if UUID.fullmatch(made) else Outcome("unknown", NO_ID, reply=record)
