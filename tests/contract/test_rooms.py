"""What a room's record shows, and what it does not."""

from typing import Any

import pytest

from roomctl.contract.rooms import distinct, is_open, present_in, rooms

JSON = Any


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        ({"isOpen": True}, True),
        ({"isOpen": False}, False),
        ({}, None),
        ({"isOpen": None}, None),
        ({"isOpen": "false"}, None),
        ({"isOpen": 0}, None),
    ],
)
def test_only_a_boolean_says_whether_a_room_is_open(room: JSON, shown: bool | None) -> None:
    assert is_open(room) is shown


@pytest.mark.parametrize(
    ("meta", "shown"), [({"numberCurrentlyPresent": 3}, 3), ({"numberCurrentlyPresent": True}, None), ([], None)]
)
def test_only_a_number_says_how_many_people_are_in_a_room(meta: JSON, shown: int | None) -> None:
    assert present_in({"socialMeta": meta}) == shown


@pytest.mark.parametrize(
    ("record", "shown"),
    [({"socials": [{"name": "Lobby"}, None, "x"]}, [{"name": "Lobby"}]), ({"socials": {}}, []), ({}, [])],
)
def test_the_rooms_of_a_set_are_the_objects_in_it(record: JSON, shown: list[JSON]) -> None:
    assert rooms(record) == shown


def test_a_room_in_two_sets_is_one_and_closed_only_where_both_say_so() -> None:
    """R48"""
    shut, here, other = {"socialId": "AB", "isOpen": False}, {"socialId": "ab"}, {"socialId": "cd", "isOpen": False}
    assert distinct([shut, other, here, {}, {}]) == [here, other, {}, {}]
    assert distinct([other, dict(other, isOpen=True), other]) == [dict(other, isOpen=True)]
