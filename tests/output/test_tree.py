"""Room sets as a tree."""

import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import Look, Shown, width
from roomctl.output.pictures import draw

SET = "11111111-1111-4111-8111-111111111111"
KEYS = [f"22222222-2222-4222-8222-2222222222{number:02x}" for number in range(4)]
ROOMS = [
    {"socialId": KEYS[0], "name": "Lobby", "isOpen": True, "socialMeta": {"numberCurrentlyPresent": 12}},
    {"socialId": KEYS[1], "name": "x[/foo]\x1b[2J", "isOpen": False, "socialMeta": {"numberCurrentlyPresent": 1}},
    {"socialId": KEYS[2], "name": "大会議室", "isOpen": True, "socialMeta": {"numberCurrentlyPresent": 0}},
]
SUMMIT = {"socialRoomSetId": SET, "name": "Autumn Summit", "socials": ROOMS}


def grown(*sets: Any, **more: Any) -> str:
    out = io.StringIO()
    draw("tree", Shown(list(sets)), Look("table", **more), out)
    return out.getvalue()


def test_a_set_stands_above_its_rooms() -> None:
    assert (
        grown(SUMMIT)
        == grown(SUMMIT, terminal=True, width=100)
        == (
            f"Autumn Summit  3 rooms, 2 open, 13 people present  {SET}\n"
            f"├── Lobby           open    12 present  {KEYS[0]}\n"
            f"├── x[/foo]\\x1b[2J  closed   1 present  {KEYS[1]}\n"
            f"└── 大会議室        open     0 present  {KEYS[2]}\n"
        )
    )


def test_on_a_narrow_terminal_ids_have_lines_of_their_own() -> None:
    assert grown(SUMMIT, terminal=True, width=60) == (
        "Autumn Summit  3 rooms, 2 open, 13 people present\n"
        f"{SET}\n"
        "├── Lobby           open    12 present\n"
        f"│   {KEYS[0]}\n"
        "├── x[/foo]\\x1b[2J  closed   1 present\n"
        f"│   {KEYS[1]}\n"
        "└── 大会議室        open     0 present\n"
        f"    {KEYS[2]}\n"
    )


def test_several_sets_are_told_apart_by_an_empty_line() -> None:
    empty = {"socialRoomSetId": SET, "name": "Empty", "socials": []}
    assert grown(empty, {"name": None}) == (
        f"Empty  no rooms  {SET}\n\n(without a name)  rooms not shown  (without an id)\n"
    )
    assert grown() == grown(7) == ""


def test_what_is_not_shown_is_not_guessed() -> None:
    record = {"socialRoomSetId": SET, "name": "Odd", "socials": [{"socialId": KEYS[0], "name": "A"}]}
    assert grown(record) == (
        f"Odd  1 room, open or closed not shown, people present not shown  {SET}\n└── A      {KEYS[0]}\n"
    )
    assert grown(record, accessible=True).splitlines()[1] == f"  room A: nothing else shown, id {KEYS[0]}"


def test_an_accessible_tree_is_sentences() -> None:
    assert grown(SUMMIT, accessible=True) == (
        f"room set Autumn Summit: 3 rooms, 2 open, 13 people present, id {SET}\n"
        f"  room Lobby: open, 12 people present, id {KEYS[0]}\n"
        f"  room x[/foo]\\x1b[2J: closed, 1 person present, id {KEYS[1]}\n"
        f"  room 大会議室: open, 0 people present, id {KEYS[2]}\n"
    )


def test_a_tree_has_colours_where_there_are_colours() -> None:
    assert grown({**SUMMIT, "socials": ROOMS[:2]}, color=True).splitlines() == [
        f"\x1b[1mAutumn Summit\x1b[0m  2 rooms, 1 open, 13 people present  \x1b[2m{SET}\x1b[0m",
        f"├── Lobby           \x1b[32mopen\x1b[0m    12 present  \x1b[2m{KEYS[0]}\x1b[0m",
        f"└── x[/foo]\\x1b[2J  \x1b[2mclosed\x1b[0m   1 present  \x1b[2m{KEYS[1]}\x1b[0m",
    ]


def test_where_lines_cannot_be_drawn_they_are_made_of_letters_r27() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", newline="")
    draw("tree", Shown([{**SUMMIT, "socials": ROOMS[:2]}]), Look("table"), out)
    out.flush()
    assert [line[:9] for line in raw.getvalue().splitlines()[1:]] == [b"+-- Lobby", b"`-- x[/fo"]


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), max_size=90)), st.integers(40, 160))
def test_no_line_of_a_tree_is_wider_than_the_terminal_and_no_id_is_cut(names: list[str], space: int) -> None:
    rooms = [{**ROOMS[0], "socialId": f"{number:08}{KEYS[0][8:]}", "name": name} for number, name in enumerate(names)]
    text = grown({**SUMMIT, "name": "word " * 20, "socials": rooms}, terminal=True, width=space)
    assert max(map(width, text.splitlines())) <= space
    assert text.count(KEYS[0][8:]) == len(names)
    assert SET in text
