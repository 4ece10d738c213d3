"""Who was there, from recordings."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST, Operation
from roomctl.errors import BadInput, Partial, Temporary
from roomctl.events.report import Recorded, compose
from roomctl.events.report_lists import Served
from roomctl.exports import manifest
from roomctl.exports.attendance import Attendance, enrichment, sets_and_recordings
from roomctl.text.times import moment
from tests.conftest import Cases
from tests.exports.paged import PagedService, clock, exported, fails, identifier, registration

EVENT = identifier(999_999)
SET = identifier(777)
ROOMS = [{"socialId": identifier(1), "name": "Hall"}, {"socialId": identifier(2), "name": "Bar"}]
SETS = [{"socialRoomSetId": identifier(776), "socials": []}, {"socialRoomSetId": SET, "socials": ROOMS}]


def at(clock: str) -> str:
    return f"2026-12-01T{clock}:00Z"


def person(number: int, start: str | None, end: str | None, **fields: Any) -> dict[str, Any]:
    """Give a participant; the event is from 12:00 to 14:00."""
    times = {"startDateTime": start and at(start), "endDateTime": end and at(end)}
    return {"userId": identifier(number + 500_000), **times, **fields}


def recording(room: int, *participants: Any, start: str = "11:50", end: str | None = "14:10") -> dict[str, Any]:
    shown = {"socialRecordingId": identifier(room), "socialId": identifier(room), "status": "COMPLETE"}
    times = {"startDateTime": at(start), "endDateTime": end and at(end)}
    return {**shown, **times, "participants": list(participants)}


class World:
    """Serves operations 18, 3 and 13."""

    def __init__(self, registrations: Sequence[Any], recordings: Sequence[Any], sets: Sequence[Any] = SETS) -> None:
        lists = ((REGISTRATION_LIST, registrations), (ROOMSET_LIST, sets), (RECORDING_LIST, recordings))
        self.services = {operation.name: PagedService(rows) for operation, rows in lists}

    def page(self, operation: Operation, **asked: Any) -> list[Any]:
        return self.services[operation.name].page(operation, **asked)


def registered(number: int, **event: Any) -> dict[str, Any]:
    row = registration(number)
    row["event"].update({"socialRoomSetId": SET, **event})
    return row


def attendance(*recordings: Any, rooms: Mapping[str, str] | None = None, window: bool = True) -> Attendance:
    start, end = moment(at("12:00")), moment(at("14:00"))
    assert start and end
    rooms = rooms or {identifier(1): "Hall", identifier(2): "Bar"}
    return Attendance(recordings, rooms, (start, end) if window else None)


KEY, ADDRESS = "abcdef00-0000-4000-8000-000000000000", "ad\u00e1@example.org"
SPELLED = (str.upper, "{{{}}}".format, "urn:uuid:{}".format, lambda key: key.replace("-", ""))
NAMED = [({"userId": spell(KEY)}, {"userId": KEY}) for spell in SPELLED]


@pytest.mark.parametrize(
    ("seen", "user"), [*NAMED, ({"user": {"emailAddress": " Ada\u0301@example.org "}}, {"emailAddress": ADDRESS})]
)
def test_r48_who_was_there_is_known_however_the_id_or_address_is_written(seen: Any, user: Any) -> None:
    there = {**person(0, "12:00", "13:00"), "userId": None, **seen}
    found = Attendance([recording(1, there)], None, None).of({"user": user})
    assert (found["seen"], found["minutesSeen"]) == (True, 60.0)


def test_without_a_window_any_time_counts_and_a_share_cannot_be_told() -> None:
    there = attendance(recording(1, person(0, "20:00", "20:30"), start="20:00", end="21:00"), window=False)
    assert there.of(registered(0))["minutesSeen"] == 30
    with pytest.raises(BadInput, match="the event has no start and end"):
        there.stayed(registered(0), 0.5)


@pytest.mark.parametrize(
    "times", [(None, None), ("2026-12-01T12:00:00", "2026-12-01T14:00:00"), (at("14:00"), at("12:00"))]
)
def test_nobody_is_absent_from_an_event_whose_times_are_not_shown(times: Sequence[str | None], tmp_path: Path) -> None:
    shown = dict(zip(("startDateTime", "endDateTime"), times, strict=True))
    service = World([registered(number, **shown) for number in range(2)], [WHOLE])
    with pytest.raises(
        Partial, match="the event's start and end, which are not shown; for 1 registration it is uncertain"
    ):
        exported(service, tmp_path / "a.ndjson", enrich=enrichment(service, EVENT, absent=True))


def test_who_was_not_seen_stayed_for_no_share_of_the_event_not_even_for_none() -> None:
    there = attendance(recording(1, person(1, "12:00", "13:00")))
    assert [there.stayed(registered(number), 0.0) for number in (1, 2)] == [True, False]


def test_rows_that_are_no_objects_stay_flagged(tmp_path: Path) -> None:
    world = World([registered(0)], [recording(1)])
    added = enrichment(world, EVENT)
    world.services[REGISTRATION_LIST.name].rows.append("odd")
    fails(Exception, "invalid rows left out .*: 1 of 2", world, tmp_path / "r.ndjson", enrich=added)


PERSON = person(0, "12:00", "13:00")
WHOLE = recording(1, PERSON)
NAMELESS = {"startDateTime": at("12:00"), "endDateTime": at("12:30")}
BY_ADDRESS: dict[str, Any] = {**NAMELESS, "user": {"emailAddress": "j9@example.org"}}


def other(**shown: Any) -> dict[str, Any]:
    """A recording of the other room."""
    return {**recording(2), **shown}


def of_set(*rooms: Any, **shown: Any) -> list[dict[str, Any]]:
    return [{"socialRoomSetId": SET, "socials": list(rooms), **shown}]


NOT_COMPLETE = "recordings that are not COMPLETE, or failed"
HIDDEN = "recordings that do not show their room, or who was there"
SECOND = f"{NOT_COMPLETE}: {identifier(2)}"
SHARED = "several registrations share the id or address of a participant, and only the first of them counts as seen"
UNDECIDED = "for 1 registration it is uncertain whether the person was there"
SET_HIDDEN = "rooms of the event's set that are not shown"
NOT_YOURS = "rooms of the event, whose room set is not among yours"
NOTHING, IN_PART = "the event has no recording", "rooms recorded only in part"
GAPS: dict[str, tuple[Any, ...]] = {
    "processing, nobody yet": (SECOND, [WHOLE, other(status="PROCESSING")]),
    "processing, without an end": (
        f"{NOT_COMPLETE}: {identifier(1)}",
        [{**recording(1, person(0, "12:00", None), end="12:01"), "status": "PROCESSING"}],
    ),
    "failed": (SECOND, [WHOLE, other(status="FAILED")]),
    "no status": (SECOND, [WHOLE, other(status=None)]),
    "seven": (
        f"{NOT_COMPLETE}: {', '.join([identifier(2)] * 5)} and 2 more",
        [WHOLE, *(other(status="FAILED", recordingId=str(n)) for n in range(7))],
    ),
    "no room": (HIDDEN, [WHOLE, other(socialId=None)]),
    "no people": (HIDDEN, [WHOLE, other(participants=None)]),
    "people are an object": (HIDDEN, [WHOLE, other(participants={})]),
    "says that it shows some": (HIDDEN, [WHOLE, other(participantCount=50)]),
    "says that it is partial": (HIDDEN, [WHOLE, other(partial=True)]),
    "a set that is partial": (SET_HIDDEN, [WHOLE], of_set(*ROOMS, truncated=True)),
    "one is null": (HIDDEN, [WHOLE, recording(2, None)]),
    "one without a name": (HIDDEN, [WHOLE, recording(2, NAMELESS)]),
    "one whose address is masked": (HIDDEN, [WHOLE, recording(2, {**NAMELESS, "user": {"emailAddress": "***@a.org"}})]),
    "one with an error": (HIDDEN, [WHOLE, recording(2, person(9, "12:00", "13:00", error="not loaded"))]),
    "a recording with an error": (NOT_COMPLETE, [WHOLE, other(error="not loaded")]),
    "no recording shows anybody": ("no recording shows any participant", [recording(1), recording(2)]),
    "a room that had attendees": (
        f"{HIDDEN}: Bar",
        [WHOLE, recording(2)],
        of_set(ROOMS[0], {**ROOMS[1], "socialMeta": {"numberOfAttendees": 3}}),
    ),
    "a recording that was deleted": (NOT_COMPLETE, [WHOLE, other(deleted=True)]),
    "rooms with errors": (SET_HIDDEN, [WHOLE], of_set({**ROOMS[0], "error": "stale"}, ROOMS[1])),
    "a null row": (HIDDEN, [WHOLE, None]),
    "an error": (NOT_COMPLETE, [WHOLE, {"error": "unreadable"}]),
    "nothing recorded": (NOTHING, []),
    "recorded at another time": (NOTHING, [recording(1, start="09:00", end="10:00")]),
    "recorded in part": (
        f"{IN_PART}: Hall has no recording from {at('12:40')} to {at('12:46')}, "
        f"Bar has no recording from {at('12:00')} to {at('12:30')}, "
        f"Bar has no recording from {at('13:00')} to {at('14:00')}",
        [
            recording(1, PERSON, start="12:05", end="12:40"),
            recording(2, start="12:30", end="13:00"),
            {**recording(1, start="12:46", end="13:55"), "socialRecordingId": identifier(3)},
        ],
    ),
    "recorded without an end": (
        f"{IN_PART}: Hall has no recording from {at('12:00')} to {at('14:00')}",
        [recording(1, PERSON, end=None)],
    ),
    "a starting point that is not shown": (SET_HIDDEN, [WHOLE], of_set(*ROOMS, startingPointSocialId=identifier(9))),
    "a set without rooms": (SET_HIDDEN, [WHOLE], [{"socialRoomSetId": SET}]),
    "a room without an id": (SET_HIDDEN, [WHOLE], of_set(*ROOMS, {"name": "Attic"})),
    "a recording twice": (
        "recordings that were received twice, with different values",
        [WHOLE, {**WHOLE, "endDateTime": at("14:05")}],
    ),
    "a set twice": (SET_HIDDEN, [WHOLE], [SETS[1], *of_set()]),
    "a null set": (NOT_YOURS, [WHOLE], [None]),
    "a set of others": (NOT_YOURS, [WHOLE], SETS[:1]),
    "a stay that ends before it starts": (UNDECIDED, [recording(1, PERSON, person(1, "13:00", "12:00"))]),
    "a stay of another day": (
        UNDECIDED, [recording(1, PERSON, person(1, None, None, endDateTime="2026-11-20T13:00:00Z"))],
    ),
    "one who was only invited": (
        UNDECIDED, [recording(1, PERSON, person(1, None, None, status="INVITED", didAttend=False))],
    ),
    "known by another kind of name": (UNDECIDED, [WHOLE, recording(2, BY_ADDRESS)]),
}  # fmt: skip
"""What of the recordings, and of the sets, leaves a doubt, and which."""


@pytest.mark.parametrize("gap", GAPS)
def test_who_is_not_shown_is_not_called_absent(gap: str, tmp_path: Path) -> None:
    doubt, recordings, *sets = GAPS[gap]
    unseen = registered(1)
    unseen["user"]["emailAddress"] = None
    service = World([registered(0), unseen], recordings, *sets)
    asked: dict[str, tuple[dict[str, Any], list[int]]]
    asked = {"all": ({}, [0, 1]), "absent": ({"absent": True}, []), "stayed": ({"stayed": 0.6}, [])}
    for name, (options, ids) in asked.items():
        to = tmp_path / f"{name}.ndjson"
        raised = fails(Partial, None, service, to, enrich=enrichment(service, EVENT, **options))
        facts, rows = manifest.read(manifest.path_of(to)), [json.loads(line) for line in to.read_bytes().splitlines()]
        assert raised.message.startswith(f"attendance may be incomplete: {doubt}")
        assert (facts.complete, [row["registrationId"] for row in rows]) == (False, [identifier(n) for n in ids])
        assert name != "all" or rows[1]["seen"] is None
    (sets, _), (recordings, _) = sets_and_recordings(service, 500, print)
    listed = Served(service, EVENT, size=500, host="", at=clock())
    report = compose(listed, Recorded(sets, recordings), at=clock())
    assert any(doubt in each for each in report["doubts"])


def test_an_address_that_several_registered_with_tells_nobody_of_them(tmp_path: Path) -> None:
    rows = [{**row, "user": {**row["user"], **BY_ADDRESS["user"]}} for row in map(registered, range(3))]
    bare = [{**row, "user": BY_ADDRESS["user"]} for row in rows]
    three = [{**BY_ADDRESS, **person(number, "12:00", "13:00")} for number in range(3)]
    for mine, people in ((rows, [BY_ADDRESS]), (bare, [BY_ADDRESS]), (rows, [{**BY_ADDRESS, **PERSON}]), (rows, three)):
        shown = [True, True, True] if people is three else [True, None, None]
        enrich = enrichment(World(mine, [recording(1, *people), recording(2)]), EVENT)
        assert [(row or {})["seen"] for row, _ in map(enrich.apply, mine)] == shown
        assert enrich.attendance.doubt == SHARED * (None in shown)


@pytest.mark.parametrize("order", [1, -1])
def test_a_participant_with_the_id_of_one_and_the_address_of_another_counts_for_the_first_of_them(order: int) -> None:
    rows = [registered(number) for number in range(2)][::order]
    there = {**PERSON, "user": {"emailAddress": registered(1)["user"]["emailAddress"]}}
    enrich = enrichment(World(rows, [recording(1, there), recording(2)]), EVENT)
    shown = [(row or {})["seen"] for row, _ in map(enrich.apply, rows)]
    assert (shown, enrich.attendance.doubt) == ([True, None], SHARED)


def test_a_resumed_export_knows_who_registered_first_with_a_name(tmp_path: Path) -> None:
    world = World([registered(0), {**registered(0), "registrationId": identifier(9)}], [recording(1, PERSON)], SETS)
    for fault, kind in ((1, Temporary), (None, Partial)):
        world.services[REGISTRATION_LIST.name].fails_at = fault
        raised = fails(kind, None, world, tmp_path / "a.csv", size=1, enrich=enrichment(world, EVENT))
    assert (SHARED in raised.message, raised.details["rows"]) == (True, 2)


def test_where_recordings_show_nobody_who_registered_it_is_not_known_who_was_absent(tmp_path: Path) -> None:
    service = World([registered(0)], [recording(1, person(7, "12:00", "13:00")), recording(2)])
    enrich = enrichment(service, EVENT, absent=True)
    raised = fails(Partial, None, service, tmp_path / "a.csv", enrich=enrich)
    assert "nobody in the recordings has the id or address of anyone who registered" in raised.message


def test_a_participant_of_an_id_of_nobody_s_and_without_an_address_may_be_who_is_called_absent(tmp_path: Path) -> None:
    guest = person(7, "12:00", "13:00", user={"name": "Guest"})
    service = World([registered(0), registered(1)], [recording(1, PERSON, guest), recording(2)], SETS)
    raised = fails(Partial, None, service, tmp_path / "a.csv", enrich=enrichment(service, EVENT, absent=True))
    assert "people in the recordings without an address, who may be anyone who registered: 1" in raised.message
    known = {**guest, "user": {"emailAddress": "crew@example.org"}}
    service = World([registered(0), registered(1)], [recording(1, PERSON, known), recording(2, guest)], SETS)
    assert exported(service, tmp_path / "b.csv", enrich=enrichment(service, EVENT, absent=True)).complete


def test_a_stay_lies_within_its_recording_or_may_not_have_been(cases: Cases) -> None:
    def says(came: str, left: str | None) -> str:
        found = attendance(recording(1, person(0, came, left), start="12:05", end="13:55")).of(registered(0))
        first, last, minutes = (found[name] for name in ("firstSeen", "lastSeen", "minutesSeen"))
        assert (found["seen"], bool(last)) == (bool(first) or None, bool(first))
        length = f"{str(minutes).removesuffix('.0')} minutes"
        return f"{first[11:16]} to {last[11:16]}, {length}" if first else "not known whether"

    cases("stays.txt", says)


@pytest.mark.parametrize(
    "other", [{"socialRoomSetId": identifier(776)}, {"startDateTime": at("09:00")}, {"endDateTime": at("19:00")}]
)
def test_who_registered_for_another_set_or_times_is_neither_absent_nor_stayed(other: Any, tmp_path: Path) -> None:
    same = {"socialRoomSetId": SET.upper(), "startDateTime": "2026-12-01T13:00:00+01:00"}
    rows = [registered(0), registered(1, **other), registered(2, **same), registered(3, **other)]
    world = World(rows, [recording(1, person(0, "12:00", "14:00"), person(3, "12:00", "14:00"))])
    for options, ids in (({"absent": True}, [2]), ({"stayed": 0.5}, [0])):
        added = enrichment(world, EVENT, **options)
        fails(Partial, "it is uncertain whether", world, tmp_path / "r.ndjson", enrich=added, force=True)
        kept = [json.loads(line)["registrationId"] for line in (tmp_path / "r.ndjson").read_bytes().splitlines()]
        assert kept == [identifier(number) for number in ids]


def test_a_recording_that_comes_twice_shows_the_people_of_both() -> None:
    twice = [WHOLE, recording(1, person(1, "12:00", "13:00"))]
    world = World([registered(number) for number in range(3)], [*twice, WHOLE], [SETS[1], *of_set()])
    added = enrichment(world, EVENT)
    rows = [added.apply(registered(number))[0] for number in range(3)]
    assert [row and row["seen"] for row in rows] == [True, True, None]


def test_recordings_of_another_time_or_room_may_lack_what_they_like(tmp_path: Path) -> None:
    others = [
        {**recording(1, start="08:00", end="09:00"), "socialRecordingId": identifier(4), "participants": None},
        {**recording(1, start="15:00", end=None), "socialRecordingId": identifier(5), "status": "PROCESSING"},
        {**recording(3), "status": "FAILED"},
        recording(3, person(1, "08:00", "08:30"), start="08:00", end="09:00"),
    ]
    notes: list[str] = []
    whole = recording(1, PERSON, person(1, "11:50", "11:55"))
    world = World([registered(0), registered(1)], [whole, *others])
    added = enrichment(world, EVENT, absent=True, note=notes.append)
    assert exported(world, tmp_path / "absent.csv", enrich=added).rows == 1
    assert notes == ["no recording of Bar: people there are not counted"]


def test_an_interrupted_export_remembers_who_is_undecided(tmp_path: Path) -> None:
    world = World([registered(number) for number in range(20)], [{**WHOLE, "status": "FAILED"}])
    added = enrichment(world, EVENT, absent=True)
    world.services[REGISTRATION_LIST.name].fails_at = 1
    fails(Temporary, None, world, tmp_path / "a.csv", enrich=added)
    world.services[REGISTRATION_LIST.name].fails_at = None
    fails(Partial, "for 19 registrations it is uncertain", world, tmp_path / "a.csv", enrich=added)


def test_the_event_is_the_one_asked_for_whatever_the_first_row_is(tmp_path: Path) -> None:
    other = registration(5, event={"socialEventId": identifier(8), "startDateTime": at("01:00")})
    world = World([other, registered(1, socialRoomSetId=None, startDateTime=None), registered(0)], [WHOLE])
    row, shown = enrichment(world, EVENT).apply(registered(0))
    assert (row and row["minutesSeen"], shown) == (60, True)
