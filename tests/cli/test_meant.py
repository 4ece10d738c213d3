"""A wrong command line names what was probably meant."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("socail list", "no such command: roomctl socail", "did you mean `roomctl social`?"),
        ("social lst", "no such command: roomctl social lst", "did you mean `roomctl social list`?"),
        ("end X", "no such command: roomctl end", "did you mean `roomctl social end`?"),
        ("social export", "no such command: roomctl social export", "did you mean `roomctl registration export`?"),
        ("social zzz", "no such command: roomctl social zzz", "`roomctl social --help` shows how it is called"),
        ("social list --opn", "no such option: --opn", "did you mean `--open`?"),
        ("social end --leave X", "no such option: --leave", "did you mean `--leave-open-until`?"),
        ("social list --zzzzzz", "no such option: --zzzzzz", "`roomctl social list --help` shows how it is called"),
        ("social create --permission-type compani", "not one of PUBLIC, COMPANY_AND", "did you mean `COMPANY`?"),
    ],
)
def test_a_wrong_word_brings_the_nearest_right_one(line: str, message: str, hint: str, roomctl: Run) -> None:
    done = roomctl(*line.split(" "))
    assert (done.status, done.stdout) == (2, "")
    assert message in done.stderr
    assert hint in done.stderr
