"""What a short command costs, in instructions, which repeat to the digit: `python -m tests.benchmarks.instructions`.

Each is a ratio to a program that does the same without roomctl; `tests/test_instructions.py` holds it to its bar.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from uuid import uuid4

from roomctl.contract.operations import BY_NAME
from tests.programs import sandbox_server
from tests.servers import KEY, A, Recorder
from tests.terminals import Terminal

VALGRIND = shutil.which("valgrind")

BARE = """
import json, httpx
with httpx.Client(headers={{"X-API-Key": "{key}"}}) as client:
    replies = [client.request({method!r}, {url!r} + path{body}).json() for path in {paths!r}]
print(json.dumps(replies[0], indent=2))
"""


class Service(Recorder):
    """Answers an operation; a list has one page of 20 rows, and what is made has an id of its own."""

    def answer(self, request: bytes) -> bytes:
        if self.name == "playlist.create":
            return json.dumps({"playlistId": str(uuid4())}).encode()
        if self.name != "roomset.list":
            return super().answer(request)
        first = b"page=0" in request.split(b"\r\n")[0]
        ids = [f"{number:08}{A[8:]}" for number in range(20 * first)]
        return json.dumps([{"socialRoomSetId": key, "name": f"Set {key[:8]}", "socials": []} for key in ids]).encode()


class Bar(NamedTuple):
    """A command, the most that it may cost as a multiple of `bare`, and the operation that it asks for."""

    name: str
    args: tuple[str, ...]
    most: float
    operation: str = ""
    bare: str = ""
    body: str = ""
    terminal: bool = False


LIST = ("/api/v1/x?page=0", "/api/v1/x?page=1", "/api/v1/x?page=2")
BARS = (
    Bar("the version", ("--version",), 1.3, bare="pass"),
    Bar("the help", ("--help",), 1.15, bare="import typer"),
    Bar("the help of a group", ("social", "--help"), 1.15, bare="import typer"),
    Bar("the help of a command", ("social", "end", "--help"), 1.15, bare="import typer"),
    Bar("the same on a terminal", ("social", "end", "--help"), 2.3, bare="import typer", terminal=True),
    Bar("a room is ended", ("social", "end", A, "--yes", "-o", "json"), 1.0, "social.end"),
    Bar("a user is read", ("user", "get", A, "-o", "json"), 1.0, "user.get"),
    Bar("a list", ("roomset", "list", "-o", "tsv"), 1.0, "roomset.list"),
    Bar("a write with a body", ("playlist", "create", "--name", "x", "-o", "json"), 1.3, "playlist.create",
        body=", json={'name': 'x'}"),
    Bar("a table of 20 rows on a terminal", ("roomset", "list"), 1.2, "roomset.list", terminal=True),
)  # fmt: skip


class Counter:
    """Counts the instructions of Python programs, whose byte-compiled files were made before."""

    def __init__(self, folder: str) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        self.environment = {**kept, "HOME": folder, "TZ": "UTC", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
        self.environment |= {f"ROOMCTL_{name}": f"{folder}/{name.lower()}" for name in ("STATE", "DATA", "CACHE")}
        self._known: dict[str, int] = {}

    def __call__(self, program: str, *, terminal: bool = False, **variables: str) -> int:
        if variables or program not in self._known:
            own = {**self.environment, **variables}
            command = [sys.executable, "-c", program]
            _run(command, own, terminal)
            count = [str(VALGRIND), "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
            found = re.search(r"Collected : (\d+)", _run(count, own, terminal))
            assert found
            self._known[program] = int(found[1])
        return self._known[program]

    def tool(self, args: tuple[str, ...], *, terminal: bool = False, **variables: str) -> int:
        """Count those of a command line of roomctl."""
        main = f"import sys; sys.argv = {['roomctl', *args]!r}; from roomctl.__main__ import main; main()"
        return self(main, terminal=terminal, **variables)


@contextmanager
def counting() -> Iterator[Counter]:
    with TemporaryDirectory() as folder:
        yield Counter(folder)


def ratio(count: Counter, bar: Bar) -> float:
    if not bar.operation:
        return count.tool(bar.args, terminal=bar.terminal) / count(bar.bare)
    service = Service(bar.operation)
    url = f"http://127.0.0.1:{service.port}"
    method = BY_NAME[bar.operation].method
    paths = LIST if bar.operation == "roomset.list" else LIST[:1]
    try:
        ours = count.tool(bar.args, terminal=bar.terminal, ROOMCTL_BASE_URL=url, ROOMCTL_API_KEY=KEY)
        return ours / count(BARE.format(key=KEY, method=method, url=url, paths=paths, body=bar.body))
    finally:
        service.close()


def in_process(count: Counter) -> float:
    """Count a read of the sandbox in process; give how often the cost of the same read over HTTP it is."""
    args = ("roomset", "list", "-o", "tsv")
    here = count.tool(("--sandbox", *args))
    with sandbox_server(count.environment, Path(count.environment["HOME"])) as server:
        over = count.tool(args, ROOMCTL_BASE_URL=server.url, ROOMCTL_API_KEY=KEY)
    return here / over


def _run(command: list[str], environment: dict[str, str], terminal: bool) -> str:
    """Run a command to its end and give its stderr; its stdout is a pipe, or a terminal that somebody reads."""
    screen = Terminal(80) if terminal else None
    out = screen.slave if screen else subprocess.PIPE
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, check=False
    )
    if screen:
        os.close(screen.slave)
        screen.closed()
    assert done.returncode == 0, done.stderr
    return done.stderr.decode()


if __name__ == "__main__":
    with counting() as count:
        for bar in BARS:
            print(f"{bar.name:<36}{ratio(count, bar):6.2f}  (bar {bar.most})")
        print(f"{'a read in process, of one over HTTP':<36}{in_process(count):6.2f}  (bar 1.3)")
