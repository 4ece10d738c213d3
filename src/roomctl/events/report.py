"""The report of an event: its registrations and recordings in numbers, with the proof of what they rest on.

It is one JSON document; `report_page` makes a page of it. Nobody is named but in `people`, where that is asked for.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import chain, islice, repeat
from operator import itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from roomctl.contract.evidence import MARKED, invalid
from roomctl.contract.records import called, folded, truth
from roomctl.errors import BadInput
from roomctl.events.report_answers import Answers
from roomctl.events.report_lists import Listing
from roomctl.exports.attendance import LABEL, Attendance, attendance_of
from roomctl.exports.cells import written
from roomctl.exports.manifest import unsure
from roomctl.exports.presences import Presence, merged
from roomctl.exports.stats import Statistics, quantile
from roomctl.text import JSON, Note
from roomctl.text.order import place
from roomctl.text.times import Span, levels, local, moment

STAYS = (5, 15, 30, 60, 120, 240)
"""The limits, in minutes, between which stays are counted."""
FROM_EXPORT = "the report was made from an export, without the service's recordings"
UNDER_WAY = "the event had not ended when this report was made, so its numbers are not final"
NO_EVENT = "only the id of the event is known, because nobody has registered"
People = Mapping[str, Sequence[Presence]]
Report = dict[str, JSON]
_MOST_STEPS = 46
_MINUTE = timedelta(minutes=1)
_LENGTHS = (5, 10, 15, 30, 60, 120, 180, 360, 720, 1440)


class Recorded(NamedTuple):
    """My room sets and recordings as listed; why these may not be all; the id of the room set that was named."""

    sets: Sequence[JSON]
    recordings: Sequence[JSON]
    doubts: Sequence[str] = ()
    room_set: str | None = None


class Zone(NamedTuple):
    zone: tzinfo
    said_by: str


def compose(
    listed: Listing, recorded: Recorded | None, *, at: datetime, zone: Zone | None = None, with_people: bool = False
) -> Report:
    """Read the registrations once and reckon the report; `recorded` None: without recordings.

    `zone` None: that of the event's own user, else UTC.
    """
    pages = listed.pages()
    first = [*islice(pages, 1)]
    event, zone = listed.event, zone or zone_of(listed.event)
    notes = list[str]()
    attendance, missing = None, FROM_EXPORT
    if recorded is not None:
        attendance, missing = _attendance(event, recorded, notes.append, nobody=not first)
    counts, answers = Statistics(zone.zone), Answers()
    seen, minutes = Counter[bool | None](), Counter[float | None]()
    people = list[dict[str, JSON]]()
    for page in chain(first, pages):
        counts.add(page)
        answers.add(page)
        there = attendance.of_all(page.users()) if attendance else []
        seen.update(each["seen"] for each in there)
        minutes.update(each["minutesSeen"] for each in there)
        if with_people:
            people += map(_person, page.rows(), there or repeat({}))
    ended = moment(event.get("endDateTime"))
    attended = _attended(seen, minutes, strangers=attendance.strangers) if attendance else None
    doubts = [
        *listed.doubts,
        *counts.doubts,
        *(_doubts(attendance, recorded, attended) if attendance and recorded and attended else []),
    ]
    if why := invalid(event, "Event"):
        notes.append(f"{MARKED} the event (`{why}`)")
    notes += [*counts.notes, *([UNDER_WAY] if ended and ended > at else []), *answers.notes]
    notes += [attendance.remark] if attendance and attendance.remark else []
    report: Report = {
        "report": 1,
        "made": written(at),
        "ended": None if ended is None else ended <= at,
        "complete": not doubts,
        "doubts": doubts,
        "event": {name: event.get(name) for name in ("socialEventId", "name", "startDateTime", "endDateTime")},
        "zone": {"name": str(zone.zone), "saidBy": zone.said_by},
        "registrations": counts.result(),
        "attendance": attended,
        "presence": attendance and presence(attendance, zone.zone),
        "recordings": attendance and recordings(attendance, zone.zone),
        "withoutRecordings": missing,
        "questions": answers.result(),
        "notes": notes,
        "proof": listed.proof,
    }
    if with_people:
        report["people"] = people
    return report


def zone_of(event: Mapping[str, JSON]) -> Zone:
    """Give the zone of the event's own user, where it shows one that exists; else UTC, also for an `unreadable` one."""
    user = event.get("user")
    name = user.get("timeZone") if type(user) is dict else None
    try:
        return Zone(ZoneInfo(name), "event") if type(name) is str and name else Zone(UTC, "default")
    except (OSError, ValueError, KeyError):
        return Zone(UTC, "unreadable")


def _attendance(
    event: dict[str, JSON], recorded: Recorded, note: Note, *, nobody: bool
) -> tuple[Attendance | None, str]:
    """Give who was there, or why that is not known. Raises BadInput for another room set than the event's own."""
    chosen = folded(recorded.room_set)
    if nobody and not chosen:
        return None, NO_EVENT
    if chosen:
        if (own := folded(event.get("socialRoomSetId"))) not in ("", chosen):
            raise BadInput(f"the registrations name the room set {own}, not {chosen}", hint="leave out `--room-set`")
        event = {**event, "socialRoomSetId": chosen}
    try:
        attendance = attendance_of(event, recorded.sets, recorded.recordings, note)
    except BadInput as unbound:
        return None, unbound.message
    if not (moment(event.get("startDateTime")) and moment(event.get("endDateTime"))):
        note("the start and end of the event are not both shown, so recordings of any time count")
    return attendance, ""


def _doubts(attendance: Attendance, recorded: Recorded, attended: Mapping[str, JSON]) -> list[str]:
    if attendance.doubt:
        return [*recorded.doubts, f"attendance is not {'fully ' * bool(attendance.recorded)}known: {attendance.doubt}"]
    undecided = [unsure(attended["notShown"])] if attended["notShown"] else []
    return [*recorded.doubts, *undecided]


def _attended(seen: Counter[bool | None], minutes: Counter[float | None], *, strangers: bool) -> dict[str, JSON]:
    """Say how many were seen, and how long they stayed.

    Where the recordings know nobody who registered (`strangers`), nobody is absent.
    """
    absent, unclear = (0, seen[False]) if strangers else (seen[False], 0)
    known = sorted((each, number) for each, number in minutes.items() if each is not None)
    timed, total = sum(number for _, number in known), sum(each * number for each, number in known)
    stays = Counter[int]()
    for each, number in known:
        stays[bisect_right(STAYS, each)] += number
    limits = zip((0, *STAYS), (*STAYS, None), strict=True)
    return {
        "label": LABEL,
        "seen": seen[True],
        "neverSeen": absent,
        "notShown": seen[None] + unclear,
        "meanMinutes": round(total / timed, 1) if timed else None,
        "medianMinutes": quantile(known, 0.5),
        "timesUnknown": seen[True] - timed,
        "stays": [
            {"fromMinutes": least, "toMinutes": limit, "registrations": stays[place]}
            for place, (least, limit) in enumerate(limits)
        ],
    }


def _person(row: Mapping[str, JSON], there: Mapping[str, JSON]) -> dict[str, JSON]:
    user = {name.removeprefix("user."): value for name, value in row.items()}
    return {
        "name": called(user) or None,
        **{name: user[name] for name in ("emailAddress", "mobilePhone", "registeredDateTime")},
        "confirmed": truth(user["confirmed"]),
        **there,
    }


# When people came and left, room by room, step by step through the time of the event


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
