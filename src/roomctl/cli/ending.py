"""Ending rooms: the guards, the card before the question, the requests, and what became of each room."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from roomctl.cli import guards, lookup
from roomctl.cli.asking import announce, check_profile, confirm
from roomctl.cli.lookup import fault_of_id, found, id_of, is_id, known, note_spelling, rooms_of, sets_seen
from roomctl.cli.session import Answer, Query, Session
from roomctl.cli.times import future, spoken, wire
from roomctl.cli.writing import instead, settled
from roomctl.contract.moments import moment
from roomctl.contract.operations import SOCIAL_END
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import is_open, once, present_in, rooms
from roomctl.errors import ExpectationFailed, WrongCall
from roomctl.settling import Write

JSON = Any


class Rooms(NamedTuple):
    """The rooms that a command is about: `seen` are those of my sets, by id, where they were read."""

    ids: tuple[str, ...]
    seen: dict[str, JSON]


def end_rooms(
    session: Session, which: Sequence[str], *, source: str | None, sets: Sequence[str], until: str | None
) -> Answer:
    """End rooms by id, name, file or set: one object for one room named alone, else a list of results."""
    ways = sum((bool(which), source is not None, bool(sets)))
    if ways != 1:
        raise WrongCall("give rooms, `--from FILE` or `--room-set SET`" + ("" if not ways else ", one of them"))
    when = future(until, session.now()) if until is not None else None
    query = [("leaveOpenUntil", wire(when))] if when is not None else []
    note = f"asked to be left open until {spoken(when)}; the effect is not documented" if when is not None else ""
    if len(which) == 1 and session.given.results is None:
        return _alone(session, which[0], query, note)
    target = SOCIAL_END.name + (f" leaving it open until {until}" if until else "")
    return _many(session, which, source, sets, query, note, target)


def _alone(session: Session, text: str, query: Query, note: str) -> Answer:
    rooms = _found(session, [text])
    key = rooms.ids[0]
    guards.check(session, rooms.ids, rooms.seen)
    if (shown := instead(session, SOCIAL_END, path={"socialId": key}, query=query, body=None)) is not None:
        return shown
    _ask(session, rooms, note)
    return Answer(_end(session, key, query, lookup.called(text, key)), "Social")


def _many(
    session: Session,
    which: Sequence[str],
    source: str | None,
    sets: Sequence[str],
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
        keys, closed = _of_sets(session, sets) if sets else (list(_found(session, which).ids), [])
        table = Table.of(list(dict.fromkeys([*keys, *closed])), "socialId")
    plan = looked_at(session, planned(session, table, target), left_open=bool(query))
    rows = [row for row in plan.plan.send if row.key not in closed]
    rooms = Rooms(tuple(folded(row.key) for row in rows), _seen(session, force=False))
    guards.check(session, rooms.ids, rooms.seen)
    shown = [instead(session, SOCIAL_END, path={"socialId": key}, query=query, body=None) for key in rooms.ids]
    if shown and shown[0] is not None:
        return shown[0]._replace(value=[each.value for each in shown if each is not None])
    _ask(session, rooms, note)

    def job(row: Row) -> Job:
        def call() -> list[Outcome]:
            key = folded(row.key)
            return [Outcome("ok", "", row.key, _end(session, key, query, known(session, key)))]

        return Job((row,), call)

    shut = [(row, known(session, row.key.lower())) for row in plan.plan.send if row.key in closed]
    skipped = [Result(row, "skipped", f"room {name} is closed already") for row, name in shut]
    return run(session, plan, [job(row) for row in rows], noun="rooms", also=skipped)


def _of_sets(session: Session, sets: Sequence[str]) -> tuple[list[str], list[str]]:
    """The open rooms of some sets, and the closed ones. Raises ExpectationFailed where one shows neither."""
    keys: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for each in rooms_of(session, sets):
        keys[is_open(each)].append(id_of(each, "socialId"))
    if keys[None]:
        raise ExpectationFailed(
            f"nothing was sent: whether it is open is not shown of {guards.these(session, keys[None])}",
            hint="give the rooms that are to be ended by their ids",
            details={"rooms": keys[None]},
        )
    return keys[True], keys[False]


def _found(session: Session, which: Sequence[str]) -> Rooms:
    names = [text for text in which if not is_id(text)]
    seen = _seen(session, force=bool(names))
    sets = [{"name": room["roomSetName"]} for room in seen.values()]
    ids = [
        folded(text)
        if is_id(text)
        else id_of(
            found(session, seen.values(), text, "socialId", "room", session.rooms_doubt, others=sets), "socialId"
        )
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
        sets, session.rooms_doubt = sets_seen(session)
        known = once({**room, "roomSetName": each.get("name")} for each in sets for room in rooms(each))
        session.rooms_seen = by_id(known, "socialId")
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


def _end(session: Session, key: str, query: Query, name: str) -> JSON:
    """End one room and give its record; with a time to stay open, say how it stands. Raises errors.*."""
    room = settled(session, Write(SOCIAL_END, {"socialId": key}, query, None, f"end room {name}")).value
    note_spelling(session, [room])
    if any(name == "leaveOpenUntil" for name, _ in query):
        stands = "accepted, still open" if is_open(room) else "closed already"
        session.say(f"room {key} ({room.get('name')}): {stands}")
    return room
