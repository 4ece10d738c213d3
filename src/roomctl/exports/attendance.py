"""Who was there: registrations joined with the participants of recordings (operations 18, 3 and 13).

What it says comes from recordings: a room that was not recorded cannot be seen, nor who was only there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from roomctl.contract.moments import moment
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import hides_rooms, rooms
from roomctl.errors import BadInput
from roomctl.exports.cells import written
from roomctl.exports.job import Enrichment
from roomctl.service.distinct import digest
from roomctl.service.paginator import Pages, Paginator

JSON = Any
Span = tuple[datetime, datetime]
LABEL = "from recordings; rooms not recorded cannot be seen"
COLUMNS = ("seen", "firstSeen", "lastSeen", "minutesSeen", "visits", "rooms")
_MINUTE = timedelta(minutes=1)


class Presence(NamedTuple):
    """Somebody in a room. `span` is None where the recording does not say when; an unknown end is its start."""

    room: str
    span: Span | None


class Attendance:
    """The presences that recordings show, by person.

    `rooms` are the names of the rooms that count, by id; None: any room. With `window` (the event's start and end) only
    a presence that touches it counts.
    """

    def __init__(self, recordings: Iterable[JSON], rooms: Mapping[str, str] | None, window: Span | None) -> None:
        self._window = window
        self._seen: dict[str, list[Presence]] = {}
        self.hidden = 0  # recordings that do not show who was there, or where
        for recording in recordings:
            room = folded(recording.get("socialId"))
            if rooms is None or room in rooms:
                self._add(recording, str(rooms[room] if rooms else recording.get("socialId")))
            self.hidden += not room or ((rooms is None or room in rooms) and _hides_people(recording))

    def of(self, registration: JSON) -> dict[str, JSON]:
        """Give `seen`, `firstSeen`, `lastSeen`, `minutesSeen`, `visits` and `rooms` of who registered."""
        found = self._found(registration)
        spans = merged(found)
        return {
            "seen": bool(found),
            "firstSeen": written(spans[0][0]) if spans else None,
            "lastSeen": written(spans[-1][1]) if spans else None,
            "minutesSeen": round(_length(spans) / _MINUTE, 1) if spans else None,
            "visits": len(spans) if spans else None,
            "rooms": sorted({presence.room for presence in found}),
        }

    def share(self, registration: JSON) -> float:
        """Give the share of the event that was seen, from 0 to 1. Raises BadInput for an event without both moments."""
        if self._window is None:
            raise BadInput(
                "the event has no start and end, so nobody's share of it can be told",
                hint="leave out `--stayed`; `minutesSeen` needs no event times",
            )
        start, end = self._window
        inside = [(max(a, start), min(b, end)) for a, b in merged(self._found(registration))]
        return _length(inside) / (end - start)

    def _found(self, registration: JSON) -> list[Presence]:
        return [presence for name in _names(registration) for presence in self._seen.get(name, ())]

    def _add(self, recording: JSON, room: str) -> None:
        whole = _span(recording, None)
        for person in _objects(recording.get("participants")):
            span = _span(person, whole[1] if whole else None)
            if _touches(span or whole, self._window):
                for name in _names(person):
                    self._seen.setdefault(name, []).append(Presence(room, span))


def merged(presences: Iterable[Presence]) -> list[Span]:
    """Give when somebody was there, in order; what overlaps or touches, in one room or several, is one visit."""
    spans: list[Span] = []
    for start, end in sorted(presence.span for presence in presences if presence.span):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def enrichment(
    client: Pages,
    event_id: str,
    *,
    size: int = 500,
    absent: bool = False,
    stayed: float | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Enrichment:
    """Read what attendance needs and give what adds it to each registration of the event.

    `absent` keeps only who was not seen, `stayed` (0 to 1) who was there for that share of the event. Raises BadInput
    where the event lacks what that needs, Partial where a list is not proven whole.
    """
    query = [("socialEventId", event_id)]
    first: JSON = next(iter(Paginator(client, REGISTRATION_LIST, path={}, query=query, size=1, limit=1)), {})
    event = first.get("event") if type(first) is dict else None
    sets, recordings = (
        [row for row in Paginator(client, operation, path={}, query=(), size=size, note=note) if type(row) is dict]
        for operation in (ROOMSET_LIST, RECORDING_LIST)
    )
    rooms, window = binding(event or {}, sets, note) if first else ({}, None)
    attendance = Attendance(recordings, rooms, window)
    doubts = [f"{attendance.hidden} of the recordings do not show who was there"] if attendance.hidden else []
    wanted = folded((event or {}).get("socialRoomSetId"))
    if wanted and any(hides_rooms(each) for each in sets if folded(each.get("socialRoomSetId")) == wanted):
        doubts.append("the rooms of the event's set are not shown")
    if stayed is not None and first:
        attendance.share({})

    def apply(row: JSON) -> JSON | None:
        there = attendance.of(row)
        if (absent and there["seen"]) or (stayed is not None and attendance.share(row) < stayed):
            return None
        return {**row, **there}

    return Enrichment(LABEL, COLUMNS, digest([sets, recordings, absent, stayed]), apply, " and ".join(doubts))


def _hides_people(recording: Mapping[str, JSON]) -> bool:
    """Whether a recording does not show its participants: one without any shows an empty array."""
    people = recording.get("participants")
    return type(people) is not list or not all(type(person) is dict and _names(person) for person in people)


def binding(
    event: Mapping[str, JSON], sets: Iterable[JSON], note: Callable[[str], None]
) -> tuple[dict[str, str] | None, Span | None]:
    """Say which rooms and which time belong to an event. Raises BadInput where the event says neither."""
    window = _window(event)
    wanted = folded(event.get("socialRoomSetId"))
    for one in sets:
        if wanted and folded(one.get("socialRoomSetId")) == wanted:
            return {key: _title(room) for key, room in by_id(rooms(one), "socialId").items()}, window
    if window is None:
        raise BadInput(
            "nothing says which recordings belong to the event: it has no room set of yours, and no start and end",
            hint="the event's room set must be one of `roomctl roomset list`, or the event have both times",
        )
    note("the event's room set is not among yours: recordings of any room at the time of the event count")
    return None, window


def _window(event: Mapping[str, JSON]) -> Span | None:
    start, end = moment(event.get("startDateTime")), moment(event.get("endDateTime"))
    return (start, end) if start and end and start < end else None


def _span(thing: Mapping[str, JSON], otherwise: datetime | None) -> Span | None:
    start = moment(thing.get("startDateTime"))
    if start is None:
        return None
    return start, max(start, moment(thing.get("endDateTime")) or otherwise or start)


def _touches(span: Span | None, window: Span | None) -> bool:
    return span is None or window is None or (span[0] <= window[1] and span[1] >= window[0])


def _length(spans: Iterable[Span]) -> timedelta:
    return sum((max(end - start, timedelta()) for start, end in spans), timedelta())


def _names(thing: JSON) -> set[str]:
    """Give what a person is known by: user ids and e-mail addresses."""
    user = thing.get("user")
    user = user if type(user) is dict else {}
    known = (thing.get("userId"), user.get("userId"), user.get("emailAddress"))
    return {name.casefold() for name in known if type(name) is str and name}


def _title(room: Mapping[str, JSON]) -> str:
    return str(room.get("name") or room.get("socialId"))


def _objects(values: JSON) -> Iterator[dict[str, JSON]]:
    return (value for value in values if type(value) is dict) if type(values) is list else iter(())
