"""What is refused before a write, what a person is shown, and how often."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
EMPTY = ["social create", "playlist create", "theme save", "transcription process", "rules save {STAGE} --yes"]


@pytest.mark.parametrize("command", EMPTY)
def test_a_write_that_says_nothing_is_refused_and_not_sent(sandbox: Run, command: str) -> None:
    done = sandbox(*command.format(STAGE=STAGE).split())
    assert (done.status, "nothing was sent" in done.stderr) == (2, True), done.stderr
    assert sandbox("journal", "list", "-o", "json").json == []


def test_a_room_does_not_end_before_it_starts(sandbox: Run) -> None:
    done = sandbox("social", "create", "--name", "X", "--starts", "2026-11-22T10:00:00+01:00", "--ends", "+1h")
    assert (done.status, "would end before it starts" in done.stderr) == (2, True), done.stderr
    assert sandbox("journal", "list", "-o", "json").json == []


@pytest.mark.parametrize("where", ["environment", "profile"])
def test_a_form_of_output_that_there_is_not_is_told_before_anything_is_sent(
    sandbox: Run, roomctl: Run, variables: dict[str, str], where: str
) -> None:
    if where == "environment":
        variables["ROOMCTL_OUTPUT"] = "xml"
        done = sandbox("social", "end", "Main Stage", "--yes")
    else:
        roomctl("profile", "add", "p", "--base-url", "http://127.0.0.1:9", "--key-env", "K")
        with Path(variables["ROOMCTL_CONFIG"]).open("a") as config:
            config.write('output = "xml"\n')
        variables["K"] = "a-key-0123456789"
        done = roomctl("social", "end", STAGE, "--yes", "--profile", "p")
    assert (done.status, "is not a form of output: 'xml'" in done.stderr) == (2, True), done.stderr
    variables.pop("ROOMCTL_OUTPUT", None)
    assert roomctl("journal", "list", "-o", "json").json == []


def test_two_forms_of_output_contradict_each_other(sandbox: Run) -> None:
    assert sandbox("social", "end", "Main Stage", "--yes", "--json", "-o", "csv").status == 2
    assert sandbox("journal", "list", "-o", "json").json == []


def test_r22_a_question_shows_the_name_with_its_id_and_what_is_sent(sandbox: Run) -> None:
    asked = sandbox("invite", "send", "Main Stage", "--email", "ada@example.org", stdin="n\n", terminal=True).stderr
    assert "room 'Main Stage' " in asked and "ada@example.org" in asked
    asked = sandbox("rules", "save", "Autumn Summit", "--name", "Gate", stdin="n\n", terminal=True).stderr
    assert "room set 'Autumn Summit' e4c87ba4-21ac-49f2-b78b-325ed33b2862:" in asked and '  name: "Gate"' in asked
    asked = sandbox("roomset", "update", "Autumn Summit", "--name", "Gate", stdin="n\n", terminal=True).stderr
    assert "room set 'Autumn Summit' e4c87ba4-21ac-49f2-b78b-325ed33b2862 changes:" in asked


@pytest.mark.parametrize(
    ("command", "terminal"),
    [(("social", "end", "Main Stage"), True), (("roomset", "create", "--name", "Tent"), False)],
)
def test_the_profile_is_said_once(sandbox: Run, command: tuple[str, ...], terminal: bool) -> None:
    done = sandbox(*command, stdin="end\n", terminal=terminal)
    assert (done.status, done.stderr.count("profile: sandbox")) == (0, 1), done.stderr
