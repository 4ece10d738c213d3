"""A name that is empty, as one from a variable that nobody set, is refused before anything is made of it."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]
SET = "33333333-3333-4333-8333-333333333333"


@pytest.mark.parametrize(
    "command",
    [
        ("roomset", "create"),
        ("roomset", "update", SET, "--yes"),
        ("roomset", "copy", SET),
        ("social", "create"),
        ("theme", "save"),
        ("rules", "save", SET),
        ("playlist", "create"),
        ("transcription", "process"),
    ],
)
@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_2_and_nothing_is_sent(
    command: tuple[str, ...], name: str, roomctl: Run, variables: Any
) -> None:
    variables.update(ROOMCTL_BASE_URL="http://127.0.0.1:9", ROOMCTL_API_KEY="names-test-key")
    done = roomctl(*command, "--name", name)
    assert (done.status, done.stdout) == (2, "")
    assert "the name is empty" in done.stderr
