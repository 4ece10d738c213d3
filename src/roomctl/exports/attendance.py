"""Who was there: registrations joined with the participants of recordings (operations 18, 3 and 13).

What it says comes from recordings: a room that was not recorded cannot be seen, nor who was only there. Who was not
seen was absent only where all that could have shown them is there; else it is not shown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from typing import NamedTuple

from roomctl.contract.outcome import differing, shown
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import all_rooms, contradictory, hides_rooms, rooms, strays
from roomctl.errors import BadInput
from roomctl.exports import presences
from roomctl.exports.cells import written
from roomctl.exports.presences import Presence, length, merged, names_of, touches
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered
from roomctl.text.times import Span, moment

LABEL = "from recordings; rooms that were not recorded are not covered"
COLUMNS = ("seen", "firstSeen", "lastSeen", "minutesSeen", "visits", "rooms")
_MINUTE = timedelta(minutes=1)
_MOST_NAMED = 5
_NOWHERE = dict.fromkeys(COLUMNS)


class Recorded(NamedTuple):
    """A room that was recorded: its name, the recordings that count, when they are from, and who was in it."""

    name: str
    recordings: list[JSON]
    times: list[Span]
    people: dict[str, list[Presence]]


class Attendance:
    """The presences that recordings show, by person.

    `rooms` are the names of the rooms that count, by id; None: any room. With `window` (the event's start and end)
    only a presence that touches it counts. `recorded` are the rooms that were recorded, by id; `gaps` are what may
    have shown somebody and does not, each with what it is about. Who registered for an event that is `unlike` this
    one is never called absent.
    """

    def __init__(
        self,
        recordings: Iterable[JSON],
        rooms: Mapping[str, str] | None,
        window: Span | None,
        unlike: Callable[[JSON], bool] = lambda _: False,
    ) -> None:
        self._rooms = rooms
        self._window = window
        self._unlike = unlike
        self._seen: dict[str, list[Presence]] = {}
        self._met: bool | None = None  # whether anybody who registered was seen; None: nobody was looked for
        self._owners: dict[str, str] = {}  # of a name that recordings show, who registered first with it
        self._beside: dict[str, set[str]] = {}  # the addresses that recordings show beside an id
        self._unclear: dict[str, None] = {}  # why it is not known whose a name is
        self.resumed = False  # with it, who registered first with a name is forgotten
        self.uncertain = 0  # participants who may not have been there
        self.unread = 0  # participants whose times cannot be read
        self._same: dict[str, str] = {}  # names of one person, which lead to the first of them
        self._kinds: set[frozenset[str]] = set()  # the kinds of names that each participant is known by
        self._bare: set[str] = set()  # the ids of participants without an address
        self.recorded: dict[str, Recorded] = {}
        self.gaps: dict[str, list[str]] = {}
        for recording in recordings:
            if type(recording) is not dict:
                self.gaps["rows in the list of recordings that are not records"] = []
            elif rooms is None or folded(recording.get("socialId")) in ("", *rooms):
                self._add(recording)

    @property
    def unrecorded(self) -> list[str]:
        return [name for room, name in (self._rooms or {}).items() if room not in self.recorded]

    @property
    def strangers(self) -> bool:
        """Whether nobody who registered is among those whom the recordings show: they may be known by other names."""
        return self._met is False and any(room.people for room in self.recorded.values())

    @property
    def doubt(self) -> str:
        """Why it may lack somebody; empty where it does not."""
        said = ["nobody in the recordings is known by an id or address of who registered"] * self.strangers
        said += self._unclear
        for what, ids in self.gaps.items():
            more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
            said.append(f"{what}: {', '.join(ids[:_MOST_NAMED])}{more}" if ids else what)
        bare = {self.person(name) for name in self._bare if not self._beside.get(name)}
        if self._met and (guests := bare.difference(map(self.person, self._owners))):
            said.append(f"people in the recordings without an address, who may be any who registered: {len(guests):,}")
        return " and ".join(said)

    @property
    def remark(self) -> str:
        """How many people the recordings show beside those who were looked for; empty where they show none of these."""
        others = {self.person(name) for name, at in self._seen.items() if at}.difference(map(self.person, self._owners))
        told = f"people in the recordings who match none of these registrations: {len(others):,}"
        return told if others and self._met and not self.resumed else ""

    def person(self, name: str) -> str:
        """Give the one name of a person who may be known by several: by user id here, by e-mail address there."""
        while (other := self._same.get(name, name)) != name:
            name = other
        return name

    def of(self, registration: JSON) -> dict[str, JSON]:
        """Give the COLUMNS of who registered; `seen` is None where it is not shown whether they were there."""
        names, event = names_of(registration), registration.get("event")
        self._met = bool(self._met)
        if not (found := self._found(names)):
            return {**_NOWHERE, "seen": False if self._shows(names, event) else None, "rooms": []}
        self._met = True
        spans = merged(found)
        timed = bool(spans) and all(presence.timed for presence in found)
        return {
            "seen": True,
            "firstSeen": written(spans[0][0]) if spans else None,
            "lastSeen": written(spans[-1][1]) if spans else None,
            "minutesSeen": round(length(spans) / _MINUTE, 1) if timed else None,
            "visits": len(spans) if spans else None,
            "rooms": sorted({presence.room for presence in found}),
        }

    def stayed(self, registration: JSON, share: float) -> bool | None:
        """Say whether who registered was there for a share (0 to 1) of the event; None: not shown. Raises BadInput."""
        if self._window is None:
            hint = "leave out `--stayed`; `minutesSeen` needs no event times"
            raise BadInput("the event has no start and end, so shares of it are not known", hint=hint)
        names, event, (start, end) = names_of(registration), registration.get("event"), self._window
        found = self._found(names)
        inside = [(max(a, start), min(b, end)) for a, b in merged(found)]
        if found and length(inside) / (end - start) >= share:
            return None if self._unlike(event) else True
        timed = all(presence.timed for presence in found)
        return False if timed and self._shows(names, event) else None

    def _shows(self, names: Mapping[str, str], event: JSON) -> bool:
        """Whether the recordings would show this person: they lack nothing, and know all by a name of a kind it has."""
        named_only = not (self._seen.keys().isdisjoint(names) or self._found(names))
        if self.gaps or named_only or self._unlike(event):
            return False
        return not any(each.isdisjoint(names.values()) for each in self._kinds)

    def _found(self, names: Mapping[str, str]) -> list[Presence]:
        """Give the presences of who registered, by the names that nobody else registered with before."""
        known = [name for name in names if name in self._seen]
        own = next(iter(names), "")
        mine = [name for name in known if self._owners.setdefault(name, own) == own]
        beside = set[str]().union(*(self._beside.get(name, ()) for name in mine)).difference(names)
        if known and not mine:
            self._unclear["several who registered share the address of a participant"] = None
        elif any(self._owners.setdefault(name, own) != own for name in beside):
            self._unclear["a participant has the id of one who registered and the address of another"] = None
        elif self.resumed and mine and not any(names[name] == "id" for name in mine):
            self._unclear["who registered before the export was resumed may share the address of a participant"] = None
        return [presence for name in mine for presence in self._seen[name]]

    def doubt_presences(self, recordings: Iterable[Mapping[str, JSON]]) -> None:
        """Take who is in recordings of rooms that may be of the event, or not, for neither there nor absent."""
        for recording in recordings:
            times = (moment(recording.get("startDateTime")), moment(recording.get("endDateTime")))
            people = recording.get("participants") if touches(times, self._window) else None
            for name in chain(*(names_of(each) for each in people or () if type(each) is dict)):
                self._seen.setdefault(name, [])

    def _add(self, recording: Mapping[str, JSON]) -> None:
        room, complete = folded(recording.get("socialId")), recording.get("status") == "COMPLETE"
        start, end = (moment(recording.get(name)) for name in ("startDateTime", "endDateTime"))
        end = end if complete else None
        name = str(self._rooms[room] if self._rooms and room else recording.get("socialId") or "room not shown")
        there = self.recorded.get(room, Recorded(name, [], [], {}))
        if touches((start, end), self._window):
            self.recorded[room] = there
            there.recordings.append(recording)
            there.times.extend([(start, end)] if start and end else [])
            if gap := presences.gap_of(recording):
                self.gaps.setdefault(gap, []).append(str(recording.get("socialRecordingId") or "one without an id"))
        people = recording.get("participants")
        for person in people if room and type(people) is list else ():
            if type(person) is not dict:
                continue
            names, presence = names_of(person), presences.presence_of(name, person, start, end)
            times = (person.get("startDateTime"), person.get("endDateTime"))
            self.unread += any(each not in (None, "") and moment(each) is None for each in times)
            if presence is None:
                self.uncertain += 1
                for each in names:
                    self._seen.setdefault(each, [])
            elif touches(presence.span or (start, end), self._window):
                self._kinds.add(frozenset(names.values()))
                self._bare.update(names if "address" not in names.values() else ())
                for each, kind in names.items():
                    if kind == "id":
                        self._beside.setdefault(each, set()).update(names.keys() - {each})
                    self._same[self.person(each)] = self.person(next(iter(names)))
                    self._seen.setdefault(each, []).append(presence)
                there.people.setdefault(next(iter(names), ""), []).append(presence)


def attendance_of(
    event: Mapping[str, JSON], sets: Sequence[JSON], recordings: Sequence[JSON], note: Note
) -> Attendance:
    """Make the attendance of an event, its gaps with what the room sets do not show.

    Raises BadInput where nothing says which recordings belong to the event.
    """
    own = folded(event.get("socialRoomSetId"))
    mine = [each for each in sets if type(each) is dict and own and folded(each.get("socialRoomSetId")) == own]
    start, end = moment(event.get("startDateTime")), moment(event.get("endDateTime"))
    window = (start, end) if start and end and start < end else None
    if not mine and window is None:
        raise BadInput(
            "it is not known which recordings belong to the event: it has no room set of yours, and no start and end",
            hint="give the event a room set that `roomctl roomset list` shows, or both times",
        )
    own_rooms = by_id(all_rooms(mine), "socialId")
    named = {key: str(room.get("name") or key) for key, room in own_rooms.items()}
    attendance = Attendance(recordings, named if mine else None, window, _unlike(event, note))
    known = by_id(all_rooms(sets), "socialId") if mine else {}
    others = [each for each in recordings if type(each) is dict and folded(each.get("socialId")) not in ("", *known)]
    attendance.doubt_presences(others if mine else ())
    if not mine:
        note("the event's room set is not among yours, so recordings of any room at the time of the event count")
        attendance.gaps["rooms of the event, whose room set is not among yours"] = []
    elif any(hides_rooms(one) or strays(one) or len(by_id(rooms(one), "socialId")) < len(rooms(one)) for one in mine):
        attendance.gaps["rooms of the event's set that are not shown"] = []
    elif contradictory(mine, "socialRoomSetId"):
        attendance.gaps["the event's room set, which was received twice, with different values"] = []
    counted = by_id(chain(*(room.recordings for room in attendance.recorded.values())), "socialRecordingId")
    if unlike := [key for key in contradictory(recordings, "socialRecordingId") if key in counted]:
        attendance.gaps["recordings that were received twice, with different values"] = unlike
    if not any(room.people for room in attendance.recorded.values()):
        none = "no recording shows any participant" if attendance.recorded else "the event has no recording"
        attendance.gaps[none] = []
    for key, room in attendance.recorded.items():
        for start, end in presences.missing(room.times, window) if window and key else ():
            gap = f"{room.name} has no recording from {written(start)} to {written(end)}"
            attendance.gaps.setdefault("rooms recorded only in part", []).append(gap)
        if not room.people and shown(own_rooms.get(key, {}).get("socialMeta"), "numberOfAttendees"):
            attendance.gaps.setdefault("rooms that had attendees, whose recordings show nobody", []).append(room.name)
    if attendance.recorded and window is None:
        attendance.gaps["the event's start and end, which are not shown"] = []
    if attendance.recorded and attendance.unrecorded:
        note(f"no recording of {', '.join(attendance.unrecorded)}: people there are not counted")
    doubtful = "did not attend, or at times that cannot be: whether they were there is not known"
    unread = "came or left at times that cannot be read: how long they were there is not known"
    for number, told in filter(all, ((attendance.uncertain, doubtful), (attendance.unread, unread))):
        note(f"{numbered(number, 'participants')} {told}")
    return attendance


def _unlike(event: Mapping[str, JSON], note: Note) -> Callable[[JSON], bool]:
    """Give what says whether another event has another room set or other times; the first that has is noted."""
    named = ("socialRoomSetId", "startDateTime", "endDateTime")
    ours = {name: value for name in named if (value := event.get(name)) is not None}
    noted: list[str] = []
    last, verdict = None, False

    def is_unlike(other: JSON) -> bool:
        nonlocal last, verdict
        if other is not last and other != last:  # most registrations of a list show one and the same event
            names = differing(other, ours) if type(other) is dict else []
            last, verdict = other, bool(names)
            if names and not noted:
                noted.extend(names)
                told = ", ".join(names)
                note(f"registrations show another {told} of the event: it is undecided who of them was absent")
        return verdict

    return is_unlike
