"""A room set as it stands → an event file: the same bytes for the same state, in the order in which people think."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from roomctl.contract import event_file
from roomctl.contract.fields import fields
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import is_open, rooms
from roomctl.events.clock import TIMES, changed_clock, local_text, move_days
from roomctl.text.jsontext import pretty
from roomctl.text.safe import visible
from roomctl.text.times import moment
from roomctl.text.yamltext import yaml_text

JSON = Any
_FIRST = ("name", "starts", "ends", "theme", "description", "maxParticipants")
_IDS = ("themeId", "configurationId", "playlistId", "artifactSetId")
_LEFT = ("alternateHosts", "startDateTime", "endDateTime")
UNSEEN = "# The API does not show invitations, playlists or image files, so they are not in this file."


class Asked(NamedTuple):
    zone: ZoneInfo
    days: int = 0
    ids: bool = False


def days_to(room_set: JSON, first: date, zone: ZoneInfo) -> int:
    """Say by how many days the rooms move for the first of them to start on a day; 0 where none has a start."""
    starts = [when for each in rooms(room_set) if (when := moment(each.get("startDateTime"))) is not None]
    return (first - min(starts).astimezone(zone).date()).days if starts else 0


def _order(room: JSON) -> tuple[bool, datetime, str, str]:
    start = moment(room.get("startDateTime"))
    return start is None, start or datetime.max.replace(tzinfo=UTC), str(room.get("name")), folded(room.get("socialId"))


def called(room: JSON) -> str:
    return str(room.get("name") or folded(room.get("socialId")) or "a room without a name and an id")


class Exported:
    """The file of a set, with the entry configurations by id that its rooms name, as far as they are shown.

    `images` are those of the themes, by key, whose files are not shown; `unreadable`: times that are left out;
    `named_twice`: another set has its name.
    """

    def __init__(self, room_set: JSON, configs: Mapping[str, JSON], asked: Asked, *, named_twice: bool = False) -> None:
        self.asked, found = asked, sorted(rooms(room_set), key=_order)
        shown = [each for each in found if is_open(each) is not False]
        self.open = [each for each in shown if each.get("name")]
        self.left = [each for each in found if each not in self.open]
        names = Counter(str(each.get("name")) for each in self.open)
        self.twins = {name for name, number in names.items() if number > 1}
        self.keys: dict[str, str] = {}
        self.themes: dict[str, JSON] = {}
        unshown = [self.called(each) for each in self.open if is_open(each) is None]
        self.notes = [f"the service does not show whether these rooms are open: {', '.join(unshown)}"] * bool(unshown)
        if nameless := [called(each) for each in shown if not each.get("name")]:
            self.notes.append(f"rooms without a name, which a file needs, are left out: {', '.join(nameless)}")
        self.unreadable: list[str] = []
        self.images: dict[str, list[str]] = {}
        self.unknown: dict[str, list[str]] = {}
        whole = {"room_set": str(room_set.get("name") or ""), "zone": asked.zone.key, **self.parts(room_set, configs)}
        if asked.ids or named_twice:
            whole = {"room_set": whole["room_set"], "id": folded(room_set.get("socialRoomSetId")), **whole}
        problems = event_file.check(whole)
        self.closed = [self.room(each) for each in found if is_open(each) is False]
        if self.unknown:
            unknown = ", ".join(f"{name} ({', '.join(where)})" for name, where in self.unknown.items())
            self.notes.append(f"fields that roomctl does not know are left out: {unknown}")
        why = "left out, because the file cannot contain it"
        for path, message in problems:
            place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
            self.notes.append(f"{why}: {place}: {message}")
        for problem in reversed(problems):  # from the end of a list, so that the places before it stay
            parent: Any = whole
            for part in problem.path[:-1]:
                parent = parent[part]
            parent.pop(problem.path[-1])
        self.document = {name: each for name, each in whole.items() if each not in ({}, [])}

    def yaml(self) -> str:
        parts = ["\n" * isinstance(each, dict | list) + yaml_text({name: each}) for name, each in self.document.items()]
        head = [f"# {visible(note)}\n" for note in self.notes]
        closed = [f"# {line}\n" for line in yaml_text(self.closed).splitlines()] if self.closed else []
        tail = ["\n# Closed rooms, which cannot be reopened:\n"] * bool(closed) + closed
        return "".join([f"{UNSEEN}\n", *head, *parts, *tail])

    def json(self) -> str:
        return pretty(self.document) + "\n"

    def parts(self, room_set: JSON, configs: Mapping[str, JSON]) -> dict[str, JSON]:
        for each in self.open:
            self.theme(each)
        if any(each.get("alternateHosts") for each in (room_set, *self.open)):
            self.notes.append("alternateHosts are people, so they are left out")
        settings = self.fields(room_set, "RoomSet")
        first = folded(room_set.get("startingPointSocialId"))
        if (start := by_id(self.open, "socialId").get(first)) is not None and start.get("name"):
            settings["startingPoint"] = self.called(start)
        elif first:
            closed = by_id(rooms(room_set), "socialId").get(first, {})
            name = f"{closed['name']}, which is closed" if closed.get("name") else "a room that is not shown"
            self.notes.append(f"the starting point is left out: it is {name}")
        named = by_id(self.open, "configurationId")
        for key in by_id(self.left, "configurationId"):
            if key not in named:
                having = [called(each) for each in self.left if folded(each.get("configurationId")) == key]
                shown = record.get("name") if isinstance(record := configs.get(key), dict) else None
                others = f"the entry rules {shown or key} are left out: only rooms that are left out have them"
                self.notes.append(f"{others}: {', '.join(having)}")
        rules = [each for key in named if key in configs and (each := self.rules(key, configs[key]))]
        return {
            "settings": settings,
            "rules": rules[0] if len(rules) == 1 else rules,
            "themes": self.themes,
            "rooms": [self.room(each) for each in self.open],
        }

    def fields(self, record: JSON, resource: str) -> dict[str, JSON]:
        names = [name for name in event_file.SETTABLE[resource] if name not in _LEFT]
        for name, value in record.items():
            if value is not None and name not in fields(resource):
                where = record.get("name") or record.get("socialThemeName") or "without a name"
                self.unknown.setdefault(name, []).append(str(where))
        shown = {name: record[name] for name in names if record.get(name) is not None}
        return {name: each for name, each in shown.items() if self.asked.ids or name not in _IDS}

    def with_id(self, record: JSON, key: str, wanted: bool = False) -> dict[str, JSON]:
        return {"id": folded(record.get(key))} if (self.asked.ids or wanted) and record.get(key) else {}

    def called(self, room: JSON) -> str:
        """Name a room so that no other is meant: by its id where others have its name."""
        name = str(room.get("name"))
        return folded(room.get("socialId")) if name in self.twins else name

    def room(self, record: JSON) -> dict[str, JSON]:
        fields = self.fields(record, "Social")
        fields.pop("configurationId", None)
        theme = record.get("theme")
        key = self.keys.get(folded(theme.get("socialThemeId"))) if isinstance(theme, dict) else None
        if key is not None:
            fields.pop("themeId", None)
            fields["theme"] = key
        times = {short: self.time(record, short, name) for short, name in TIMES.items()}
        fields |= {short: text for short, text in times.items() if text}
        ordered = {name: fields.pop(name) for name in _FIRST if name in fields}
        return {**self.with_id(record, "socialId", record.get("name") in self.twins), **ordered, **fields}

    def time(self, room: JSON, short: str, name: str) -> str:
        zone, when = self.asked.zone, moment(room.get(name))
        if when is None and room.get(name) is not None:
            why = f"the service shows {room[name]}, which is not a time with a zone"
            self.unreadable.append(f"{room.get('name')}, {short}: {why}")
            self.notes.append(f"{self.unreadable[-1]}: left out, not moved")
        if when is None:
            return ""
        moved = move_days(when, self.asked.days, zone)
        if why := changed_clock(when, moved, zone):
            self.notes.append(f"{room.get('name')}, {short}: {why}")
        return local_text(moved, zone)

    def theme(self, room: JSON) -> None:
        """Take the theme that a room shows, under its name; a second one of that name gets a key of its own."""
        theme = room.get("theme")
        identity = folded(theme.get("socialThemeId")) if isinstance(theme, dict) else ""
        if not identity and room.get("themeId") and not self.asked.ids:
            self.notes.append(f"the theme of {room.get('name')} is not shown")
        if not identity or identity in self.keys:
            return
        name = str(theme.get("socialThemeName") or "theme")
        keys = (name, *(f"{name} ({number})" for number in range(2, len(self.keys) + 3)))
        key = next(each for each in keys if each not in self.themes)
        fields = self.fields(theme, "Theme")
        if fields.get("socialThemeName") == key:
            del fields["socialThemeName"]
        addresses = {name: f"{name}URI" for name in event_file.IMAGES} | {"image": "previewImageURI"}
        if images := [image for image, address in addresses.items() if theme.get(address)]:
            self.images[key] = images
            self.notes.append(f"images of the theme {key}, whose files are not shown: {', '.join(images)}")
        self.keys[identity], self.themes[key] = key, {**self.with_id(theme, "socialThemeId"), **fields}

    def rules(self, key: str, record: JSON) -> dict[str, JSON]:
        having = [self.called(each) for each in self.open if folded(each.get("configurationId")) == key]
        if not isinstance(record, dict):
            self.notes.append(f"the entry rules of {', '.join(having)} are not shown")
            return {}
        rooms = {} if len(having) == len(self.open) else {"rooms": having}
        shown = self.fields(record, "EntryConfig")
        if isinstance(found := shown.get("rules"), list):
            shown["rules"] = [
                {name: rule[name] for name in (*fields("Rule"), *sorted(rule)) if name in rule}
                for rule in found
                if isinstance(rule, dict)
            ]
        return {**self.with_id({"id": key}, "id"), **shown, **rooms}
