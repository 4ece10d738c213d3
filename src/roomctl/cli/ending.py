"""Ending rooms: the guards, the card before the question, the requests, and what became of each room."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from roomctl.cli import guards, lookup
from roomctl.cli.asking import announce, check_profile, confirm
from roomctl.cli.lookup import fault_of_id, id_of, is_id, named, room_set, room_sets
from roomctl.cli.session import Answer, Query, Session
from roomctl.cli.times import future, spoken, wire
from roomctl.cli.writing import instead, settled
from roomctl.contract.moments import moment
from roomctl.contract.operations import SOCIAL_END
from roomctl.contract.rooms import is_open, present_in, rooms
from roomctl.errors import OutcomeUnknown, Partial, RoomctlError, WrongCall
from roomctl.settling import Write, snapshot

JSON = Any


class Rooms(NamedTuple):
    """The rooms that a command is about: `seen` are those of my sets, by id, where they were read."""

    ids: tuple[str, ...]
    seen: dict[str, JSON]


def end_rooms(
    session: Session, which: Sequence[str], *, source: str | None, in_set: str | None, until: str | None
) -> Answer:
    """End rooms by id, name, file or set: one object for one room named alone, else a list of results."""
    ways = sum((bool(which), source is not None, in_set is not None))
    if ways != 1:
        raise WrongCall("give rooms, `--from FILE` or `--room-set SET`" + ("" if not ways else ", one of them"))
    when = future(until, session.now()) if until is not None else None
    query = [("leaveOpenUntil", wire(when))] if when is not None else []
    note = f"asked to be left open until {spoken(when)}; the effect is not documented" if when is not None else ""
    if len(which) == 1 and session.given.results is None:
        return _alone(session, which[0], query, note)
    target = SOCIAL_END.name + (f" leaving it open until {until}" if until else "")
    return _many(session, which, source, in_set, query, note, target)


def _alone(session: Session, text: str, query: Query, note: str) -> Answer:
    rooms = _found(session, [text])
    key = rooms.ids[0]
    guards.check(session, rooms.ids, rooms.seen)
    if (shown := instead(session, SOCIAL_END, path={"socialId": key}, query=query, body=None)) is not None:
        return shown
    _ask(session, rooms, note)
    room, fault, certain = _end(session, key, query, lookup.called(text, key))
    kind, hint = (Partial if certain else OutcomeUnknown), f"`roomctl social get {key}` shows it"
    return Answer(room, "Social", kind(fault, outcome="unknown", hint=hint) if fault else None)


def _many(
    session: Session,
    which: Sequence[str],
    source: str | None,
    in_set: str | None,
    query: Query,
    note: str,
    target: str,
) -> Answer:
    from roomctl.bulk import Job, Outcome, Result, Row, Shape, Table
    from roomctl.cli.bulking import planned, read_table, run
    from roomctl.cli.relooking import looked_at

    closed: list[str] = []
    if source is not None:
        table = read_table(session, source, Shape(("socialId",), {"socialId": fault_of_id}))
    else:
        keys, closed = _of_set(session, in_set) if in_set is not None else (list(_found(session, which).ids), [])
        table = Table.of(list(dict.fromkeys([*keys, *closed])), "socialId")
    plan = looked_at(session, planned(session, table, target), left_open=bool(query))
    rows = [row for row in plan.plan.send if row.key not in closed]
    rooms = Rooms(tuple(row.key.lower() for row in rows), _seen(session, force=False))
    guards.check(session, rooms.ids, rooms.seen)
    shown = [instead(session, SOCIAL_END, path={"socialId": key}, query=query, body=None) for key in rooms.ids]
    if shown and shown[0] is not None:
        return shown[0]._replace(value=[each.value for each in shown if each is not None])
    _ask(session, rooms, note)

    def job(row: Row) -> Job:
        def call() -> list[Outcome]:
            room, fault, certain = _end(session, row.key.lower(), query, row.key.lower())
            return [Outcome("ok" if not fault else "failed" if certain else "unknown", fault, row.key, room)]

        return Job((row,), call)

    skipped = [Result(row, "skipped", "the room is closed already") for row in plan.plan.send if row.key in closed]
    return run(session, plan, [job(row) for row in rows], noun="rooms", also=skipped)


def _of_set(session: Session, in_set: str) -> tuple[list[str], list[str]]:
    """The rooms of a set: those that are not closed, and the closed ones."""
    found = rooms(room_set(session, in_set))
    closed = [id_of(each, "socialId") for each in found if is_open(each) is False]
    return [id_of(each, "socialId") for each in found if is_open(each) is not False], closed


def _found(session: Session, which: Sequence[str]) -> Rooms:
    names = [text for text in which if not is_id(text)]
    seen = _seen(session, force=bool(names))
    sets = [{"name": room["roomSetName"]} for room in seen.values()]
    ids = [
        text.lower() if is_id(text) else id_of(named(seen.values(), text, "socialId", "room", others=sets), "socialId")
        for text in which
    ]
    return Rooms(tuple(dict.fromkeys(ids)), seen)


def _seen(session: Session, *, force: bool) -> dict[str, JSON]:
    """The rooms of my sets by id; read only where a name, a guard or a question needs them."""
    given = session.given
    asks = session.interactive and not given.yes and not (given.dry_run or given.curl)
    if not (force or asks or guards.wanted(session)):
        return {}
    if session.rooms_seen is None:
        session.rooms_seen = {
            str(room["socialId"]).lower(): {**room, "roomSetName": each.get("name")}
            for each in room_sets(session)
            for room in rooms(each)
            if "socialId" in room
        }
    return session.rooms_seen


def _ask(session: Session, rooms: Rooms, note: str) -> None:
    check_profile(session)
    card = [f"about to end {len(rooms.ids)} rooms:" if len(rooms.ids) != 1 else "about to end a room:"]
    card += [line for key in rooms.ids[:50] for line in _card(key, rooms.seen.get(key))]
    card += [f"  and {len(rooms.ids) - 50} more"] if len(rooms.ids) > 50 else []
    confirm(session, [*card, *([note] if note else [])], word="end")
    announce(session)
    if note and session.given.yes:
        session.note(note)


def ending_card(session: Session, key: str) -> list[str]:
    """What a person reads of a room before it is ended."""
    return _card(key, _seen(session, force=False).get(key))


def _card(key: str, room: JSON) -> list[str]:
    if room is None:
        return [f"  room {key}: not in my room sets, cannot be seen"]
    from roomctl.output.values import called

    host = called(room.get("user") or {}) or "not shown"
    present = present_in(room)
    people = (
        "people present not shown" if present is None else f"{present} {'person' if present == 1 else 'people'} present"
    )
    end = _spoken(room.get("endDateTime"))
    about = f"{people}, set {room.get('roomSetName')}, host {host}, planned end {end}"
    return [f"  {room.get('name')}  {key}", f"    {about}"]


def _spoken(text: JSON) -> str:
    when = moment(text)
    return str(text or "not shown") if when is None else spoken(when)


def _end(session: Session, key: str, query: Query, name: str) -> tuple[JSON, str, bool]:
    """End one room, and say what is wrong, and whether that was seen.

    Where the reply does not plainly say that the room is closed, look.

    Without a time to stay open, a room that is seen open was not ended, whatever the service answered.
    """
    room = settled(session, Write(SOCIAL_END, {"socialId": key}, query, None, f"end room {name}")).value
    later = any(name == "leaveOpenUntil" for name, _ in query)
    if isinstance(room, dict) and is_open(room) is False:
        if later:
            session.say(f"room {key} ({room.get('name')}) is closed already, says the service")
        return room, "", True
    seen = _look(session, key)
    if seen is None and is_open(room) is True and not later:
        return room, f"the service answered that room {key} is open, and it cannot be seen", False
    if seen is None or is_open(seen) is False:
        return seen or room, "", True
    still = f"room {key} ({seen.get('name')}) is still open"
    if later:
        session.say(still)
        return room, "", True
    return room, f"the service answered, and {still}", True


def _look(session: Session, key: str) -> JSON:
    """The room as my sets show it; None, said, where it cannot be seen."""
    try:
        seen = snapshot(session.client, SOCIAL_END).get(key)
    except RoomctlError as error:
        session.say(f"the reply does not say that room {key} is closed, and reading it failed: {error.message}")
        return None
    if seen is None:
        session.say(f"the reply does not say that room {key} is closed, and it is not in my room sets")
    return seen
