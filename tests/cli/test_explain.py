"""`roomctl explain`: what a command would do, said without doing it."""

import tomllib

import pytest

from roomctl.cli.explain import WORDS
from roomctl.contract.operations import Repeat
from roomctl.service.policy import ATTEMPTS
from tests.cli.tree import COMMANDS
from tests.conftest import Env, Run
from tests.servers import A


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_explained_and_nothing_is_sent(name: str, roomctl: Run, variables: Env) -> None:
    variables.update(ROOMCTL_BASE_URL="http://127.0.0.1:9", ROOMCTL_API_KEY="explain-test-key")
    done = roomctl("explain", *name.split(" "), "-o", "json")
    assert (done.status, done.stderr) == (0, "")
    assert done.json["command"] == f"roomctl {name}"
    assert "explain-test-key" not in done.stdout
    assert all("http://127.0.0.1:9/api/v1" in call["curl"] for call in done.json["calls"] if isinstance(call, dict))


@pytest.mark.parametrize(
    ("words", "query"),
    [
        (["social", "end", A, "--leave-open-until", "2099-12-01T18:00:00Z"], "?leaveOpenUntil=2099-12-01T18:00:00Z'"),
        (["registration", "list", A, "--text", "a b"], f"?socialEventId={A}&text=a%20b'"),
        (["recording", "list", "--sort", "name,desc"], "?sort=name%2Cdesc'"),
    ],
)
def test_what_is_given_stands_in_the_request(words: list[str], query: str, sandbox: Run) -> None:
    assert query in " ".join(call["curl"] for call in sandbox("explain", *words, "-o", "json").json["calls"])


@pytest.mark.parametrize("repeat", ["read", "patch", "create", "end"])
def test_the_words_name_as_many_attempts_as_there_are(repeat: Repeat) -> None:
    attempts, said = ATTEMPTS[repeat], tomllib.loads(WORDS.read_text(encoding="utf-8"))[repeat]["retries"]
    assert f"up to {attempts['P0']} attempts in all" in next(iter(said.values()))
    assert repeat in ("read", "patch") or f"up to {attempts['P1']} attempts in all" in said["HTTP 429"]
