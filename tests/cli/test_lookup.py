"""Room sets and rooms by name: what is said where a name is not found, or found twice."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        (("social", "get", "Onboarding"), "no room of mine is named 'Onboarding'", "a room set is named so; "),
        (("social", "end", "Onboarding", "--yes"), "no room of mine is named 'Onboarding'", "a room set is named so; "),
        (
            ("invite", "send", "Onboarding", "--user", "2b1f7d3c-5a0e-4a52-9f0d-1c9d5f1f7a11"),
            "no room",
            "a room set is",
        ),
        (("roomset", "get", "Main Stage"), "no room set of mine is named 'Main Stage'", "a room is named so; "),
        (("rules", "get", "Main Stage"), "no room set of mine is named 'Main Stage'", "`roomctl roomset list` shows"),
        (("social", "get", "main stage"), "no room of mine is named 'main stage'", "did you mean 'Main Stage'?"),
        (("social", "get", "zzz"), "no room of mine is named 'zzz'", "`roomctl social list` shows the names"),
    ],
)
def test_a_name_that_is_not_found_brings_the_next_step(
    line: tuple[str, ...], message: str, hint: str, sandbox: Run
) -> None:
    done = sandbox(*line)
    assert (done.status, done.stdout) == (4, "")
    assert message in done.stderr and hint in done.stderr


def test_two_of_one_name_are_told_apart(sandbox: Run) -> None:
    made = sandbox("social", "create", "--name", "Main Stage", "--room-set", "Onboarding", "-o", "ids").stdout.strip()
    done = sandbox("social", "end", "Main Stage", "--yes")
    assert done.status == 2
    assert "2 rooms are named 'Main Stage': " in done.stderr
    assert "8fd42f77-3f0d-400f-9d2a-e6e426f76844 (open, 22 present)" in done.stderr
    assert f"{made} (open, 0 present)" in done.stderr
