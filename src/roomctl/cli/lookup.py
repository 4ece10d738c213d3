"""Room sets and rooms by id or by exact name, as operation 3 shows them."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from roomctl.cli.session import Session
from roomctl.contract.operations import ROOMSET_LIST, UUID
from roomctl.contract.rooms import distinct, is_open, present_in, rooms
from roomctl.errors import Ambiguous, BadValue, NotFound, Unintelligible, WrongCall

JSON = Any


def room_sets(session: Session) -> list[JSON]:
    """All of my room sets, each once (operation 3). Raises Partial when the list is not proven whole."""
    from roomctl.cli.lists import everything

    sets = everything(session, ROOMSET_LIST)
    for key, records in (("socialRoomSetId", sets), ("socialId", _rooms_of(sets))):
        with_name = (each for each in records if each.get("name") and each.get(key))
        session.names |= {str(each[key]).lower(): str(each["name"]) for each in with_name}
    return sets


def all_rooms(session: Session) -> list[JSON]:
    """The rooms in all of my room sets. Raises Partial as `room_sets` does."""
    return _rooms_of(room_sets(session))


def _rooms_of(sets: Iterable[JSON]) -> list[JSON]:
    return [room for each in sets for room in rooms(each)]


def is_id(text: str) -> bool:
    """Whether a text is a canonical id; a broken one is refused rather than taken for a name. Raises BadValue."""
    if UUID.fullmatch(text):
        return True
    bare = text.strip("{}").removeprefix("urn:uuid:").replace("-", "")
    if not text.strip() or (len(bare) >= 24 and not bare.strip("0123456789abcdefABCDEF")):
        raise BadValue(
            f"not an id: {text!r}", hint="an id has 36 characters, such as 3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
        )
    return False


def fault_of_id(text: str) -> str:
    """Say what is wrong with an id; nothing when it is one."""
    return "" if UUID.fullmatch(text) else f"not an id: {text}"


def room_set_id(session: Session, text: str) -> str:
    """The id of a room set given by id or exact name; an id is not looked up. Raises NotFound, Ambiguous, BadValue."""
    return text.lower() if is_id(text) else id_of(_set_named(room_sets(session), text), "socialRoomSetId")


def set_of(session: Session, text: str | None) -> dict[str, JSON]:
    """The field of a body that names the set of `--room-set`; nothing without it. Raises as `room_set_id` does."""
    return {} if text is None else {"socialRoomSetId": room_set_id(session, text)}


def room_id(session: Session, text: str) -> str:
    """The id of a room given by id or exact name; an id is not looked up. Raises NotFound, Ambiguous, BadValue."""
    return text.lower() if is_id(text) else id_of(_room_named(room_sets(session), text), "socialId")


def called(text: str, key: str) -> str:
    """Name a thing for a person by what was typed, with its id beside a name (R22)."""
    return key if text.lower() == key else f"{text!r} {key}"


def known(session: Session, key: str) -> str:
    """Name a thing for a person by its id, with its name where a list has shown it."""
    return called(session.names.get(key, key), key)


def id_of(record: JSON, key: str) -> str:
    """The id of a record that the service shows. Raises Unintelligible where it shows none."""
    found = record.get(key)
    if not isinstance(found, str) or not UUID.fullmatch(found):
        raise Unintelligible(f"the service shows {record.get('name')!r} without a {key}: nothing was sent")
    return found


def same_id(text: str, key: str, given: JSON) -> None:
    """Refuse a body that names another record than the command line. Raises WrongCall."""
    if given is not None and str(given).lower() != key:
        raise WrongCall(f"the body names {given}, the command {called(text, key)}: nothing was sent")


def room_set(session: Session, text: str) -> JSON:
    """The record of a room set given by id or exact name. Raises NotFound, Ambiguous, BadValue."""
    return _set_of(room_sets(session), text)


def _set_of(sets: list[JSON], text: str) -> JSON:
    return _with_id(sets, text, "socialRoomSetId", "room set") if is_id(text) else _set_named(sets, text)


def rooms_of(session: Session, sets: Iterable[str]) -> list[JSON]:
    """The rooms of some sets, in their order; a room that stands in two of them is one. Raises as `room_set` does."""
    known = room_sets(session)
    return distinct(_rooms_of(_set_of(known, text) for text in sets))


def room(session: Session, text: str) -> JSON:
    """The record of a room given by id or exact name. Raises NotFound, Ambiguous, BadValue."""
    sets = room_sets(session)
    return _with_id(_rooms_of(sets), text, "socialId", "room") if is_id(text) else _room_named(sets, text)


def _with_id(records: Iterable[JSON], text: str, key: str, kind: str) -> JSON:
    for record in records:
        if str(record.get(key)).lower() == text.lower():
            return record
    raise NotFound(
        f"no {kind} of mine has the id {text}",
        hint=f"`roomctl {'roomset' if kind == 'room set' else 'social'} list` shows those that can be seen",
    )


def _set_named(sets: list[JSON], text: str) -> JSON:
    return named(sets, text, "socialRoomSetId", "room set", others=_rooms_of(sets))


def _room_named(sets: list[JSON], text: str) -> JSON:
    return named(_rooms_of(sets), text, "socialId", "room", others=sets)


def named(records: Iterable[JSON], name: str, key: str, kind: str, *, others: Iterable[JSON] = ()) -> JSON:
    """The one record of that exact name. Raises NotFound, which says where one of `others` has it, Ambiguous."""
    known = list(records)
    found = [record for record in known if record.get("name") == name]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"{record.get(key)}{_state(record)}" for record in found)
        raise Ambiguous(f"{len(found)} {kind}s are named {name!r}: {ids}", hint="give the id instead of the name")
    names = {str(record.get("name")).casefold(): str(record.get("name")) for record in known}
    near = [names[each] for each in get_close_matches(name.casefold(), names, 1)]
    group, other = ("roomset", "room") if kind == "room set" else ("social", "room set")
    hint = f"did you mean {near[0]!r}?" if near else f"`roomctl {group} list` shows the names"
    if any(record.get("name") == name for record in others):
        hint = f"a {other} is named so; `roomctl {group} list` shows the names of {kind}s"
    raise NotFound(f"no {kind} of mine is named {name!r}", hint=hint)


def _state(record: JSON) -> str:
    """What tells one room from another of the same name; nothing where that is not shown."""
    state, people = is_open(record), present_in(record)
    if state is None:
        return ""
    return f" ({'open' if state else 'closed'}{'' if people is None else f', {people} present'})"
