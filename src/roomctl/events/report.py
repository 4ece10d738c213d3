"""The report of an event: its registrations and recordings in numbers, with the proof of what they rest on.

It is one JSON document; `report_page` makes a page of it. Nobody is named but in `people`, where that is asked for.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import chain, islice, repeat
from typing import NamedTuple
from zoneinfo import ZoneInfo

from roomctl.contract.evidence import MARKED, invalid
from roomctl.contract.records import called, folded, truth
from roomctl.errors import BadInput
from roomctl.events.report_answers import Answers
from roomctl.events.report_lists import Listing
from roomctl.events.report_presence import presence, recordings
from roomctl.exports.attendance import LABEL, Attendance, attendance_of
from roomctl.exports.cells import written
from roomctl.exports.stats import Statistics, quantile
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
    counts, answers, there = Statistics(zone.zone), Answers(), Attended()
    people = list[dict[str, JSON]]()
    for page in chain(first, pages):
        counts.add(page)
        answers.add(page)
        seen = attendance.of_all(page.users()) if attendance else []
        there.add(seen)
        if with_people:
            people += map(_person, page.rows(), seen or repeat({}))
    ended = moment(event.get("endDateTime"))
    attended = there.result(strangers=attendance.strangers) if attendance else None
    doubts = [
        *listed.doubts,
        *counts.doubts,
        *(_doubts(attendance, recorded, attended) if attendance and recorded and attended else []),
    ]
    if why := invalid(event, "Event"):
        notes.append(f"{MARKED} the event (`{why}`)")
    notes += [*counts.notes, *([UNDER_WAY] if ended and ended > at else []), *answers.notes]
    notes += [attendance.remark] if attendance and attendance.remark else []
    document = {
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
        document["people"] = people
    return Report(document, zone)


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
    undecided = [f"undecided registrations: {attended['notShown']}"] if attended["notShown"] else []
    return [*recorded.doubts, *undecided]


class Attended:
    """Counts who was seen and how long they stayed."""

    def __init__(self) -> None:
        self._seen = Counter[bool | None]()
        self._minutes = Counter[float]()

    def add(self, people: Sequence[Mapping[str, JSON]]) -> None:
        self._seen.update([each["seen"] for each in people])
        self._minutes.update([each["minutesSeen"] for each in people if each["minutesSeen"] is not None])

    def result(self, *, strangers: bool) -> dict[str, JSON]:
        """Give the numbers; where the recordings know nobody who registered (`strangers`), nobody is absent."""
        seen, minutes = self._seen, sorted(self._minutes.items())
        absent, unclear = (0, seen[False]) if strangers else (seen[False], 0)
        timed, total = self._minutes.total(), sum(each * number for each, number in minutes)
        stays = Counter[int]()
        for each, number in minutes:
            stays[bisect_right(STAYS, each)] += number
        limits = zip((0, *STAYS), (*STAYS, None), strict=True)
        return {
            "label": LABEL,
            "seen": seen[True],
            "neverSeen": absent,
            "notShown": seen[None] + unclear,
            "meanMinutes": round(total / timed, 1) if timed else None,
            "medianMinutes": quantile(minutes, 0.5),
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
