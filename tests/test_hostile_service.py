"""A hostile service against the whole tool: a known exit code, never a credential, never long, never large."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.operations import BY_NAME, OPERATIONS
from tests.conftest import Env, Run, Serving
from tests.hostility import OK, replies, whole
from tests.servers import KEY, A, Recorder, answer
from tests.service.servers import Script, Server, drip, hang_up
from tests.test_wire import COMMANDS, DOT

REPLIES = replies(KEY)
UNDOCUMENTED = {operation.name for operation in OPERATIONS if operation.reply is None}
DRIPS: dict[str, Script] = {
    "a byte each half second": drip(OK + b"Content-Length: 9999\r\n\r\n[", b" ", 0.5, 20),
    "endless 103": drip(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 0.001),
    "endless headers": drip(OK, b"X-More: yes\r\n", 0.01, 1_000),
}


class Hostile(Server):
    """A service that is hostile to one operation, and shows nothing to reads beside a write."""

    def __init__(self, name: str, script: Script) -> None:
        self.name, self.script = name, script
        super().__init__()

    def converse(self, connection: socket.socket, request: bytes) -> None:
        beside = BY_NAME[self.name].writes and request.startswith(b"GET ")
        (hang_up(whole(b"[]")) if beside else self.script)(connection)


@pytest.fixture
def hostile(roomctl: Run, serving: Serving, tmp_path: Path) -> Callable[..., Any]:
    """Run the command of an operation against a hostile service; what may be said is checked here."""
    (tmp_path / "dot.gif").write_bytes(DOT)

    def call(name: str, script: Script, *more: str) -> tuple[int, str]:
        service = serving(Hostile(name, script))
        done = roomctl(*COMMANDS[name], "--retries", "0", *more)
        said = done.stdout + done.stderr
        assert KEY not in said and "Traceback" not in said, said
        assert service.writes == (1 if BY_NAME[name].writes else 0), done.stderr
        return done.status, done.stderr

    return call


def allowed(name: str, trick: str) -> set[int]:
    """Give the statuses that are honest: a read fails, a write is unknown unless the service said no."""
    refused = trick in {"key in an error", "key in headers"}
    if BY_NAME[name].writes:
        no = {6} if name == "invite.send" else {4}
        return no if refused else {7}
    if trick in ("null", "nothing", "204") and BY_NAME[name].paged:  # a page without rows: on page 0 it proves nothing
        return {0} if "--page" in COMMANDS[name] else {6}
    return {4} if refused else {4, 5}


@pytest.mark.parametrize("trick", REPLIES)
def test_r8_r10_r13_r17_r28_no_hostile_answer_is_taken_for_a_result(trick: str, hostile: Callable[..., Any]) -> None:
    some = ("roomset.list", "social.end", "user.get", "invite.send")
    for name in some if trick == "an array in an object" else COMMANDS:
        status, said = hostile(name, hang_up(REPLIES[trick]), "-o", "json")
        undocumented = name in UNDOCUMENTED and status == 0  # any whole 2xx answers what has no documented reply
        assert undocumented or status in allowed(name, trick), (name, status, said)
        assert json.loads(said.splitlines()[-1])["error"]["exit"] == status if status else True


def test_r45_an_id_that_was_given_for_an_earlier_record_proves_no_new_one(roomctl: Run, serving: Serving) -> None:
    for operation, again in (("playlist.create", 7), ("theme.save", 0)):
        serving(Recorder(operation))
        command = (*operation.split("."), "--name", "A", "--yes")
        first, second = roomctl(*command), roomctl(*command)
        told = "existed before" in second.stderr or "was saved before, so it was changed" in second.stderr
        assert (first.status, second.status, told) == (0, again, True), second.stderr


@pytest.mark.parametrize("name", ["user.get", "roomset.list", "social.end", "playlist.create"])
def test_an_answer_that_ends_at_any_byte_is_no_answer(name: str, hostile: Callable[..., Any]) -> None:
    reply = whole(json.dumps(answer(name) or [{"socialRoomSetId": A}]).encode())
    for end in range(len(reply)):
        status, said = hostile(name, hang_up(reply[:end]))
        assert status == (7 if BY_NAME[name].writes else 5), (end, said)


@pytest.mark.parametrize("name", ["user.get", "playlist.create"])
@pytest.mark.parametrize("trick", DRIPS)
def test_r12_no_service_holds_the_tool_beyond_its_deadline(trick: str, name: str, hostile: Callable[..., Any]) -> None:
    start = time.monotonic()
    status, said = hostile(name, DRIPS[trick], "--timeout", "0.4")
    assert (status, time.monotonic() - start < 15) == (7 if BY_NAME[name].writes else 5, True), said


GROWTH = """
import io, sys
from pathlib import Path
from roomctl.cli.main import run
def high():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1024
def call(args):
    Path("/proc/self/clear_refs").write_text("5")
    return run(args, stdin=io.StringIO(), stdout=io.StringIO(), stderr=io.StringIO())
command = sys.argv[1:]
call(command)
before = high()
status = call(command)
print(status, high() - before)
"""


DENSE = {f"8 MiB of {text.decode()}": text for text in (b"{}", b"[]", b'"ab"', b"1.5", b'{"a":1}')}


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the high water of memory is read from /proc")
@pytest.mark.parametrize("name", ["user.get", "roomset.list"])
@pytest.mark.parametrize(
    "trick", ["bomb", "bomb in a bomb", "objects to depth 100,000", "headers", "endless body", *DENSE]
)
def test_r10_r11_no_answer_takes_more_than_64_mib(trick: str, name: str, serving: Serving, variables: Env) -> None:
    def endless(connection: socket.socket) -> None:
        connection.sendall(OK + b"\r\n[")
        for _ in range(200):
            connection.sendall(b" " * 1024 * 1024)

    first, text = whole(json.dumps(answer(name)).encode()), DENSE.get(trick, b"")
    dense = whole(b"[" + b",".join([text] * (8 * 1024 * 1024 // (len(text) + 1) - 1)) + b"]") if text else b""
    script = endless if trick == "endless body" else hang_up(dense or REPLIES[trick])
    serving(Server(hang_up(first), script))
    command = [sys.executable, "-c", GROWTH, *COMMANDS[name], "--retries", "0"]
    own = {**variables, "PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run(command, env=own, capture_output=True, text=True, check=True)
    status, grown = map(int, run.stdout.split())
    assert (status, grown <= 64) == (4, True), (grown, run.stderr)


@pytest.mark.parametrize("end", [b"", b", NaN]", b", {}"])
def test_r34_no_row_of_a_torn_page_is_written(end: bytes, roomctl: Run, serving: Serving, tmp_path: Path) -> None:
    rows = [json.dumps([{"registrationId": f"{page}{A[1:]}"}]).encode() for page in range(2)]
    serving(Server(hang_up(whole(rows[0])), hang_up(whole(rows[1].removesuffix(b"]") + end))))
    done = roomctl("registration", "export", A, "--to", "r.csv", "--retries", "0", "--concurrency", "1")
    part = (tmp_path / "r.csv.part").read_bytes()
    assert (done.status, (tmp_path / "r.csv").exists()) == (4, False), done.stderr
    ids = [page + A[1:].encode() in part for page in (b"0", b"1")]
    assert (part.count(b"\n"), ids) == (2, [True, False])  # the heading, and the row of the page that is whole
