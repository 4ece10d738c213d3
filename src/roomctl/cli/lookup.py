"""My room sets and their rooms, as operation 3 shows them: found by id or by exact name.

A record that came is certain; of a list that is not proven whole, another may have the same name.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from shlex import quote
from typing import NamedTuple

from roomctl import errors
from roomctl.cli.completion_cache import names
from roomctl.cli.list_notes import composed, name_of, note_invalid, note_spelling
from roomctl.cli.session import JSON, Session
from roomctl.contract import operations as ops
from roomctl.contract import rooms
from roomctl.contract.records import ID_FORM, by_id, find, folded, is_uuid
from roomctl.errors import AGAIN, Ambiguous, BadValue, ExpectationFailed, NotFound, Partial, RoomctlError
from roomctl.output.columns import room_counts
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact
from roomctl.text.suggest import nearest
from roomctl.text.times import told_at

SET, ROOM, THEME, EITHER = "socialRoomSetId", "socialId", "socialThemeId", ""
KINDS = {
    SET: ("room set", "`roomctl roomset list`"),
    ROOM: ("room", "`roomctl social list`"),
    EITHER: ("room sets or room", "`roomctl roomset tree`"),
    THEME: ("theme", "`roomctl social list --fields socialThemeName,themeId`"),
    ops.RECORDING_LIST.identity: ("recording", "`roomctl recording list`"),
    ops.TRANSCRIPTION_LIST.identity: ("transcription", "`roomctl transcription list`"),
}
"""What the things of an id are called, and the command that shows them."""
_RESOURCES = {SET: "RoomSet", ROOM: "Social", THEME: "Theme"}
GIVE_ID = "give the id instead of the name"


class Mine(NamedTuple):
    """My room sets as they came, their rooms, each once, and why they are not proven to be all."""

    sets: list[JSON]
    rooms: list[JSON]
    doubt: RoomctlError | None

    @property
    def themes(self) -> list[JSON]:
        """The themes that rooms show, each once, with the `name` by which it is found."""
        shown = (each["theme"] for each in self.rooms if isinstance(each.get("theme"), dict))
        return [{**each, "name": each.get("socialThemeName")} for each in by_id(shown, THEME).values()]

    @property
    def records_doubt(self) -> RoomctlError | None:
        """A doubt that holds for each record, also for one that came: rows cannot be read, or contradict."""
        return self.doubt if self.doubt is not None and "row" in self.doubt.details else None

    @property
    def claimed(self) -> set[str]:
        """The ids of sets that do not show a room which says that it is theirs."""
        inside = [(folded(each.get(SET)), room) for each in self.sets for room in rooms.rooms(each)]
        said = {(folded(room.get(SET)), folded(room.get(ROOM))) for _, room in inside}
        return {key for key, _ in said - {(key, folded(room.get(ROOM))) for key, room in inside} if key}

    def records(self, key: str) -> "Records":
        """The sets, rooms or themes, and why they are not proven to be all."""
        if key == SET:
            return self.sets, self.doubt
        doubt = rooms_unseen(self.sets, self.doubt)
        if key in (ROOM, EITHER):
            return [*self.sets * (not key), *self.rooms], doubt
        if doubt is None and by_id(self.rooms, "themeId").keys() - by_id(self.themes, THEME).keys():
            doubt = Partial("not every room shows its theme")
        return self.themes, doubt


Records = tuple[list[JSON], RoomctlError | None]
"""Records that came, and why they are not proven to be all."""


def my_sets(session: Session) -> Mine:
    """Read my room sets (operation 3); the session keeps them, and learns their names."""
    from roomctl.cli.lists import gathered

    sets, proof = gathered(session, ops.ROOMSET_LIST)
    doubt: RoomctlError | None = proof.doubt
    if (doubt is None or "row" not in doubt.details) and (key := rooms.contradicting(sets)):
        why = f"the list may be incomplete: room {key} was received twice, with different values"
        doubt = Partial(why, hint=AGAIN, details={"row": key})
    session.clock_ahead = proof.clock_behind
    doubt = doubt or (proof.stale if session.about.writes else None)
    session.mine = mine = Mine(sets, rooms.all_rooms(sets), doubt)
    named = [*by_id(mine.sets, SET).items(), *by_id(mine.rooms, ROOM).items()]
    session.names |= {key: name for key, record in named if (name := name_of(record))}
    note_spelling(session, mine.rooms)
    note_invalid(session, mine.sets, mine.rooms)
    return mine


def rooms_unseen(sets: Iterable[JSON], doubt: RoomctlError | None, claimed: Container[str] = ()) -> RoomctlError | None:
    """Why the rooms of these sets are not proven to be theirs and all: the list's doubt, or what they do not show; of
    sets that are `claimed`, a room elsewhere says that it is theirs.
    """
    if doubt is not None:
        return doubt
    unproven = [
        str(each.get("name") or each.get(SET))
        for each in sets
        if rooms.hides_rooms(each)
        or rooms.strays(each)
        or folded(each.get(SET)) in claimed
        or not all(is_uuid(folded(room.get(ROOM))) for room in rooms.rooms(each))
    ]
    if not unproven:
        return None
    names = ", ".join(first(map(repr, unproven)))
    return Partial(f"it is not certain which rooms are in {numbered(len(unproven), 'room sets')}: {names}")


def rooms_by_id(session: Session) -> Mapping[str, JSON]:
    """The rooms of my sets by id, each with its `roomSetName`; what was read before is not read again."""
    mine = session.mine or my_sets(session)
    names = {folded(room.get(ROOM)): each.get("name") for each in reversed(mine.sets) for room in rooms.rooms(each)}
    return {key: {**room, "roomSetName": names[key]} for key, room in by_id(mine.rooms, ROOM).items()}


def fault_of_room(text: str) -> str:
    """Say that a text is a broken id rather than a name; nothing where it can be an id or a name."""
    bare = text.strip("{}").removeprefix("urn:uuid:").replace("-", "")
    broken = not text.strip() or (len(bare) >= 24 and not bare.strip("0123456789abcdefABCDEF"))
    return "not an id" if broken and not is_uuid(text) else ""


def _check_names(texts: Iterable[str]) -> None:
    for text in texts:
        if fault := fault_of_room(text):
            raise BadValue(f"{fault}: {compact(text)}", hint=ID_FORM)


def ids_of(session: Session, which: Sequence[str], key: str = ROOM) -> list[str]:
    """The ids of rooms, sets or themes by id, not looked up, or exact name. Raises as `find_one` does."""
    ids = {text: found for text in which if is_uuid(text) and (found := folded(text))}
    if names := [text for text in which if text not in ids]:
        _check_names(names)
        among = (session.mine or my_sets(session)).records(key)
        ids |= {text: _id_of(find_one(session, among, text, key), key) for text in names}
    return list(dict.fromkeys(ids[text] for text in which))


def id_of(session: Session, text: str, key: str = ROOM) -> str:
    """The id of one room, set or theme. Raises as `find_one` does."""
    return ids_of(session, [text], key)[0]


def theme_id(session: Session, text: str) -> str:
    """The id of a theme by id or name, also of one that no room uses yet if only one of that name was saved from here.

    Raises as `find_one` does.
    """
    try:
        return id_of(session, text, THEME)
    except NotFound as error:
        if error.http is not None or len(saved := _themes_saved(session, text)) != 1:
            raise
    session.note(f"no room uses a theme named {compact(text)} yet; using the one that was saved from here: {saved[0]}")
    return saved[0]


def record_id(session: Session, operation: ops.Operation, text: str) -> str:
    """The id of a listed record by id, not looked up, or by a name that no other one has: its own or its room's.

    Raises as `find_one` does.
    """
    from roomctl.cli.lists import gathered, roomless

    if is_uuid(text):
        return folded(text)
    rows, proof = gathered(session, operation)
    doubt: RoomctlError | None = proof.doubt
    if operation is ops.RECORDING_LIST:
        doubt = my_sets(session).doubt or doubt or roomless(rows)  # whose names are needed in any case
        rows += [{**each, "name": session.names.get(folded(each.get(ROOM)))} for each in rows if name_of(each) != text]
    return _id_of(find_one(session, (rows, doubt), text, operation.identity, certain=True), operation.identity)


def set_field(session: Session, text: str | None) -> dict[str, JSON]:
    """The field of a body that names the set of `--room-set`; nothing without it. Raises as `find_one` does."""
    return {} if text is None else {SET: id_of(session, text, SET)}


def of_sets(session: Session, sets: Sequence[str]) -> list[str]:
    """The ids of the rooms of some sets, open ones first; all must show their state. Raises ExpectationFailed.

    A list that is not proven whole may have a set again, with other rooms: that is said.
    """
    ids: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for each in rooms_of(session, sets):
        ids[rooms.is_open(each)].append(_id_of(each, ROOM))
    why = session.doubt.message if session.doubt is not None else ""
    if ids[None] and not why:
        why = f"the service does not show the state of {named_rooms(session, ids[None])}"
    if why:
        raise ExpectationFailed(f"nothing was sent: {why}", hint="give the rooms' ids", details={"rooms": ids[None]})
    if session.mine.doubt is not None:
        session.say(f"these room sets may have more rooms: {session.mine.doubt.message}")
    return list(dict.fromkeys([*ids[True], *ids[False]]))


def known(session: Session, key: str) -> str:
    """Name a thing for a person by its id, with its name where a list has shown it (R22)."""
    name = session.names.get(folded(key))
    return key if name is None else f"{name} ({key})"


def named_rooms(session: Session, ids: Sequence[str]) -> str:
    """Say how many rooms, and name up to 20 of them."""
    some = ", ".join(first(known(session, key) for key in ids))
    return numbered(len(ids), "rooms") + (f": {some}" if ids else "")


def _id_of(record: JSON, key: str) -> str:
    found = folded(record.get(key))
    if not is_uuid(found):
        raise errors.Unintelligible(f"the service shows {compact(name_of(record))} without its {key}; nothing was sent")
    return found


def entry_rules(session: Session, key: str, config: str) -> JSON:
    """Read an entry configuration of a room set. Raises as reading does, and Partial where it is another set's."""
    query = [(SET, key), ("configurationId", config)]
    found = session.read(ops.RULES_GET, query=query, what=f"show entry rules {config}")
    if folded(other := found.get(SET)) not in ("", key):
        raise Partial(f"entry rules {config} belong to another room set, the service says: {other}")
    return found


def record_of(session: Session, text: str, key: str = ROOM) -> JSON:
    """The record of a room or a room set given by id or exact name, read anew. Raises as `find_one` does."""
    return find_one(session, my_sets(session).records(key), text, key)


def sets_named(session: Session, which: Sequence[str]) -> list[JSON]:
    """Some sets by id or exact name, in one reading; all of them where none is named. Raises as `find_one` does."""
    mine = my_sets(session)
    if which:
        return [find_one(session, mine.records(SET), text, SET) for text in which]
    session.doubt = session.doubt or mine.doubt
    return mine.sets


def sets_watched(session: Session, which: Sequence[str]) -> tuple[list[str], list[JSON]]:
    """The ids of some sets and rooms by id or exact name, and their sets; of a set that is not named itself, only the
    rooms that are. A name is first that of a set. All sets where nothing is named. Raises as `find_one` does.
    """
    if not which:
        return [], sets_named(session, ())
    mine, ids, sets = my_sets(session), list[str](), list[JSON]()
    for text in which:
        kinds = ((key, mine.records(key)[0]) for key in (SET, ROOM))
        fits = (key for key, some in kinds if find(some, key, text) or any(text == name_of(each) for each in some))
        key = next(fits, EITHER)
        ids.append(folded(find_one(session, mine.records(key), text, key).get(key)))
    for each in mine.sets:
        inside = [room for room in rooms.rooms(each) if folded(room.get(ROOM)) in ids]
        if folded(each.get(SET)) in ids:
            sets.append(each)
        elif inside:
            sets.append({SET: each.get(SET), "name": each.get("name"), "socials": inside})
    return ids, sets


def rooms_of(session: Session, which: Sequence[str] = ()) -> list[JSON]:
    """The rooms of some sets, or of all of mine, as all show them; hidden ones leave a doubt. Raises as `find_one`."""
    chosen = sets_named(session, which)
    session.doubt = rooms_unseen(chosen, session.doubt or session.mine.records_doubt, session.mine.claimed)
    united = by_id(session.mine.rooms, ROOM)
    return [united.get(folded(each.get(ROOM)), each) for each in rooms.all_rooms(chosen)]


def find_one(session: Session, among: Records, text: str, key: str, *, certain: bool = False) -> JSON:
    """The one record of that id or exact name among those that came.

    Where there may be more, one found by its id is certain; one found by its name may be read, but not written to, or
    taken where it must be `certain`. Raises NotFound, Ambiguous, BadValue, Partial.
    """
    from roomctl.cli.lists import unproven

    (records, doubt), (kind, lists) = among, KINDS[key]
    whose = "the company's" if key == ops.TRANSCRIPTION_LIST.identity else "your"
    _check_names([text])
    by_name = not is_uuid(text)
    if by_name:
        found = [record for record in records if name_of(record) == text]
        found = found or [record for record in records if composed(name_of(record)) == composed(text)]
    else:
        found = [record for record in [find(records, key, text)] if record is not None]
    if not found:
        near = nearest(text, filter(None, map(name_of, records))) if by_name else ""
        hint = f"did you mean {compact(near)}?" if near else f"{lists} shows {whose} {kind.replace(' or ', ' and ')}s"
        if by_name and re.fullmatch("[0-9a-fA-F-]{8,35}", text):
            begun = [own for each in records if (own := folded(each.get(key))).startswith(folded(text))]
            whole = f"did you mean {' or '.join(first(begun, 5))}? give the whole id, of 36 characters"
            hint = whole if begun else f"an id has 36 characters; {hint}"
        if key == THEME and (saved := _themes_saved(session, text)):
            ids = " or ".join(f"`--theme {each}`" for each in saved)
            hint = f"the service cannot look up a theme that no room uses; give its id: {ids}"
        elif key == THEME and not near:
            hint += "; for an unused theme, give its id: `roomctl journal list --fields name,target-id` shows it"
        other = {SET: ROOM, ROOM: SET}.get(key)
        if by_name and other and any(name_of(each) == text for each in session.mine.records(other)[0]):
            whole = f"; `--room-set {quote(text)}` means its open rooms" if key == ROOM else ""
            hint = f"this is the name of a {KINDS[other][0]}{whole}; {lists} shows your {kind}s"
        if by_name and key == SET and {*map(str.strip, text.split(","))} <= {name_of(each) for each in records}:
            hint = "name each set by itself, as in `--room-set A --room-set B`"
        why = f"none of {whose} {kind}s " + (f"is named {compact(text)}" if by_name else f"has the id {text}")
        if doubt is not None:
            raise Partial(f"{why} in the part of the list that was read; {doubt.message}", hint=doubt.hint)
        raise NotFound(why, hint=hint)
    if len(found) > 1:
        listed = "\n".join(_described(session, record, key) for record in found)
        raise Ambiguous(f"{len(found)} {kind}s are named {compact(text)}:\n{listed}", hint=GIVE_ID)
    if by_name and doubt is not None and (certain or session.about.writes):
        why = f"another {kind} may be named {compact(text)}: {doubt.message}; nothing was sent"
        raise Partial(why, hint=f"{GIVE_ID}: {found[0].get(key)}")
    if not session.about.writes:
        holds = doubt is not None and (by_name or "row" in doubt.details)
        session.doubt = session.doubt or (doubt if holds else unproven(found[0], kind, text, _RESOURCES.get(key, "")))
    return found[0]


def _themes_saved(session: Session, name: str) -> list[str]:
    """The ids of the themes of this name that were saved from here with this profile, as far as is known."""
    named, settings = names(session.environment.folder("cache")), session.settings
    saved = (ops.THEME_SAVE.name, settings.base_url, "confirmed")
    entries = session.journal.entries(profile=settings.profile)
    made = dict.fromkeys(each.made for each in entries if (each.operation, each.origin, each.state) == saved)
    return [key for key in made if named.get(key) == name]


def _described(session: Session, record: JSON, key: str) -> str:
    """An id, with what tells its record from another of the same name: its rooms; its set, its state, its start."""
    in_set = session.names.get(folded(record.get(SET))) if key == ROOM else None
    state = {True: "open", False: "closed", None: record.get("status")}[rooms.is_open(record)]
    starts = record.get("startDateTime") and f"starts {told_at(record['startDateTime'])}"
    told = [f"in {in_set}" if in_set else "", state, starts]
    about = room_counts(record) if key == SET else ", ".join(str(each) for each in told if each)
    return f"{record.get(key)} ({about})" if about else str(record.get(key))
