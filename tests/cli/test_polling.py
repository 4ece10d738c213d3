"""`social watch`: looking again and again, and leaving the terminal clean."""

import json
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

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
        "2026-11-21 08:00:00 UTC  Welcome Hall: open, 8 present\n"
        "2026-11-21 08:00:00 UTC  Q&A: open, 18 present\n"
    )


def test_a_set_that_is_not_there_is_no_watch(sandbox: Run) -> None:
    assert sandbox("social", "watch", "nix").status == 4


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_and_the_cursor_is_shown_r53(
    sandbox: Run, variables: dict[str, str], number: signal.Signals, status: int
) -> None:
    terminal, process = started(("--sandbox", *WATCH), variables, 60)
    deadline = time.monotonic() + 20
    while "Q&A" not in terminal.text and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(10) == status
    text = terminal.closed()
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1
    assert text.rindex("\x1b[?25h") > text.rindex("Q&A")
