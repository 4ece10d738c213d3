"""A room set as it stands → an event file: the same bytes for the same state, in the order in which people think."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from roomctl.contract import event_file
from roomctl.contract.fields import fields
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import is_open, rooms
from roomctl.events.clock import TIMES, local_text, move_days
from roomctl.text import JSON
from roomctl.text.jsontext import pretty
from roomctl.text.safe import visible
from roomctl.text.times import moment
from roomctl.text.yamltext import yaml_text

_FIRST = ("name", "starts", "ends", "theme", "description", "maxParticipants")
_IDS = ("themeId", "configurationId", "playlistId", "artifactSetId")
_LEFT = ("alternateHosts", "startDateTime", "endDateTime")
UNSEEN = "# The service does not show invitations, playlists or image files, so they are not in this file."


def days_to(room_set: JSON, first: date, zone: ZoneInfo) -> int:
    """Say by how many days the rooms move for the first of them to start on a day; 0 where none has a start."""
    starts = [when for each in rooms(room_set) if (when := moment(each.get("startDateTime"))) is not None]
    return (first - min(starts).astimezone(zone).date()).days if starts else 0


def _order(room: JSON) -> tuple[bool, datetime, str, str]:
    start = moment(room.get("startDateTime"))
    return start is None, start or datetime.max.replace(tzinfo=UTC), str(room.get("name")), folded(room.get("socialId"))


def _titled(room: JSON) -> str:
    return str(room.get("name") or folded(room.get("socialId")) or "a room without a name and an id")


def _span(times: Mapping[str, datetime]) -> timedelta:
    return times["ends"].astimezone(UTC) - times["starts"].astimezone(UTC)


class Exported:
    """The file of a set, with the entry configurations by id that its rooms name, as far as they are shown.

    Its rooms are moved by some `days`; with `ids` it says which is which, with `closed` it has the closed rooms too.
    `notes` say what is left out, `missing` are its rooms that a file cannot have; `images` are those of the themes, by
    key; `unreadable`: times that are left out; `named_twice`: another set has its name.
    """

    def __init__(
        self,
        room_set: JSON,
        configs: Mapping[str, JSON],
        zone: ZoneInfo,
        *,
        days: int = 0,
        ids: bool = False,
        closed: bool = False,
        named_twice: bool = False,
    ) -> None:
        self.zone, self.days, self.ids = zone, days, ids
        self.notes: list[str] = []
        self.unreadable: list[str] = []
        self.images: dict[str, list[str]] = {}
        self.unknown: set[str] = set()
        self.keys: dict[str, str] = {}
        self.themes: dict[str, JSON] = {}
        found = sorted(rooms(room_set), key=_order)
        standing = [each for each in found if closed or is_open(each) is not False]
        self.open = [each for each in standing if each.get("name") and isinstance(each["name"], str)]
        names = Counter(str(each["name"]) for each in self.open)
        self.twins = {name for name, number in names.items() if number > 1}
        self.note(
            "the service does not show whether these rooms are open",
            [_titled(each) for each in self.open if is_open(each) is None],
        )
        self.missing = [_titled(each) for each in standing if each not in self.open]
        self.note("rooms without a name are left out", self.missing)
        ended = [_titled(each) for each in self.open if is_open(each) is False]
        self.note(
            "these rooms are closed, so `ends` may be the time at which they were ended, not the planned end", ended
        )
        for each in self.open:
            self.theme(each)
        rules = [self.rules(key, configs[key]) for key in by_id(self.open, "configurationId") if key in configs]
        whole: dict[str, JSON] = {
            "room_set": str(room_set.get("name") or ""),
            **self.with_id(room_set, "socialRoomSetId", named_twice),
            "zone": zone.key,
            "settings": self.settings(room_set),
            "rules": rules[0] if len(rules) == 1 else [each for each in rules if each],
            "themes": self.themes,
            "rooms": [self.room(each) for each in self.open],
        }
        self.closed = [self.room(each) for each in found if each not in standing]
        self.notes += [f"{each}: left out, not moved" for each in self.unreadable]
        self.note("fields that roomctl does not know are left out", sorted(self.unknown))
        self.leave_out_invalid(whole)
        self.document = {name: each for name, each in whole.items() if each not in ({}, [])}

    def note(self, why: str, what: Sequence[str]) -> None:
        if what:
            self.notes.append(f"{why}: {', '.join(what)}")

    def yaml(self) -> str:
        parts = ["\n" * isinstance(each, dict | list) + yaml_text({name: each}) for name, each in self.document.items()]
        head = [f"# {visible(note)}\n" for note in self.notes]
        closed = [f"# {line}\n" for line in yaml_text(self.closed).splitlines()] if self.closed else []
        tail = ["\n# Closed rooms, which cannot be reopened:\n"] * bool(closed) + closed
        return "".join([f"{UNSEEN}\n", *head, *parts, *tail])

    def json(self) -> str:
        return pretty(self.document) + "\n"

    def leave_out_invalid(self, whole: JSON) -> None:
        """Take out of a document what keeps it from being an event file."""
        problems = event_file.check(whole)
        for path, message in problems:
            self.note("left out, because the file cannot contain it", [f"{'.'.join(map(str, path))}: {message}"])
        for path, _ in reversed(problems):  # from the end of a list, so that the places before it stay
            parent = whole
            for part in path[:-1]:
                parent = parent[part]
            parent.pop(path[-1])

    def settings(self, room_set: JSON) -> dict[str, JSON]:
        if any(each.get("alternateHosts") for each in (room_set, *self.open)):
            self.notes.append("`alternateHosts` is left out, because it names people")
        settings = self.fields(room_set, "RoomSet")
        first = folded(room_set.get("startingPointSocialId"))
        start = by_id(self.open, "socialId").get(first)
        if start is not None:
            settings["startingPoint"] = self.called(start)
        elif first:
            self.notes.append("the starting point is left out: it is not a room in this file")
        return settings

    def fields(self, record: JSON, resource: str) -> dict[str, JSON]:
        self.unknown |= {name for name, value in record.items() if value is not None and name not in fields(resource)}
        names = [name for name in event_file.SETTABLE[resource] if name not in _LEFT]
        shown = {name: record[name] for name in names if record.get(name) is not None}
        return {name: each for name, each in shown.items() if self.ids or name not in _IDS}

    def with_id(self, record: JSON, key: str, wanted: bool = False) -> dict[str, JSON]:
        return {"id": folded(record.get(key))} if (self.ids or wanted) and record.get(key) else {}

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
        fields |= self.times(record)
        ordered = {name: fields.pop(name) for name in _FIRST if name in fields}
        return {**self.with_id(record, "socialId", str(record.get("name")) in self.twins), **ordered, **fields}

    def times(self, room: JSON) -> dict[str, str]:
        """Write the times of a room that can be read, moved by whole days; its end stays behind its start."""
        zone, found = self.zone, dict[str, datetime]()
        for short, name in TIMES.items():
            when = moment(room.get(name))
            if when is not None:
                found[short] = when.astimezone(zone)
            elif room.get(name) is not None:
                why = f"the service shows {room[name]}, which is not a time with a zone"
                self.unreadable.append(f"{_titled(room)}, {short}: {why}")
        moved = {short: move_days(when, self.days, zone) for short, when in found.items()}
        for short, when in moved.items():
            if (before := found[short]).time() != when.time():
                why = f"the clocks in {zone.key} skip {before:%H:%M} on {when:%Y-%m-%d}, so it became {when:%H:%M}"
                self.notes.append(f"{_titled(room)}, {short}: {why}")
        if len(moved) == len(TIMES) and (lasts := _span(found)) > timedelta(0) >= _span(moved):
            moved["ends"] = (moved["starts"].astimezone(UTC) + lasts).astimezone(zone)
            why = f"the clocks in {zone.key} change that night, so the room keeps its duration"
            self.notes.append(f"{_titled(room)}, ends: {why}")
        return {short: local_text(when, zone) for short, when in moved.items()}

    def theme(self, room: JSON) -> None:
        """Take the theme that a room shows, under its name; a second one of that name gets a key of its own."""
        theme = room.get("theme")
        identity = folded(theme.get("socialThemeId")) if isinstance(theme, dict) else ""
        if not identity and room.get("themeId") and not self.ids:
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
        self.images[key] = [image for image, address in addresses.items() if theme.get(address)]
        self.keys[identity], self.themes[key] = key, {**self.with_id(theme, "socialThemeId"), **fields}

    def rules(self, key: str, record: JSON) -> dict[str, JSON]:
        having = [self.called(each) for each in self.open if folded(each.get("configurationId")) == key]
        if not isinstance(record, dict):
            self.notes.append(f"the entry rules of {', '.join(having)} are not shown")
            return {}
        shown = self.fields(record, "EntryConfig")
        if isinstance(found := shown.get("rules"), list):
            shown["rules"] = [
                {name: rule[name] for name in (*fields("Rule"), *sorted(rule)) if name in rule}
                for rule in found
                if isinstance(rule, dict)
            ]
        return {
            **self.with_id({"id": key}, "id"),
            **shown,
            **({} if len(having) == len(self.open) else {"rooms": having}),
        }
