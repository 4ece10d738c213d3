"""Who was there, from recordings."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.moments import moment
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST, Operation
from roomctl.errors import BadInput, Partial
from roomctl.exports import manifest
from roomctl.exports.attendance import LABEL, Attendance, Presence, binding, enrichment, merged
from tests.exports.paged import PagedService, exported, identifier, registration

EVENT = identifier(999_999)
SET = identifier(777)
ROOMS = [{"socialId": identifier(1), "name": "Hall"}, {"socialId": identifier(2), "name": "Bar"}]
SETS = [{"socialRoomSetId": identifier(776), "socials": []}, {"socialRoomSetId": SET, "socials": ROOMS}]


def at(clock: str) -> str:
    return f"2026-12-01T{clock}:00Z"


def person(number: int, start: str | None, end: str | None, **fields: Any) -> dict[str, Any]:
    """Give a participant; the event is from 12:00 to 14:00."""
    return {
        "userId": identifier(number + 500_000),
        "startDateTime": start and at(start),
        "endDateTime": end and at(end),
        **fields,
    }


def recording(room: int, *participants: Any, start: str = "11:50", end: str | None = "14:10") -> dict[str, Any]:
    return {
        "socialRecordingId": identifier(room),
        "socialId": identifier(room),
        "startDateTime": at(start),
        "endDateTime": end and at(end),
        "participants": list(participants),
    }


class World:
    """Serves operations 18, 3 and 13."""

    def __init__(self, registrations: Sequence[Any], recordings: Sequence[Any], sets: Sequence[Any] = SETS) -> None:
        self.services = {
            REGISTRATION_LIST.name: PagedService(registrations),
            ROOMSET_LIST.name: PagedService(sets),
            RECORDING_LIST.name: PagedService(recordings),
        }

    def page(self, operation: Operation, **asked: Any) -> list[Any]:
        return self.services[operation.name].page(operation, **asked)


def registered(number: int, **event: Any) -> dict[str, Any]:
    row = registration(number)
    row["event"].update({"socialRoomSetId": SET, **event})
    return row


def attendance(*recordings: Any, rooms: Mapping[str, str] | None = None, window: bool = True) -> Attendance:
    start, end = moment(at("12:00")), moment(at("14:00"))
    assert start and end
    return Attendance(
        recordings, rooms or {identifier(1): "Hall", identifier(2): "Bar"}, (start, end) if window else None
    )


def test_visits_to_several_rooms_are_merged_where_they_overlap() -> None:
    there = attendance(
        recording(1, person(0, "11:55", "12:30"), person(0, "13:00", "13:20")),
        recording(2, person(0, "12:20", "12:40"), person(0, "13:20", "13:30")),
    )
    assert there.of(registered(0)) == {
        "seen": True,
        "firstSeen": at("11:55"),
        "lastSeen": at("13:30"),
        "minutesSeen": 75.0,
        "visits": 2,
        "rooms": ["Bar", "Hall"],
    }
    assert there.share(registered(0)) == pytest.approx(70 / 120)


def test_who_is_in_no_recording_was_not_seen() -> None:
    nothing: dict[str, Any] = {
        "seen": False,
        "firstSeen": None,
        "lastSeen": None,
        "minutesSeen": None,
        "visits": None,
        "rooms": [],
    }
    there = attendance(recording(1, person(1, "12:00", "13:00")))
    assert there.of(registered(0)) == nothing
    assert there.of({"user": None}) == nothing
    assert there.share(registered(0)) == 0


def test_rooms_of_other_sets_and_other_times_do_not_count() -> None:
    there = attendance(
        recording(3, person(0, "12:00", "13:00")), recording(1, person(0, "14:01", "15:00"), start="14:00")
    )
    assert not there.of(registered(0))["seen"]


def test_without_a_window_any_time_counts_and_a_share_cannot_be_told() -> None:
    there = attendance(recording(1, person(0, "20:00", "20:30")), window=False)
    assert there.of(registered(0))["minutesSeen"] == 30
    with pytest.raises(BadInput, match="the event has no start and end"):
        there.share(registered(0))


def test_a_person_is_known_by_id_or_by_address() -> None:
    address = {"user": {"emailAddress": "J0@Example.org"}}
    there = attendance(recording(1, {**person(0, "12:00", "12:10"), "userId": None, **address}))
    assert there.of(registered(0))["minutesSeen"] == 10
    inner = {"user": {"userId": identifier(500_000)}}
    assert attendance(recording(1, {**person(0, "12:00", "12:10"), "userId": {}, **inner})).of(registered(0))["seen"]


def test_an_unknown_end_is_that_of_the_recording_or_no_time_at_all() -> None:
    there = attendance(recording(1, person(0, "12:00", None), end="12:25"))
    assert there.of(registered(0))["minutesSeen"] == 25
    there = attendance(recording(1, person(0, "12:00", None), end=None))
    assert (there.of(registered(0))["seen"], there.of(registered(0))["minutesSeen"]) == (True, 0)


def test_an_unknown_start_is_seen_without_a_time() -> None:
    there = attendance(recording(1, person(0, None, "12:30")))
    assert there.of(registered(0)) == {
        "seen": True,
        "firstSeen": None,
        "lastSeen": None,
        "minutesSeen": None,
        "visits": None,
        "rooms": ["Hall"],
    }


@pytest.mark.parametrize("participants", [None, "x", ["x", None]])
def test_recordings_without_participants_show_nobody(participants: Any) -> None:
    odd = {**recording(1), "participants": participants}
    assert not attendance(odd).of(registered(0))["seen"]
    assert merged([Presence("Hall", None)]) == []


def test_attendance_is_added_to_an_export(tmp_path: Path) -> None:
    world = World([registered(0), registered(1)], [recording(1, person(0, "12:00", "13:00")), "odd"])
    added = enrichment(world, EVENT)
    facts = exported(
        world, tmp_path / "r.csv", enrich=added, columns=["registrationId", "seen", "minutesSeen", "rooms"]
    )
    assert (tmp_path / "r.csv").read_text() == (
        f'registrationId,seen,minutesSeen,rooms\n{identifier(0)},true,60.0,"[""Hall""]"\n{identifier(1)},false,,[]\n'
    )
    assert facts.label == LABEL == "from recordings; rooms not recorded cannot be seen"
    exported(world, tmp_path / "all.csv", enrich=added)
    assert (
        "event.endDateTime,seen,firstSeen,lastSeen,minutesSeen,visits,rooms,Company"
        in (tmp_path / "all.csv").read_text()
    )


def test_the_absent_and_those_who_stayed_can_be_told(tmp_path: Path) -> None:
    world = World(
        [registered(number) for number in range(4)],
        [recording(1, person(0, "12:00", "13:42"), person(1, "12:00", "13:41"), person(2, "10:00", "15:00"))],
    )
    facts = exported(world, tmp_path / "absent.ndjson", enrich=enrichment(world, EVENT, absent=True))
    assert (facts.rows, facts.left_out, facts.first_id) == (1, 3, identifier(3))
    facts = exported(world, tmp_path / "stayed.ndjson", enrich=enrichment(world, EVENT, stayed=0.85))
    assert (facts.rows, facts.first_id, facts.last_id) == (2, identifier(0), identifier(2))


def test_rows_that_are_no_objects_stay_flagged(tmp_path: Path) -> None:
    world = World([registered(0)], [])
    added = enrichment(world, EVENT)
    world.services[REGISTRATION_LIST.name].rows.append("odd")
    with pytest.raises(Exception, match="1 of 2 rows did not fit"):
        exported(world, tmp_path / "r.ndjson", enrich=added)


def test_an_event_without_start_and_end_is_an_error_for_who_stayed() -> None:
    world = World([registered(0, endDateTime=None)], [])
    with pytest.raises(BadInput, match="the event has no start and end"):
        enrichment(world, EVENT, stayed=0.5)
    assert enrichment(world, EVENT).apply(registered(0)) is not None


def test_an_event_that_nothing_binds_to_recordings_is_an_error() -> None:
    with pytest.raises(BadInput, match="nothing says which recordings belong to the event"):
        enrichment(World([registered(0, socialRoomSetId=None, startDateTime=None)], []), EVENT)
    with pytest.raises(BadInput, match="nothing says which recordings"):
        binding({"startDateTime": at("12:00"), "endDateTime": at("12:00")}, [], lambda _: None)


def test_a_room_set_that_is_not_mine_counts_any_room_at_that_time_and_says_so() -> None:
    notes: list[str] = []
    world = World([registered(0, socialRoomSetId=identifier(5))], [recording(9, person(0, "12:00", "12:30"))])
    row = enrichment(world, EVENT, note=notes.append).apply(registered(0))
    assert row is not None and row["rooms"] == [identifier(9)]
    assert notes == ["the event's room set is not among yours: recordings of any room at the time of the event count"]


def test_an_event_without_registrations_needs_nothing() -> None:
    assert enrichment(World([], []), EVENT, stayed=0.5).columns[0] == "seen"


def test_rooms_without_a_name_are_known_by_their_id() -> None:
    rooms, _ = binding(
        registered(0)["event"], [{"socialRoomSetId": SET, "socials": [{"socialId": "x"}, 5]}], lambda _: None
    )
    assert rooms == {"x": "x"}


@pytest.mark.parametrize("people", [None, {}, [None], [{"startDateTime": at("12:00")}]], ids=repr)
def test_who_is_not_shown_is_not_called_absent_without_a_word(people: Any, tmp_path: Path) -> None:
    shown, hidden = recording(1, person(0, "12:00", "13:00")), {**recording(2), "participants": people}
    service = World([registered(0), registered(1)], [shown, hidden])
    with pytest.raises(Partial, match="1 of the recordings do not show who was there"):
        exported(service, tmp_path / "a.ndjson", enrich=enrichment(service, EVENT, absent=True))
    assert not manifest.read(manifest.path_of(tmp_path / "a.ndjson")).complete


def test_rooms_that_the_events_set_does_not_show_make_it_partial(tmp_path: Path) -> None:
    service = World([registered(0)], [recording(1)], [{"socialRoomSetId": SET}])
    with pytest.raises(Partial, match="the rooms of the event's set are not shown"):
        exported(service, tmp_path / "a.ndjson", enrich=enrichment(service, EVENT))
