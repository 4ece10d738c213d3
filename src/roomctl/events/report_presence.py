"""When people came and left, room by room: what the recordings of an event show, step by step through its time."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import chain
from operator import itemgetter

from roomctl.exports.attendance import Attendance
from roomctl.exports.presences import Presence, merged
from roomctl.text import JSON
from roomctl.text.order import place
from roomctl.text.times import Span, levels, local

People = Mapping[str, Sequence[Presence]]
_MOST_STEPS = 46
_MINUTE = timedelta(minutes=1)
_LENGTHS = (5, 10, 15, 30, 60, 120, 180, 360, 720, 1440)


def presence(attendance: Attendance, zone: tzinfo) -> dict[str, JSON] | None:
    """Give how many came to which room and left it when; `together` counts who was in several once. None: not shown."""
    in_room = {key: _united(attendance, each.people.items()) for key, each in attendance.recorded.items()}
    everybody = _united(attendance, chain.from_iterable(each.items() for each in in_room.values()))
    if not (spans := _visits(everybody)):
        return None
    steps = _steps(spans, zone)
    rooms = [
        {"socialId": key, "name": each.name, **_course(in_room[key], steps, zone)}
        for key, each in attendance.recorded.items()
    ]
    return {
        "minutes": (steps[1] - steps[0]) // _MINUTE,
        "together": _course(everybody, steps, zone),
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
            shown = {"room": room.name, "name": each.get("name"), "status": each.get("status")}
            found.append({**shown, "start": start, "end": end, "participants": number})
    return sorted(found, key=lambda each: place(each["start"]))


def _united(attendance: Attendance, people: Iterable[tuple[str, Sequence[Presence]]]) -> People:
    found: dict[str, list[Presence]] = {}
    for name, presences in people:
        found.setdefault(attendance.person(name), []).extend(presences)
    return found


def _visits(people: People) -> list[Span]:
    """Give the visits whose times are known, in UTC; those of one person that overlap or touch are one."""
    timed = ([visit for visit in each if visit.timed] for each in people.values())
    return [(start.astimezone(UTC), end.astimezone(UTC)) for each in timed for start, end in merged(each)]


def _steps(visits: Iterable[Span], zone: tzinfo) -> list[datetime]:
    """Cut the time of all visits into steps, in UTC, that begin at full hours, or parts of them, of a zone's clock."""
    first, last = min(start for start, _ in visits), max(end for _, end in visits)
    days = (last - first) // timedelta(days=_MOST_STEPS) + 1
    lengths = (timedelta(minutes=minutes) for minutes in (*_LENGTHS, days * _LENGTHS[-1]))
    length = next(each for each in lengths if (last - first) / each <= _MOST_STEPS)
    clock = first.astimezone(zone)
    since_midnight = clock.replace(tzinfo=None) - datetime(clock.year, clock.month, clock.day)
    start = first - since_midnight % length
    return [start + number * length for number in range((last - start) // length + 2)]


def _course(people: People, steps: Sequence[datetime], zone: tzinfo) -> dict[str, JSON]:
    """Count how many came, left, and were there at most, in each step from the first to the last that has somebody."""
    visits = _visits(people)
    crowd = levels(visits)
    moments = [at for at, _ in crowd]
    since, most = max(crowd, key=itemgetter(1), default=(steps[0], 0))
    came, left = (Counter(bisect_right(steps, visit[end]) - 1 for visit in visits) for end in (0, 1))
    rows = []
    for number in range(min(came), max(left) + 1) if visits else ():
        before, until = bisect_right(moments, steps[number]) - 1, bisect_left(moments, steps[number + 1])
        at_once = max(level for _, level in crowd[max(before, 0) : until])
        row = {"from": steps[number].astimezone(zone).isoformat(), "came": came[number], "left": left[number]}
        rows.append({**row, "mostAtOnce": at_once})
    return {
        "people": len(people),
        "visits": len(visits),
        "timesUnknown": sum(not visit.timed for each in people.values() for visit in each),
        "firstCame": moments[0].astimezone(zone).isoformat() if visits else None,
        "lastLeft": moments[-1].astimezone(zone).isoformat() if visits else None,
        "mostAtOnce": most,
        "mostAt": since.astimezone(zone).isoformat() if most else None,
        "steps": rows,
    }
