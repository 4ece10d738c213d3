"""The report of an event: its registrations and recordings in numbers, with the proof of what they rest on.

It is one JSON document; `report_page` makes a page of it. Nobody is named but in `people`, where that is asked for.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from statistics import mean, median_low
from typing import NamedTuple
from zoneinfo import ZoneInfo

from roomctl.contract.records import called, folded, truth
from roomctl.errors import BadInput
from roomctl.events.report_answers import questions
from roomctl.events.report_lists import Listing
from roomctl.events.report_presence import presence, recordings
from roomctl.exports.attendance import LABEL, Attendance, attendance_of
from roomctl.exports.cells import written
from roomctl.exports.stats import statistics
from roomctl.text import JSON, Note
from roomctl.text.times import moment

STAYS = (5, 15, 30, 60, 120, 240)
"""The limits, in minutes, between which stays are counted."""
FROM_EXPORT = "the report was made from an export, without the service's recordings"
UNDER_WAY = "the event had not ended when this report was made, so its numbers are not final"
NO_EVENT = "only the id of the event is known, because nobody has registered"


class Recorded(NamedTuple):
    """My room sets and recordings as listed; why these may not be all; the id of the room set that was named."""

    sets: Sequence[JSON]
    recordings: Sequence[JSON]
    doubts: Sequence[str] = ()
    room_set: str | None = None


class Zone(NamedTuple):
    zone: tzinfo
    said_by: str


class Report(NamedTuple):
    document: dict[str, JSON]
    zone: Zone


def compose(
    listed: Listing, recorded: Recorded | None, *, at: datetime, zone: Zone | None = None, with_people: bool = False
) -> Report:
    """Reckon the report; `recorded` None: without recordings. `zone` None: that of the event's own user, else UTC."""
    event = listed.event
    zone = zone or zone_of(event)
    notes, doubts = [*listed.notes], [*listed.doubts]
    counts = statistics(listed.rows, zone.zone, notes.append)
    if (ended := moment(event.get("endDateTime"))) and ended > at:
        notes.append(UNDER_WAY)
    attendance, missing = None, FROM_EXPORT
    if recorded is not None:
        attendance, missing = _attendance(listed, recorded, notes.append)
    there = [attendance.of(row) for row in listed.rows] if attendance else []
    seen = _attended(there, attendance) if attendance else None
    if attendance and seen and recorded:
        doubts += recorded.doubts
        if attendance.doubt:
            doubts.append(f"attendance is not fully known: {attendance.doubt}")
        elif seen["notShown"]:
            doubts.append(f"undecided registrations: {seen['notShown']}")
        notes += [attendance.remark] if attendance.remark else []
    document = {
        "report": 1,
        "made": written(at),
        "ended": None if ended is None else ended <= at,
        "complete": not doubts,
        "doubts": doubts,
        "event": {name: event.get(name) for name in ("socialEventId", "name", "startDateTime", "endDateTime")},
        "zone": {"name": str(zone.zone), "saidBy": zone.said_by},
        "registrations": counts,
        "attendance": seen,
        "presence": attendance and presence(attendance, zone.zone),
        "recordings": attendance and recordings(attendance, zone.zone),
        "withoutRecordings": missing,
        "questions": questions(listed.rows, notes.append),
        "notes": notes,
        "proof": {"complete": not listed.doubts, "rows": len(listed.rows), **listed.proof},
    }
    if with_people:
        rows = zip(listed.rows, there or [{}] * len(listed.rows), strict=True)
        document["people"] = [_person(row, seen) for row, seen in rows]
    return Report(document, zone)


def zone_of(event: Mapping[str, JSON]) -> Zone:
    """Give the zone of the event's own user, where it shows one that exists; else UTC."""
    user = event.get("user")
    name = user.get("timeZone") if type(user) is dict else None
    try:
        return Zone(ZoneInfo(name), "event") if type(name) is str and name else Zone(UTC, "default")
    except (OSError, ValueError, KeyError):
        return Zone(UTC, "default")


def _attendance(listed: Listing, recorded: Recorded, note: Note) -> tuple[Attendance | None, str]:
    """Give who was there, or why that is not known. Raises BadInput for another room set than the event's own."""
    event, chosen = listed.event, folded(recorded.room_set)
    if not (listed.rows or chosen):
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


def _attended(there: Sequence[Mapping[str, JSON]], attendance: Attendance) -> dict[str, JSON]:
    """Count who was seen and how long they stayed; where recordings know nobody who registered, nobody is absent."""
    seen = Counter(each["seen"] for each in there)
    absent, unclear = (0, seen[False]) if attendance.strangers else (seen[False], 0)
    minutes = sorted(each["minutesSeen"] for each in there if each["minutesSeen"] is not None)
    stays = Counter(bisect_right(STAYS, each) for each in minutes)
    limits = zip((0, *STAYS), (*STAYS, None), strict=True)
    return {
        "label": LABEL,
        "seen": seen[True],
        "neverSeen": absent,
        "notShown": seen[None] + unclear,
        "meanMinutes": round(mean(minutes), 1) if minutes else None,
        "medianMinutes": median_low(minutes) if minutes else None,
        "timesUnknown": seen[True] - len(minutes),
        "stays": [
            {"fromMinutes": least, "toMinutes": limit, "registrations": stays[place]}
            for place, (least, limit) in enumerate(limits)
        ],
    }


def _person(row: Mapping[str, JSON], there: Mapping[str, JSON]) -> dict[str, JSON]:
    user = each if type(each := row.get("user")) is dict else {}
    return {
        "name": called(user) or None,
        **{name: user.get(name) for name in ("emailAddress", "mobilePhone")},
        "registeredDateTime": row.get("registeredDateTime"),
        "confirmed": truth(row.get("confirmed")),
        **there,
    }
