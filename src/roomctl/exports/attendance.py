"""Who was there: registrations joined with the participants of recordings (operations 18, 3 and 13).

What it says comes from recordings: a room that was not recorded cannot be seen, nor who was only there. Who was not
seen was absent only where recordings cover the rooms and times of the event and name every participant in a way in
which that person is known too; else it is not known.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain, islice
from typing import Any, ClassVar, NamedTuple

from roomctl.contract.evidence import invalid, shows_all
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST
from roomctl.contract.outcome import denial, differing, shown
from roomctl.contract.records import by_id, event_id, folded
from roomctl.contract.rooms import all_rooms, contradictory, hides_rooms, rooms, strays
from roomctl.errors import BadInput, Partial
from roomctl.exports import presences
from roomctl.exports.cells import written
from roomctl.exports.presences import Presence, is_shown, length, merged, names_of, touches
from roomctl.service.distinct import digest
from roomctl.service.paginator import Pages, Paginator
from roomctl.text import JSON, Note
from roomctl.text.times import Span, moment

LABEL = "from recordings; rooms that were not recorded are not covered"
COLUMNS = ("seen", "firstSeen", "lastSeen", "minutesSeen", "visits", "rooms")
_TENTH = timedelta(minutes=0.1)
_MOST_NAMED = 5
_NOWHERE = dict.fromkeys(COLUMNS)
_OF_EVENT = ("socialRoomSetId", "startDateTime", "endDateTime")
SHARED = "several registrations share the id or address of a participant, and only the first of them counts as seen"
_HIDDEN = "recordings that do not show their room, or who was there"


class Recorded(NamedTuple):
    """A room that was recorded: its name, the recordings that count, when they are from, and who was in it."""

    name: str
    recordings: list[JSON]
    times: list[Span]
    people: dict[str, list[Presence]]


class Attendance:
    """The presences that recordings show, by participant: their id, or their address where no id is shown.

    `rooms` are the names of the rooms that count, by id; None: any room. With `window` (the event's start and end)
    only a presence that touches it counts. `recorded` are the rooms that were recorded, by id; `gaps` are what may
    have shown somebody and does not, each with what it is about. Who registered for an event with another set or times
    than `event` is never called absent.
    """

    def __init__(
        self,
        recordings: Iterable[JSON],
        rooms: Mapping[str, str] | None,
        window: Span | None,
        event: Mapping[str, JSON] | None = None,
    ) -> None:
        self._rooms = rooms
        self._window = window
        self._event = {name: value for name in _OF_EVENT if (value := (event or {}).get(name)) is not None}
        self._presences: dict[str, list[Presence]] = {}
        self._ids: dict[str, dict[str, None]] = {}  # the participants that recordings show with another name
        self._names: set[str] = set()  # all names in recordings, also of those who may not have been there
        self._kinds: set[frozenset[str]] = set()  # the kinds of names that each participant is known by
        self._bare: set[str] = set()  # participants without an address
        self._asked = False  # whether anybody who registered was looked for
        self._owners: dict[str, str] = {}  # which registration was the first with a participant's name
        self._kept = 0  # how many of these were given to be kept
        self._shared = self._unaddressed = False  # whether others have it too; whether one without address is absent
        self.recorded: dict[str, Recorded] = {}
        self.gaps: dict[str, list[str]] = {}
        for recording in recordings:
            if type(recording) is not dict:
                self.gaps.setdefault(_HIDDEN, [])
            elif rooms is None or folded(recording.get("socialId")) in ("", *rooms):
                self._add(recording)

    @property
    def unrecorded(self) -> list[str]:
        return [name for room, name in (self._rooms or {}).items() if room not in self.recorded]

    @property
    def strangers(self) -> bool:
        """Whether nobody who registered is among those whom the recordings show: they may be known by other names."""
        return self._asked and not self._owners and any(room.people for room in self.recorded.values())

    @property
    def doubt(self) -> str:
        """Why it may lack somebody; empty where it does not."""
        said = ["nobody in the recordings has the id or address of anyone who registered"] * self.strangers
        said += [SHARED] * self._shared
        for what, ids in self.gaps.items():
            more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
            said.append(f"{what}: {', '.join(ids[:_MOST_NAMED])}{more}" if ids else what)
        if self._owners and (guests := self._bare.difference(self._owners, *self._ids.values())):
            said.append(
                f"people in the recordings without an address, who may be anyone who registered: {len(guests):,}"
            )
        elif self._unaddressed and (others := self._others):
            said.append(f"people in the recordings who may be those who registered without an address: {len(others):,}")
        return " and ".join(said)

    @property
    def remark(self) -> str:
        """How many people the recordings show beside those who were looked for; empty where they show none of these."""
        told = f"people in the recordings who match none of these registrations: {len(self._others):,}"
        return told if self._others and self._owners else ""

    @property
    def _others(self) -> set[str]:
        return {*map(self.person, self._presences)}.difference(map(self.person, self._owners))

    def kept(self) -> dict[str, JSON]:
        """Give what was learned of those who were looked for since this was last asked, for an export to go on with."""
        owners = dict(islice(self._owners.items(), self._kept, None))
        self._kept += len(owners)
        return {"owners": owners, "shared": self._shared, "unaddressed": self._unaddressed}

    def recall(self, kept: Mapping[str, Any]) -> None:
        """Go on from what was kept of a page."""
        self._asked, self._shared, self._unaddressed = True, kept["shared"], kept["unaddressed"]
        self._owners.update(kept["owners"])
        self._kept = len(self._owners)

    def person(self, participant: str) -> str:
        """Give the one name of a participant who may be known by several: by user id here, by e-mail address there."""
        return next(iter(self._ids.get(participant, ())), participant)

    def of(self, registration: JSON) -> dict[str, JSON]:
        """Give the COLUMNS of who registered; `seen` is None where it is not shown whether they were there."""
        return self._of(names_of(registration), registration)

    def of_all(self, registrations: Iterable[JSON]) -> list[dict[str, JSON]]:
        """Give what `of` gives of each; those of whom the recordings show nothing, as of most, share it."""
        known = {*self._presences, *self._ids, *self._names}
        shared: dict[JSON, dict[str, JSON]] = {}
        found = []
        for registration in registrations:
            names, event = names_of(registration), registration.get("event")
            if not known.isdisjoint(names):
                found.append(self._of(names, registration))
                continue
            alike = (*names.values(), id(event))
            if alike not in shared:
                shared[alike] = self._of(names, registration)
            found.append(shared[alike])
        return found

    def _of(self, names: Mapping[str, str], registration: JSON) -> dict[str, JSON]:
        if not (found := self._found(names, registration)):
            return {**_NOWHERE, "seen": False if self._shows(names, registration.get("event")) else None, "rooms": []}
        spans = merged(found)
        timed = bool(spans) and all(presence.timed for presence in found)
        return {
            "seen": True,
            "firstSeen": written(spans[0][0]) if spans else None,
            "lastSeen": written(spans[-1][1]) if spans else None,
            "minutesSeen": length(spans) // _TENTH / 10 if timed else None,
            "visits": len(spans) if spans else None,
            "rooms": sorted({presence.room for presence in found}),
        }

    def stayed(self, registration: JSON, share: float) -> bool | None:
        """Say whether who registered was there for a share (0 to 1) of the event; None: not shown. Raises BadInput."""
        if self._window is None:
            hint = "leave out `--stayed`; `minutesSeen` needs no event times"
            raise BadInput("the event has no start and end, so shares of it cannot be worked out", hint=hint)
        names, event, (start, end) = names_of(registration), registration.get("event"), self._window
        found = self._found(names, registration)
        inside = [(max(a, start), min(b, end)) for a, b in merged(found)]
        if found and length(inside) / (end - start) >= share:
            return None if self._is_unlike(event) else True
        timed = all(presence.timed for presence in found)
        return False if timed and self._shows(names, event, found) else None

    def _shows(self, names: Mapping[str, str], event: JSON, found: Sequence[Presence] = ()) -> bool:
        """Whether the recordings would show this person: they lack nothing, and know all by a name of a kind it has."""
        named_only = not found and not self._names.isdisjoint(names)
        if self.gaps or named_only or self._is_unlike(event):
            return False
        known = not any(each.isdisjoint(names.values()) for each in self._kinds)
        self._unaddressed |= known and not found and "address" not in names.values()
        return known

    def _is_unlike(self, event: JSON) -> bool:
        return type(event) is dict and bool(differing(event, self._event))

    def _found(self, names: Mapping[str, str], registration: JSON) -> list[Presence]:
        """Give the presences of who registered: a participant counts for the first registration with its name.

        An account or an address may be that of somebody who registered others too.
        """
        self._asked = True
        known = [name for name in names if name in self._presences]
        known = known or [each for name in names for each in self._ids.get(name, ())]
        own = folded(registration.get("registrationId")) or (digest(registration) if known else "")
        mine = [each for each in known if self._owners.setdefault(each, own) == own]
        self._shared |= len(mine) < len(known)
        return [presence for each in mine for presence in self._presences[each]]

    def doubt_presences(self, recordings: Iterable[Mapping[str, JSON]]) -> None:
        """Take who is in recordings of rooms that may be of the event, or not, for neither there nor absent."""
        for recording in recordings:
            times = (moment(recording.get("startDateTime")), moment(recording.get("endDateTime")))
            if touches(times, self._window):
                self._names.update(chain(*map(names_of, presences.people_in(recording))))

    def _add(self, recording: Mapping[str, JSON]) -> None:
        room, complete = folded(recording.get("socialId")), recording.get("status") == "COMPLETE"
        start, end = (moment(recording.get(name)) for name in ("startDateTime", "endDateTime"))
        end = end if complete else None
        if not touches((start, end), self._window):
            return
        name = str(self._rooms[room] if self._rooms and room else recording.get("socialId") or "room not shown")
        there = self.recorded.setdefault(room, Recorded(name, [], [], {}))
        there.recordings.append(recording)
        there.times.extend([(start, end)] if start and end else [])
        people = presences.people_in(recording)
        unfinished = not complete or denial(recording, "Recording") or invalid(recording, "Recording")
        gap = "" if room and shows_all(recording, "Recording") and all(map(is_shown, people)) else _HIDDEN
        if gap := "recordings that are not COMPLETE, or failed" if unfinished else gap:
            self.gaps.setdefault(gap, []).append(str(recording.get("socialRecordingId") or "one without an id"))
        for person in people if room else ():
            names, presence = names_of(person), presences.presence_of(name, person, start, end)
            span = (presence and presence.span) or (start, end)
            if presence and not touches(span if presence.timed else (span[0], end), self._window):
                continue
            self._names.update(names)
            if presence and names and touches(span, self._window):
                self._meet(names, presence, there)

    def _meet(self, names: Mapping[str, str], presence: Presence, there: Recorded) -> None:
        participant, *others = names
        self._kinds.add(frozenset(names.values()))
        self._bare.update({participant} if "address" not in names.values() else ())
        for name in others:
            self._ids.setdefault(name, {})[participant] = None
        self._presences.setdefault(participant, []).append(presence)
        there.people.setdefault(participant, []).append(presence)


def fullest(events: Iterable[JSON]) -> dict[str, JSON]:
    """Give the first of the records of an event that shows most of what tells its recordings; some show it in short."""
    shown = (each for each in events if type(each) is dict)
    return max(shown, key=lambda event: sum(event.get(name) is not None for name in _OF_EVENT), default={})


def attendance_of(
    event: Mapping[str, JSON], sets: Sequence[JSON], recordings: Sequence[JSON], note: Note
) -> Attendance:
    """Make the attendance of an event. Raises BadInput where nothing says which recordings belong to it."""
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
    attendance = Attendance(recordings, named if mine else None, window, event)
    gaps, recorded = attendance.gaps, attendance.recorded
    made = {key: moment(room.get("dateCreated")) for key, room in own_rooms.items() if key not in recorded}
    later = [key for key, at in made.items() if not touches((at, None), window)]
    if later:  # then they are no rooms of the attendance either
        note(f"attendance leaves out rooms created after the event ended: {', '.join(map(named.pop, later))}")
    if not mine:
        note("the event's room set is not among yours, so recordings of any room at the time of the event count")
        gaps["rooms of the event, whose room set is not among yours"] = []
    else:
        known = by_id(all_rooms(sets), "socialId")
        others = (
            each for each in recordings if type(each) is dict and folded(each.get("socialId")) not in ("", *known)
        )
        attendance.doubt_presences(others)
        nameless = any(len(by_id(rooms(one), "socialId")) < len(rooms(one)) for one in mine)
        if nameless or any(map(hides_rooms, mine)) or any(map(strays, mine)) or contradictory(mine, "socialRoomSetId"):
            gaps["rooms of the event's set that are not shown"] = []
    counted = by_id(chain(*(room.recordings for room in recorded.values())), "socialRecordingId")
    if unlike := [key for key in contradictory(recordings, "socialRecordingId") if key in counted]:
        gaps["recordings that were received twice, with different values"] = unlike
    if not any(room.people for room in recorded.values()):
        gaps["no recording shows any participant" if recorded else "the event has no recording"] = []
    for key, room in recorded.items():
        for start, end in presences.missing(room.times, window) if window and key else ():
            gap = f"{room.name} has no recording from {written(start)} to {written(end)}"
            gaps.setdefault("rooms recorded only in part", []).append(gap)
        if not room.people and shown(own_rooms.get(key, {}).get("socialMeta"), "numberOfAttendees"):
            gaps.setdefault(_HIDDEN, []).append(room.name)
    if recorded and window is None:
        gaps["the event's start and end, which are not shown"] = []
    if recorded and attendance.unrecorded:
        note(f"no recording of {', '.join(attendance.unrecorded)}: people there are not counted")
    return attendance


@dataclass(eq=False)
class Enrichment:
    """What an export adds to each registration, and which it keeps; `basis` tells one enrichment from another.

    `absent` keeps only who was not seen, `stayed` (0 to 1) who was there for that share of the event.
    """

    attendance: Attendance
    basis: str
    absent: bool = False
    stayed: float | None = None
    label: ClassVar = LABEL
    columns: ClassVar = COLUMNS

    def apply(self, row: JSON) -> tuple[JSON, bool]:
        """Give the row with further columns, None where it is left out, and whether all that decides this is shown."""
        there = self.attendance.of(row)
        verdict: bool | None = True
        if self.stayed is not None:
            verdict = self.attendance.stayed(row, self.stayed)
        elif self.absent:
            verdict = None if there["seen"] is None else not there["seen"]
        return {**row, **there} if verdict else None, None not in (verdict, there["seen"])


def enrichment(
    client: Pages, event: str, *, absent: bool = False, stayed: float | None = None, note: Note = lambda _: None
) -> Enrichment:
    """Read what attendance needs. Raises BadInput where the event lacks that, Partial for a list not proven whole."""
    query = [("socialEventId", event)]
    some = next(Paginator(client, REGISTRATION_LIST, path={}, query=query, size=20, page=0).batches()).rows
    mine = [row for row in some if event_id(row) == folded(event)] or some[:1]
    (sets, unproven), (recordings, unread) = sets_and_recordings(client, 500, note)
    if doubt := unproven or unread:
        raise doubt
    own = fullest(shown(row, "event") for row in mine)
    attendance = attendance_of(own, sets, recordings, note) if some else Attendance((), {}, None)
    if stayed is not None and some:
        attendance.stayed({}, stayed)
    return Enrichment(attendance, digest([sets, recordings, absent, stayed]), absent, stayed)


def sets_and_recordings(client: Pages, size: int, note: Note) -> Iterator[tuple[list[JSON], Partial | None]]:
    """Read my room sets and my recordings, each record as it came, and why each list is not proven to be all."""
    for each in (ROOMSET_LIST, RECORDING_LIST):
        listing = Paginator(client, each._replace(row_id=None), path={}, query=(), size=size, check=False, note=note)
        yield listing.whole(), listing.proof.doubt or listing.proof.stale
