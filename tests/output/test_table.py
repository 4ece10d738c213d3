"""Tables for a terminal: what is hidden, folded, stacked; an id is whole or hidden; markup in a name is text (R23)."""

import io
from collections.abc import Callable
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
    assert [IDS[0] in drawn(twins, width=60), IDS[0] in drawn(ROOMS[:1], width=60)] == [True, False]
    assert IDS[0] in drawn([{**ROOMS[0], "name": ""}], width=60)
    assert IDS[0] in drawn(ROOMS[:1], width=60, fields=("name", "socialId"))
    transcription = {"name": "R", "socialTranscriptionId": IDS[0], "status": "COMPLETE", "startDateTime": "2026-11-21"}
    assert IDS[0] in drawn([transcription], "Transcription", width=60)  # which no command finds by its name


def test_a_table_in_other_surroundings_r27(golden: Callable[[str, str], None]) -> None:
    """Names that come twice; a time without offset, for which no zone is claimed; kinds that are told from the values

    where nobody chose them; a terminal that cannot draw lines.
    """
    times = [{"startDateTime": "2026-11-21T08:00:00Z"}, {"startDateTime": "2026-11-21T08:00:00"}]
    tables = [
        drawn([ROOMS[0], {**ROOMS[1], "name": "Lobby"}], width=60),
        drawn(times, fields=("startDateTime",)),
        drawn([{"key": IDS[0], "at": "2026-11-21T08:00:00Z", "n": Decimal("1.50")}], "", width=80),
        drawn([{"name": "大", "n": 1}], "", encoding="ascii"),
    ]
    golden("tables.txt", "\n".join(tables))


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
