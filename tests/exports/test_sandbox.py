"""The real client against the sandbox: what is exported is what the service holds."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.exports.check import check
from roomctl.sandbox.app import build
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store
from roomctl.sandbox.transport import SandboxTransport
from roomctl.service.client import Client
from roomctl.service.paginator import Paginator
from tests.exports.paged import exported

KEY = "sandbox-test-key"
COUNT = 137


@pytest.fixture
def world(tmp_path: Path) -> Iterator[tuple[Client, str]]:
    """Give a client of a seeded sandbox, and the id of its first event."""
    store = Store(tmp_path / "sandbox.sqlite")
    events = seed(store, registrations=COUNT, seed=3).events
    with Client("http://127.0.0.1:8400", KEY, transport=SandboxTransport(build(store, KEY))) as client:
        yield client, events[0].id
    store.close()


def listed(client: Client, event: str, size: int) -> list[dict[str, object]]:
    return list(Paginator(client, REGISTRATION_LIST, path={}, query=[("socialEventId", event)], size=size))


def test_what_is_exported_is_what_is_listed_however_it_is_paged(world: tuple[Client, str], tmp_path: Path) -> None:
    client, event = world
    rows = listed(client, event, 20)
    assert len(rows) > 20
    for size, concurrency in ((7, 1), (500, 4)):
        to = tmp_path / f"{size}.ndjson"
        facts = exported(client, to, query=[("socialEventId", event)], size=size, concurrency=concurrency, verify=True)
        assert [json.loads(line) for line in to.read_bytes().splitlines()] == rows
        assert (facts.complete, facts.passes, check(to)) == (True, 2, [])
        assert b"earer" not in to.read_bytes()
