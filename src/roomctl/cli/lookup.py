"""My room sets and their rooms, as operation 3 shows them: found by id or by exact name.

A record that came is certain; of a list that is not proven whole, another may have the same name.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from roomctl.cli.session import JSON, Session
from roomctl.contract import rooms
from roomctl.contract.operations import RECORDING_LIST, ROOMSET_LIST, RULES_GET, TRANSCRIPTION_LIST, Operation
from roomctl.contract.records import ID_FORM, SPELLED, by_id, find, folded, is_uuid, spelled
from roomctl.errors import (
    AGAIN,
    Ambiguous,
    BadValue,
    ExpectationFailed,
    NotFound,
    Partial,
    RoomctlError,
    Unintelligible,
)
from roomctl.output.values import first
from roomctl.text.counted import numbered
from roomctl.text.suggest import nearest

SET, ROOM, THEME = "socialRoomSetId", "socialId", "socialThemeId"
KINDS = {
    SET: ("room set", "`roomctl roomset list`"),
    ROOM: ("room", "`roomctl social list`"),
    THEME: ("theme", "`roomctl social list --fields socialThemeName,themeId`"),
    RECORDING_LIST.identity: ("recording", "`roomctl recording list`"),
    TRANSCRIPTION_LIST.identity: ("transcription", "`roomctl transcription list`"),
}
"""What the things of an id are called, and the command that shows them."""
GIVE_ID = "give the id instead of the name"


class Mine(NamedTuple):
    """My room sets as they came, their rooms, each once, and why they are not proven to be all."""

    sets: list[JSON]
    rooms: list[JSON]
    doubt: RoomctlError | None

    @property
    def themes(self) -> list[JSON]:
        """The themes that rooms show, each once, with the `name` by which it is found."""
        shown = (each["theme"] for each in self.rooms if isinstance(each.get("theme"), dict))
        return [{**each, "name": each.get("socialThemeName")} for each in by_id(shown, THEME).values()]

    @property
    def records_doubt(self) -> RoomctlError | None:
        """A doubt that holds for each record, also for one that came: rows cannot be read, or contradict."""
        return self.doubt if self.doubt is not None and "row" in self.doubt.details else None


def my_sets(session: Session) -> Mine:
    """Read my room sets (operation 3); the session keeps them, and learns their names."""
    from roomctl.cli.lists import gathered

    sets, proof = gathered(session, ROOMSET_LIST)
    doubt: RoomctlError | None = proof.doubt
    if (doubt is None or "row" not in doubt.details) and (key := rooms.contradicting(sets)):
        why = f"the list could not be verified as complete: room {key} was received twice, with different values"
        doubt = Partial(why, hint=AGAIN, details={"row": key})
    session.clock_ahead = proof.clock_behind
    doubt = doubt or (proof.stale if session.about.writes else None)
    session.mine = mine = Mine(sets, rooms.all_rooms(sets), doubt)
    named = [*by_id(mine.sets, SET).items(), *by_id(mine.rooms, ROOM).items()]
    session.names |= {key: str(name) for key, record in named if (name := record.get("name"))}
    note_spelling(session, mine.rooms)
    return mine


def note_spelling(session: Session, found: Iterable[JSON]) -> None:
    """Say that records write as a text whether rooms are open; once in a run."""
    if not session.spelling_noted and any(spelled(each.get("isOpen")) for each in found if isinstance(each, dict)):
        session.spelling_noted = True
        session.note(SPELLED.format("isOpen"))


def rooms_unseen(sets: Iterable[JSON], doubt: RoomctlError | None) -> RoomctlError | None:
    """Why the rooms of these sets are not proven to be theirs and all: the list's doubt, or what they do not show."""
    unproven = (
        ("the rooms of {} are not shown", lambda each: not rooms.rooms(each) and rooms.hides_rooms(each)),
        ("not all rooms of {} are shown", rooms.hides_rooms),
        (
            "the ids of rooms of {} are not shown",
            lambda each: not all(is_uuid(folded(room.get(ROOM))) for room in rooms.rooms(each)),
        ),
        ("rooms of {} say that they belong to another", rooms.strays),
    )
    for said, holds in unproven if doubt is None else ():
        if where := [each for each in sets if holds(each)]:
            names = ", ".join(first(repr(str(each.get("name") or each.get(SET))) for each in where))
            return Partial(f"{said.format(numbered(len(where), 'room sets'))}: {names}")
    return doubt


def rooms_by_id(session: Session) -> Mapping[str, JSON]:
    """The rooms of my sets by id, each with its `roomSetName`; what was read before is not read again."""
    mine = session.mine or my_sets(session)
    names = {folded(room.get(ROOM)): each.get("name") for each in reversed(mine.sets) for room in rooms.rooms(each)}
    return {key: {**room, "roomSetName": names[key]} for key, room in by_id(mine.rooms, ROOM).items()}


def fault_of_room(text: str) -> str:
    """Say that a text is a broken id rather than a name; nothing where it can be an id or a name."""
    bare = text.strip("{}").removeprefix("urn:uuid:").replace("-", "")
    broken = not text.strip() or (len(bare) >= 24 and not bare.strip("0123456789abcdefABCDEF"))
    return "not an id" if broken and not is_uuid(text) else ""


def _check_name(text: str) -> None:
    if fault := fault_of_room(text):
        raise BadValue(f"{fault}: {text!r}", hint=ID_FORM)


def ids_of(session: Session, which: Sequence[str], key: str = ROOM) -> list[str]:
    """The ids of rooms or sets by id, not looked up, or exact name. Raises NotFound, Ambiguous, BadValue."""
    ids = {text: own for text in which if is_uuid(text) and (own := folded(text))}
    names = [text for text in which if text not in ids]
    for text in names:
        _check_name(text)
    if names:
        mine = session.mine or my_sets(session)
        ids |= {text: _id_of(_found(session, mine, text, key), key) for text in names}
    return list(dict.fromkeys(ids[text] for text in which))


def id_of(session: Session, text: str, key: str = ROOM) -> str:
    """The id of one room, set or theme. Raises as `ids_of` does."""
    return ids_of(session, [text], key)[0]


def record_id(session: Session, operation: Operation, text: str) -> str:
    """The id of a listed record by id, not looked up, or by a name that no other one matches: its own or its room's.

    Raises NotFound, Ambiguous, BadValue, and Partial where another record may be named so.
    """
    from roomctl.cli.lists import gathered

    if is_uuid(text):
        return folded(text)
    _check_name(text)
    rows, proof = gathered(session, operation)
    kind = KINDS[operation.identity][0]
    if operation is RECORDING_LIST and all(each.get("name") != text for each in rows):
        my_sets(session)
        rows += [{**each, "name": session.names.get(folded(each.get(ROOM)))} for each in rows]
    if proof.doubt is not None:
        raise Partial(f"it is not known which {kind} is named {text!r}: {proof.doubt.message}", hint=GIVE_ID)
    return _id_of(_named(session, rows, text, operation.identity, ()), operation.identity)


def set_field(session: Session, text: str | None) -> dict[str, JSON]:
    """The field of a body that names the set of `--room-set`; nothing without it. Raises as `ids_of` does."""
    return {} if text is None else {SET: id_of(session, text, SET)}


def of_sets(session: Session, sets: Sequence[str]) -> list[str]:
    """The ids of the rooms of some sets, each of which shows whether it is open. Raises ExpectationFailed."""
    ids: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for each in rooms_of(session, sets):
        ids[rooms.is_open(each)].append(_id_of(each, ROOM))
    if session.doubt is not None:
        raise ExpectationFailed(f"nothing was sent: {session.doubt.message}", hint="give the rooms' ids")
    if ids[None]:
        raise ExpectationFailed(
            f"nothing was sent: the service does not show the state of {named_rooms(session, ids[None])}",
            hint="give the rooms' ids",
            details={"rooms": ids[None]},
        )
    return list(dict.fromkeys([*ids[True], *ids[False]]))


def called(text: str, key: str) -> str:
    """Name a thing for a person by what was typed, with its id beside a name (R22)."""
    return key if folded(text) == key else f"{text} ({key})"


def known(session: Session, key: str) -> str:
    """Name a thing for a person by its id, with its name where a list has shown it."""
    name = session.names.get(folded(key))
    return key if name is None else f"{name} ({key})"


def named_rooms(session: Session, ids: Sequence[str]) -> str:
    """Say how many rooms, and name up to 20 of them."""
    some = ", ".join(first(known(session, key) for key in ids))
    return numbered(len(ids), "rooms") + (f": {some}" if ids else "")


def _id_of(record: JSON, key: str) -> str:
    found = folded(record.get(key))
    if not is_uuid(found):
        name = record.get("name") or "a record without a name"
        raise Unintelligible(f"the service shows {name!r} without its {key}; nothing was sent")
    return found


def entry_rules(session: Session, key: str, config: str) -> JSON:
    """Read an entry configuration of a room set. Raises as reading does, and Partial where it is another set's."""
    query = [(SET, key), ("configurationId", config)]
    found = session.read(RULES_GET, query=query, what=f"show entry configuration {config}")
    if folded(other := found.get(SET)) not in ("", key):
        raise Partial(f"entry configuration {config} says that it is of another room set: {other}")
    return found


def record_of(session: Session, text: str, key: str = ROOM) -> JSON:
    """The record of a room or a room set given by id or exact name. Raises NotFound, Ambiguous, BadValue."""
    return _found(session, my_sets(session), text, key)


def sets_named(session: Session, which: Sequence[str]) -> list[JSON]:
    """Some sets by id or exact name, in one reading; all of them where none is named. Raises as `record_of` does."""
    mine = my_sets(session)
    if which:
        return [_found(session, mine, text, SET) for text in which]
    session.doubt = session.doubt or mine.doubt
    return mine.sets


def sets_watched(session: Session, which: Sequence[str]) -> tuple[list[str], list[JSON]]:
    """The ids of some sets and rooms by id or exact name, and their sets; of a set that is not named itself, only the
    rooms that are. A name is first that of a set. All sets where nothing is named. Raises as `record_of` does.
    """
    if not which:
        return [], sets_named(session, ())
    mine = my_sets(session)
    kinds = [_kind(mine, text) for text in which]
    records = [_found(session, mine, text, key) for text, key in zip(which, kinds, strict=True)]
    ids = [str(each.get(key)) for each, key in zip(records, kinds, strict=True)]
    places = {folded(key): place for place, key in reversed([*enumerate(ids)])}
    sets = list[tuple[int, JSON]]()
    for each in mine.sets:
        inside = {
            place: room for room in rooms.rooms(each) if (place := places.get(folded(room.get(ROOM)))) is not None
        }
        if (place := places.get(folded(each.get(SET)))) is not None:
            sets.append((place, each))
        elif inside:
            shown = {SET: each.get(SET), "name": each.get("name"), "socials": [*inside.values()]}
            sets.append((min(inside), shown))
    return ids, [each for _, each in sorted(sets, key=lambda found: found[0])]


def _kind(mine: Mine, text: str) -> str:
    """Whether an id or a name is that of a set, or of a room, or nearest to which of them."""
    if is_uuid(text):
        return ROOM if find(mine.rooms, ROOM, text) is not None else SET
    sets, inside = ([str(each.get("name")) for each in found] for found in (mine.sets, mine.rooms))
    return ROOM if text not in sets and (text in inside or (nearest(text, inside) and not nearest(text, sets))) else SET


def rooms_of(session: Session, which: Sequence[str] = ()) -> list[JSON]:
    """The rooms of some sets, or of all of mine, as all show them; hidden ones leave a doubt. Raises as `record_of`."""
    chosen = sets_named(session, which)
    session.doubt = rooms_unseen(chosen, session.doubt or session.mine.records_doubt)
    united = by_id(session.mine.rooms, ROOM)
    return [united.get(folded(each.get(ROOM)), each) for each in rooms.all_rooms(chosen)]


def _found(session: Session, mine: Mine, text: str, key: str) -> JSON:
    """The one room set or room of that id or exact name among those that came.

    Where there may be more, one found by its id is certain, one found by its name may be read, not written to: another
    may be named so. Raises NotFound, Ambiguous, Partial.
    """
    kind, lists = KINDS[key]
    records, others = (mine.sets, mine.rooms) if key == SET else (mine.rooms, mine.sets)
    doubt = mine.doubt if key == SET else rooms_unseen(mine.sets, mine.doubt)
    if key == THEME:
        records, others = mine.themes, []
        if doubt is None and by_id(mine.rooms, "themeId").keys() - by_id(records, THEME).keys():
            doubt = Partial("not every room shows its theme")
    try:
        if not is_uuid(text):
            record = _named(session, records, text, key, others)
        elif (record := find(records, key, text)) is None:
            raise NotFound(f"none of your {kind}s has the id {text}", hint=f"{lists} shows the {kind}s you can see")
    except NotFound as missing:
        if doubt is None:
            raise
        raise Partial(
            f"{missing.message} in the part of the list that was read; {doubt.message}", hint=doubt.hint
        ) from None
    if not session.about.writes:
        from roomctl.cli.lists import failed

        of_list = mine.records_doubt if is_uuid(text) else doubt
        session.doubt = session.doubt or of_list or failed(record, kind, text)
    elif doubt is not None and not is_uuid(text):
        raise Partial(
            f"nothing was sent, because another {kind} may be named {text!r}: {doubt.message}",
            hint=f"give the id instead of the name: {record.get(key)}",
        )
    return record


def _named(session: Session, records: Sequence[JSON], name: str, key: str, others: Iterable[JSON]) -> JSON:
    _check_name(name)
    kind, lists = KINDS[key]
    found = [record for record in records if record.get("name") == name]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"{record.get(key)}{_state(session, record)}" for record in found)
        raise Ambiguous(f"{len(found)} {kind}s are named {name!r}: {ids}", hint=GIVE_ID)
    names = [str(record.get("name")) for record in records]
    cut = [each for each in names if re.match(rf"{re.escape(name)}\s*[&;|<>]", each)]  # by a shell
    hint = f"{lists} shows the names"
    if any(record.get("name") == name for record in others):
        hint = f"give a {kind}: this is the name of a {'room' if key == SET else 'room set'}; {hint} of {kind}s"
    elif re.match(r"[0-9a-fA-F]{4,8}(-|$)", name):  # an id that is not whole
        hint = f"{ID_FORM}; {f'{lists[:-1]} --fields id,name`' if key in (SET, ROOM) else lists} shows them"
    elif near := cut[0] if cut else nearest(name, names):
        hint = f"did you mean {near!r}?{' quotes keep the shell from splitting it' * bool(cut)}"
    elif key == THEME:
        hint += "; a theme that no room uses can be given only by its id"
    whose = "the company's" if key == TRANSCRIPTION_LIST.identity else "your"
    raise NotFound(f"none of {whose} {kind}s is named {name!r}", hint=hint)


def _state(session: Session, record: JSON) -> str:
    """What tells one thing from another of the same name; nothing where that is not shown."""
    if record.get("status"):
        return f" ({record['status']}, began {record.get('startDateTime') or 'at a time that is not shown'})"
    told = [f"in {of_set}"] if (of_set := session.names.get(folded(record.get(SET)))) and ROOM in record else []
    if (state := rooms.is_open(record)) is not None:
        told.append("open" if state else "closed")
        told += [] if (people := rooms.present_in(record)) is None else [f"{people} present"]
    return f" ({', '.join(told)})" if told else ""
