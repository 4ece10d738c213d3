"""Profiles from the command line."""

import stat
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KEY = "canary-key-0123456789abcdef"
URL = "https://rooms.example.org"
Run = Callable[..., Any]


def test_a_key_from_stdin_is_kept_in_a_private_file_and_never_shown(roomctl: Run, variables: dict[str, str]) -> None:
    added = roomctl("profile", "add", "prod", "--base-url", URL, "--key-stdin", stdin=KEY + "\n")
    assert (added.status, added.stdout) == (0, ""), added.stderr
    config = Path(variables["ROOMCTL_CONFIG"])
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    assert KEY in config.read_text()
    for words in (["list"], ["show"], ["show", "-o", "json"], ["list", "-o", "yaml"], ["show", "prod"]):
        shown = roomctl("profile", *words)
        assert shown.status == 0, shown.stderr
        assert KEY not in shown.stdout + shown.stderr


def test_each_setting_says_where_it_comes_from(roomctl: Run, variables: dict[str, str]) -> None:
    roomctl("profile", "add", "prod", "--base-url", URL, "--key-env", "PROD_KEY", "--protected")
    variables.update(PROD_KEY=KEY, ROOMCTL_TIMEOUT="3")
    rows = {row["setting"]: row for row in roomctl("profile", "show", "--retries", "1", "-o", "json").json}
    config = variables["ROOMCTL_CONFIG"]
    assert rows["timeout"] == {"setting": "timeout", "value": 3.0, "origin": "ROOMCTL_TIMEOUT"}
    assert rows["retries"] == {"setting": "retries", "value": 1, "origin": "--retries"}
    assert rows["protected"]["value"] is True
    assert config in rows["protected"]["origin"]
    assert rows["concurrency"]["origin"] == "built-in"


def test_an_option_of_the_connection_is_kept_in_the_profile_and_all_that_is_wrong_is_said_at_once(
    roomctl: Run, variables: dict[str, str]
) -> None:
    """R47: `--timeout` is not dropped."""
    words = [
        "profile",
        "add",
        "prod",
        "--base-url",
        URL,
        "--key-env",
        "X",
        "--end-of-list",
        "204,404",
        "--timeout",
        "60",
    ]
    assert roomctl(*words, "--idempotency-header", "Idempotency-Key").status == 0
    [written] = tomllib.loads(Path(variables["ROOMCTL_CONFIG"]).read_text())["profiles"].values()
    assert written == {
        "base_url": URL,
        "api_key_env": "X",
        "end_of_list": ["204", "404"],
        "timeout": 60.0,
        "idempotency_header": "Idempotency-Key",
    }
    wrong = roomctl("profile", "add", "x", "--base-url", "http://a.example", "--key-env", "a b", "--list-field", "a b")
    for name in ("base_url", "api_key_env", "list_field"):
        assert f"{name} of profile x is not " in wrong.stderr


def test_a_profile_is_checked_by_its_name_as_it_is_shown(roomctl: Run) -> None:
    for name in ("one", "two"):
        roomctl("profile", "add", name, "--base-url", URL, "--key-env", "NOT_SET")
    named = roomctl("profile", "check", "two")
    assert (named.status, named.stdout) == (3, "")
    assert "profile two takes its key from NOT_SET, which is not set" in named.stderr
    assert roomctl("profile", "check", "sandbox", "-o", "json").json["profile"] == "sandbox"
    for words in (["profile", "check", "two", "--profile", "one"], ["--profile", "one", "profile", "check", "two"]):
        both = roomctl(*words)
        assert both.status == 2 and "two profiles were named: two and one" in both.stderr
    assert roomctl("profile", "check", "two", "--profile", "two").status == 3


@pytest.mark.parametrize("source", ["env", "file", "command"])
def test_a_key_can_come_from_the_environment_a_file_or_a_command(
    source: str, roomctl: Run, variables: dict[str, str], tmp_path: Path
) -> None:
    secret = tmp_path / "key"
    secret.write_text(KEY)
    secret.chmod(0o600)
    variables["PROD_KEY"] = KEY
    given = {"env": "PROD_KEY", "file": str(secret), "command": f"{sys.executable} -c \"print('{KEY}')\""}[source]
    added = roomctl("profile", "add", "prod", "--base-url", URL, f"--key-{source}", given)
    assert added.status == 0, added.stderr
    shown = {row["setting"]: row["value"] for row in roomctl("profile", "show", "-o", "json").json}
    assert shown["api_key"].endswith("cdef") or (source == "command" and "is not run here" in shown["api_key"])
    assert KEY not in shown["api_key"]


def test_the_first_profile_is_the_default_and_another_can_be_chosen(roomctl: Run) -> None:
    for name in ("one", "two"):
        assert roomctl("profile", "add", name, "--base-url", URL, "--key-env", "X").status == 0
    assert [row["name"] for row in roomctl("profile", "list", "-o", "json").json if row["default"]] == ["one"]
    assert roomctl("profile", "use", "two").status == 0
    assert roomctl("profile", "remove", "one", "--yes").status == 0
    rows = roomctl("profile", "list", "-o", "json").json
    assert [(row["name"], row["default"]) for row in rows] == [("two", True), ("sandbox", False)]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["add", "prod", "--base-url", "http://rooms.example.org", "--key-env", "X"], 2),
        (["add", "a b", "--base-url", URL, "--key-env", "X"], 2),
        (["add", "sandbox", "--base-url", URL, "--key-env", "X"], 2),
        (["add", "prod", "--base-url", URL], 2),
        (["add", "prod", "--base-url", URL, "--key-env", "X", "--key-stdin"], 2),
        (["add", "prod", "--key-env", "X"], 2),
        (["use", "nobody"], 2),
        (["remove", "nobody", "--yes"], 2),
        (["remove", "nobody"], 2),
        (["show", "nobody"], 2),
        (["show"], 3),
    ],
)
def test_a_wrong_call_is_one_error_and_changes_nothing(
    words: list[str], status: int, roomctl: Run, variables: dict[str, str]
) -> None:
    done = roomctl("profile", *words)
    assert (done.status, done.stdout) == (status, ""), done.stderr
    assert not Path(variables["ROOMCTL_CONFIG"]).exists()


def test_a_read_only_profile_refuses_every_write(sandbox: Run, roomctl: Run, variables: dict[str, str]) -> None:
    variables["X"] = KEY
    roomctl("profile", "add", "safe", "--base-url", "http://127.0.0.1:9", "--key-env", "X", "--read-only")
    done = roomctl("playlist", "create", "--name", "Rain")
    assert (done.status, "read-only" in done.stderr) == (2, True)


def test_a_protected_profile_wants_its_name_on_the_command_line(roomctl: Run, variables: dict[str, str]) -> None:
    variables["X"] = KEY
    roomctl("profile", "add", "prod", "--base-url", "http://127.0.0.1:9", "--key-env", "X", "--protected")
    refused = roomctl("playlist", "create", "--name", "Rain", "--yes")
    assert (refused.status, "--profile prod --yes" in refused.stderr) == (2, True)
    sent = roomctl("playlist", "create", "--name", "Rain", "--yes", "--profile", "prod", "--retries", "0")
    assert sent.status == 5, sent.stderr


def test_check_asks_the_service(sandbox: Run) -> None:
    assert sandbox("profile", "check", "-o", "json").json["accepted"] is True


def test_the_profiles_names_are_kept_for_completion(roomctl: Run, variables: dict[str, str]) -> None:
    roomctl("profile", "add", "prod", "--base-url", URL, "--key-env", "X")
    kept = Path(variables["ROOMCTL_CACHE"], "completion", "profiles")
    assert "prod" in kept.read_text().splitlines()
    assert kept.stat().st_mode & 0o077 == 0
