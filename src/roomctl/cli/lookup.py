"""Room sets and rooms by id or by exact name, as operation 3 shows them."""

from collections.abc import Iterable
from typing import Any

from roomctl.cli.session import Session
from roomctl.contract import rooms
from roomctl.contract.operations import ROOMSET_LIST
from roomctl.contract.records import by_id, find, folded, is_uuid
from roomctl.errors import Ambiguous, BadValue, NotFound, Partial, RoomctlError, Unintelligible, WrongCall
from roomctl.text.suggest import nearest

JSON = Any


def room_sets(session: Session) -> list[JSON]:
    """All of my room sets, each once (operation 3); a list that is not proven whole leaves the session in doubt."""
    from roomctl.cli.lists import everything

    sets = everything(session, ROOMSET_LIST)
    _take_note(session, sets)
    return sets


def _take_note(session: Session, sets: Iterable[JSON]) -> None:
    """Remember the names of sets and rooms, and note how their states are written."""
    found = rooms.all_rooms(sets)
    for key, records in (("socialRoomSetId", sets), ("socialId", found)):
        named = {each: record.get("name") for each, record in by_id(records, key).items()}
        session.names |= {each: str(name) for each, name in named.items() if name}
    note_spelling(session, found)


def note_spelling(session: Session, found: Iterable[JSON]) -> None:
    """Say that rooms write whether they are open as a text; once in a run."""
    if not session.spelling_noted and any(map(rooms.spelled, found)):
        session.spelling_noted = True
        session.note("the service writes `isOpen` as a text: it is read as what it says")


def sets_seen(session: Session) -> tuple[list[JSON], RoomctlError | None]:
    """My room sets as they came, and why they are not proven to be all of them."""
    from roomctl.cli.lists import gathered

    sets, doubt = gathered(session, ROOMSET_LIST)
    _take_note(session, sets)
    return sets, doubt


def all_rooms(session: Session) -> list[JSON]:
    """The rooms in all of my room sets, each once. Raises Partial as `room_sets` does."""
    return rooms.all_rooms(room_sets(session))


def is_id(text: str) -> bool:
    """Whether a text is a canonical id; a broken one is refused rather than taken for a name. Raises BadValue."""
    if is_uuid(text):
        return True
    bare = text.strip("{}").removeprefix("urn:uuid:").replace("-", "")
    if not text.strip() or (len(bare) >= 24 and not bare.strip("0123456789abcdefABCDEF")):
        raise BadValue(
            f"not an id: {text!r}", hint="an id has 36 characters, such as 3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
        )
    return False


def fault_of_id(text: str) -> str:
    """Say what is wrong with an id; nothing when it is one."""
    return "" if is_uuid(text) else f"not an id: {text}"


def room_set_id(session: Session, text: str) -> str:
    """The id of a room set given by id or exact name; an id is not looked up. Raises NotFound, Ambiguous, BadValue."""
    return folded(text) if is_id(text) else id_of(room_set(session, text), "socialRoomSetId")


def set_of(session: Session, text: str | None) -> dict[str, JSON]:
    """The field of a body that names the set of `--room-set`; nothing without it. Raises as `room_set_id` does."""
    return {} if text is None else {"socialRoomSetId": room_set_id(session, text)}


def room_id(session: Session, text: str) -> str:
    """The id of a room given by id or exact name; an id is not looked up. Raises NotFound, Ambiguous, BadValue."""
    return folded(text) if is_id(text) else id_of(room(session, text), "socialId")


def called(text: str, key: str) -> str:
    """Name a thing for a person by what was typed, with its id beside a name (R22)."""
    return key if folded(text) == key else f"{text!r} {key}"


def known(session: Session, key: str) -> str:
    """Name a thing for a person by its id, with its name where a list has shown it."""
    return called(session.names.get(key, key), key)


def id_of(record: JSON, key: str) -> str:
    """The folded id of a record that the service shows. Raises Unintelligible where it shows none."""
    found = folded(record.get(key))
    if not is_uuid(found):
        raise Unintelligible(f"the service shows {record.get('name')!r} without a {key}: nothing was sent")
    return found


def same_id(text: str, key: str, given: JSON) -> None:
    """Refuse a body that names another record than the command line. Raises WrongCall."""
    if given is not None and folded(given) != key:
        raise WrongCall(f"the body names {given}, the command {called(text, key)}: nothing was sent")


def room_set(session: Session, text: str) -> JSON:
    """The record of a room set given by id or exact name. Raises NotFound, Ambiguous, BadValue."""
    return _set_of(session, *sets_seen(session), text)


def _set_of(session: Session, sets: list[JSON], doubt: RoomctlError | None, text: str) -> JSON:
    return found(session, sets, text, "socialRoomSetId", "room set", doubt, others=rooms.all_rooms(sets))


def rooms_of(session: Session, sets: Iterable[str]) -> list[JSON]:
    """The rooms of some sets, in their order; a room that stands in two of them is one. Raises as `room_set` does."""
    seen, doubt = sets_seen(session)
    return rooms.all_rooms(_set_of(session, seen, doubt, text) for text in sets)


def room(session: Session, text: str) -> JSON:
    """The record of a room given by id or exact name. Raises NotFound, Ambiguous, BadValue."""
    sets, doubt = sets_seen(session)
    return found(session, rooms.all_rooms(sets), text, "socialId", "room", doubt, others=sets)


def found(
    session: Session,
    records: Iterable[JSON],
    text: str,
    key: str,
    kind: str,
    doubt: RoomctlError | None,
    *,
    others: Iterable[JSON] = (),
) -> JSON:
    """The one record of that id or exact name among those that came; `doubt`: there may be more.

    Then one found by its id is certain, and one found by its name may be read, not written to: another may be named so.
    Raises NotFound, Ambiguous, Partial.
    """
    try:
        record = _with_id(records, text, key, kind) if is_id(text) else named(records, text, key, kind, others=others)
    except NotFound as missing:
        if doubt is None:
            raise
        raise Partial(f"{missing.message}, as far as the list came; {doubt.message}", hint=doubt.hint) from None
    if doubt is not None and not is_id(text):
        if session.about.writes:
            raise Partial(
                f"another {kind} may be named {text!r}, nothing was sent: {doubt.message}",
                hint=f"give its id in place of the name: {record.get(key)}",
            )
        session.doubt = doubt
    return record


def _with_id(records: Iterable[JSON], text: str, key: str, kind: str) -> JSON:
    if (record := find(records, key, text)) is not None:
        return record
    raise NotFound(
        f"no {kind} of mine has the id {text}",
        hint=f"`roomctl {'roomset' if kind == 'room set' else 'social'} list` shows those that can be seen",
    )


def named(records: Iterable[JSON], name: str, key: str, kind: str, *, others: Iterable[JSON] = ()) -> JSON:
    """The one record of that exact name. Raises NotFound, which says where one of `others` has it, Ambiguous."""
    known = list(records)
    found = [record for record in known if record.get("name") == name]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"{record.get(key)}{_state(record)}" for record in found)
        raise Ambiguous(f"{len(found)} {kind}s are named {name!r}: {ids}", hint="give the id instead of the name")
    near = nearest(name, [str(record.get("name")) for record in known])
    group, other = ("roomset", "room") if kind == "room set" else ("social", "room set")
    hint = f"did you mean {near!r}?" if near else f"`roomctl {group} list` shows the names"
    if any(record.get("name") == name for record in others):
        hint = f"a {other} is named so; `roomctl {group} list` shows the names of {kind}s"
    raise NotFound(f"no {kind} of mine is named {name!r}", hint=hint)


def _state(record: JSON) -> str:
    """What tells one room from another of the same name; nothing where that is not shown."""
    state, people = rooms.is_open(record), rooms.present_in(record)
    if state is None:
        return ""
    return f" ({'open' if state else 'closed'}{'' if people is None else f', {people} present'})"
