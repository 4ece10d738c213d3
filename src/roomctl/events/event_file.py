"""An event file, read: its parts as they are sent, and all that keeps it from being used."""

import base64
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from roomctl.bulk import Table, read_input
from roomctl.bulk.people import PEOPLE, without_others
from roomctl.contract import event_file
from roomctl.contract.records import folded
from roomctl.contract.scalars import image_problem
from roomctl.errors import BadInput
from roomctl.events import clock
from roomctl.text import JSON
from roomctl.text.document import Document, NotADocument
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean

Place = tuple[str | int, ...]
LARGEST_IMAGE = 32 * 1024 * 1024
_ALIASES = {**clock.TIMES, "theme": "themeId"}
"""What the file calls fields of a room, and the service."""


class Finding(NamedTuple):
    """Something that was found at a place of the file, of a kind that `lint` explains."""

    code: str
    path: Place
    message: str


class Part(NamedTuple):
    """A room, a theme, a playlist or entry rules of the file: its name, where it stands, the fields that are sent.

    `theme` is the key of a room's theme; `rooms` are those that rules are for, None where the file does not say it;
    `images` are a theme's, as they are sent; `people` those whom a room's file names.
    """

    name: str
    path: Place
    fields: Mapping[str, JSON]
    id: str = ""
    theme: str = ""
    rooms: tuple[str, ...] | None = None
    images: Mapping[str, str] = {}
    people: Table | None = None

    @property
    def filled(self) -> dict[str, JSON]:
        return {name: each for name, each in self.fields.items() if each is not None}

    def is_one_of(self, named: Collection[str] | None) -> bool:
        """Whether this room is among those that are named by name or id; without any, all are."""
        return named is None or self.name in named or bool(self.id and self.id in map(folded, named))

    def time(self, name: str) -> datetime | None:
        text = self.fields.get(name)
        return clock.read(text, None) if isinstance(text, str) else None


class EventFile(NamedTuple):
    """An event file: the set that it is about, and its parts; `digest` is the sha256 of the file."""

    path: Path
    digest: str
    document: Document
    name: str
    id: str
    zone: ZoneInfo | None
    settings: Mapping[str, JSON]
    starting_point: str
    rules: tuple[Part, ...]
    themes: Mapping[str, Part]
    rooms: tuple[Part, ...]
    playlists: tuple[Part, ...]


def read(
    path: Path, text: str, asked: ZoneInfo | None = None, usual: ZoneInfo | None = None
) -> tuple[EventFile, list[Finding]]:
    """Read the text of an event file, and list what is wrong with it. Raises BadInput where it is no document.

    A time without a zone is on the clock of the zone that is `asked` for, else of the file's, else of the `usual` one.
    """
    try:
        document = Document(text)
    except NotADocument as error:
        line, column = error.place
        found = {"file": str(path), "line": line, "column": column, "message": str(error), "severity": "error"}
        raise BadInput(error.about(str(path)), hint=error.hint, details={"problems": [found]}) from None
    if not isinstance(document.value, dict):
        found = {"file": str(path), "line": 1, "column": 1, "message": "is not an event file", "severity": "error"}
        hint = "`roomctl help event-files` shows one"
        raise BadInput(f"{path} is not an event file", hint=hint, details={"problems": [found]})
    wrong = [Finding("schema", *problem) for problem in event_file.check(document.value)]
    well_formed = _without(document.value, [each.path for each in wrong])
    reader = _Reader(path.parent, well_formed if isinstance(well_formed, dict) else {}, asked, usual)
    built = reader.build(path, sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), document)
    return built, [*wrong, *reader.problems]


def _without(value: JSON, paths: list[Place], at: Place = ()) -> JSON:
    """Leave out what stands at some paths: what is wrong in its form is not looked at any further."""
    inside = [path for path in paths if path and path[: len(at)] == at]
    if not inside:
        return value
    if at in inside:
        return None
    if isinstance(value, dict):
        return {name: _without(each, inside, (*at, name)) for name, each in value.items()}
    if isinstance(value, list):
        return [_without(each, inside, (*at, place)) for place, each in enumerate(value)]
    return value


class _Reader:
    """Reads the parts of a file whose form is right, and collects what else is wrong."""

    def __init__(self, folder: Path, given: Mapping[str, JSON], asked: ZoneInfo | None, usual: ZoneInfo | None) -> None:
        self.folder, self.given, self.zone = folder, given, asked or usual
        self.problems: list[Finding] = []
        if given.get("zone") is not None:
            try:
                own = clock.zone_named(given["zone"])
                self.zone = asked or own
            except ValueError as error:
                self.blame("time", ("zone",), str(error))
                self.zone = clock.zone_named("UTC")  # what follows from that is not said

    def build(self, path: Path, digest: str, document: Document) -> EventFile:
        themes = {
            key: self.theme(key, each) for key, each in (self.given.get("themes") or {}).items() if each is not None
        }
        rooms = tuple(self.room(each, at) for each, at in self.listed("rooms"))
        settings = dict(self.given.get("settings") or {})
        starting_point = settings.pop("startingPoint", None) or ""
        rules = tuple(
            self.part(each, at, "rooms")._replace(rooms=None if each.get("rooms") is None else tuple(each["rooms"]))
            for each, at in self.listed("rules")
        )
        playlists = tuple(self.part(each, at) for each, at in self.listed("playlists"))
        name = self.given.get("room_set") or ""
        if self.given.get("room_set") is not None and not name.strip():
            self.blame("schema", ("room_set",), "a room set needs a name")
        self.blame_twins(rooms, "room")
        self.blame_twins(rules, "configuration")
        self.blame_twins(playlists, "playlist", "")
        if starting_point:
            self.refer_room(starting_point, rooms, ("settings", "startingPoint"))
        for part in rules:
            for place, each in enumerate(part.rooms or ()):
                if each is not None:
                    self.refer_room(each, rooms, (*part.path, "rooms", place))
        for part in rooms:
            if part.theme and part.theme not in themes:
                self.unknown("theme", part.theme, themes, (*part.path, "theme"))
        parts = (rules, themes, rooms, playlists)
        key = folded(self.given.get("id"))
        return EventFile(path, digest, document, name, key, self.zone, settings, starting_point, *parts)

    def blame(self, code: str, path: Place, message: str) -> None:
        self.problems.append(Finding(code, path, message))

    def listed(self, name: str) -> list[tuple[dict[str, JSON], Place]]:
        found = self.given.get(name) or []
        if isinstance(found, dict):
            return [(found, (name,))]
        return [(each, (name, place)) for place, each in enumerate(found) if each is not None]

    def part(self, given: Mapping[str, JSON], path: Place, *own: str) -> Part:
        fields = {name: each for name, each in given.items() if name not in ("id", *own)}
        return Part(str(given.get("name") or ""), path, fields, folded(given.get("id")))

    def room(self, given: Mapping[str, JSON], path: Place) -> Part:
        part = self.part(given, path, "invite", *_ALIASES)
        fields = dict(part.fields)
        for short, name in _ALIASES.items():
            value = given.get(short)
            if value is not None and given.get(name) is not None:
                why = f"`{short}` and `{name}` are the same field; use only one of them"
                self.blame("schema", (*path, short), why)
            elif short in given and value is None:  # cleared
                fields.setdefault(name, None)
            elif short in clock.TIMES and value is not None:
                fields[name] = self.time(value, (*path, short))
        file = given.get("invite")
        people = self.people(file, (*path, "invite"), [folded(part.id)]) if file is not None else None
        return part._replace(fields=fields, theme=given.get("theme") or "", people=people)

    def time(self, text: str, path: Place) -> str | None:
        try:
            return clock.wire(clock.read(text, self.zone))
        except ValueError as error:
            self.blame("time", path, f"`{path[-1]}`: {error}")
            return None

    def people(self, name: str, path: Place, rooms: list[str]) -> Table | None:
        if (file := self.file(name, path)) is None:
            return None
        try:
            table = read_input(file, PEOPLE)
        except BadInput as error:
            self.blame("file", path, error.message)
            return None
        for each in without_others(table, rooms, "names another room").problems:
            self.blame("people", path, f"{name} {each}")
        if any(row.before for row in (*table.rows, *table.bad)):
            why = "is a result file: people in it would be invited again; name the list it was made from"
            self.blame("people", path, f"{name} {why}")
        return table

    def file(self, name: str, path: Place) -> Path | None:
        """Find a file that is named here: an ordinary one in the folder of this file, wherever links lead."""
        if not name.strip():
            self.blame("file", path, f"`{path[-1]}` names no file")
            return None
        try:
            found = (self.folder / name).resolve()
            inside = not Path(name).is_absolute() and found.is_relative_to(self.folder.resolve())
        except (OSError, RuntimeError, ValueError):  # a loop of links, a character that no path has
            found, inside = self.folder, True
        if inside and (found.is_file() or not found.exists()):
            return self.folder / name
        self.blame("file", path, f"{name} is {'not a file' if inside else 'not in the folder of the event file'}")
        return None

    def theme(self, key: str, given: Mapping[str, JSON]) -> Part:
        part = self.part(given, ("themes", key), *event_file.IMAGES)
        images = {
            field: self.image(given[name], (*part.path, name))
            for name, field in event_file.IMAGES.items()
            if given.get(name) is not None
        }
        name = str(given.get("socialThemeName") or key)
        return part._replace(name=name, fields={"socialThemeName": name, **part.fields}, images=images)

    def image(self, name: str, path: Place) -> str:
        if (file := self.file(name, path)) is None:
            return ""
        try:
            with file.open("rb") as stream:
                data = stream.read(LARGEST_IMAGE + 1)
        except OSError as error:
            self.blame("file", path, f"cannot read {name}: {(error.strerror or str(error)).lower()}")
            return ""
        if len(data) > LARGEST_IMAGE:
            self.blame("file", path, f"{name} is larger than {LARGEST_IMAGE >> 20} MiB")
        elif problem := image_problem(data):
            self.blame("file", path, f"{name} {problem}")
        return base64.b64encode(data).decode("ascii")

    def unknown(self, kind: str, name: str, known: Iterable[str], path: Place) -> None:
        self.blame("reference", path, f"this file has no {kind} {compact(name)}{did_you_mean(name, [*known])}")

    def refer_room(self, name: str, rooms: Sequence[Part], path: Place) -> None:
        """Look whether a name means one room of the file; one of several of a name is named by its id."""
        meant = [each for each in rooms if each.is_one_of((name,))]
        if not meant:
            self.unknown("room", name, [each.name for each in rooms], path)
        elif len(meant) > 1 and all(each.id for each in meant):  # else they are twins, and that is said
            self.blame("reference", path, f"{len(meant)} rooms are named {compact(name)}: give one of their ids")

    def blame_twins(self, parts: Sequence[Part], kind: str, mend: str = ", or give each its own `id`") -> None:
        """Two of one name are told apart by their ids only; two of one id are one thing."""
        for place, each in enumerate(parts):
            before = parts[:place]
            if not each.name.strip() and kind != "configuration":
                self.blame("schema", each.path, f"a {kind} needs a `name`")
            elif each.id and each.id in [other.id for other in before]:
                self.blame("duplicate", (*each.path, "id"), f"an earlier {kind} has the same id")
            elif any(other.name == each.name and not (each.id and other.id) for other in before):
                self.blame("duplicate", each.path, f"an earlier {kind} has the same name: rename one of them{mend}")


def world_of(file: EventFile) -> JSON:
    """Make a world of the sandbox in which the room set of the file stands."""

    def id_of(part: Part, kind: str) -> str:
        return part.id or str(uuid5(NAMESPACE_URL, repr((file.name, kind, part.name, part.path))))

    room_set: JSON = {"name": file.name, **file.settings}
    room_set |= {"socialRoomSetId": file.id} if file.id else {}
    starts = next((each for each in file.rooms if each.is_one_of((file.starting_point,))), None)
    if starts is not None:
        room_set["startingPointSocialId"] = id_of(starts, "room")
    room_set["socials"] = []
    for part in file.rooms:
        rules = [each for each in file.rules if part.is_one_of(each.rooms)]
        ids = {"socialId": id_of(part, "room")}
        if (theme := file.themes.get(part.theme)) is not None:
            ids["themeId"] = id_of(theme, part.theme)
        if rules:
            ids["configurationId"] = id_of(rules[0], "rules")
        room_set["socials"].append({**part.fields, **ids})
    room_set["entryConfigs"] = [{**part.fields, "configurationId": id_of(part, "rules")} for part in file.rules]
    people = [row.columns for part in file.rooms if part.people for row in part.people.rows]
    users = [{"userId": each.get("invitedUserId"), "emailAddress": each.get("emailAddress")} for each in people]
    once = {str(each["userId"] or each["emailAddress"]).casefold(): each for each in users}
    return {
        "users": [{"name": "Me"}, *once.values()],
        "themes": [{**part.fields, "socialThemeId": id_of(part, key)} for key, part in file.themes.items()],
        "playlists": [dict(part.fields) for part in file.playlists],
        "roomSets": [room_set],
    }
