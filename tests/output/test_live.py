"""The rooms of a set as they are now."""

import io
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.output.live import Window, draw_live, write_changes
from roomctl.output.look import Look, width
from tests.conftest import Golden

LOOK = Look("table", terminal=True, width=50, zone=ZoneInfo("Europe/Berlin"))


def seen(second: int, *rooms: tuple[str, bool | None, int | None], name: str = "Summit") -> dict[str, Any]:
    socials = [
        {"socialId": key[0], "name": key, "isOpen": is_open, "socialMeta": {"numberCurrentlyPresent": people}}
        for key, is_open, people in rooms
    ]
    return {"at": f"2026-11-21T08:00:{second:02}Z", "socialRoomSetId": "1", "name": name, "socials": socials}


LOOKS = [
    seen(0, ("Lobby", True, 12), ("大会議室\x1b[2J", True, 3), ("Quiet", None, None)),
    seen(5, ("Lobby", True, 9), ("大会議室\x1b[2J", False, 0), ("New", True, 1)),
    seen(9, ("Lobby", True, 9), ("大会議室\x1b[2J", False, 0), ("New", True, 1)),
]


RENAMED = [seen(0, ("Lobby", True, 2)), seen(1, ("Lounge", None, None))]
SEVERAL = [seen(0, ("Lobby", True, 12)), {**seen(0, ("Stage", True, 3), name="Fair"), "socialRoomSetId": "2"}]
SEVERAL[0]["socials"][0]["maxParticipants"] = 100


def test_off_a_terminal_the_first_look_is_told_and_then_each_change(golden: Golden) -> None:
    """Also a new name, what is no longer shown, and of several sets a room with its set and its capacity."""
    out = io.StringIO()
    for looks in ([[each] for each in LOOKS], [[each] for each in RENAMED], [SEVERAL]):
        write_changes(iter(looks), LOOK, out)
        out.write("\n")
    golden("changes.txt", out.getvalue())


def screens(looks: Any, *windows: Window, look: Look = LOOK) -> str:
    out = io.StringIO()
    views, same = iter(windows), windows[-1] if windows else Window(look, 24, 0)
    draw_live(iter(looks), lambda: next(views, same), out)
    return out.getvalue()


def test_on_a_terminal_each_look_is_drawn_over_the_one_before(golden: Golden) -> None:
    """With what has changed since, the last looks, and in a window that is too low only what can be drawn again."""
    one, low = ([[each] for each in LOOKS], Window(LOOK, 4, 0))
    drawn = [screens(one), screens(one[:1], low), screens([SEVERAL], look=LOOK._replace(width=80))]
    golden("live.txt", "\n".join(drawn).replace("\x1b", "␛").replace("\r", "␍"))


def test_the_picture_begins_anew_where_something_was_written_below_it_or_the_window_changed() -> None:
    views = [Window(LOOK, 24, 0), Window(LOOK, 24, 1), Window(LOOK._replace(width=40), 24, 1)]
    assert screens([[each] for each in LOOKS], *views).count("\x1b[8A") == 0
    assert screens([[each] for each in LOOKS]).count("\x1b[8A") == 2


@pytest.mark.parametrize("space", [4, 20, 25, 33, 60, 200])
def test_no_line_is_wider_than_the_terminal_for_then_it_could_not_be_drawn_again(space: int) -> None:
    text = screens([[each] for each in LOOKS], Window(LOOK._replace(width=space), 99, 0))
    assert max(width(re.sub(r"\x1b\[[^A-Za-z]*[A-Za-z]|\r", "", line)) for line in text.split("\n")) <= space
