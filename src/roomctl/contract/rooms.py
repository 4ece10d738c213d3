"""What the record of a room or a room set shows, whichever reply or list it comes from; None is what is not shown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from roomctl.contract.moments import moment
from roomctl.contract.outcome import denial
from roomctl.contract.records import folded, is_uuid, truth

JSON = Any


def rooms(room_set: Mapping[str, JSON]) -> list[JSON]:
    """The rooms inside a room set, each once; none where it shows none."""
    return once(_records(room_set))


def _records(room_set: Mapping[str, JSON]) -> list[JSON]:
    found = room_set.get("socials")
    return [room for room in found if isinstance(room, dict)] if isinstance(found, list) else []


def united(records: Sequence[Mapping[str, JSON]]) -> dict[str, JSON]:
    """Make one record of several of one id: what they show differently is not shown; rooms are those of all."""
    shown: dict[str, JSON] = {}
    for name in dict.fromkeys(name for record in records for name in record):
        values = [value for record in records if (value := record.get(name)) is not None] or [None]
        if name == "socials" and all(isinstance(value, list) for value in values):
            shown[name] = [room for value in values for room in value]
        elif all(value == values[0] or (is_uuid(value) and folded(value) == folded(values[0])) for value in values):
            shown[name] = values[0]
    return shown


def hides_rooms(room_set: Mapping[str, JSON]) -> bool:
    """Whether a room set does not show its rooms, or names an error: one without rooms shows an empty array."""
    found = room_set.get("socials")
    whole = isinstance(found, list) and all(isinstance(room, dict) for room in found)
    return not whole or bool(denial(room_set, "RoomSet", read=True))


def all_rooms(room_sets: Iterable[Mapping[str, JSON]]) -> list[JSON]:
    """The rooms inside several room sets, each once: a room may stand in two (R48)."""
    return once(room for each in room_sets for room in rooms(each))


def once(found: Iterable[JSON]) -> list[JSON]:
    """Give each room once, the records of one room united."""
    rooms: dict[JSON, JSON] = {}
    for place, room in enumerate(found):
        key = folded(room.get("socialId")) or place
        rooms[key] = _united(rooms[key], room) if key in rooms else room
    return list(rooms.values())


_RANK = {None: 0, False: 1, True: 2}


def _united(one: JSON, other: JSON) -> JSON:
    """Make one record of two: what one shows open is not closed, whom one shows is present, the later end counts."""
    room, second = (dict(other), one) if _RANK[is_open(other)] > _RANK[is_open(one)] else (dict(one), other)
    if (present_in(second) or -1) > (present_in(room) or -1):
        room["socialMeta"] = second["socialMeta"]
    end, later = moment(room.get("endDateTime")), moment(second.get("endDateTime"))
    if later is not None and (end is None or later > end):
        room["endDateTime"] = second["endDateTime"]
    return room


def is_open(room: Mapping[str, JSON]) -> bool | None:
    """Whether a room is open: a closed one is that of which this is False, not that which does not say it (R46)."""
    return truth(room.get("isOpen"))


def spelled(room: Mapping[str, JSON]) -> bool:
    """Whether a room's state was read off a text, such as "false"."""
    return isinstance(room.get("isOpen"), str) and is_open(room) is not None


def present_in(room: Mapping[str, JSON]) -> int | None:
    """How many people are in a room."""
    meta = room.get("socialMeta")
    number = meta.get("numberCurrentlyPresent") if isinstance(meta, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def contradicting(room_sets: Iterable[Mapping[str, JSON]]) -> str:
    """The folded id of a room that two of its records show differently in what decides; empty where none is."""
    shown: dict[tuple[str, int], JSON] = {}
    for room in (room for each in room_sets for room in _records(each)):
        values = (is_open(room), present_in(room), room.get("name"), moment(room.get("endDateTime")))
        key = folded(room.get("socialId"))
        for place, value in enumerate(values):
            if key and value is not None and shown.setdefault((key, place), value) != value:
                return key
    return ""
