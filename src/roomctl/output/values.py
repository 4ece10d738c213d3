"""One value as a person reads it: booleans as words, times in the viewer's zone, nested values in short."""

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from roomctl.contract.rooms import is_open
from roomctl.output.columns import open_rooms, present, room_count
from roomctl.output.fields import shorten_bytes
from roomctl.text.jsontext import compact, number
from roomctl.text.safe import safe
from roomctl.text.times import moment

JSON = Any
LONGEST = 500
"""How many characters of a text are shown in a cell of a table."""

_STYLES: Mapping[str, str] = {
    "COMPLETE": "good",
    "ok": "good",
    "confirmed": "good",
    "open": "good",
    "closed": "dim",
    "FAILED": "bad",
    "failed": "bad",
    "unknown": "bad",
    "refused": "bad",
    "partial": "bad",
    "PROCESSING": "wait",
    "planned": "wait",
    "sent": "wait",
    "skipped": "dim",
    "not_sent": "dim",
}


class Cell(NamedTuple):
    """A value as text without control characters, the style it is shown in, and the zone of a time."""

    text: str
    style: str = ""
    zone: str = ""


_YES = Cell("yes", "good")
_NO = Cell("no", "dim")


def cell(
    value: JSON, kind: str = "text", zone: tzinfo | None = None, *, seconds: bool = False, limit: int = LONGEST
) -> Cell:
    """Write a value for people, in at most `limit` characters. One that does not fit its kind is written as it is."""
    if isinstance(value, str):
        if kind == "time" and (told := moment(value, zone, seconds=seconds)) is not None:
            return Cell(told.text, zone=told.zone)
        return Cell(short(value, limit), _style(value, kind))
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, dict | list):
        return Cell(str(len(value)) if kind == "count" else short(_brief(value, kind), limit))
    return Cell(short(scalar(value), limit))


def _style(value: str, kind: str) -> str:
    if kind == "state":
        return _STYLES.get(value, "")
    return "bad" if kind == "bad" else ""


def short(text: str, limit: int = LONGEST) -> str:
    """Make text fit for one cell; of a very long one the beginning, and how much is left out."""
    if len(text) <= limit:
        return safe(text, cell=True)
    return f"{safe(text[:limit], cell=True)}… ({len(text) - limit} more characters: `-o json` shows all)"


def _brief(value: JSON, kind: str) -> str:
    if isinstance(value, dict):
        return summary(value) or compact(shorten_bytes(value))
    parts = _PARTS.get(kind)
    if parts is not None and all(isinstance(each, dict) for each in value):
        return parts(value)
    if any(isinstance(each, dict | list) for each in value):
        briefs = [summary(each) if isinstance(each, dict) else "" for each in value]
        return "; ".join(briefs) if all(briefs) else compact(shorten_bytes(value))
    return ", ".join(map(scalar, value))


def scalar(value: JSON) -> str:
    """Write a scalar as plain text; null as nothing."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return "" if value is None else "yes" if value else "no"
    return number(value)


def _pairs(values: Sequence[dict[str, JSON]]) -> str:
    return "; ".join(f"{plain(each.get('name'))}: {plain(each.get('value'))}" for each in values)


def _rules(values: Sequence[dict[str, JSON]]) -> str:
    return "; ".join(map(rule, values))


def rule(record: Mapping[str, JSON]) -> str:
    """Write an entry rule: `property operator value`."""
    return " ".join(plain(record.get(name)) for name in _RULE)


_RULE = ("property", "operator", "value")
_PARTS: Mapping[str, Callable[[Sequence[dict[str, JSON]]], str]] = {"pairs": _pairs, "rules": _rules}


def plain(value: JSON) -> str:
    """Write any value as plain text, a nested one as compact JSON."""
    return compact(value) if isinstance(value, dict | list) else scalar(value)


def numbered(number: int, nouns: str) -> str:
    """Write a number with what is counted: `3 rooms`, `1 room`."""
    return f"{number} {nouns.removesuffix('s') if number == 1 else nouns}"


def called(person: Mapping[str, JSON]) -> str:
    """What a person is called: the name, else first, middle and last name where the record has those; else empty."""
    if isinstance(name := person.get("name"), str) and name:
        return name
    parts = (person.get(part) for part in ("firstName", "middleName", "lastName"))
    return " ".join(part for part in parts if isinstance(part, str) and part)


def summary(record: Mapping[str, JSON]) -> str:
    """Name a room, theme, user or rule that stands inside another record, with its id; empty for anything else."""
    if record.keys() == set(_RULE):
        return rule(record)
    for key, name, more in _SUMMARIES:
        told = called(record) if key == "userId" else record.get(name)
        if isinstance(identity := record.get(key), str) and isinstance(told, str) and (told or record.get(name) == ""):
            return " ".join(filter(None, [told, more(record), identity]))
    return ""


def _mail(user: Mapping[str, JSON]) -> str:
    return f"<{user['emailAddress']}>" if isinstance(user.get("emailAddress"), str) else ""


def openness(room: Mapping[str, JSON]) -> str:
    """Say whether a room is open or closed; nothing where it does not show that."""
    state = is_open(room)
    return "" if state is None else "open" if state else "closed"


_SUMMARIES: Sequence[tuple[str, str, Callable[[Mapping[str, JSON]], str]]] = (
    ("socialId", "name", openness),
    ("socialThemeId", "socialThemeName", lambda _: ""),
    ("userId", "name", _mail),
)


def room_counts(record: Mapping[str, JSON]) -> str:
    """Count the rooms of a set, those that are open, and the people in them, as far as its record shows them."""
    count, are_open, people = room_count(record), open_rooms(record), present(record)
    if not count:
        return "rooms not shown" if count is None else "no rooms"
    parts = [
        numbered(count, "rooms"),
        f"{are_open} open" if are_open is not None else "open or closed not shown",
        people_present(people) if people is not None else "people present not shown",
    ]
    return ", ".join(parts)


def people_present(number: int) -> str:
    """Write a number of people: `1 person present`."""
    return f"{number} {'person' if number == 1 else 'people'} present"
