"""The sandbox served over a real socket, seeded, for the tests of this folder."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from roomctl.sandbox.app import build
from roomctl.sandbox.faults import FaultStore
from roomctl.sandbox.gaps import LEVELS
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store
from roomctl.sandbox.transport import SandboxTransport
from tests.programs import sandbox_server
from tests.servers import KEY

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
GONE = "99999999-9999-4999-8999-999999999999"


def client_of(store: Store, faults: FaultStore | None = None, *, strictness: str = "") -> httpx.Client:
    faults = faults or FaultStore(store.path.with_name("stage.db"))
    transport = SandboxTransport(build(store, KEY, faults, strictness=strictness))
    return httpx.Client(transport=transport, base_url="http://localhost/api/v1", headers={"X-API-Key": KEY})


class World:
    """A seeded sandbox in this process, asked in any reading of its gaps; "": as the world keeps it."""

    def __init__(self, path: Path) -> None:
        self.store = Store(path)
        self.events = seed(self.store, registrations=40, now=NOW)
        self.clients = {name: client_of(self.store, strictness=name) for name in ("", *LEVELS)}
        self.client = self.clients[""]

    def ask(self, reading: str, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        return self.clients[reading].request(method, path, params=query, json=body)

    def get(self, path: str, **query: Any) -> Any:
        reply = self.ask("", "GET", path, **query)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def post(self, path: str, body: Any = None, **query: Any) -> httpx.Response:
        return self.ask("", "POST", path, body, **query)

    @property
    def sets(self) -> list[Any]:
        return list(self.get("/social/room/set/mine", size=100))

    def room(self, name: str) -> Any:
        return next(room for each in self.sets for room in each["socials"] if room["name"] == name)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "sandbox.db")
    yield made
    for client in made.clients.values():
        client.close()
    made.store.close()


class Served(NamedTuple):
    """A served sandbox: its address and its key."""

    url: str
    key: str


@pytest.fixture(scope="module")
def served(seeded_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("served")
    variables = {f"ROOMCTL_{name}": os.fspath(home / name.lower()) for name in ("DATA", "STATE", "CACHE", "CONFIG")}
    shutil.copytree(seeded_data, home / "data")
    with sandbox_server(variables, home) as server:
        yield Served(server.url, KEY)
