"""A file beside what stands → steps: the one list that is printed, checked, kept, and sent.

Nothing of what the service never shows is sent on a guess: invitations, playlists, themes that no room wears, and entry
rules that no room uses go out in the run that makes their room or set, or where the history proves that they have not.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from roomctl.bulk import Mark, Row
from roomctl.contract.event_file import SETTABLE
from roomctl.contract.outcome import respelt, shown, shows
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import all_rooms, is_open
from roomctl.events import reasons
from roomctl.events.clock import TIMES, local_text, zone_named
from roomctl.events.current import CONFIG, ROOM, SET, THEME, Current, another, current_set, set_key
from roomctl.events.event_file import EventFile, Part, Place
from roomctl.events.history import STOOD, History
from roomctl.events.plan import UNNAMED, Action, Change, Choices, Step, id_of, invitation_key
from roomctl.text import JSON
from roomctl.text.times import moment

NOTHING: Final = Mark("skipped")  # nothing is known of a step
_SHORT = {name: short for short, name in TIMES.items()}


def make_plan(
    event_file: EventFile,
    sets: Sequence[JSON],
    configs: Mapping[str, JSON],
    history: History,
    choices: Choices,
    now: datetime | None = None,
) -> list[Step]:
    """Make the steps that bring the service to what a file says, with rooms after `now`. Raises NotFound, Ambiguous."""
    planner = _Planner(event_file, history, choices, now)
    return [planner.hold_back(step) for step in planner.steps(sets, configs)]


class _Planner:
    def __init__(self, event_file: EventFile, history: History, choices: Choices, now: datetime | None) -> None:
        self.event_file, self.history, self.choices, self.now = event_file, history, choices, now
        self.set_key = set_key(event_file)
        self.current = Current()
        self.new = False  # whether the set is made by this run, or by one that the history covers
        self.themes: dict[str, Step] = {}
        self.rooms: list[tuple[Part, Step]] = []
        self.shown, self.rules_shown = set[str](), False  # the fields that sets show; whether any room shows its rules

    def mark(self, key: str, room: str = "") -> Mark:
        return (self.history.mark(self.current.id, key, room) if self.current.id else None) or NOTHING

    @property
    def ids(self) -> dict[str, str]:
        steps = (*self.themes.values(), *(each for _, each in self.rooms))
        return {self.set_key: self.current.id} | {each.key: each.id for each in steps if each.id}

    def hold_back(self, step: Step) -> Step:
        """Hold back what would be sent again while nobody knows what became of it."""
        again = self.choices.retry_unknown or not step.sends
        mark = None if again else self.history.unsettled(self.current.id, step.key)
        return step._replace(action="unknown", why=f"{reasons.UNKNOWN}: sent at {mark.when}") if mark else step

    def steps(self, sets: Sequence[JSON], configs: Mapping[str, JSON]) -> Iterator[Step]:
        record, unnamed = current_set(self.event_file, sets, self.history, self.choices)
        self.current, self.shown = Current(record or {}, configs), set().union(*sets)
        self.rules_shown = any(folded(each.get(CONFIG)) for each in all_rooms(sets))
        asked = self.history.mark("", self.set_key)  # for a set which a person has named by its id since
        lost = asked is not None and (asked.status == "unknown" or folded(asked.id) not in by_id(sets, SET))
        ours = self.history.created | {folded(asked.id) if asked else ""}
        self.new = record is None or bool(self.event_file.id and lost) or self.current.id in ours
        made = "" if asked is None or self.event_file.id else asked.id
        yield (first := self.current.checked(self.room_set(sets, unnamed), made))
        if first.action in ("unknown", "cannot"):
            return
        yield from self.settings(unnamed)
        for key, theme in self.event_file.themes.items():
            self.themes[key] = step = self.current.checked(self.theme(key, theme))
            yield step
            if theme.images and step.action == "same" and step.id in self.current.themes:
                yield self.images(key, theme, step.id)
        for part in self.event_file.rooms:
            made = "" if part.id else self.mark(f"room {part.name}").id
            self.rooms.append((part, self.current.checked(self.room(part), made)))
            yield self.rooms[-1][1]
        yield from self.starting_point()
        yield from map(self.current.checked, map(self.rules, self.event_file.rules))
        for part in self.event_file.playlists:
            yield self.unseen(part, "playlist", self.new, "playlist.create", part.filled)
        for part, step in self.rooms:
            yield from self.invitations(part, step)
        yield from self.staying()

    # The set and its settings

    def room_set(self, sets: Sequence[JSON], unnamed: bool) -> Step:
        step = Step("room set", self.event_file.name, "same", id=self.current.id, place=("room_set",))
        if self.current.record:
            return step._replace(why="created by an earlier run, but not yet named" if unnamed else "")
        mark, again = self.history.mark("", self.set_key), self.choices.retry_unknown
        if mark is None and not again and (stood := self.history.mark(STOOD, self.set_key)):
            return step._replace(action="unknown", why=reasons.GONE, id=folded(stood.id))
        own = by_id(sets, SET).get(folded(mark.id)) if mark is not None else None
        if mark is None or mark.status == "failed" or (again and not own):
            why = another(self.event_file.name, sets)
            return step._replace(action="create", operation="roomset.create", body=[], why=why)
        naming = self.history.mark(folded(mark.id), "settings")
        lags = mark.status == "ok" and naming is not None and naming.status == "ok"  # the list, or it is no more
        if lags or own is not None:
            gone = f"requested at {mark.when}, but the service shows no such set; `--retry-unknown` requests it again"
            return step._replace(action="unknown", why=gone if lags else UNNAMED, id=folded(mark.id))
        others = self.history.created  # made by requests that are known to be done
        empty = [each for each in sets if not each.get("socials") and folded(each.get(SET)) not in others][:10]
        why = reasons.requested(mark.when, [f"{each.get('name')} ({each.get(SET)})" for each in empty])
        return step._replace(action="unknown", why=why)

    def settings(self, unnamed: bool) -> Iterator[Step]:
        record = {} if unnamed else self.current.record
        fields = {"name": self.event_file.name, **self.event_file.settings}
        changes = self.differences(record, fields)
        if changes or self.event_file.settings or self.mark("settings") is not NOTHING:
            yield self.update("settings", fields, changes, new=not record)

    def update(self, kind: str, fields: Mapping[str, JSON], changes: Sequence[Change], *, new: bool) -> Step:
        where: Place = ("settings", "startingPoint") if kind == "starting point" else ("settings",)
        if not changes:
            return Step(kind, "", "same", place=where)
        mark, again = self.mark(kind), self.choices.send_unseen or (new and kind == "settings")
        step = Step(kind, "", "create" if new else "change", "roomset.update", place=where, id=self.current.id)
        changed = {each.field: fields[each.field] for each in changes if each.field in fields} or fields
        filled = {name: each for name, each in fields.items() if each is not None}
        bodies = [{SET: id_of(self.set_key), **each} for each in (filled, changed)]
        versions = [step._replace(body=each, changes=tuple(changes)) for each in bodies]
        other = all(self.history.same(self.current.id, each, self.ids) is False for each in versions)
        if not other and mark.status == "ok" and self.shown.isdisjoint(changed) and not again:
            why = f"sent at {mark.when}, but the service does not show it: skipped; `--send-unseen` sends it again"
            return versions[-1].left_out(why)
        return versions[-1]

    def starting_point(self) -> Iterator[Step]:
        name, present = self.event_file.starting_point, folded(self.current.record.get("startingPointSocialId"))
        for room in (step for part, step in self.rooms if part.is_one_of((name,))):
            old = self.current.by_id.get(present, {}).get("name") or present or None
            changes = [] if present and present == room.id else [Change("startingPoint", old, name)]
            step = self.update("starting point", {"startingPointSocialId": id_of(room.key)}, changes, new=not present)
            yield step.left_out(why) if (why := reasons.lost(room)) else step

    # Themes and rooms

    def theme(self, key: str, part: Part) -> Step:
        mark = self.mark(f"theme {key}")
        made = part.id or ("" if mark.status == "unknown" else folded(mark.id))  # the id may be of another theme
        worn = self.current.theme(key, part, self.event_file.rooms, made)
        if worn is None:
            needed = any(each.theme == key and self.current.room(each) is None for each in self.event_file.rooms)
            step = self.saved(key, part, made, own=not part.id and (self.new or needed))._replace(id=made)
            return step._replace(action="change", why="") if made and step.sends else step
        again = self.choices.send_unseen or (mark.status == "unknown" and self.choices.retry_unknown)
        changes, identity = self.differences(worn, part.fields), folded(worn.get(THEME))
        step = Step("theme", key, "same", place=part.path, id=identity)
        if not changes and not (part.images and again):
            return step
        hidden = set().union(*self.current.themes.values()).isdisjoint(each.field for each in changes)
        if hidden and not again and (sent := self.saved(key, part, identity)).action == "same":
            return sent._replace(id=identity)
        body = {"theme": {**part.filled, THEME: identity}, **part.images}
        return step._replace(action="change", operation="theme.save", body=body, changes=tuple(changes))

    def saved(self, key: str, part: Part, theme: str, *, own: bool = False) -> Step:
        """What is sent of a theme and its images: as a new one, or as a change of one of this id."""
        bodies = [{"theme": part.filled, **part.images}]
        if theme:
            bodies.append({"theme": {**part.filled, THEME: theme}, **part.images})
        return self.unseen(part, "theme", own, "theme.save", *bodies, name=key)

    def images(self, key: str, part: Part, theme: str) -> Step:
        """Say of the images of a theme that rooms wear whether they are known to be those that were sent."""
        step, status = self.saved(key, part, theme), shown(self.current.themes.get(theme), "uploadStatus")
        if step.action != "unknown" and (failure := shown(status, "failureReason")):
            step = step._replace(action="unseen", why=reasons.FAILED.format(failure), stale=True)
        elif not (step.stale or step.action in ("same", "unknown")):
            step = step._replace(action="unseen", why=reasons.IMAGES)
        return Step("images", key, step.action, why=step.why, place=part.path, stale=step.stale)

    def room(self, part: Part) -> Step:
        found = self.current.room(part)
        if not found and not part.id:  # one that an earlier run has made, whatever it is called now
            found = self.current.by_id.get(folded(self.mark(f"room {part.name}").id))
        twin = sum(each.name == part.name for each in self.event_file.rooms) > 1
        name = f"{part.name} ({part.id})" if twin else part.name
        step = Step("room", name, "same", place=part.path, id=folded((found or {}).get(ROOM)))
        if found is None and part.id:
            return step._replace(action="cannot", why=f"no room of the set has its id {part.id}")
        theme = {"themeId": id_of(f"theme {part.theme}")} if part.theme else {}
        body = {SET: id_of(self.set_key), **part.filled, **theme}
        changes = self.differences({}, {name: each for name, each in part.filled.items() if name != "name"})
        changes += [Change("theme", None, part.theme)] * bool(part.theme)
        own, mark = step._replace(operation="social.create", body=body, changes=tuple(changes)), self.mark(step.key)
        if found is not None:
            stale = not part.id and self.history.same(self.current.id, own, self.ids) is False
            return self.existing_room(step, part, found, mark.at if stale else "")
        if part.theme and not (self.themes[part.theme].id or self.themes[part.theme].sends):
            return step._replace(action="unknown", why=reasons.NO_ID.format(part.theme))
        if mark.status in ("ok", "unknown") and not self.choices.retry_unknown:
            why = f"requested at {mark.when}, but the service shows no such room; `--retry-unknown` requests it again"
            return own._replace(action="unknown", why=why)
        if past := [each for each in _SHORT if self.now and (at := part.time(each)) and at <= self.now]:
            times = ", ".join(f"{_SHORT[each]} {self.read(part.fields[each])}" for each in past)
            return step._replace(action="cannot", why=f"a time in the past: {times}")
        return own._replace(action="create", why=another(part.name, self.current.rooms))

    def existing_room(self, step: Step, part: Part, found: JSON, otherwise: str) -> Step:
        """The step of a room that stands; `otherwise` is when it was made, where that was with other content."""
        if not step.id or is_open(found) is None:
            hidden = "the service does not show whether it is open" if step.id else "the service does not show its id"
            return step._replace(action="unseen", why=hidden)
        if is_open(found) is False:
            return step._replace(action="cannot", why=reasons.CLOSED)
        if not (changes := [*self.differences(found, part.fields), *self.other_theme(found, part)]):
            return step
        names = set().union(*self.current.rooms, *({"theme"} for each in self.current.rooms if "themeId" in each))
        theme = self.themes.get(part.theme)
        if not Current.shows_theme(found, part.theme, known=bool(theme and (theme.id or theme.action == "create"))):
            names.discard("theme")
        if not (different := [each for each in changes if names & {each.field, TIMES.get(each.field)}]):
            why = f"the service does not show its {', '.join(each.field for each in changes)}"
            why += f"; {reasons.OTHERWISE.format(otherwise)}" if otherwise else ""
            return step._replace(action="cannot" if otherwise else "unseen", why=why, changes=tuple(changes))
        return step._replace(action="cannot", why=reasons.NO_CHANGE, changes=tuple(different))

    def other_theme(self, found: JSON, part: Part) -> list[Change]:
        worn, named = Current.theme_id(found), shown(found, "themeId")  # which may name two
        if part.theme:
            same = bool(worn) and shows(named, self.themes[part.theme].id)
        else:
            same = not worn or part.fields.get("themeId", worn) is not None
        name = (found.get("theme") or {}).get("socialThemeName") or worn or None
        return [] if same else [Change("theme", name, part.theme or None)]

    # What is not shown, or by the rooms only

    def unseen(
        self, part: Part, kind: str, own: bool, operation: str, *bodies: JSON, name: str = "", query: JSON = None
    ) -> Step:
        """What is not shown: sent with its `own` set or room, or where the history proves that none of `bodies` was."""
        step = Step(kind, name or part.name, "create", operation, bodies[-1], query=query or {}, place=part.path)
        mark = self.mark(step.key)
        step = step._replace(id=folded(mark.id))
        versions = [step._replace(body=body) for body in bodies]
        sent = next((each for each in versions if self.history.same(self.current.id, each, self.ids)), None)
        if sent and not mark.error:
            return sent._replace(action="same", why=f"already sent at {mark.when}")
        if sent and not self.choices.send_unseen:  # it was made otherwise
            return sent._replace(action="cannot", why=mark.error)
        if mark.status == "unknown" and not self.choices.retry_unknown:
            return self.hold_back(step)
        proven = mark.status == "failed" or (own and mark is NOTHING)
        if not (proven or self.choices.send_unseen or mark.status == "unknown"):
            done, what = mark.status == "ok", "images or content" if part.images else "content"
            why = reasons.CHANGED.format(mark.when, what) if done else reasons.UNSEEN
            return step._replace(action="unseen", why=why, stale=done)
        changes = self.differences({}, {name: each for name, each in part.fields.items() if each != step.name})
        return step._replace(changes=tuple(changes), why="" if proven else reasons.SECOND)

    def rules(self, part: Part) -> Step:
        config = self.current.config(part, self.event_file.rules)
        meant = [step for room, step in self.rooms if room.is_one_of(part.rooms)]
        if lost := [step.key for step in meant if step.action == "unknown" and not step.id]:
            return Step("rules", part.name, "unseen", place=part.path, why=reasons.UNSURE.format(lost[0]), id=config)
        having, wanted = self.current.rooms_with(config, part, self.event_file.rules, meant)
        own = {step.id: step.key for _, step in self.rooms if step.id} | {step.key: step.key for _, step in self.rooms}
        rooms = {"associatedSocialIds": [id_of(own[key]) if key in own else key for key in wanted]}
        record = self.current.configs.get(config)
        query = {SET: id_of(self.set_key)}
        if not isinstance(record, dict):
            body = {**({CONFIG: config} if config else {}), **part.filled, **(rooms if wanted else {})}
            ours = [each for each in map(self.current.by_id.get, wanted) if each]
            new = all(not folded(each.get(CONFIG, "?")) for each in ours or [{}])  # these rooms say so
            new = new or self.new or {each.action for each in meant} == {"create"}
            step = self.unseen(part, "rules", new and not config, "rules.save", body, query=query)
            if step.action == "unseen" and config in self.current.configs:
                return step._replace(why="could not be read: skipped; `--send-unseen` sends them")
            if step.action == "same" and ours:
                telling = [each for each in ours if CONFIG in each or self.rules_shown]  # others may have any rules
                shown_others = any(not step.id or folded(each.get(CONFIG)) != step.id for each in telling)
                return self.rules_unproven(step, shown=shown_others)
            return step
        changes = self.differences(record, part.fields)
        if set(having) != set(wanted):
            known = {step.key: {"name": part.name} for part, step in self.rooms} | dict(self.current.by_id)
            names = [[str(known[key].get("name")) for key in keys] for keys in (having, wanted)]
            changes.append(Change("rooms", *names))
        step = Step("rules", part.name, "same", place=part.path, id=config)
        if not changes:
            return step
        standing = {name: record[name] for name in SETTABLE["EntryConfig"] if record.get(name) is not None}
        body = {CONFIG: config, **standing, **part.fields, **rooms}
        return step._replace(action="change", operation="rules.save", body=body, query=query, changes=tuple(changes))

    def rules_unproven(self, step: Step, *, shown: bool) -> Step:
        """Rules that were sent, and that no room of theirs names: their rooms have `shown` that, or show none."""
        if self.choices.retry_unknown if shown else self.choices.send_unseen:
            return step._replace(action="create", why=reasons.SECOND)
        seen = "its rooms do not show these rules" if shown else "the service does not show which rules its rooms have"
        why = f"{step.why}, but {seen}; `{'--retry-unknown' if shown else '--send-unseen'}` resends them"
        return step._replace(action="unknown" if shown else "unseen", why=why)

    def invitations(self, part: Part, room: Step) -> Iterator[Step]:
        """The people of a room, by what is known of each: a step for those to invite, and for the others of a kind."""
        if part.people is None or not part.people.rows:
            return
        if room.action == "cannot" and not room.changes:  # it is closed, deleted, or not there
            return
        here = room.id in self.history.created or self.mark(room.key).status in ("unknown", "failed")  # and it stands
        same = all(each.field != "name" or respelt(each.old, each.new) for each in room.changes)
        own, found = here and same and room.id not in self.history.invited, dict[Action, list[Row]]()
        for row in part.people.rows:
            found.setdefault(self.invitation(room, row, own), []).append(row)
        unseen = reasons.UNSURE.format(room.key) if room.action == "unknown" else reasons.UNSEEN
        whys: dict[Action, str] = {"unknown": reasons.UNKNOWN, "unseen": unseen, "same": "already invited"}
        step = Step("invitations", room.name, "create", "invite.send", part.people.sha256, {ROOM: id_of(room.key)})
        for action in sorted(found, key=("create", "unknown", "unseen", "same").index):
            yield step._replace(action=action, place=part.path, people=(*found[action],), why=whys.get(action, ""))

    def invitation(self, room: Step, row: Row, own: bool) -> Action:
        mark = self.mark(invitation_key(room.name, row), room.id)
        if room.action == "create":
            return "create"
        if mark.status == "ok":
            return "same"
        if mark.status == "unknown" and not self.choices.retry_unknown:
            return "unknown"
        proven = own if mark is NOTHING else mark.status != "skipped"
        return "create" if room.action != "unknown" and (proven or self.choices.send_unseen) else "unseen"

    def staying(self) -> Iterator[Step]:
        meant, listed = {step.id for _, step in self.rooms}, self.event_file.document.value.get("rooms")
        for each in self.current.rooms if listed else ():
            if folded(each.get(ROOM)) not in meant and is_open(each) is not False:
                yield Step("room", str(each.get("name")), "stays", why="not in the file", id=folded(each.get(ROOM)))

    def differences(self, record: Mapping[str, JSON], fields: Mapping[str, JSON]) -> list[Change]:
        both = ((_SHORT.get(name, name), shown(record, name), each) for name, each in fields.items())
        return [Change(name, self.read(old), self.read(new)) for name, old, new in both if not shows(old, new)]

    def read(self, value: JSON) -> JSON:
        when = moment(value) if isinstance(value, str) and value[:1].isdigit() else None
        return value if when is None else local_text(when, self.event_file.zone or zone_named("UTC"))
