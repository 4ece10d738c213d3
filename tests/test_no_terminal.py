"""R44: where nobody is there to answer, no command hangs or asks: exit 2 and nothing sent, or done without asking."""

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Env, Run, Serving
from tests.events.stage import ran_in
from tests.servers import A, B, Recorder

ASKING = {
    "roomset update": [A, "--name", "New"],
    "roomset edit": [A],
    "social end": [B],
    "social end many": [B, A],
    "social end --from": ["--from", "rooms.csv", "--results", "r.csv"],
    "social end --room-set": ["--room-set", A],
    "roomset apply": ["evening.yaml"],
    "rules save": [A, "--name", "Gate", "--entry-option", "DEFAULT"],
    "invite send": [B, "--email", "ada@example.org"],
    "invite send --from": [B, "--from", "people.csv"],
    "journal repeat": ["ENTRY", "--input", "playlist.json"],
    "profile remove": ["old"],
    "sandbox seed": [],
    "sandbox reset": [],
    "sandbox snapshot": ["old"],
    "sandbox restore": ["old"],
    "api update": ["roomset.update", "-f", f"socialRoomSetId={A}", "-f", "name=New"],
    "api end": ["POST", f"/social/end/{B}"],
}
NAMED = ("roomset create", "social create", "theme save", "playlist create", "transcription process")
CREATING = {"roomset copy": [A, "--name", "New"], "social copy": [B], **{key: ["--name", "New"] for key in NAMED}}
IN_PROCESSES = ("social end", "social end --from", "roomset apply", "journal repeat", "sandbox seed", "profile add")
PROTECTED = [*CREATING, "roomset update", "social end", "social end --from", "rules save", "api end"]


class World(Recorder):
    """A service with one room set, one room and a record of everything; it counts what is not a read."""

    def __init__(self) -> None:
        super().__init__("roomset.list")

    def answer(self, request: bytes) -> bytes:
        method, target, _ = request.split(b"\r\n", 1)[0].decode().split(" ")
        path, _, query = target.partition("?")
        if method == "GET" and "page=" in query:
            room = {"socialId": B, "name": "Stage", "isOpen": True, "configurationId": B}
            rows = [{"socialRoomSetId": A, "name": "Summit", "socials": [room]}] if path.endswith("/set/mine") else []
            return json.dumps(rows if "page=0" in query else []).encode()
        if "/invite/" in path:
            return b"[]"
        ids = ("userId", "socialRoomSetId", "playlistId", "socialThemeId", "socialTranscriptionId")
        return json.dumps(dict.fromkeys(ids, A) | {"socialId": B, "isOpen": False}).encode()


@pytest.fixture
def world(serving: Serving, variables: Env, roomctl: Run, tmp_path: Path) -> World:
    """Serve, as in a CI job: an environment that says so, files to work with, one entry in the journal."""
    assert roomctl("sandbox", "seed", "--registrations", "0", "--yes").status == 0
    assert roomctl("sandbox", "snapshot", "old").status == 0
    assert roomctl("--sandbox", "playlist", "create", "--name", "Changed").status == 0
    shutil.rmtree(variables["ROOMCTL_STATE"])
    added = roomctl("profile", "add", "old", "--base-url", "http://127.0.0.1:9", "--key-env", "X", "--use")
    assert added.status == 0, added.stderr
    server = serving(World())
    variables.update(CI="1", EDITOR="true")
    (tmp_path / "rooms.csv").write_text(f"socialId\n{B}\n")
    (tmp_path / "people.csv").write_text("emailAddress\n" + "".join(f"p{n}@example.org\n" for n in range(40)))
    (tmp_path / "evening.yaml").write_text("room_set: Summit\nrooms: [{name: Loft}]\n")
    (tmp_path / "playlist.json").write_text('{"name": "Rain"}')
    assert roomctl("playlist", "create", "--input", "playlist.json").status == 0
    server.requests.clear()
    return server


@pytest.fixture
def entry(world: World, roomctl: Run) -> str:
    return str(roomctl("journal", "list", "-o", "json").json[0]["id"])


def command(name: str, arguments: list[str], entry: str) -> list[str]:
    group, verb = [*name.split(" "), ""][:2]
    words = [group] if group == "api" else [group, verb]
    return [*words, *(entry if word == "ENTRY" else word for word in arguments)]


@pytest.mark.parametrize("name", ASKING)
def test_r44_what_asks_is_2_and_sends_nothing_where_nobody_is_there(
    name: str, world: World, entry: str, roomctl: Run, tmp_path: Path, variables: Env
) -> None:
    edit = tmp_path / "edit"
    edit.write_text('#!/bin/sh\nsed -i s/Summit/Other/ "$1"\n')
    edit.chmod(0o755)
    variables["EDITOR"] = os.fspath(edit)
    done = roomctl(*command(name, ASKING[name], entry), "-o", "json")
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (done.status, error["code"], error["outcome"], world.writes) == (2, "confirmation", "not_sent", 0), error
    assert ("`roomctl roomset update SET`" if name == "roomset edit" else "--yes") in error["hint"]
    assert not (tmp_path / "r.csv").exists()
    assert len(roomctl("journal", "list", "-o", "json").json) == 1


@pytest.mark.parametrize("name", CREATING)
def test_creating_asks_nothing_and_reads_no_stdin(name: str, world: World, entry: str, roomctl: Run) -> None:
    done = roomctl(*command(name, CREATING[name], entry))
    assert (done.status in (0, 7), world.writes > 0) == (True, True), done.stderr


@pytest.mark.parametrize("yes", [[], ["--yes"]])
@pytest.mark.parametrize("name", PROTECTED)
def test_r44_a_protected_profile_is_written_to_only_when_it_is_named(
    name: str, yes: list[str], world: World, entry: str, roomctl: Run, variables: Env
) -> None:
    variables["PROD_KEY"] = variables.pop("ROOMCTL_API_KEY")
    address = variables.pop("ROOMCTL_BASE_URL")
    added = roomctl("profile", "add", "prod", "--base-url", address, "--key-env", "PROD_KEY", "--protected", "--use")
    assert added.status == 0, added.stderr
    line = command(name, {**CREATING, **ASKING}[name], entry)
    done = roomctl(*line, *yes)
    assert (done.status, world.writes) == (2, 0), done.stderr
    assert "--profile prod" in done.stderr
    assert roomctl(*line, "--profile", "prod", "--yes").status in (0, 7)
    assert world.writes > 0


def ran(words: list[str], variables: Env, folder: Path, kind: str) -> tuple[int, str, float]:
    """Run in a process whose stdin is an open pipe that nobody writes to, or closed."""
    line = [sys.executable, "-m", "roomctl", *words]
    if kind == "closed":
        line = ["sh", "-c", 'exec "$@" <&-', "sh", *line]
    start = time.monotonic()
    stdin, own = subprocess.PIPE if kind == "silent" else None, {**os.environ, **variables}
    how: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(line, cwd=folder, env=own, stdin=stdin, **how) as process:
        assert process.stderr is not None
        try:
            status = process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            return -1, "it hangs", 20.0
        said = process.stderr.read()
    return status, said, time.monotonic() - start


@pytest.mark.parametrize("kind", ["silent", "closed"])
def test_r44_no_silent_or_closed_stdin_hangs(
    kind: str, world: World, entry: str, variables: Env, tmp_path: Path
) -> None:
    lines = {name: command(name, ASKING[name], entry) for name in ASKING if name != "roomset edit"}
    lines["profile add"] = ["profile", "add", "new", "--base-url", "http://127.0.0.1:9"]
    if kind == "closed":  # as silence above, in this process
        assert {ran_in(tmp_path, variables, *words).status for words in lines.values()} == {2}
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda name: ran(lines[name], variables, tmp_path, kind), IN_PROCESSES)
        ends = dict(zip(IN_PROCESSES, found, strict=True))
    assert {name: end[0] for name, end in ends.items()} == dict.fromkeys(IN_PROCESSES, 2), ends
    assert (max(end[2] for end in ends.values()) < 10, world.writes) == (True, 0)


@pytest.mark.parametrize(
    "line",
    [["social", "end", "--from", "-"], ["invite", "send", B, "--from", "-"], ["playlist", "create", "--input", "-"]],
)
def test_a_closed_stdin_that_is_asked_for_is_2(line: list[str], world: World, variables: Env, tmp_path: Path) -> None:
    status, said, _ = ran([*line, "--yes"], variables, tmp_path, "closed")
    assert (status, world.writes) == (2, 0), said
    assert "stdin is closed" in said
