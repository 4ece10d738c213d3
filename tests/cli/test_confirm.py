"""Questions: what is asked, what counts as yes, and that nothing is sent otherwise."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]
END = ("social", "end", "Main Stage")


def is_open(sandbox: Run) -> bool:
    return bool(sandbox("social", "get", "Main Stage", "-o", "json").json["isOpen"])


def test_ending_a_room_shows_who_is_there_and_wants_the_word(sandbox: Run) -> None:
    done = sandbox(*END, "-o", "json", stdin="end\n", terminal=True)
    assert done.status == 0, done.stderr
    for part in ("Main Stage", "8fd42f77-3f0d-400f-9d2a-e6e426f76844", "Autumn Summit", "Ada Lovelace"):
        assert part in done.stderr
    assert "22 people present" in done.stderr
    assert "the service offers no way to undo this" in done.stderr
    assert not is_open(sandbox)


@pytest.mark.parametrize("answer", ["", "\n", "y\n", "yes\n", "no\n", "end it\n", "ende\n"])
def test_anything_but_the_word_declines(sandbox: Run, answer: str) -> None:
    done = sandbox(*END, stdin=answer, terminal=True)
    assert (done.status, done.stdout) == (1, ""), done.stderr
    assert is_open(sandbox)


@pytest.mark.parametrize("words", [(), ("--no-input",)])
def test_r44_without_a_terminal_nothing_is_asked_and_nothing_sent(sandbox: Run, words: tuple[str, ...]) -> None:
    for terminal in (False, True) if words else (False,):
        done = sandbox(*END, *words, stdin="end\n", terminal=terminal)
        assert (done.status, done.stdout) == (2, ""), done.stderr
        assert "add `--yes`" in done.stderr
    assert is_open(sandbox)


def test_until_when_a_room_stays_open_is_said(sandbox: Run) -> None:
    done = sandbox(*END, "--leave-open-until", "18:30@Europe/Berlin", stdin="no\n", terminal=True)
    assert "left open until 2026-11-21 17:30:00 UTC" in done.stderr


def test_an_update_shows_the_difference_and_takes_y(sandbox: Run) -> None:
    change = ("roomset", "update", "Autumn Summit", "--description", "new")
    assert sandbox(*change, stdin="n\n", terminal=True).status == 1
    done = sandbox(*change, stdin="y\n", terminal=True)
    assert done.status == 0, done.stderr
    assert 'description: "Autumn Summit: 4 rooms" → "new"' in done.stderr


def test_creating_and_copying_ask_nothing(sandbox: Run) -> None:
    assert sandbox("playlist", "create", "--name", "Rain").status == 0
    assert sandbox("social", "copy", "Main Stage").status == 0


def test_more_than_25_invitations_want_the_word(sandbox: Run, tmp_path: Any) -> None:
    people = tmp_path / "people.csv"
    people.write_text("emailAddress\n" + "".join(f"p{number}@example.invalid\n" for number in range(26)))
    assert sandbox("invite", "send", "Main Stage", "--from", str(people), stdin="y\n", terminal=True).status == 1
    assert sandbox("invite", "send", "Main Stage", "--from", str(people), stdin="invite\n", terminal=True).status == 6
