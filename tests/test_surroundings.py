"""Encodings, terminals, homes, proxies and .netrc as one finds them: nothing of it changes a result (R5, R15, R27)."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Env, Run, Serving
from tests.servers import KEY, A, Recorder

NAME = "Zoë 会議 \U0001f389 \u202e"
HOMES = {"unset": None, "not a folder": "/dev/null/home", "missing": "/nowhere/home", "not utf-8": "/nowhere/\udcff"}
SURROUNDINGS: dict[str, dict[str, str]] = {
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "utf-16": {"PYTHONIOENCODING": "utf-16-le"},
    "dumb": {"TERM": "dumb"},
    "no terminal type": {"TERM": ""},
    "0 columns": {"COLUMNS": "0", "LINES": "0"},
    "columns without a number": {"COLUMNS": "many"},
    "a zone that is none": {"TZ": "Nowhere/Never"},
    "colours forced": {"FORCE_COLOR": "1", "GITHUB_ACTIONS": "true", "CI": "true"},
}


class Named(Recorder):
    """A service whose user has a name that not every stream can write."""

    def answer(self, request: bytes) -> bytes:
        return json.dumps({"userId": A, "name": NAME}).encode()


@pytest.fixture
def named(serving: Serving) -> Named:
    return serving(Named("user.get"))


@pytest.fixture
def run(named: Named, variables: Env) -> Callable[..., Any]:
    """Run the tool in a process of its own, and check what must never be said."""

    def call(*args: str) -> Any:
        environment = {**variables, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "roomctl", *args]
        done = subprocess.run(command, env=environment, capture_output=True, check=False, stdin=subprocess.DEVNULL)
        assert b"Traceback" not in done.stderr and KEY.encode() not in done.stdout + done.stderr, done.stderr
        return done

    return call


@pytest.mark.parametrize("around", SURROUNDINGS)
def test_r27_no_encoding_and_no_terminal_changes_what_is_read(around: str, run: Run, variables: Env) -> None:
    variables.update(SURROUNDINGS[around])
    encoding = SURROUNDINGS[around].get("PYTHONIOENCODING", "utf-8")
    shown = run("user", "get", A, "-o", "json")
    found = (shown.returncode, json.loads(shown.stdout.decode(encoding)))
    assert found == (0, {"userId": A, "name": NAME}), shown.stderr
    table = run("user", "get", A)
    assert table.returncode == 0, table.stderr
    assert b"\x1b" not in table.stdout and "\u202e" not in table.stdout.decode(encoding)


@pytest.mark.parametrize("home", HOMES)
def test_a_home_that_cannot_be_used_stops_no_reading(home: str, run: Run, variables: Env) -> None:
    for name in ("HOME", "ROOMCTL_CONFIG", "ROOMCTL_DATA", "ROOMCTL_STATE", "ROOMCTL_CACHE"):
        del variables[name]
    if HOMES[home] is not None:
        variables["HOME"] = str(HOMES[home])
    done = run("user", "get", A, "-o", "json")
    assert (done.returncode, json.loads(done.stdout)["userId"]) == (0, A), done.stderr


def test_a_home_that_cannot_be_written_stops_a_write_before_it_is_sent(named: Named, run: Run, variables: Env) -> None:
    variables["ROOMCTL_STATE"] = "/dev/null/state"
    done = run("playlist", "create", "--name", "Rain", "--error-format", "json")
    assert (done.returncode, named.requests) == (9, []), done.stderr
    assert json.loads(done.stderr.splitlines()[-1])["error"]["outcome"] == "not_sent"


def test_r5_r15_r59_a_proxy_and_a_netrc_get_nothing(named: Named, run: Run, variables: Env, tmp_path: Path) -> None:
    trap = Recorder("user.get")
    proxy = f"http://me:proxy-password@127.0.0.1:{trap.port}"
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
    variables.update(dict.fromkeys(names, proxy), HOME=os.fspath(tmp_path), NETRC=os.fspath(tmp_path / ".netrc"))
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password netrc-password\ndefault login x password y\n")
    done = run("user", "get", A, "-v", "-o", "json")
    trap.close()
    assert (done.returncode, trap.requests, len(named.requests)) == (0, [], 1), done.stderr
    assert b"password" not in done.stderr and b"uthorization" not in named.requests[0]
