"""What a short command costs, in instructions: they repeat to the digit, so a bar is a test and not a timing."""

import os
import pty
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers import A, Recorder

VALGRIND = shutil.which("valgrind")
pytestmark = pytest.mark.skipif(VALGRIND is None, reason="valgrind is not installed: instructions cannot be counted")
MAIN = "import sys; sys.argv = {argv!r}; from roomctl.__main__ import main; main()"
BARE = """
import json, httpx
reply = httpx.Client().{method}({url!r}, headers={{"X-API-Key": "instructions-test-key"}}{body})
print(json.dumps(reply.json(), indent=2))
"""
Count = Callable[..., int]


@pytest.fixture(scope="module")
def count(tmp_path_factory: pytest.TempPathFactory) -> Count:
    """Count the instructions of a Python program, in millions of a thousand; byte-compiled files are made before."""
    home = tmp_path_factory.mktemp("instructions")
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    environment = {**kept, "HOME": os.fspath(home), "TZ": "UTC", "PYTHONPYCACHEPREFIX": os.fspath(home / "compiled")}
    known: dict[str, int] = {}

    def counted(program: str, *, terminal: bool = False, **variables: str) -> int:
        if program not in known or variables:
            own = {**environment, **variables}
            _run([sys.executable, "-c", program], own, terminal)
            command = [
                str(VALGRIND),
                "--tool=callgrind",
                "--callgrind-out-file=/dev/null",
                sys.executable,
                "-c",
                program,
            ]
            found = re.search(r"Collected : (\d+)", _run(command, own, terminal))
            assert found
            known[program] = int(found[1])
        return known[program]

    return counted


def _run(command: list[str], environment: dict[str, str], terminal: bool) -> str:
    """Run a command to its end and give its stderr; its stdout is a pipe, or a terminal that somebody reads."""
    if not terminal:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr.decode()
    ours, theirs = pty.openpty()
    reader = threading.Thread(target=_drain, args=(ours,), daemon=True)
    reader.start()
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(theirs)
        reader.join(5)
        os.close(ours)
    assert done.returncode == 0, done.stderr
    return done.stderr.decode()


def _drain(file: int) -> None:
    try:
        while os.read(file, 65536):
            pass
    except OSError:  # the other end is closed
        return


def tool(*args: str) -> str:
    return MAIN.format(argv=["roomctl", *args])


@pytest.fixture
def service(request: pytest.FixtureRequest) -> Iterator[Recorder]:
    made = Recorder(request.param)
    yield made
    made.close()


def test_the_version_costs_no_more_than_an_empty_python(count: Count) -> None:
    assert count(tool("--version")) <= 1.3 * count("pass")


@pytest.mark.parametrize("args", [("--help",), ("social", "--help"), ("social", "end", "--help")])
def test_help_costs_less_than_importing_typer(args: tuple[str, ...], count: Count) -> None:
    assert count(tool(*args)) <= 1.15 * count("import typer")


def test_help_on_a_terminal_costs_little_more(count: Count) -> None:
    assert count(tool("social", "end", "--help"), terminal=True) <= 2.3 * count("import typer")


@pytest.mark.parametrize(
    ("service", "args", "method", "body", "terminal", "bar"),
    [
        ("social.end", ("social", "end", A, "--yes", "-o", "json"), "post", "", False, 1.0),
        ("user.get", ("user", "get", A, "-o", "json"), "get", "", False, 1.0),
        ("roomset.list", ("roomset", "list", "-o", "tsv"), "get", "", False, 1.0),
        (
            "playlist.create",
            ("playlist", "create", "--name", "x", "-o", "json"),
            "post",
            ", json={'name': 'x'}",
            False,
            1.6,
        ),
        ("roomset.list", ("roomset", "list"), "get", "", True, 1.5),
    ],
    indirect=["service"],
)
def test_a_request_costs_no_more_than_the_library_alone(
    service: Recorder,
    args: tuple[str, ...],
    method: str,
    body: str,
    terminal: bool,
    bar: float,
    count: Count,
    tmp_path: Path,
) -> None:
    variables = {
        "ROOMCTL_BASE_URL": f"http://127.0.0.1:{service.port}",
        "ROOMCTL_API_KEY": "instructions-test-key",
        "ROOMCTL_STATE": os.fspath(tmp_path / "state"),
    }
    bare = BARE.format(method=method, url=f"http://127.0.0.1:{service.port}/api/v1/x", body=body)
    assert count(tool(*args), terminal=terminal, **variables) <= bar * count(bare)


def test_a_read_in_process_costs_little_more_than_over_http(count: Count, tmp_path: Path) -> None:
    variables = {"ROOMCTL_DATA": os.fspath(tmp_path / "data"), "ROOMCTL_STATE": os.fspath(tmp_path / "state")}
    here = count(tool("--sandbox", "roomset", "list", "-o", "tsv"), **variables)
    command = [sys.executable, "-m", "roomctl", "sandbox", "serve", "--port", "0", "--key", "instructions-test-key"]
    with subprocess.Popen(command, env={**os.environ, **variables}, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        port = next(found[1] for line in server.stderr if (found := re.search(r"127\.0\.0\.1:(\d+)", line)))
        variables |= {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": "instructions-test-key"}
        over = count(tool("roomset", "list", "-o", "tsv"), **variables)
        server.terminate()
        server.stderr.read()
    assert here <= 1.3 * over
