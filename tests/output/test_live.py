"""The rooms of a set as they are now."""

import io
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.output.live import Window, draw_live, write_changes
from roomctl.output.look import Look, width

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


def lines(*looks: Any) -> list[str]:
    out = io.StringIO()
    write_changes(([each] for each in looks), LOOK, out)
    return out.getvalue().splitlines()


def test_off_a_terminal_the_first_look_is_told_and_then_each_change_is_a_line() -> None:
    assert lines(*LOOKS) == [
        "2026-11-21 09:00:00 CET  3 rooms, open or closed not shown, people present not shown",
        "2026-11-21 09:00:00 CET  Lobby: open, 12 present",
        "2026-11-21 09:00:00 CET  大会議室\\x1b[2J: open, 3 present",
        "2026-11-21 09:00:00 CET  Quiet: people not shown",
        "2026-11-21 09:00:05 CET  Lobby: 9 present, was 12",
        "2026-11-21 09:00:05 CET  大会議室\\x1b[2J: closed, was open",
        "2026-11-21 09:00:05 CET  大会議室\\x1b[2J: 0 present, was 3",
        "2026-11-21 09:00:05 CET  New: new, open, 1 present",
        "2026-11-21 09:00:05 CET  Quiet: no longer in the set",
    ]


def test_a_new_name_and_what_is_no_longer_shown_are_told() -> None:
    assert lines(seen(0, ("Lobby", True, 2)), seen(1, ("Lounge", None, None)))[2:] == [
        "2026-11-21 09:00:01 CET  Lobby: now named Lounge",
        "2026-11-21 09:00:01 CET  Lounge: open or closed not shown, was open",
        "2026-11-21 09:00:01 CET  Lounge: people not shown, was 2",
    ]


def screens(looks: Any, *windows: Window, look: Look = LOOK) -> str:
    out = io.StringIO()
    views, same = iter(windows), windows[-1] if windows else Window(look, 24, 0)
    draw_live(([each] for each in looks), lambda: next(views, same), out)
    return out.getvalue()


def test_on_a_terminal_each_look_is_drawn_over_the_one_before() -> None:
    assert screens(LOOKS[1:]).split("\n")[:9] == [
        "\x1b[?25l\rSummit\x1b[K",
        "\r3 rooms, 2 open, 10 people present, 2026-11-21\x1b[K",
        "\r09:00:05 CET\x1b[K",
        "\rroom             state   present  change  lately\x1b[K",
        f"\r{'─' * 48}\x1b[K",
        "\rLobby            open          9\x1b[K",
        "\r大会議室\\x1b[2J  closed        0\x1b[K",
        "\rNew              open          1\x1b[K",
        "\x1b[J\x1b[8A\rSummit\x1b[K",
    ]


def test_what_has_changed_since_the_look_before_is_named_and_the_last_looks_are_drawn() -> None:
    rows = screens(LOOKS[:2]).split("\x1b[J")[1].split("\n")[5:8]
    assert [row.removesuffix("\x1b[K").split()[2:] for row in rows] == [
        ["9", "-3", "█▆"],
        ["0", "-3", "█"],
        ["1", "new"],
    ]


def test_the_picture_begins_anew_where_something_was_written_below_it_or_the_window_changed() -> None:
    views = [Window(LOOK, 24, 0), Window(LOOK, 24, 1), Window(LOOK._replace(width=40), 24, 1)]
    assert screens(LOOKS, *views).count("\x1b[8A") == 0
    assert screens(LOOKS).count("\x1b[8A") == 2


def test_a_window_that_is_too_low_shows_what_it_can_draw_again() -> None:
    text = screens(LOOKS[:1], Window(LOOK, 4, 0))
    assert text.count("\n") == 3
    assert "6 more lines: make the window taller" in text


@pytest.mark.parametrize("space", [4, 20, 25, 33, 60, 200])
def test_no_line_is_wider_than_the_terminal_for_then_it_could_not_be_drawn_again(space: int) -> None:
    text = screens(LOOKS, Window(LOOK._replace(width=space), 99, 0))
    assert max(width(re.sub(r"\x1b\[[^A-Za-z]*[A-Za-z]|\r", "", line)) for line in text.split("\n")) <= space


def test_several_sets_are_one_picture_and_a_room_is_told_with_its_set_and_its_capacity() -> None:
    one, other = seen(0, ("Lobby", True, 12)), {**seen(0, ("Stage", True, 3), name="Fair"), "socialRoomSetId": "2"}
    one["socials"][0]["maxParticipants"] = 100
    out, told = io.StringIO(), io.StringIO()
    draw_live(iter([[one, other]]), lambda: Window(LOOK._replace(width=80), 24, 0), out)
    assert [line.strip("\r").removesuffix("\x1b[K") for line in out.getvalue().split("\n")[1:6]] == [
        "2 rooms, 2 open, 15 people present, 2026-11-21 09:00:00 CET",
        "room   state  present  change  lately  room set",
        "─" * 47,
        "Lobby  open    12/100                  Summit",
        "Stage  open         3                  Fair",
    ]
    write_changes(iter([[one, other]]), LOOK, told)
    assert told.getvalue().splitlines()[1:3] == [
        "2026-11-21 09:00:00 CET  Fair: 1 room, 1 open, 3 people present",
        "2026-11-21 09:00:00 CET  Summit, Lobby: open, 12/100 present",
    ]
