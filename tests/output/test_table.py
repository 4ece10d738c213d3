"""Tables for a terminal: what is hidden, folded, stacked; an id is whole or hidden; markup in a name is text (R23)."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import Look, Shown, width
from roomctl.output.writers import write
from tests.output.drawing import ANYTHING, drawn

IDS = [f"3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d{number:02x}" for number in range(16)]
TIMES = {"startDateTime": "2026-11-21T08:00:00Z", "endDateTime": "2026-11-21T10:30:00Z"}
ROOM = {"socialId": IDS[0], "name": "Lobby", "isOpen": True, **TIMES, "user": {"name": "Ada Lovelace"}}
ROOM |= {"maxParticipants": 50, "socialRoomSetId": IDS[15]}


RESOURCES = st.sampled_from(["Social", "RoomSet", "Registration", "EntryConfig", "Recording", "StepResult", ""])


@given(st.lists(ANYTHING, max_size=4), RESOURCES, st.integers(0, 200), st.booleans())
def test_no_value_and_no_width_makes_a_table_fail(value: Any, resource: str, space: int, accessible: bool) -> None:
    text = drawn(value, resource, width=space, accessible=accessible)
    assert "\x1b" not in text
    assert text == "" or text.endswith("\n")


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), max_size=90), min_size=1), st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal_and_an_id_is_whole_or_not_there(names: list[str], space: int) -> None:
    rows = [{**ROOM, "name": name, "socialId": IDS[number % 16]} for number, name in enumerate(names)]
    text = drawn(rows, "Social", width=space)
    assert max(map(width, text.splitlines())) <= space
    shown = [str(row["socialId"]) in text for row in rows]
    assert all(shown) or (IDS[0][:8] not in text.replace(IDS[15], "") and len(set(names)) == len(names))


def test_a_long_list_is_drawn_in_blocks_of_the_same_widths_so_that_the_first_is_seen_at_once() -> None:
    class Counted(io.StringIO):
        lines: tuple[int, ...] = ()

        def write(self, text: str) -> int:
            self.lines += (text.count("\n"),)
            return super().write(text)

    out = Counted()
    rows = [{**ROOM, "name": f"{'long ' * (number == 999)}room {number}"} for number in range(1000)]
    write(Shown(rows, "Social"), Look("table", terminal=True, width=80), out)
    assert max(out.lines) < 100
    lines = out.getvalue().splitlines()
    assert (len(lines), lines[1002][:9]) == (2 + 1000 + 1, "4 columns")
    assert len({line.index("yes") for line in lines[2:1002]}) == 1


@pytest.mark.parametrize("space", [40, 60, 80, 120, 200])
def test_every_name_stands_whole_in_the_table_at_any_width(space: int) -> None:
    text = drawn([{**ROOM, "name": "word " * 60 + "end"}], "Social", width=space)
    assert text.count("word") == 60
    assert "end" in text
