"""Which record is which: by its id."""

import re
from collections.abc import Iterable, Mapping

from roomctl.text import JSON
from roomctl.text.times import moment

_TRUTHS = {"true": True, "false": False}
NIL = "00000000-0000-0000-0000-000000000000"
"""What some services write in place of an id: it names nothing."""
NO_ERROR = ("", "-", "none", "null")  # what some services write in place of an error, but for case and blanks
NUMERAL = "the service sends `{}` as text: it is read as a number"
SPELLED = "the service sends `{}` as text: it is read as true or false"
EVENT_IDS = ("socialEventId", "eventId", "event_id", "social_event_id")
_SPELLED = re.compile(r"(?:urn:uuid:)?\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?")
ID_FORM = "give a 36-character id, such as 3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)


def is_uuid(value: JSON) -> bool:
    """Whether a value is a canonical uuid of 36 characters, as every id is before it is sent."""
    return isinstance(value, str) and UUID.fullmatch(value) is not None


def folded(key: JSON) -> str:
    """Give an id in the one form in which ids are compared (R48), without case. Empty for none, or the nil uuid."""
    key = key.lower() if isinstance(key, str) else ""
    if key and len(key) != len(NIL) and (found := _SPELLED.fullmatch(key)):  # in braces, or without dashes
        key = "-".join(found.groups())
    return "" if key == NIL else key


def truth(value: JSON) -> bool | None:
    """Read a boolean, or a text that says one; None where it is neither: then it is not shown."""
    value = _TRUTHS.get(value.lower()) if isinstance(value, str) else value
    return value if isinstance(value, bool) else None


def count(value: JSON) -> int | None:
    """Read a whole number, or a text that says one; None where it is neither: then it is not shown."""
    if isinstance(value, str) and re.fullmatch("-?[0-9]{1,15}", value):
        return int(value)
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if whole or type(value) is int else None


def spelled(value: JSON) -> bool:
    """Whether a boolean is read off a text, such as "false"."""
    return isinstance(value, str) and truth(value) is not None


def event_id(registration: JSON) -> str:
    """Give the folded id of the event that a registration says it belongs to; empty where it says none."""
    if not isinstance(registration, dict):
        return ""
    events = event if isinstance(event := registration.get("event"), list) else [event]
    inside = [folded(each.get(name)) for each in events if isinstance(each, dict) for name in (*EVENT_IDS, "id")]
    texts = [key for each in events if is_uuid(key := folded(each))]
    return next(filter(None, (*inside, *texts, *(folded(registration.get(name)) for name in EVENT_IDS))), "")


def error_name(record: JSON) -> str:
    """Name the field by which a record says what went wrong with it: `error`, `errors` or `success`; empty for none."""
    if not isinstance(record, dict):
        return ""
    given = ((name, record.get(name)) for name in ("error", "errors"))
    told = (name for name, value in given if value and str(value).strip().lower() not in NO_ERROR)
    return next(told, "success" if truth(record.get("success")) is False else "")


def error_of(record: JSON) -> JSON:
    """Give what a record says went wrong with it; None where it names no error: then it may be believed."""
    name = error_name(record)
    return "a record whose `success` is false" if name == "success" else record[name] if name else None


def by_id(records: Iterable[JSON], key: str) -> dict[str, JSON]:
    """Give records by their folded id; those without one are left out."""
    return {name: record for record in records if isinstance(record, dict) and (name := folded(record.get(key)))}


def superseded(room: Mapping[str, JSON], known: Mapping[str, Mapping[str, JSON]]) -> bool:
    """Whether a room's record was last updated before the `known` one was, or has another name or set."""
    there = known.get(folded(room.get("socialId")), {})
    updated, before = (moment(each.get("updatedDateTime")) for each in (room, there))
    pairs = ((room.get(name), there.get(name)) for name in ("name", "socialRoomSetId"))
    other = any(str(one).lower() != str(two).lower() for one, two in pairs if None not in (one, two))
    return other or (updated is not None and before is not None and updated < before)


def find(records: Iterable[JSON], key: str, wanted: str) -> JSON:
    sought = folded(wanted)
    found = (each for each in records if isinstance(each, dict) and folded(each.get(key)) == sought)
    return next(found, None) if sought else None


def called(person: Mapping[str, JSON]) -> str:
    """What a person is called: the name, else first, middle and last name where the record has those; else empty."""
    if isinstance(name := person.get("name"), str) and name:
        return name
    parts = (person.get(part) for part in ("firstName", "middleName", "lastName"))
    return " ".join(part for part in parts if isinstance(part, str) and part)
