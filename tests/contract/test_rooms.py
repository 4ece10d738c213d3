"""What a room's record shows, and what it does not."""

from typing import Any

import pytest

from roomctl.contract.records import spelled
from roomctl.contract.rooms import all_rooms, contradicting, hides_rooms, is_open
from tests.conftest import Cases

JSON = Any


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        ({"isOpen": True}, True),
        ({"isOpen": False}, False),
        ({}, None),
        ({"isOpen": None}, None),
        ({"isOpen": "false"}, False),
        ({"isOpen": "True"}, True),
        ({"isOpen": "no"}, None),
        ({"isOpen": 0}, None),
    ],
)
def test_r46_only_a_boolean_or_its_text_says_whether_a_room_is_open(room: JSON, shown: bool | None) -> None:
    assert is_open(room) is shown
    assert spelled(room.get("isOpen")) is (isinstance(room.get("isOpen"), str) and shown is not None)


def test_a_set_that_says_of_more_rooms_than_it_shows_does_not_show_them(cases: Cases) -> None:
    def says(said: JSON) -> str:
        return f"hides rooms: {hides_rooms({'socialRoomSetId': 'x', 'socials': [{'name': 'Hall'}], **said})}"

    cases("hidden-rooms.txt", says)


@pytest.mark.parametrize(
    ("states", "shown"),
    [
        ((True, False), None),
        ((False, True), None),
        ((None, False), False),
        ((False, None), False),
        ((None, True), True),
        ((None, None), None),
    ],
)
def test_r48_a_room_that_stands_in_two_sets_is_one_room_and_open_only_where_none_shows_it_closed(
    states: tuple[JSON, JSON], shown: bool | None
) -> None:
    key = "abcdefab-cdef-4abc-8def-abcdefabcdef"
    sets = [
        {"socials": [{"socialId": name, "isOpen": state}, {"name": "without an id"}]}
        for name, state in zip((key, key.upper()), states, strict=True)
    ]
    found = all_rooms(sets)
    assert [is_open(room) for room in found if room.get("name") is None] == [shown]
    assert len(found) == 3, "rooms without an id cannot be told from each other"


@pytest.mark.parametrize(
    ("one", "other", "contradicts"),
    [
        ({"isOpen": True}, {"isOpen": False}, True),
        ({"socialMeta": {"numberCurrentlyPresent": 2}}, {"socialMeta": {"numberCurrentlyPresent": 0}}, True),
        ({"name": "Main"}, {"name": "Side"}, True),
        ({"endDateTime": "2026-11-21T20:00:00Z"}, {"endDateTime": "2026-11-21T21:00:00Z"}, True),
        ({"endDateTime": "2026-11-21T20:00:00Z"}, {"endDateTime": "2026-11-21T21:00:00+01:00"}, False),
        ({"isOpen": False, "name": "Main"}, {"isOpen": False, "description": "x"}, False),
        ({"isOpen": True, "name": "Main"}, {"isOpen": None}, False),
    ],
)
def test_r48_a_room_contradicts_itself_where_two_records_show_another_value(
    one: JSON, other: JSON, contradicts: bool
) -> None:
    key = "abcdefab-cdef-4abc-8def-abcdefabcdef"
    first, second = {"socialId": key, **one}, {"socialId": key.upper(), **other}
    wanted = key if contradicts else ""
    assert contradicting([{"socials": [first, second]}]) == wanted
    assert contradicting([{"socials": [first]}, {"socials": [{}, {}]}, {"socials": [second]}]) == wanted
