"""Tables for a terminal: what is hidden, folded, stacked; an id is whole or hidden; markup in a name is text (R23)."""

import io
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import Look, Shown, width
from roomctl.output.writers import write
from tests.output.drawing import ANYTHING
from tests.output.drawing import drawn as drawn_as

IDS = [f"3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d{number:02x}" for number in range(16)]
ROOMS = [
    {
        "socialId": IDS[number],
        "name": name,
        "isOpen": number % 2 == 0,
        "socialMeta": {"numberCurrentlyPresent": number * 7},
        "startDateTime": "2026-11-21T08:00:00Z",
        "endDateTime": "2026-11-21T10:30:00Z",
        "user": {"name": "Ada Lovelace"},
        "maxParticipants": 50,
        "socialPermissionType": "PUBLIC",
        "socialRoomSetId": IDS[15],
    }
    for number, name in enumerate(
        ["Lobby", "x[/foo]", "大会議室の名前がとても長い", "👩\u200d👧 🎉", "evil\x1b[2J\u202e"]
    )
]


def drawn(value: Any, resource: str = "Social", **more: Any) -> str:
    return drawn_as(value, resource, **more)


def test_an_id_makes_room_only_where_each_row_has_a_name_of_its_own() -> None:
    twins = [ROOMS[0], {**ROOMS[1], "name": "Lobby"}]
    assert drawn(twins, width=60) == (
        "name   id                                    open  present\n"
        f"{'─' * 58}\n"
        f"Lobby  {IDS[0]}  yes         0\n"
        f"Lobby  {IDS[1]}  no          7\n"
        "6 columns hidden: --fields starts,ends,host,max,permission,\n"
        "socialRoomSetId\n"
    )
    assert IDS[0] not in drawn(ROOMS[:1], width=60)
    assert IDS[0] in drawn([{**ROOMS[0], "name": ""}], width=60)
    assert IDS[0] in drawn(ROOMS[:1], width=60, fields=("name", "socialId"))
    transcription = {"name": "R", "socialTranscriptionId": IDS[0], "status": "COMPLETE", "startDateTime": "2026-11-21"}
    assert IDS[0] in drawn([transcription], "Transcription", width=60)  # which no command finds by its name


def test_a_time_without_offset_stays_as_it_came_and_no_zone_is_claimed_for_it() -> None:
    rows = [{"startDateTime": "2026-11-21T08:00:00Z"}, {"startDateTime": "2026-11-21T08:00:00"}]
    assert drawn(rows, "Social", fields=("startDateTime",)) == (
        "startDateTime\n────────────────────\n2026-11-21 09:00 CET\n2026-11-21T08:00:00\n"
    )


def test_kinds_are_told_from_the_values_where_nobody_chose_them() -> None:
    rows = [{"key": IDS[0], "at": "2026-11-21T08:00:00Z", "n": Decimal("1.50")}]
    assert drawn(rows, "", width=80) == (
        "key                                   at (CET)             n\n"
        "────────────────────────────────────────────────────────────\n"
        f"{IDS[0]}  2026-11-21 09:00  1.50\n"
    )


def test_a_terminal_that_cannot_draw_lines_gets_dashes_r27() -> None:
    assert drawn([{"name": "大", "n": 1}], "", encoding="ascii") == "name  n\n-------\n\\u5927    1\n"


RESOURCES = st.sampled_from(["Social", "RoomSet", "Registration", "EntryConfig", "Recording", "Result", ""])


@given(st.lists(ANYTHING, max_size=4), RESOURCES, st.integers(0, 200), st.booleans())
def test_no_value_and_no_width_makes_a_table_fail(value: Any, resource: str, space: int, accessible: bool) -> None:
    text = drawn(value, resource, width=space, accessible=accessible)
    assert "\x1b" not in text
    assert text == "" or text.endswith("\n")


@given(st.lists(st.text(st.characters(categories=["L", "N", "P"]), max_size=90), min_size=1), st.integers(40, 200))
def test_no_line_is_wider_than_the_terminal_and_an_id_is_whole_or_not_there(names: list[str], space: int) -> None:
    rows = [{**ROOMS[0], "name": name, "socialId": IDS[number % 16]} for number, name in enumerate(names)]
    text = drawn(rows, width=space)
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
    rows = [{**ROOMS[0], "name": f"{'long ' * (number == 999)}room {number}"} for number in range(1000)]
    write(Shown(rows, "Social"), Look("table", terminal=True, width=80), out)
    assert max(out.lines) < 100
    lines = out.getvalue().splitlines()
    assert len(lines) == 2 + 1000 + 1
    assert len({line.index("yes") for line in lines[2:-1]}) == 1


@pytest.mark.parametrize("space", [40, 60, 80, 120, 200])
def test_every_name_stands_whole_in_the_table_at_any_width(space: int) -> None:
    text = drawn([{**ROOMS[0], "name": "word " * 60 + "end"}], width=space)
    assert text.count("word") == 60
    assert "end" in text


def test_a_column_that_is_empty_goes_before_one_that_says_something_whatever_their_ranks() -> None:
    row = {"input": IDS[0], "status": "ok", "error": None, "reply": {"name": "Ada Lovelace"}}
    assert drawn([row], "Result", width=60).splitlines()[2].split() == ["Ada", "Lovelace", IDS[0], "ok"]


def test_a_person_without_a_name_stands_under_first_and_last_name() -> None:
    person = {"userId": IDS[1], "firstName": "Ada", "lastName": "Lovelace", "emailAddress": "ada@example.org"}
    assert "Ada Lovelace  " in drawn([person], "User")
    assert "Ada Lovelace  " in drawn([{"registrationId": IDS[0], "user": person}], "Registration")
    assert "Ada Lovelace  " in drawn([{"invitedUser": person, "socialInviteId": IDS[0]}], "SocialInvite")
    assert "Ada" not in drawn([{"socialId": IDS[0], "user": {"firstName": 7}}])
    out = io.StringIO()
    write(Shown([person], "User"), Look("csv"), out)
    assert out.getvalue().splitlines()[1].startswith(f",{IDS[1]},")
