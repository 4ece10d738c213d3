"""What a room's record shows, and what it does not."""

from datetime import UTC, datetime
from typing import Any

from roomctl.contract.records import spelled
from roomctl.contract.rooms import all_rooms, contradicting, hides_rooms, is_open, not_over
from tests.conftest import Cases

JSON = Any
KEY = "abcdefab-cdef-4abc-8def-abcdefabcdef"
SHOWN = {True: "open", False: "closed", None: "not shown"}


def test_r46_only_a_boolean_or_its_text_says_whether_a_room_is_open(cases: Cases) -> None:
    def says(room: JSON) -> str:
        told = spelled(room.get("isOpen"))
        assert told is (isinstance(room.get("isOpen"), str) and is_open(room) is not None)
        return SHOWN[is_open(room)] + ", as text" * told

    cases("open.txt", says)


def test_a_set_that_says_of_more_rooms_than_it_shows_does_not_show_them(cases: Cases) -> None:
    def says(said: JSON) -> str:
        return f"hides rooms: {hides_rooms({'socialRoomSetId': 'x', 'socials': [{'name': 'Hall'}], **said})}"

    cases("hidden-rooms.txt", says)


def test_r48_a_room_that_stands_in_two_sets_is_one_room_and_open_only_where_none_shows_it_closed(cases: Cases) -> None:
    def says(*states: JSON) -> str:
        pairs = zip((KEY, KEY.upper()), states, strict=True)
        sets = [{"socials": [{"socialId": key, "isOpen": one}, {"name": "without an id"}]} for key, one in pairs]
        found = all_rooms(sets)
        assert len(found) == 3, "rooms without an id cannot be told from each other"
        [shown] = [is_open(room) for room in found if room.get("name") is None]
        return SHOWN[shown]

    cases("in-two-sets.txt", says)


def test_r48_a_room_contradicts_itself_where_two_records_show_another_value(cases: Cases) -> None:
    def says(one: JSON, other: JSON) -> str:
        first, second = {"socialId": KEY, **one}, {"socialId": KEY.upper(), **other}
        found = contradicting([{"socials": [first, second]}])
        assert contradicting([{"socials": [first]}, {"socials": [{}, {}]}, {"socials": [second]}]) == found
        assert found in ("", KEY)
        return "it contradicts itself" if found else "one room"

    cases("contradictions.txt", says)


def test_a_planned_end_has_passed_where_one_is_shown_that_can_be(cases: Cases) -> None:
    cases("planned-ends.txt", lambda room: not_over(room, datetime(2026, 11, 22, 12, tzinfo=UTC)) or "it has passed")
