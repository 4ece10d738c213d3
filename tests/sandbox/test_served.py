"""The sandbox over a real socket."""

import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from roomctl.contract.operations import OPERATIONS

GONE = "99999999-9999-4999-8999-999999999999"


@pytest.fixture
def client(served: Any) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url + "/api/v1", headers={"X-API-Key": served.key}, trust_env=False) as made:
        yield made


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_every_operation_needs_the_key_over_a_socket(client: httpx.Client, operation: Any) -> None:
    path = operation.path.replace("{socialId}", GONE).replace("{userId}", GONE)
    for key in ("", "wrong"):
        reply = client.request(operation.method, path, headers={"X-API-Key": key})
        assert (reply.status_code, reply.json()["status"]) == (401, 401)


def test_r57_another_host_is_not_served_over_a_socket(client: httpx.Client) -> None:
    reply = client.get("/social/room/set/mine", headers={"Host": "evil.example"})
    assert (reply.status_code, reply.json()["problems"]) == (421, [])


def test_pages_and_writes_work_over_a_socket(client: httpx.Client, served: Any) -> None:
    page = client.get("/event/registration", params={"socialEventId": served.event, "size": 1000}).json()
    assert len(page) == 250
    room = client.get("/social/room/set/mine").json()[1]["socials"][0]
    ended = client.post(f"/social/end/{room['socialId']}").json()
    assert ended["isOpen"] is False and client.get("/social/room/set/mine").json()[1]["socials"][0] == ended
    body = {"socialRoomSetId": room["socialRoomSetId"], "name": "Ümlaut 🎉"}
    saved = client.patch("/social/room/set", json=body)
    assert (saved.status_code, saved.content) == (200, b"")
    assert client.get("/social/room/set/mine").json()[1]["name"] == "Ümlaut 🎉"


def test_the_packets_of_a_reply_do_not_wait_for_one_another() -> None:
    from roomctl.sandbox.serve import _listener

    with _listener(0) as listener, socket.create_connection(listener.getsockname()) as _:
        accepted, _address = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_a_request_that_is_left_in_the_middle_harms_nobody(client: httpx.Client, served: Any) -> None:
    parts = urlsplit(served.url)
    head = f"POST /api/v1/social/create HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {served.key}\r\n"
    before = client.get("/social/room/set/mine").content
    for _ in range(5):
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as connection:
            connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
    assert client.get("/social/room/set/mine").content == before
