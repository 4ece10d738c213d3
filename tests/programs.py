"""Programs of the tests, each in a process of its own: fork is safe there."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.servers import KEY

ROOT = Path(__file__).parents[1]
TOOL = [sys.executable, "-m", "roomctl"]


def started(*words: str, variables: Mapping[str, str] = MappingProxyType({}), **more: Any) -> subprocess.Popen[str]:
    """Start Python with these words, which finds the modules that this process finds."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((*sys.path, os.fspath(ROOT))), **variables}
    return subprocess.Popen([sys.executable, *words], env=environment, text=True, **{"cwd": ROOT, **more})


def tool(*words: str, variables: Mapping[str, str], **more: Any) -> subprocess.Popen[str]:
    """Start roomctl with nobody at its stdin; what it says is read through pipes, unless that is said otherwise."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return started("-m", "roomctl", *words, variables=variables, **{**pipes, **more})


def ran(module: str, *args: str) -> dict[str, Any]:
    """Run a module to its end, and give the JSON that it printed."""
    running = started("-m", module, *args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = running.communicate()
    assert running.returncode == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


class SandboxServer(NamedTuple):
    """The sandbox served by a process of its own: its address, and the process."""

    url: str
    process: subprocess.Popen[bytes]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@contextmanager
def sandbox_server(variables: Mapping[str, str], folder: Path) -> Iterator[SandboxServer]:
    """Serve the sandbox to which an environment leads; what it says goes to a file of the folder."""
    said = folder / "sandbox-said"
    command = [*TOOL, "sandbox", "serve", "--port", "0", "--key", KEY]
    with said.open("wb") as err, subprocess.Popen(command, env={**os.environ, **variables}, stderr=err) as process:
        try:
            while not (found := re.search(r"http://127\.0\.0\.1:\d+", said.read_text())):
                assert process.poll() is None, said.read_text()
                time.sleep(0.01)
            yield SandboxServer(found[0], process)
        finally:
            process.terminate()
            status = process.wait(30)
    assert status in (143, -9), status
    assert "Traceback" not in said.read_text()
