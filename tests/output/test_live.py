"""The rooms of a set as they are now."""

import io
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.output.live import live_view, write_changes
from roomctl.output.look import Look, width
from roomctl.output.progress import Progress, live_bar
from tests.conftest import Golden, Patch

LOOK = Look("table", terminal=True, width=50, zone=ZoneInfo("Europe/Berlin"))


def seen(second: int, *rooms: tuple[str, bool | None, int | None], name: str = "Summit") -> dict[str, Any]:
    shown = [(key, is_open, {"numberCurrentlyPresent": people}) for key, is_open, people in rooms]
    socials = [{"socialId": key[0], "name": key, "isOpen": state, "socialMeta": meta} for key, state, meta in shown]
    return {"at": f"2026-11-21T08:00:{second:02}Z", "socialRoomSetId": "1", "name": name, "socials": socials}


LOOKS = [
    seen(0, ("Lobby", True, 12), ("大会議室\x1b[2J", True, 3), ("Quiet", None, None)),
    seen(5, ("Lobby", True, 9), ("大会議室\x1b[2J", False, 0), ("New", True, 1)),
    seen(9, ("Lobby", True, 9), ("大会議室\x1b[2J", False, 0), ("New", True, 1)),
]


RENAMED = [seen(0, ("Lobby", True, 2)), seen(1, ("Lounge", None, None))]
SEVERAL = [seen(0, ("Lobby", True, 12)), {**seen(0, ("Stage", True, 3), name="Fair"), "socialRoomSetId": "2"}]
SEVERAL[0]["socials"][0]["maxParticipants"] = 100


def test_off_a_terminal_the_first_look_is_told_and_then_each_change(golden: Golden, monkeypatch: Patch) -> None:
    """Also a new name, what is no longer shown, and of several sets a room with its set and its capacity."""
    monkeypatch.setattr("time.time", lambda: 1795248010)
    out = io.StringIO()
    for looks in ([[each] for each in LOOKS], [[each] for each in RENAMED], [SEVERAL, []]):
        write_changes(iter(looks), LOOK, out)
        out.write("\n")
    golden("changes.txt", out.getvalue())


def screens(looks: Any, *sizes: tuple[int, int], note: str = "") -> str:
    out = io.StringIO()
    given = iter(sizes)
    with live_view(LOOK, out, lambda: next(given, (50, 24))) as (show, above):
        for number, sets in enumerate(looks):
            if note and number == 1:
                above(note)
            show(sets)
    return out.getvalue()


def test_on_a_terminal_each_look_is_drawn_over_the_one_before_and_a_note_stands_above(golden: Golden) -> None:
    """With what has changed since; in a window that is too low the rest is left out until the end."""
    one = [[each] for each in LOOKS]
    drawn = [screens(one, note="the service did not answer"), screens(one[:1], (50, 4)), screens([SEVERAL], (80, 24))]
    golden("live.txt", "\n".join(drawn).replace("\x1b", "␛").replace("\r", "␍"))


@pytest.mark.parametrize("space", [4, 20, 25, 33, 60, 200])
def test_no_line_is_wider_than_the_terminal_for_then_it_could_not_be_drawn_again(space: int) -> None:
    text = screens([[each] for each in LOOKS], *[(space, 99)] * 4)
    assert max(map(width, re.split(r"(?:\n|\r|\x1b\[\??\d+[A-Za-z])+", text))) <= space


NOTES = {
    "ascii": r"name \u2192 \u5927\u4f1a caf\xe9 \x1b[2J",
    "cp1252": r"name \u2192 \u5927\u4f1a café \x1b[2J",
    "utf-8": r"name → 大会 café \x1b[2J",
}


@pytest.mark.parametrize("encoding", NOTES)
def test_r27_a_note_above_what_is_drawn_dies_of_no_encoding(encoding: str) -> None:
    view, bar = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    with live_view(LOOK, view, lambda: (50, 24)) as (_, above):
        above("name → 大会 café \x1b[2J\n")
    with live_bar(Progress("rooms"), LOOK, bar, lambda: 50) as above:
        above("name → 大会 café \x1b[2J\n")
    for out in (view, bar):
        out.seek(0)
        assert NOTES[encoding] in out.read()
