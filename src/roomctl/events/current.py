"""What stands: the set of an event file as my sets show it, its rooms, themes and entry rules."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from roomctl.contract.evidence import invalid
from roomctl.contract.outcome import respelt, shown
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import is_open, rooms
from roomctl.errors import Ambiguous, NotFound
from roomctl.events import reasons
from roomctl.events.event_file import EventFile, Part
from roomctl.events.history import History
from roomctl.events.plan import Choices, Step
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.suggest import nearest

SET, ROOM, THEME, CONFIG = "socialRoomSetId", "socialId", "socialThemeId", "configurationId"


class Current(NamedTuple):
    """A set, empty where there is none, and the entry rules that its rooms name, by id; None: not readable."""

    record: Mapping[str, JSON] = {}
    configs: Mapping[str, JSON] = {}

    @property
    def id(self) -> str:
        return folded(self.record.get(SET))

    @property
    def rooms(self) -> list[JSON]:
        return rooms(self.record)

    @property
    def by_id(self) -> Mapping[str, JSON]:
        return by_id(self.rooms, ROOM)

    def checked(self, step: Step, made: str = "") -> Step:
        """Give a step, refused where its record says that it is deleted or not valid, or is another than was made."""
        if made and step.id and folded(made) != step.id:
            return step._replace(action="cannot", why=reasons.REPLACED.format(step.kind, made, step.id), changes=())
        there: Mapping[str, tuple[str, Mapping[str, JSON]]] = {
            "room set": ("RoomSet", {self.id: self.record}),
            "room": ("Social", self.by_id),
            "theme": ("Theme", self.themes),
            "rules": ("EntryConfig", self.configs),
        }
        resource, records = there[step.kind]
        why = invalid(record, resource) if step.id and (record := records.get(step.id)) else ""
        return step._replace(action="cannot", why=reasons.DELETED.format(why), changes=()) if why else step

    def config(self, part: Part, parts: Sequence[Part]) -> str:
        """Give the id of the configuration that rules of the file mean, among those that rooms name; empty for none.

        Raises Ambiguous.
        """
        if part.id:
            return part.id
        shown = [{**each, CONFIG: key} for key, each in self.configs.items() if isinstance(each, dict)]
        named = only_one([each for each in shown if each.get("name") == part.name], "rules", part.name, CONFIG)
        if named is not None:
            return str(named[CONFIG])
        return next(iter(self.configs)) if len(self.configs) == 1 == len(parts) else ""

    def room(self, part: Part) -> JSON:
        """Give the room that a part means: by id, else by name, an open one first, else None. Raises Ambiguous."""
        if part.id:
            return self.by_id.get(part.id)
        named = [each for each in self.rooms if each.get("name") == part.name]
        found = [each for each in named if is_open(each) is not False] or named[-1:]
        return only_one(found, "rooms of the set", part.name, ROOM)

    @property
    def themes(self) -> Mapping[str, JSON]:
        return by_id((each.get("theme") for each in self.rooms if is_open(each) is not False), THEME)

    def theme(self, key: str, part: Part, parts: Sequence[Part], made: str) -> JSON:
        """Give the theme that a part means: by its id, by the rooms that wear it there, by its name; else None.

        `made` is the id of one that an earlier run made, whatever it is called now.
        """
        worn = self.themes
        if part.id:
            return worn.get(part.id)
        named = {each: theme for each, theme in worn.items() if theme.get("socialThemeName") == part.name}
        for room in parts:
            if (found := self.room(room)) is not None and (here := self.theme_id(found)) in named and room.theme == key:
                return named[here]
        if made in worn:
            return worn[made]
        others = {self.theme_id(found) for room in parts if room.theme != key and (found := self.room(room))}
        return next((theme for each, theme in named.items() if each not in others), None)

    @staticmethod
    def shows_theme(room: JSON, name: str, *, known: bool) -> bool:
        """Whether a room tells which theme it has, or none: by its name, or its id where that of `name` is `known`."""
        if worn := room.get("theme"):
            return bool(Current.theme_id(room)) or shown(worn, "socialThemeName") != name
        return known or not room.get("themeId")

    def rooms_with(
        self, config: str, part: Part, parts: Sequence[Part], meant: Sequence[Step]
    ) -> tuple[list[str], list[str]]:
        """Give the ids of the rooms that have a configuration, and the ids or keys of those that shall have it.

        Rules that name no rooms are for all rooms that do not have others of the file.
        """
        there, others = self.by_id, {self.config(each, parts) for each in parts} - {config, ""}
        having = [key for key, each in there.items() if config and folded(each.get(CONFIG)) == config]
        closed = [key for key in having if is_open(there[key]) is False]
        named = [step.id or step.key for step in meant if step.id or step.action == "create"]
        if part.rooms is None:
            opened = [key for key, each in there.items() if is_open(each) is not False]
            free = [key for key in opened if folded(there[key].get(CONFIG)) not in others]
            named = [key for key in (*named, *sorted(free)) if key in free or key not in there]
        return having, list(dict.fromkeys([*(key for key in having if key in named), *named, *closed]))

    @staticmethod
    def theme_id(room: JSON) -> str:
        theme = room.get("theme")
        return folded(room.get("themeId") or (theme.get(THEME) if isinstance(theme, dict) else None))


def current_set(event_file: EventFile, sets: Sequence[JSON], history: History, choices: Choices) -> tuple[JSON, bool]:
    """Give the set of a file, and whether an earlier run made it without naming it. Raises NotFound, Ambiguous."""
    found = [each for each in sets if each.get("name") == event_file.name]
    if event_file.id:
        if event_file.id not in (own := by_id(sets, SET)):
            raise NotFound(f"none of your room sets has the id in the file: {event_file.id}")
        found = [own[event_file.id]]
    there = only_one(found, "room sets", event_file.name, SET)
    mark = history.mark("", set_key(event_file))
    if there is None and mark is not None and mark.status == "ok":
        made, naming = by_id(sets, SET).get(folded(mark.id)), history.mark(folded(mark.id), "settings")
        if naming is None or naming.status == "failed" or (naming.status == "unknown" and choices.retry_unknown):
            return made, made is not None
    return there, False


def only_one(found: Sequence[JSON], kind: str, name: str, key: str) -> JSON:
    """Give the one record that was found, None where there is none. Raises Ambiguous, with the ids of several."""
    if len(found) > 1:
        ids = ", ".join(str(each.get(key)) for each in found)
        why = f"{len(found)} {kind} are named {compact(name)}: {ids}"
        raise Ambiguous(why, hint="add the `id` of the right one to the file")
    return found[0] if found else None


def set_key(event_file: EventFile) -> str:
    return f"room set {event_file.name}"


def another(name: str, records: Sequence[JSON]) -> str:
    """Ask whether an existing one of a similar name was meant; empty where there is none."""
    names = [str(each.get("name")) for each in records if is_open(each) is not False]
    alike = next((each for each in names if respelt(each, name)), "") or nearest(name, names, least=0.9)
    return f"there is none of this name yet, so it would be created; did you mean {compact(alike)}?" if alike else ""
