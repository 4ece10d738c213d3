"""Where results and errors go."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
KEY = "canary-key-0123456789abcdef"


def test_options_stand_before_or_after_the_command(sandbox: Run) -> None:
    words = ("--fields", "name", "-o", "json")
    after = sandbox("roomset", "list", *words)
    assert after.status == 0, after.stderr
    assert sandbox(*words, "roomset", "list").stdout == after.stdout
    assert sandbox("roomset", *words, "list").stdout == after.stdout
    assert sandbox("-o", "csv", "roomset", "list", *words).stdout == after.stdout


def test_the_environment_sets_the_form_and_an_option_beats_it(sandbox: Run, variables: dict[str, str]) -> None:
    variables["ROOMCTL_OUTPUT"] = "ids"
    ids = sandbox("roomset", "list").stdout.splitlines()
    assert len(ids) == 4
    assert [row["socialRoomSetId"] for row in sandbox("roomset", "list", "-o", "json").json] == ids
    variables["ROOMCTL_OUTPUT"] = "xml"
    wrong = sandbox("roomset", "list")
    assert (wrong.status, "ROOMCTL_OUTPUT" in wrong.stderr) == (2, True)


def test_r36_a_result_is_saved_to_a_new_private_file_only(sandbox: Run, tmp_path: Path) -> None:
    target = tmp_path / "sets.json"
    first = sandbox("roomset", "list", "-o", "json", "--to", str(target))
    assert (first.status, first.stdout) == (0, ""), first.stderr
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert len(json.loads(target.read_text())) == 4
    assert sandbox("roomset", "list", "--to", str(target)).status == 2
    assert sandbox("roomset", "list", "-o", "ids", "--to", str(target), "--force").status == 0
    assert len(target.read_text().splitlines()) == 4
    assert not list(tmp_path.glob("*.part"))


def test_a_write_is_not_sent_when_its_file_is_there_already(sandbox: Run, tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("x")
    done = sandbox("social", "end", "Main Stage", "--yes", "--to", str(tmp_path / "there.json"))
    assert done.status == 2, done.stderr
    assert sandbox("social", "get", "Main Stage", "-o", "json").json["isOpen"] is True


def test_r7_no_form_shows_a_bearer_value(sandbox: Run) -> None:
    event = sandbox("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids").stdout.split()[0]
    for form in ("table", "json", "ndjson", "csv", "tsv", "yaml"):
        done = sandbox("registration", "list", event, "--limit", "3", "-o", form)
        assert done.status == 0, done.stderr
        assert "earer" not in done.stdout
        assert "sandbox-not-a-credential" not in done.stdout
    assert "earer" not in sandbox("api", "registration.list", "-f", f"socialEventId={event}", "-o", "json").stdout


def test_an_error_is_one_json_object_on_the_last_line_where_json_is_asked_for(sandbox: Run) -> None:
    for words in (("-o", "json"), ("--json",), ("-o", "ndjson"), ("--error-format", "json")):
        done = sandbox("social", "get", "Nowhere", *words)
        assert done.status == 4
        error = json.loads(done.stderr.splitlines()[-1])["error"]
        assert {
            "code",
            "exit",
            "message",
            "http",
            "outcome",
            "retryable",
            "hint",
            "details",
            "profile",
            "journal",
        } == set(error)
        assert (error["code"], error["exit"], error["outcome"]) == ("not-found", 4, "not_sent")
    github = sandbox("social", "get", "Nowhere", "--error-format", "github")
    assert github.stderr.splitlines()[-1].startswith("::error ")


@pytest.mark.parametrize(
    "name", ["x[/foo]", "[bold]x[/bold]", "\x1b[2J\x1b]0;t\x07", "a\rb", "\u202eevil", "::error::x", "=1+1"]
)
def test_r20_a_room_of_any_name_prints_as_such_and_no_control_byte_passes(sandbox: Run, name: str) -> None:
    made = sandbox("social", "create", "--name", name, "--room-set", "Onboarding", "-o", "json")
    assert made.status == 0, made.stderr
    assert made.json["name"] == name
    for terminal in (False, True):
        for words in (("list",), ("get", made.json["socialId"])):
            shown = sandbox("social", *words, terminal=terminal).stdout
            assert not any(ord(each) < 32 and each not in "\n\t\x1b" for each in shown)
            assert "\x1b[2J" not in shown and "\u202e" not in shown and "\n::error" not in shown
    if name.isprintable():
        assert name in sandbox("social", "list", "-o", "csv", "--fields", "name").stdout


def test_verbose_says_what_is_asked_without_the_key(sandbox: Run, variables: dict[str, str]) -> None:
    done = sandbox("roomset", "list", "-v", "--limit", "1")
    assert "GET http://localhost/api/v1/social/room/set/mine" in done.stderr
    assert "X-API-Key" not in done.stderr


def test_debug_names_a_private_trace_and_no_traceback_is_shown(sandbox: Run, variables: dict[str, str]) -> None:
    done = sandbox("social", "get", "Nowhere", "--debug")
    path = next(line for line in done.stderr.splitlines() if line.startswith("debug: ")).removeprefix("debug: ")
    assert "Traceback" not in done.stderr
    assert "Traceback" in Path(path).read_text()
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_a_result_in_a_file_leaves_the_unfinished_work_of_others_alone(
    sandbox: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "x.json.part").write_text("an export that is not finished")
    assert sandbox("roomset", "list", "-o", "json", "--to", "x.json").status == 0
    assert (tmp_path / "x.json.part").read_text() == "an export that is not finished"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["x.json", "x.json.part"]


def test_messages_are_broken_between_words_on_a_terminal_and_nowhere_else(
    sandbox: Run, variables: dict[str, str]
) -> None:
    words = ("social", "end", "Main Stag", "--yes")
    assert sandbox(*words).stderr == (
        "SANDBOX: the embedded service, nothing leaves this machine\n"
        "roomctl: error[not-found]: no room of mine is named 'Main Stag'\n"
        "  try: did you mean 'Main Stage'?\n"
    )
    variables["COLUMNS"] = "40"
    assert "leaves this machine\n" in sandbox(*words).stderr
    assert sandbox(*words, terminal=True).stderr == (
        "SANDBOX: the embedded service, nothing\n"
        "  leaves this machine\n"
        "roomctl: error[not-found]: no room of\n"
        "  mine is named 'Main Stag'\n"
        "  try: did you mean 'Main Stage'?\n"
    )
    variables["ROOMCTL_ACCESSIBLE"] = "1"
    assert "leaves this machine\n" in sandbox(*words, terminal=True).stderr


@pytest.mark.parametrize(
    ("name", "form"), [("sets.csv", "csv"), ("sets.JSON", "json"), ("sets.jsonl", "ndjson"), ("sets.yml", "yaml")]
)
def test_a_file_has_the_form_that_its_name_says_unless_an_option_says_another(
    name: str, form: str, sandbox: Run, variables: dict[str, str], tmp_path: Path
) -> None:
    variables["ROOMCTL_OUTPUT"] = "ids"
    words = ("roomset", "list", "--limit", "2", "--to")
    assert sandbox(*words, str(tmp_path / name)).status == 0
    assert sandbox(*words, str(tmp_path / "asked"), "-o", form).status == 0
    assert (tmp_path / name).read_bytes() == (tmp_path / "asked").read_bytes()
    assert sandbox(*words, str(tmp_path / name), "-o", "md", "--force").status == 0
    assert (tmp_path / name).read_text().startswith("| ")
