"""`social watch`: looking again and again, and leaving the terminal clean."""

import json
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

from roomctl.cli.social.watch import holds
from tests.terminals import started

Run = Callable[..., Any]
WATCH = ("social", "watch", "Onboarding", "--interval", "1s")


def test_ndjson_has_an_object_for_each_look(sandbox: Run) -> None:
    done = sandbox(*WATCH, "--times", "2", "-o", "ndjson")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (done.status, first) == (0, second)
    assert list(first) == ["at", "socialRoomSetId", "name", "socials"]
    assert first["socials"][0]["name"] == "Welcome Hall"
    assert first["socials"][0]["isOpen"] is True


def test_a_form_that_is_written_when_it_is_whole_needs_an_end(sandbox: Run) -> None:
    done = sandbox(*WATCH, "-o", "json")
    assert (done.status, done.stdout) == (2, "")
    assert "`--times N`" in done.stderr
    assert len(sandbox(*WATCH, "--times", "1", "-o", "json").json) == 1


@pytest.mark.parametrize("variables_", [{"TERM": "dumb"}, {"ROOMCTL_ACCESSIBLE": "1"}])
def test_a_terminal_that_draws_nothing_again_gets_lines(
    sandbox: Run, variables: dict[str, str], variables_: dict[str, str]
) -> None:
    variables.update(variables_)
    assert sandbox(*WATCH, "--times", "1", terminal=True).stdout == (
        "2026-11-21 08:00:00 UTC  2 rooms, 2 open, 26 people present\n"
        "2026-11-21 08:00:00 UTC  Welcome Hall: open, 8/50 present\n"
        "2026-11-21 08:00:00 UTC  Q&A: open, 18/100 present\n"
    )


def test_a_set_that_is_not_there_is_no_watch(sandbox: Run) -> None:
    assert sandbox("social", "watch", "nix").status == 4


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("Archive 2025", "--until-closed"), 0),
        (("Archive 2025", "--until-empty"), 0),
        (("Archive 2025", "Team Socials", "--until-closed"), 8),
        (("--until-closed", "--until-empty"), 8),
        (("Onboarding", "--max-wait", "1s"), 2),
    ],
)
def test_it_ends_when_every_room_is_so_and_8_says_that_they_are_not(
    options: tuple[str, ...], status: int, sandbox: Run
) -> None:
    wait = () if "--max-wait" in options else ("--max-wait", "1s")
    done = sandbox("social", "watch", *options, *wait, "--interval", "1s", "-o", "json")
    assert done.status == status, done.stderr
    assert ("still waiting for" in done.stderr) == (status == 8)


def test_all_sets_are_watched_where_none_is_named(sandbox: Run) -> None:
    done = sandbox("social", "watch", "--times", "1", "-o", "ndjson")
    names = [json.loads(line)["name"] for line in done.stdout.splitlines()]
    assert (done.status, names) == (0, ["Autumn Summit", "Team Socials", "Onboarding", "Archive 2025"])


@pytest.mark.parametrize("room", [{}, {"isOpen": None}, {"socialMeta": {}}, {"isOpen": "?", "socialMeta": None}])
def test_what_is_not_shown_is_neither_empty_nor_closed(room: dict[str, Any]) -> None:
    assert not holds(room, empty=True, closed=False) and not holds(room, empty=False, closed=True)


@pytest.mark.parametrize(
    ("number", "until", "status"),
    [(signal.SIGINT, (), 0), (signal.SIGINT, ("--until-empty",), 130), (signal.SIGTERM, (), 143)],
)
def test_a_signal_ends_it_and_the_cursor_is_shown_r53(
    sandbox: Run, variables: dict[str, str], number: signal.Signals, until: tuple[str, ...], status: int
) -> None:
    terminal, process = started(("--sandbox", *WATCH, *until), variables, 60)
    deadline = time.monotonic() + 20
    while "Q&A" not in terminal.text and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(30) == status
    text = terminal.closed()
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1
    assert text.rindex("\x1b[?25h") > text.rindex("Q&A")
    assert ("error[" in text) == (status > 0)
