"""The report of an event: its registrations and recordings in numbers, with the proof of what they rest on.

It is one JSON document; `report_page` makes a page of it. Nobody is named but in `people`, where that is asked for.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import chain, repeat
from typing import IO, NamedTuple
from zoneinfo import ZoneInfo

from roomctl.contract.outcome import differing
from roomctl.contract.records import SPELLED, called, folded, truth
from roomctl.errors import BadInput
from roomctl.events.report_answers import Answers
from roomctl.events.report_lists import Listing, Page, Served
from roomctl.events.report_presence import presence, recordings
from roomctl.exports.attendance import LABEL, Attendance, attendance_of
from roomctl.exports.cells import now, written
from roomctl.exports.jsonrows import decode, lines
from roomctl.exports.stats import COLUMNS, Statistics, quantile
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered
from roomctl.text.times import moment

STAYS = (5, 15, 30, 60, 120, 240)
"""The limits, in minutes, between which stays are counted."""
FROM_EXPORT = "the report was made from an export, without the service's recordings"
DRIFTED = "the list of registrations was read to its end, but it changed while it was being read"
UNDER_WAY = "the event had not ended when this report was made, so its numbers are not final"
NO_EVENT = "only the id of the event is known, because nobody has registered"

_OF_EVENT = {"name": "name", "startDateTime": "start", "endDateTime": "end"}


class Recorded(NamedTuple):
    """My room sets and recordings as listed; why these may not be all; the id of the room set that was named."""

    sets: Sequence[JSON]
    recordings: Sequence[JSON]
    doubts: Sequence[str] = ()
    room_set: str | None = None


class Zone(NamedTuple):
    zone: tzinfo
    said_by: str


class Report:
    """A report: its document but for `people`, and these, which may be many, from the file where they are kept."""

    def __init__(self, document: dict[str, JSON], zone: Zone, people: IO[bytes] | None) -> None:
        self.document = document
        self.zone = zone
        self._people = people

    @property
    def named(self) -> bool:
        return self._people is not None

    def people(self) -> Iterator[dict[str, JSON]]:
        if self._people is not None:
            self._people.seek(0)
            yield from map(decode, self._people)


def compose(
    listed: Listing,
    recorded: Recorded | None,
    *,
    zone: Zone | None = None,
    people: IO[bytes] | None = None,
    clock: Callable[[], datetime] = now,
) -> Report:
    """Read the registrations once and reckon the report; `recorded` None: without recordings.

    `zone` None: that of the event's own user, else UTC. Who registered goes into the file `people`, where one is given.
    """
    pages = listed.pages()
    first = next(pages, None)
    used = zone or zone_of(listed.event)
    notes: list[str] = []
    at, ended = clock(), moment(listed.event.get("endDateTime"))
    attendance, missing, doubts = _attendance(listed.event if first else None, recorded, notes.append)
    tally = _Tally(attendance, people)
    counts = Statistics(used.zone)
    for page in chain([first] if first else [], pages):
        counts.add(*(page.columns[name] for name in COLUMNS))
        tally.add(page, listed.event)
    event = listed.event
    notes += [DRIFTED] if listed.drifted else []
    notes += [SPELLED.format("confirmed")] if counts.spelled and isinstance(listed, Served) else []
    notes += counts.notes()
    notes += [UNDER_WAY] if ended and ended > at else []
    notes += filter(None, [attendance.remark] if attendance else [])
    told = {name: event.get(name) for name in ("socialEventId", "name", "startDateTime", "endDateTime")}
    doubts = [*listed.doubts, *tally.doubts(), *doubts]
    registrations = counts.told()
    sources = registrations["bySource"]
    questions, personal = tally.answers.told([each["source"] for each in sources if each["source"]])
    registrations["bySource"] = [each for each in sources if each["source"] not in personal]
    there = attendance and tally.attended()
    if attendance and there and attendance.strangers:
        there |= {"neverSeen": 0, "notShown": there["neverSeen"] + there["notShown"]}
        doubts += [f"attendance is not fully known: {attendance.doubt}"] if not attendance.gaps else []
    elif attendance and there and there["notShown"] and not attendance.gaps:
        doubts += [f"undecided registrations: {there['notShown']}"]
    document = {
        "report": 1,
        "made": written(at),
        "ended": None if ended is None else ended <= at,
        "complete": not doubts,
        "doubts": doubts,
        "event": told,
        "zone": {"name": str(used.zone), "saidBy": used.said_by},
        "registrations": registrations,
        "otherSources": sum(each["registrations"] for each in sources if each["source"] in personal),
        "attendance": there,
        "presence": attendance and presence(attendance, used.zone),
        "recordings": attendance and recordings(attendance, used.zone),
        "withoutRecordings": missing,
        "questions": questions,
        "notes": [*notes, *tally.notes()],
        "proof": {"complete": not listed.doubts, **listed.proof()},
    }
    return Report(document, used, people)


def zone_of(event: Mapping[str, JSON]) -> Zone:
    """Give the zone of the event's own user, where it shows one that exists; else UTC."""
    user = event.get("user")
    name = user.get("timeZone") if type(user) is dict else None
    try:
        return Zone(ZoneInfo(name), "event") if type(name) is str and name else Zone(UTC, "default")
    except (OSError, ValueError, KeyError):
        return Zone(UTC, "default")


def _attendance(
    event: Mapping[str, JSON] | None, recorded: Recorded | None, note: Note
) -> tuple[Attendance | None, str, list[str]]:
    if recorded is None:
        return None, FROM_EXPORT, []
    if recorded.room_set:
        event = event or {}
        if (own := folded(event.get("socialRoomSetId"))) not in ("", folded(recorded.room_set)):
            raise BadInput(
                f"the registrations name the room set {own}, not {recorded.room_set}", hint="leave out `--room-set`"
            )
        event = {**event, "socialRoomSetId": recorded.room_set}
    if event is None:
        return None, NO_EVENT, []
    try:
        attendance = attendance_of(event, recorded.sets, recorded.recordings, note)
        if not (moment(event.get("startDateTime")) and moment(event.get("endDateTime"))):
            note("the start and end of the event are not both shown, so recordings of any time count")
    except BadInput as unbound:
        return None, unbound.message, []
    doubts = [f"attendance is not fully known: {attendance.doubt}"] if attendance.gaps else []
    return attendance, "", [*recorded.doubts, *doubts]


class _Tally:
    """What is counted of each registration beside `Statistics`: its answers, and whether who registered was there."""

    def __init__(self, attendance: Attendance | None, people: IO[bytes] | None) -> None:
        self.answers = Answers()
        self._attendance = attendance
        self._people = people
        self._seen: Counter[bool | None] = Counter()
        self._minutes: Counter[float | None] = Counter()
        self._unlike: dict[str, None] = {}  # the names of what registrations show differently of the event

    def add(self, page: Page, event: Mapping[str, JSON]) -> None:
        self.answers.add(page)
        own = {name: value for name in _OF_EVENT if (value := event.get(name)) is not None}
        events = {id(each): each for each in page.columns["event"] if type(each) is dict}.values()
        unlike = (each for each in events if any(each.get(name) != value for name, value in own.items()))
        self._unlike.update(dict.fromkeys(chain.from_iterable(differing(each, own) for each in unlike)))
        columns, attendance, there = page.columns, self._attendance, []
        if attendance:
            users = (columns[name] for name in ("user.userId", "user.emailAddress", "event"))
            there = [*attendance.of_people(*users)]
            self._seen.update([each["seen"] for each in there])
            self._minutes.update([each["minutesSeen"] for each in there])
        if self._people is not None:
            rows = (dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True))
            people = map(_person, rows, there or repeat({}))
            self._people.write(lines([*people]))

    def attended(self) -> dict[str, JSON]:
        minutes = sorted((each, number) for each, number in self._minutes.items() if each is not None)
        known = sum(number for _, number in minutes)
        limits = [*zip((0, *STAYS), (*STAYS, None), strict=True)]
        stays = [
            sum(number for each, number in minutes if least <= each and (limit is None or each < limit))
            for least, limit in limits
        ]
        return {
            "label": LABEL,
            "seen": self._seen[True],
            "neverSeen": self._seen[False],
            "notShown": self._seen[None],
            "meanMinutes": round(sum(each * number for each, number in minutes) / known, 1) if known else None,
            "medianMinutes": quantile(minutes, 0.5),
            "timesUnknown": self._seen[True] - known,
            "stays": [
                {"fromMinutes": least, "toMinutes": limit, "registrations": number}
                for (least, limit), number in zip(limits, stays, strict=True)
            ],
        }

    def doubts(self) -> list[str]:
        unlike = ", ".join(_OF_EVENT[name] for name in self._unlike)
        return [f"registrations disagree about the event's {unlike}"] if unlike else []

    def notes(self) -> Iterator[str]:
        if self.answers.unreadable:
            yield f"the answers of {numbered(self.answers.unreadable, 'registrations')} cannot be read"
        if self.answers.uncounted:
            yield f"not counted: {numbered(self.answers.uncounted, 'answers')} to further questions"


def _person(row: Mapping[str, JSON], there: Mapping[str, JSON]) -> dict[str, JSON]:
    return {
        "name": called({name: row[f"user.{name}"] for name in ("name", "firstName", "middleName", "lastName")}) or None,
        **{name: row[f"user.{name}"] for name in ("emailAddress", "mobilePhone")},
        "registeredDateTime": row["registeredDateTime"],
        "confirmed": truth(row["confirmed"]),
        **there,
    }
