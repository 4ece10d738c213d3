"""`roomctl explain`: what a command would do, said without doing it."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from roomctl.cli.explain import WORDS
from roomctl.cli.main import root
from roomctl.contract.operations import Repeat
from roomctl.service.policy import ATTEMPTS

Run = Callable[..., Any]
KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"


def commands() -> list[str]:
    tree = root()
    return [path for name in tree.members for path in _below(name, tree.get_command(None, name))]


def _below(path: str, found: Any) -> list[str]:
    if not hasattr(found, "members"):
        return [path]
    return [below for verb in found.members for below in _below(f"{path} {verb}", found.get_command(None, verb))]


def test_a_write_is_explained_whole(roomctl: Run) -> None:
    done = roomctl("explain", "social", "end", KEY, "--leave-open-until", "+15m", "-o", "json")
    assert (done.status, done.stderr) == (0, "")
    told = done.json
    assert told["command"] == "roomctl social end"
    assert told["calls"][0] == {
        "operation": "social.end",
        "number": 7,
        "request": f"POST /api/v1/social/end/{KEY}",
        "curl": f"curl --globoff --request POST '{{base_url}}/api/v1/social/end/{KEY}'"
        ' --header "X-API-Key: $ROOMCTL_API_KEY"',
    }
    assert told["undo"].startswith("the service offers no way to open a room again")
    assert told["asks"] == "for the word `end`, unless `--yes` stands there"
    assert told["not_documented"] == ["effect of leaveOpenUntil on the timing of closing"]
    assert list(told["exit_codes"]) == [str(code) for code in range(10)]


def test_what_is_not_given_stands_in_braces_and_a_body_is_a_file(roomctl: Run) -> None:
    told = roomctl("-o", "json", "explain", "rules", "save", "Autumn Summit").json
    assert told["calls"][0]["curl"] == (
        "curl --globoff --request POST '{base_url}/api/v1/rules/entry/config?socialRoomSetId={socialRoomSetId}'"
        " --header \"X-API-Key: $ROOMCTL_API_KEY\" --header 'Content-Type: application/json' --data @body.json"
    )


@pytest.mark.parametrize("name", commands())
def test_every_command_can_be_explained_and_nothing_is_sent(name: str, roomctl: Run, variables: dict[str, str]) -> None:
    variables.update(ROOMCTL_BASE_URL="http://127.0.0.1:9", ROOMCTL_API_KEY="explain-test-key")
    done = roomctl("explain", *name.split(" "), "-o", "json")
    assert (done.status, done.stderr) == (0, "")
    assert done.json["command"] == f"roomctl {name}"
    assert "explain-test-key" not in done.stdout
    assert all("http://127.0.0.1:9/api/v1" in call["curl"] for call in done.json["calls"] if isinstance(call, dict))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["social"], "social is a group of commands"),
        (["social", "ende"], "did you mean `roomctl social end`?"),
        (["socal", "end"], "did you mean `roomctl social`?"),
        (["social", "end", "--opn"], "no such option: --opn"),
        ([], "missing argument 'COMMAND'"),
    ],
)
def test_what_is_no_command_is_2(words: list[str], said: str, roomctl: Run) -> None:
    done = roomctl("explain", *words)
    assert (done.status, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize("words", [("social.end",), ("POST", f"/social/end/{KEY}"), ("post", "/api/v1/social/end/x")])
def test_api_is_explained_by_the_operation_that_it_is_given(words: tuple[str, ...], roomctl: Run) -> None:
    told = roomctl("explain", "api", *words, "-o", "json").json
    assert [call["operation"] for call in told["calls"]] == ["social.end"]
    assert told["calls"][0]["request"].endswith(KEY if words[-1].endswith(KEY) else "{socialId}")
    assert told["asks"] == "for the word `end`, unless `--yes` stands there"
    wrong = roomctl("explain", "api", "social.edn")
    assert wrong.status == 2
    assert "did you mean `social.end`?" in wrong.stderr


@pytest.mark.parametrize("repeat", ["read", "patch", "create", "end"])
def test_the_words_name_as_many_attempts_as_there_are(repeat: Repeat) -> None:
    attempts, said = ATTEMPTS[repeat], tomllib.loads(WORDS.read_text(encoding="utf-8"))[repeat]["repeat"]
    assert f"{attempts['P0']} attempts" in said
    assert repeat in ("read", "patch") or f"{attempts['P1']} after a 429" in said


def test_an_explanation_is_never_written_where_the_explained_command_would_write(roomctl: Run, tmp_path: Any) -> None:
    assert roomctl("explain", "roomset", "list", "--to", "sets.json").status == 0
    assert not (tmp_path / "sets.json").exists()
