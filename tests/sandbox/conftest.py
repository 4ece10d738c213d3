"""The sandbox served over a real socket, seeded, for the tests of this folder."""

import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import httpx
import pytest

from roomctl.sandbox.app import build
from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.store import Store
from roomctl.sandbox.transport import SandboxTransport
from tests.programs import TOOL, sandbox_server
from tests.servers import KEY

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
GONE = "99999999-9999-4999-8999-999999999999"


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
    variables = {f"ROOMCTL_{name}": os.fspath(home / name.lower()) for name in ("DATA", "STATE", "CACHE", "CONFIG")}
    seed = [*TOOL, "sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids"]
    made = subprocess.run(seed, env={**os.environ, **variables}, capture_output=True, text=True, check=True)
    with sandbox_server(variables, home) as server:
        yield Served(server.url, KEY, made.stdout.split()[0])
