"""`social watch`: looking again and again, and leaving the terminal clean."""

import signal
import time
from typing import Any

import pytest

from roomctl.cli.social.watch import holds
from tests.conftest import Env, Run
from tests.terminals import started

WATCH = ("social", "watch", "Onboarding", "--interval", "1s")


@pytest.mark.parametrize(
    "room",
    [
        *({}, {"isOpen": None}, {"socialMeta": {}}, {"isOpen": "?", "socialMeta": None}),
        *({"socialMeta": {"numberCurrentlyPresent": 0, **told}} for told in ({"error": "x"}, {"partial": True})),
    ],
)
def test_what_is_not_shown_is_neither_empty_nor_closed(room: dict[str, Any]) -> None:
    assert not holds(room, empty=True, closed=False) and not holds(room, empty=False, closed=True)


@pytest.mark.parametrize(
    ("number", "until", "status"),
    [(signal.SIGINT, (), 0), (signal.SIGINT, ("--until-empty",), 130), (signal.SIGTERM, (), 143)],
)
def test_a_signal_ends_it_and_the_cursor_is_shown_r53(
    sandbox: Run, variables: Env, number: signal.Signals, until: tuple[str, ...], status: int
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
