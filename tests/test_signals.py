"""R53, R54: signals, closed pipes, streams that are closed or full: the status says so, and the journal knows."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conftest import Env, Run, Serving
from tests.programs import tool
from tests.servers import A, Recorder

IDS = [f"{number:08x}-1111-4111-8111-111111111111" for number in range(1, 13)]
SIGNALS = [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
Step = Callable[[], object]


class Slow(Recorder):
    """A service that lets reads or writes wait for `answers` to be set; others need not wait."""

    def __init__(self, slow: str) -> None:
        self.slow = slow
        self.lose = False
        self.arrived = threading.Event()
        self.answers = threading.Event()
        super().__init__("social.end")

    def ready(self) -> bool:
        return self.arrived.wait(20)

    def close(self) -> None:
        self.answers.set()
        super().close()

    def converse(self, connection: socket.socket, request: bytes) -> None:
        if self.slow and request.startswith(self.slow.encode()):
            self.arrived.set()
            self.answers.wait(20)
        if not (self.lose and request.startswith(b"POST")):
            connection.sendall(self.reply(request))
        raise ConnectionAbortedError

    def answer(self, request: bytes) -> bytes:
        """Say that the room which was asked for is closed; a read finds nothing."""
        room = re.match(rb"POST /api/v1/social/end/(\S{36})", request)
        return json.dumps({"socialId": room[1].decode(), "isOpen": False} if room else []).encode()


Slowly = Callable[[str], Slow]


@pytest.fixture
def slow(serving: Serving) -> Slowly:
    return lambda method: serving(Slow(method))


@pytest.fixture
def started(variables: Env, tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    return lambda *args: tool(*args, variables=variables, cwd=tmp_path)


class Busy(Slow):
    """A service that asks every write to come again in a while."""

    def reply(self, request: bytes) -> bytes:
        if not request.startswith(b"POST"):
            return super().reply(request)
        self.arrived.set()
        return b"HTTP/1.1 429 X\r\nRetry-After: 50\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@pytest.fixture
def busy(serving: Serving) -> Busy:
    return serving(Busy(""))


def states(roomctl: Run) -> list[str]:
    return [entry["state"] for entry in roomctl("journal", "list", "-o", "json").json]


class Stopped(NamedTuple):
    """How a run ended that a signal stopped."""

    status: int
    stdout: str
    error: Any
    seconds: float


def stopped(process: subprocess.Popen[str], ready: Step, number: int, then: Step = int) -> Stopped:
    """Send a signal when the run is ready for it, do what is to happen then, and wait for the end."""
    with process:
        assert ready()
        process.send_signal(number)
        start = time.monotonic()
        then()
        out, err = process.communicate(timeout=20)
    return Stopped(process.returncode, out, json.loads(err.splitlines()[-1])["error"], time.monotonic() - start)


@pytest.mark.parametrize(("number", "status", "code"), SIGNALS)
@pytest.mark.parametrize(
    ("waits", "room", "comes", "outcome", "left", "least", "most"),
    [
        ("POST", A, False, "unknown", ["unknown"], 4.5, 15),
        ("POST", A, True, "applied", ["confirmed"], 0.4, 15),
        ("GET", "Main Stage", False, "not_sent", [], 0, 10),
    ],
    ids=["five-seconds-for-an-answer", "an-answer-in-time-is-shown", "at-once-before-anything-is-sent"],
)
def test_r53_a_signal_waits_five_seconds_for_what_was_sent_and_the_journal_knows(
    number: int, status: int, code: str, waits: str, room: str, comes: bool, outcome: str, left: list[str],
    least: float, most: float, slow: Slowly, started: Run, roomctl: Run,
) -> None:  # fmt: skip
    def answer() -> None:
        time.sleep(0.5)
        server.answers.set()

    server = slow(waits)
    then = answer if comes else int
    end = stopped(started("social", "end", room, "--yes", "-o", "json"), server.ready, number, then)
    assert (end.status, end.error["code"], end.error["outcome"]) == (status, code, outcome), end
    assert json.loads(end.stdout or "null") == ({"socialId": A, "isOpen": False} if comes else None)
    assert least < end.seconds < most
    assert (states(roomctl), server.writes) == (left, len(left))


def test_r53_a_second_signal_does_not_wait(slow: Slowly, started: Run, roomctl: Run) -> None:
    def insist() -> None:
        assert any("press Ctrl-C again to stop now" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)

    server, process = slow("POST"), started("social", "end", A, "--yes", "--error-format", "json")
    end = stopped(process, server.ready, signal.SIGTERM, insist)
    assert (end.status, states(roomctl)) == (143, ["unknown"])
    assert end.seconds < 4.5


def test_r53_a_signal_while_an_answer_is_looked_for_leaves_it_unknown(slow: Slowly, started: Run, roomctl: Run) -> None:
    server = slow("GET")
    server.lose = True
    end = stopped(started("social", "end", A, "--yes", "-o", "json"), server.ready, signal.SIGTERM)
    assert (end.status, end.stdout, end.error["outcome"]) == (143, "", "unknown"), end
    assert (states(roomctl), server.writes) == (["unknown"], 1)


def test_r53_a_signal_in_a_bulk_run_starts_no_more_requests_and_leaves_a_whole_result_file(
    slow: Slowly, started: Run, roomctl: Run, tmp_path: Path
) -> None:
    def both_wait() -> bool:
        arrived = server.ready()
        time.sleep(0.3)
        return arrived

    server = slow("POST")
    (tmp_path / "rooms.csv").write_text("socialId\n" + "\n".join(IDS) + "\n")
    bulk = ("--from", "rooms.csv", "--results", "ended.csv", "--yes", "--concurrency", "2", "-o", "json")
    end = stopped(started("social", "end", *bulk), both_wait, signal.SIGTERM)
    assert (end.status, end.error["code"], end.error["outcome"]) == (143, "terminated", "unknown"), end
    assert end.seconds < 15
    said = [row["status"] for row in json.loads(end.stdout)]
    assert sorted(said) == ["skipped"] * 10 + ["unknown"] * 2
    rows = (tmp_path / "ended.csv").read_text().splitlines()
    assert [row.split(",")[:2] for row in rows[1:]] == [list(pair) for pair in zip(IDS, said, strict=True)]
    assert (states(roomctl), server.writes) == (["unknown", "unknown"], 2)
    server.answers.set()
    again = roomctl("social", "end", "--from", "ended.csv", "--results", "ended.csv", "--yes")
    assert (again.status, server.writes) == (7, 12), again.stderr


def shell(line: str, variables: Env) -> subprocess.CompletedProcess[str]:
    tool = f"{shlex.quote(sys.executable)} -m roomctl"
    command, own = ["bash", "-c", line.replace("roomctl", tool)], {**os.environ, **variables}
    how: Any = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": 30}
    return subprocess.run(command, check=False, env=own, **how)


class Long(Recorder):
    """A service with many room sets: more than a pipe holds."""

    def __init__(self) -> None:
        super().__init__("roomset.list")

    def answer(self, request: bytes) -> bytes:
        if room := re.match(rb"POST /api/v1/social/end/(\S{36})", request):
            return json.dumps({"socialId": room[1].decode(), "isOpen": False}).encode()
        ids = [f"{number:08x}-1111-4111-8111-111111111111" for number in range(2000)]
        rows = [{"socialRoomSetId": key, "name": "x" * 200, "socials": []} for key in ids]
        return json.dumps(rows if b"page=0" in request else []).encode()


@pytest.fixture
def long(serving: Serving) -> Long:
    return serving(Long())


@pytest.mark.parametrize("form", ["table", "ndjson"])
def test_r53_a_reader_that_goes_away_is_141_and_nothing_is_said(form: str, long: Long, variables: Env) -> None:
    done = shell(f"roomctl roomset list -o {form} | head -c 10 >/dev/null; exit ${{PIPESTATUS[0]}}", variables)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("form", ["table", "json"])
@pytest.mark.parametrize("where", [">&-", ">/dev/full"])
def test_r54_a_stdout_that_is_closed_or_full_is_9(where: str, form: str, long: Long, variables: Env) -> None:
    done = shell(f"roomctl roomset list -o {form} {where}", variables)
    assert done.returncode == 9, done.stderr
    assert "stdout" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full", "2> >(exec true)"])
def test_r54_a_closed_or_full_stderr_changes_no_result(where: str, long: Long, variables: Env, roomctl: Run) -> None:
    done = shell(f"roomctl social end {A} --yes -o json {where}", variables)
    assert (done.returncode, json.loads(done.stdout)) == (0, {"socialId": A, "isOpen": False})
    assert states(roomctl) == ["confirmed"]
    failed = shell(f"roomctl social end nobody {where}", variables)
    assert (failed.returncode, failed.stdout) == (4, "")


@pytest.mark.parametrize("where", [">&-", ">/dev/full"])
def test_r54_a_write_that_is_not_shown_is_in_the_journal(where: str, long: Long, variables: Env, roomctl: Run) -> None:
    done = shell(f"roomctl social end {A} --yes {where}", variables)
    assert done.returncode == 9, done.stderr
    assert states(roomctl) in (["confirmed"], [])
    assert len(states(roomctl)) == sum(request.startswith(b"POST") for request in long.requests)


def test_r53_a_signal_while_a_refused_write_waits_leaves_it_refused(busy: Busy, started: Run, roomctl: Run) -> None:
    process = started("social", "end", A, "--yes", "-o", "json")
    end = stopped(process, lambda: any("attempt 2 of" in line for line in process.stderr), signal.SIGTERM)
    assert (end.status, end.stdout, end.error["outcome"]) == (143, "", "refused"), end
    assert end.error["message"] == "stopped by SIGTERM; what was sent had been refused: HTTP 429"
    assert (states(roomctl), busy.writes) == (["refused"], 1)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_r53_a_closed_terminal_stops_a_run_like_sigterm(slow: Slowly, started: Run) -> None:
    server = slow("GET")
    end = stopped(started("social", "end", "Main Stage", "--yes", "-o", "json"), server.ready, signal.SIGHUP)
    assert (end.status, end.error["message"]) == (143, "stopped because its terminal was closed; nothing was sent")
