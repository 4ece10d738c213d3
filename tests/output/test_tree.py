"""Room sets as a tree."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import width
from tests.output.drawing import drawn

SET = "11111111-1111-4111-8111-111111111111"
KEYS = [f"22222222-2222-4222-8222-2222222222{number:02x}" for number in range(4)]
ROOMS = [
    {"socialId": KEYS[0], "name": "Lobby", "isOpen": True, "socialMeta": {"numberCurrentlyPresent": 12}},
    {"socialId": KEYS[1], "name": "x[/foo]\x1b[2J", "isOpen": False, "socialMeta": {"numberCurrentlyPresent": 1}},
    {"socialId": KEYS[2], "name": "大会議室", "isOpen": True, "socialMeta": {"numberCurrentlyPresent": 0}},
]


def grown(*sets: Any, **more: Any) -> str:
    return drawn(list(sets), picture="tree", **{"terminal": False, **more})


SUMMIT = {"socialRoomSetId": SET, "name": "Autumn Summit", "socials": ROOMS}


def test_what_is_not_shown_is_not_guessed() -> None:
    record = {"socialRoomSetId": SET, "name": "Odd", "socials": [{"socialId": KEYS[0], "name": "A"}]}
    assert grown(record) == (
        f"Odd  1 room, open or closed not shown, people present not shown  {SET}\n└── A      {KEYS[0]}\n"
    )
    assert grown(record, accessible=True).splitlines()[1] == f"  room A: nothing else shown, id {KEYS[0]}"


def test_where_lines_cannot_be_drawn_they_are_made_of_letters_r27() -> None:
    text = grown({**SUMMIT, "socials": ROOMS[:2]}, encoding="ascii")
    assert [line[:9] for line in text.splitlines()[1:]] == ["+-- Lobby", "`-- x[/fo"]


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), max_size=90)), st.integers(40, 160))
def test_no_line_of_a_tree_is_wider_than_the_terminal_and_no_id_is_cut(names: list[str], space: int) -> None:
    rooms = [{**ROOMS[0], "socialId": f"{number:08}{KEYS[0][8:]}", "name": name} for number, name in enumerate(names)]
    text = grown({**SUMMIT, "name": "word " * 20, "socials": rooms}, terminal=True, width=space)
    assert max(map(width, text.splitlines())) <= space
    assert text.count(KEYS[0][8:]) == len(names)
    assert SET in text
