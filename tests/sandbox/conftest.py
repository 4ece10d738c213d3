"""The sandbox served over a real socket, seeded, for the tests of this folder."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from roomctl.sandbox.app import build
from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.store import Store
from roomctl.sandbox.transport import SandboxTransport

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
GONE = "99999999-9999-4999-8999-999999999999"
KEY = "served-test-key-0123456789"


def client_of(store: Store, faults: FaultStore | None = None, *, strictness: str = "") -> httpx.Client:
    """Make a client of a sandbox in this process."""
    transport = SandboxTransport(build(store, KEY, faults, strictness=strictness))
    return httpx.Client(transport=transport, base_url="http://localhost/api/v1", headers={"X-API-Key": KEY})


class Served(NamedTuple):
    """A served sandbox: its address, its key, the id of its first event."""

    url: str
    key: str
    event: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("served")
    names = ("DATA", "STATE", "CACHE")
    environment = {**os.environ, **{f"ROOMCTL_{name}": os.fspath(home / name.lower()) for name in names}}
    environment["ROOMCTL_CONFIG"] = os.fspath(home / "config.toml")
    tool = [sys.executable, "-m", "roomctl", "sandbox"]
    seeded = subprocess.run(
        [*tool, "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    log = (home / "stderr").open("w+")
    with subprocess.Popen([*tool, "serve", "--port", "0", "--key", KEY], env=environment, stderr=log) as server:
        yield Served(_address(Path(log.name)), KEY, seeded.stdout.split()[0])
        server.send_signal(signal.SIGTERM)
        assert server.wait(10) == 143
    log.close()
    assert "Traceback" not in Path(log.name).read_text()


def _address(log: Path) -> str:
    from time import sleep

    for _ in range(200):
        if found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text()):
            return found[0]
        sleep(0.05)
    raise AssertionError("the sandbox does not say where it is")
