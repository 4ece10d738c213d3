"""The sandbox over a real socket; a defect of it is a line and a 500."""

import socket
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from roomctl.sandbox.app import build
from roomctl.sandbox.transport import SandboxTransport
from tests.sandbox.conftest import GONE


@pytest.fixture
def client(served: Any) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url + "/api/v1", headers={"X-API-Key": served.key}, trust_env=False) as made:
        yield made


def test_a_request_that_is_left_in_the_middle_harms_nobody(client: httpx.Client, served: Any) -> None:
    parts = urlsplit(served.url)
    head = f"POST /api/v1/social/create HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {served.key}\r\n"
    before = client.get("/social/room/set/mine").content
    for _ in range(5):
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as connection:
            connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
    assert client.get("/social/room/set/mine").content == before


SECRET = "served-test-key-0123456789"


def test_a_defect_is_one_line_without_a_value_of_the_request() -> None:
    said: list[str] = []
    broken: Any = SimpleNamespace(meta=lambda _: None, meet=lambda _: None, note=lambda _: None)
    with httpx.Client(transport=SandboxTransport(build(broken, SECRET, broken, tell=said.append))) as client:
        reply = client.get(f"http://localhost/api/v1/user/{GONE}?key={SECRET}", headers={"X-API-Key": SECRET})
    assert (reply.status_code, said) == (500, [f"SANDBOX: a bug: GET /api/v1/user/{GONE}: AttributeError"])
    assert SECRET not in reply.text


def test_a_body_in_chunks_is_read_whole(client: httpx.Client) -> None:
    chunks, headers = iter([b'{"name":', b'"Rain"}']), {"Content-Type": "application/json"}
    made = client.post("/audio/api/key/playlist", content=chunks, headers=headers)
    assert (made.status_code, made.json()["name"]) == (200, "Rain")


def test_r57_another_host_is_not_served_over_a_socket(client: httpx.Client) -> None:
    reply = client.get("/social/room/set/mine", headers={"Host": "evil.example"})
    assert (reply.status_code, reply.json()["problems"]) == (421, [])
