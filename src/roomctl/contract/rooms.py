"""What the record of a room or a room set shows, whichever reply or list it comes from; None is what is not shown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain

from roomctl.contract.evidence import doubted, invalid, shows_all, unproven
from roomctl.contract.fields import INDEXED
from roomctl.contract.outcome import denial, differing, shown
from roomctl.contract.records import by_id, count, folded, truth
from roomctl.text import JSON
from roomctl.text.times import instant, moment

_OPEN, _CLOSED = ("open", "running", "live", "joinable"), ("closed", "ended", "finished")
_HOLDS_STATE = ("room", "session", "status", "state", "meeting", "live")
_STATE = "(room|session|social|meeting|live|current)?_?(status|state)"
_UNTIL = "(leave|is)?openuntil(date|time)*|(will|auto|scheduled)?(close[sd]?|closing|expires|expiry)(at|on|date|time)*"
_COUNTED = INDEXED["Social"].keys() | INDEXED["SocialMeta"].keys()
_PRESENT = "^participant|^attendee|^occupant|present|online|inside"
"""How lists are named of the people who are in a room."""
UNENDED = {
    None: "does not say whether the room is closed",
    True: "shows the room open",
    "old": "has an outdated copy of the record, or the record of another room",
}


def rooms(room_set: Mapping[str, JSON]) -> list[JSON]:
    """Give the rooms inside a room set, each once; none where it shows none."""
    return all_rooms([room_set])


def united(records: Sequence[Mapping[str, JSON]]) -> dict[str, JSON]:
    """Make one record of several of one id: what they show differently is not shown; rooms are those of all."""
    first = _first(records)
    lists = [value for record in records if (value := record.get("socials")) is not None]
    inside = {"socials": [*chain(*lists)]} if lists and all(isinstance(value, list) for value in lists) else {}
    unlike = contradicted(records)
    return {name: value for name, value in first.items() if name not in unlike} | inside


def contradicted(records: Sequence[Mapping[str, JSON]]) -> set[str]:
    """Name the fields that records of one id show differently."""
    first = _first(records)
    first |= {"themeId": shown(first, "themeId")}  # which may be two, as in each record
    return {name for record in records for name in differing(record, first)}


def _first(records: Iterable[Mapping[str, JSON]]) -> dict[str, JSON]:
    shown: dict[str, JSON] = {}
    for record in records:
        shown |= {name: value for name, value in record.items() if shown.get(name) is None}
    return shown


def hides_rooms(room_set: Mapping[str, JSON]) -> bool:
    """Whether a set does not show its rooms (if none, `[]`), or says, by its start too, that there are more."""
    start = folded(room_set.get("startingPointSocialId"))
    ids = [folded(each.get("socialId")) for each in rooms(room_set)]
    hidden = bool(start) and all(ids) and start not in ids
    return hidden or not shows_all(room_set, "RoomSet") or bool(denial(room_set, "RoomSet", read=True))


def strays(room_set: Mapping[str, JSON]) -> bool:
    """Whether a room inside a set says that it is of another."""
    own = folded(room_set.get("socialRoomSetId"))
    return bool(own) and any(folded(room.get("socialRoomSetId")) not in ("", own) for room in rooms(room_set))


def all_rooms(room_sets: Iterable[Mapping[str, JSON]]) -> list[JSON]:
    """The rooms inside several room sets, each once: a room may stand in two (R48), its records are united."""
    return [united(records) if len(records) > 1 else records[0] for records in _records(room_sets).values()]


def _records(room_sets: Iterable[Mapping[str, JSON]]) -> dict[JSON, list[JSON]]:
    return _grouped(chain(*(found for each in room_sets if isinstance(found := each.get("socials"), list))), "socialId")


def _grouped(records: Iterable[JSON], key: str) -> dict[JSON, list[JSON]]:
    found: dict[JSON, list[JSON]] = {}
    for place, each in enumerate(records):
        if isinstance(each, dict):
            found.setdefault(folded(each.get(key)) or place, []).append(each)
    return found


def is_open(room: Mapping[str, JSON]) -> bool | None:
    """Whether a room is open: a closed one is that of which this is False, not one that says neither, or both (R46).

    A record that says that it failed, waits, is old or incomplete, proves nothing.
    """
    state = room.get("isOpen")
    state = state if type(state) is bool else truth(state)
    others = room.keys() - INDEXED["Social"].keys()
    meta: JSON = room.get("socialMeta")
    inner = meta.keys() - INDEXED["SocialMeta"].keys() if isinstance(meta, dict) else set()
    if state is None or not (others or inner):
        return state
    agreeing, contrary = (_OPEN, _CLOSED) if state else (_CLOSED, _OPEN)
    told = [*((name, room[name]) for name in others), *((name, meta[name]) for name in inner)]
    told += chain(*(each.items() for name, each in told if isinstance(each, dict) and name.lower() in _HOLDS_STATE))
    for name, each in told:
        word, value = name.lower().removeprefix("is").strip("_"), str(each).lower()
        said = value if re.fullmatch(_STATE, word) else word if value == "true" else ""
        if said in contrary or (value == "false" and word in agreeing):
            return None
    return None if doubted(room, "Social") or (state and invalid(room) not in ("", "isValid")) else state


def closing(room: Mapping[str, JSON]) -> list[str]:
    """Name the members, in any spelling, by which a room says when it closes, or that it is left open until no time."""
    names = ((name, name.replace("_", "").lower()) for name in room.keys() - INDEXED["Social"].keys())
    named = ((name, each) for name, each in names if re.fullmatch(_UNTIL, each))
    return [name for name, each in named if instant(room[name]) or (room[name] is None and each == "leaveopenuntil")]


def present_in(room: Mapping[str, JSON]) -> int | None:
    """How many people are in a room; None where that is not shown, or doubtful."""
    meta = room.get("socialMeta")
    if not isinstance(meta, dict) or doubted(meta, "SocialMeta") or doubted(room, "Social"):
        return None
    number = count(meta.get("numberCurrentlyPresent"))
    if number is None or number < 0:
        return None
    others = ((name, each) for record in (room, meta) for name, each in record.items() if name not in _COUNTED)
    listed = (len(each) for name, each in others if isinstance(each, list) and re.search(_PRESENT, name.lower()))
    agrees = count(room.get("numberCurrentlyPresent")) in (None, number)
    return number if agrees and max(listed, default=0) <= number else None


def not_over(room: Mapping[str, JSON], now: datetime) -> str:
    """Say why a room does not show that its planned end has passed; empty where it does."""
    end, start = room.get("endDateTime"), room.get("startDateTime")
    recurs = truth(room.get("recurring"))
    if recurs:
        return "it recurs, and the service does not show when its most recent occurrence ended"
    doubt = doubted(room, "Social")
    if doubt or (when := moment(end)) is None:
        why = f"its planned end, {end}, is not a time with an offset" if end else "its planned end is not shown"
        return f"it was read from {doubt}" if doubt else why
    if when.year <= 1970:  # the zero of many clocks
        return f"its planned end, {end}, stands for none"
    if (begins := moment(start)) is not None and when < begins:
        return f"its planned end, {end}, is before its start, {start}"
    if when > now:
        return f"its planned end, {end}, has not passed"
    return "whether it recurs is not shown" if recurs is None else ""


def no_copies(room_set: Mapping[str, JSON], standing: Iterable[Mapping[str, JSON]]) -> str:
    """Say how the rooms of a copied set are no copies of those that stood before; empty where nothing says so."""
    found, before = [*chain(*_records([room_set]).values())], by_id(all_rooms(standing), "socialId")
    ids = [folded(each.get("socialId")) for each in found]
    if before.keys() & {*ids}:
        return "rooms that existed before, so not a copy of them"
    if len({*ids} - {""}) < len(ids) or strays(room_set):
        return "rooms without ids of their own, or of another set"
    return next(filter(None, (unproven(each, "Social") for each in found)), "")


def contradictory(records: Iterable[JSON], key: str) -> list[str]:
    """The folded ids of records that came more than once, with different values."""
    return [name for name, found in _grouped(records, key).items() if len(found) > 1 and contradicted(found)]


def contradicting(room_sets: Iterable[Mapping[str, JSON]]) -> str:
    """The folded id of a room that two of its records show differently; empty where none is."""
    return next((key for key, records in _records(room_sets).items() if contradicted(records)), "")
