"""What the record of a room or a room set shows, whichever reply or list it comes from; None is what is not shown."""

from collections.abc import Iterable, Mapping
from typing import Any

JSON = Any


def rooms(room_set: Mapping[str, JSON]) -> list[JSON]:
    """The rooms inside a room set; none where it shows none."""
    found = room_set.get("socials")
    return [room for room in found if isinstance(room, dict)] if isinstance(found, list) else []


def is_open(room: Mapping[str, JSON]) -> bool | None:
    """Whether a room is open: a closed one is that of which this is False, not that which does not say it."""
    state = room.get("isOpen")
    return state if isinstance(state, bool) else None


def distinct(rooms: Iterable[JSON]) -> list[JSON]:
    """Rooms, each once: of two records of a room, the first that does not say that it is closed."""
    found: dict[JSON, JSON] = {}
    for number, room in enumerate(rooms):
        key = str(room["socialId"]).lower() if room.get("socialId") else number
        if key not in found or is_open(found[key]) is False:
            found[key] = room
    return list(found.values())


def present_in(room: Mapping[str, JSON]) -> int | None:
    """How many people are in a room."""
    meta = room.get("socialMeta")
    number = meta.get("numberCurrentlyPresent") if isinstance(meta, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None
