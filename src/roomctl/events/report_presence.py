"""When people came and left, room by room: what the recordings of an event show, step by step through its time."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from roomctl.exports.attendance import Attendance
from roomctl.exports.presences import Presence, merged
from roomctl.text import JSON
from roomctl.text.times import Span, local

People = Mapping[str, Sequence[Presence]]
MOST_STEPS = 48
TIMED = attrgetter("timed")
_MINUTES = (5, 10, 15, 30, 60, 120, 180, 360, 720, 1440)


class Steps(NamedTuple):
    """A stretch of time from `start` (UTC) on, cut into steps of one length, and the zone in which it is told."""

    start: datetime
    length: timedelta
    number: int
    zone: tzinfo

    def place(self, at: datetime) -> int:
        return min(max((at - self.start) // self.length, 0), self.number - 1)

    def told(self, number: int) -> str:
        return tell(self.start + number * self.length, self.zone)


def presence(attendance: Attendance, zone: tzinfo) -> dict[str, JSON] | None:
    """Give how many came to which room and left it when; `together` counts who was in several once. None: not shown."""
    in_room = {key: _united(attendance, each.people.items()) for key, each in attendance.recorded.items()}
    everybody = _united(attendance, chain.from_iterable(each.items() for each in in_room.values()))
    spans = _spans(everybody)
    if not spans:
        return None
    steps = _steps(spans, zone)
    rooms = [
        {"socialId": key, "name": each.name, **_course(in_room[key], steps)}
        for key, each in attendance.recorded.items()
    ]
    return {
        "minutes": steps.length // timedelta(minutes=1),
        "together": _course(everybody, steps),
        "rooms": sorted(rooms, key=lambda room: -room["people"]),
        "notRecorded": attendance.unrecorded,
    }


def recordings(attendance: Attendance, zone: tzinfo) -> list[dict[str, JSON]]:
    found = []
    for room in attendance.recorded.values():
        for each in room.recordings:
            at = (local(each.get(name), zone) for name in ("startDateTime", "endDateTime"))
            start, end = (when and when.isoformat() for when in at)
            number = len(people) if type(people := each.get("participants")) is list else None
            told = {"room": room.name, "name": each.get("name"), "status": each.get("status")}
            found.append({**told, "start": start, "end": end, "participants": number})
    return sorted(found, key=lambda each: each["start"] or "")


def tell(at: datetime, zone: tzinfo) -> str:
    return at.astimezone(zone).isoformat()


def _united(attendance: Attendance, people: Iterable[tuple[str, Sequence[Presence]]]) -> People:
    found: dict[str, list[Presence]] = {}
    for name, presences in people:
        found.setdefault(attendance.person(name), []).extend(presences)
    return found


def _spans(people: People) -> list[Span]:
    """Give the visits of everybody whose times are known, in UTC; those of one that overlap or touch are one."""
    timed = (filter(TIMED, each) for each in people.values())
    return [(start.astimezone(UTC), end.astimezone(UTC)) for each in timed for start, end in merged(each)]


def _steps(spans: Iterable[Span], zone: tzinfo) -> Steps:
    """Cut the time of all visits into steps that begin at full hours, or parts of them, of the clock in `zone`."""
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    fitting = (minutes for minutes in _MINUTES if (last - first) / timedelta(minutes=minutes) <= MOST_STEPS - 2)
    days = (last - first) // timedelta(days=MOST_STEPS - 2) + 1
    length = timedelta(minutes=next(fitting, days * _MINUTES[-1]))
    clock = first.astimezone(zone)
    since_midnight = timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second + clock.microsecond / 1e6)
    start = first - since_midnight % length
    return Steps(start, length, (last - start) // length + 1, zone)


def _course(people: People, steps: Steps) -> dict[str, JSON]:
    """Count how many came, left, and were there at most, in each step from the first to the last that has somebody."""
    spans = _spans(people)
    came, left = (Counter(steps.place(span[end]) for span in spans) for end in (0, 1))
    most, largest, when = _most(spans, steps)
    used = [*came, *left]
    rows = [
        {"from": steps.told(each), "came": came[each], "left": left[each], "mostAtOnce": most[each]}
        for each in (range(min(used), max(used) + 1) if used else ())
    ]
    return {
        "people": len(people),
        "visits": len(spans),
        "timesUnknown": sum(not TIMED(visit) for each in people.values() for visit in each),
        "firstCame": tell(min(start for start, _ in spans), steps.zone) if spans else None,
        "lastLeft": tell(max(end for _, end in spans), steps.zone) if spans else None,
        "mostAtOnce": largest,
        "mostAt": when and tell(when, steps.zone),
        "steps": rows,
    }


def _most(spans: Iterable[Span], steps: Steps) -> tuple[list[int], int, datetime | None]:
    """Give the largest number of people at once in each step, and in all, with the moment from which it held."""
    changes: Counter[datetime] = Counter()
    for start, end in spans:
        changes[start] += 1
        changes[end] -= 1
    most, largest, when = [0] * steps.number, 0, None
    level = at = 0
    for each in sorted(changes):
        place = steps.place(each)
        inside = each > steps.start + place * steps.length
        most[at + 1 : place + inside] = [level] * (place + inside - at - 1)
        level, at = level + changes[each], place
        most[place] = max(most[place], level)
        if level > largest:
            largest, when = level, each
    return most, largest, when
