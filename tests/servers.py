"""Small servers on loopback for tests."""

import json
import re
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from roomctl.contract.operations import BY_NAME, OPERATIONS

A = "11111111-1111-4111-8111-111111111111"
B = "22222222-2222-4222-8222-222222222222"
C = "33333333-3333-4333-8333-333333333333"
KEY = "a-test-key-0123456789"
MADE = [each for each in OPERATIONS if each.repeat == "create" and each.row_id and not each.many]
REPLIES: dict[str, Any] = {each.name: {each.row_id: C if each.creates else A} for each in MADE}
REPLIES |= {"social.end": {"socialId": A, "isOpen": False}, "user.get": {"userId": A, "name": "Ada Lovelace"}}
INVITED = {"socialInviteId": B, "invitedUser": {"emailAddress": "ada@example.org"}}
REPLIES |= {"rules.get": {"configurationId": B}, "invite.send": [{"socialInviteId": A, "invitedUserId": B}, INVITED]}


def invitation(address: str) -> dict[str, Any]:
    return {"socialInviteId": str(uuid5(NAMESPACE_URL, address)), "invitedUser": {"emailAddress": address}}


def answer(name: str) -> Any:
    return REPLIES.get(name, [] if BY_NAME[name].many else None)


class ServerThread(threading.Thread):
    """A thread of a server, which no fault is meant for."""


class Loopback:
    """A server that keeps the bytes of every request; its connections do not wait for one another."""

    def __init__(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.tls = tls
        self.requests: list[bytes] = []
        self.connections = 0
        self.held: list[socket.socket] = []
        self.threads: list[ServerThread] = []
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, 0), family=family, backlog=64)
        self.port: int = self.listener.getsockname()[1]
        self.thread = ServerThread(target=self.serve, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [request.split(b" ")[1].decode() for request in self.requests]

    @property
    def writes(self) -> int:
        """How many writes have arrived whole: those are in effect, whatever became of the answer."""
        return sum(not request.startswith(b"GET ") for request in self.requests)

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = ServerThread(target=self.attend, args=(connection,), daemon=True)
            thread.start()
            self.threads.append(thread)

    def attend(self, connection: socket.socket) -> None:
        connection.settimeout(20)
        self.held.append(connection)
        with suppress(OSError):  # who asks may go away
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
                self.held.append(connection)
            while request := self.read(connection):
                self.requests.append(request)
                self.converse(connection, request)
        connection.close()

    def read(self, connection: socket.socket) -> bytes:
        """Read one request; nothing where it never arrives whole."""
        data, wanted = b"", None
        while wanted is None or len(data) < wanted:
            part = connection.recv(65536)
            if not part:
                return b""
            data += part
            if wanted is None and b"\r\n\r\n" in data:
                length = re.search(rb"(?i)content-length: (\d+)", data)
                wanted = data.index(b"\r\n\r\n") + 4 + (int(length[1]) if length else 0)
        return data

    def converse(self, connection: socket.socket, request: bytes) -> None:
        """Answer a request; a `ConnectionAbortedError` hangs up."""
        raise NotImplementedError

    def settle(self) -> None:
        """Wait until all that was sent has arrived and was answered."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)
        for thread in self.threads:
            thread.join(20)
        self.threads.clear()

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(5)
        for connection in self.held:
            with suppress(OSError):  # its thread ends before it is closed: a file opened next may have the same number
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(5)
        for connection in self.held:
            connection.close()


class Recorder(Loopback):
    """A service that answers one operation, each request on a connection of its own."""

    headers = ""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__()

    def converse(self, connection: socket.socket, request: bytes) -> None:
        connection.sendall(self.reply(request))
        raise ConnectionAbortedError

    def reply(self, request: bytes) -> bytes:
        body = self.answer(request)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + self.headers.encode() + b"Connection: close\r\n\r\n" + body

    def answer(self, request: bytes) -> bytes:
        """Give the operation's reply; a read beside a write finds nothing."""
        beside = BY_NAME[self.name].writes and request.startswith(b"GET ")
        return json.dumps([] if beside else answer(self.name)).encode()


class Paged(Recorder):
    """A service with lists by the end of their path: `holes` come empty, `end` is answered behind the last page.

    An end is a number, the status, or a body; `wrapper` names the member of an object that holds rows, `{}` the list;
    `stuck`: `page` is ignored.
    """

    def __init__(self, **lists: list[Any]) -> None:
        self.lists = lists
        self.holes: set[int] = set()
        self.end = "[]"
        self.wrapper, self.stuck = "", False
        super().__init__("")

    def reply(self, request: bytes) -> bytes:
        path, _, query = request.split(b" ")[1].decode().partition("?")
        asked = dict(pair.split("=") for pair in query.split("&") if pair)
        page, size = int(asked.get("page", 0)) * (not self.stuck), int(asked.get("size", 20))
        rows = next((rows for name, rows in self.lists.items() if path.endswith((f"/{name}", f"/{name}/mine"))), [])
        rows = rows[page * size : page * size + size]
        status, body = ("200", json.dumps([] if page in self.holes else rows)) if rows else ("200", self.end)
        if body.isdigit():
            status, body = body, ""
        elif self.wrapper:
            body = f'{{"{self.wrapper.format(path.split("/")[-2])}":{body}}}'
        head = f"HTTP/1.1 {status} Answer\r\nConnection: close\r\n"
        return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


class Lossy(Recorder):
    """A proxy in front of a service: `lose` says of each request what becomes of it.

    "" goes through; "before" is never delivered and never answered; "after" is delivered, and its answer is lost;
    "garbage" is delivered, and its answer comes back as something else; a number is the answer, not delivered.
    """

    def __init__(self, upstream: int, lose: Callable[[str, str, int], str]) -> None:
        self.upstream, self.lose = upstream, lose
        self.delivered: list[bytes] = []
        super().__init__("")

    def reply(self, request: bytes) -> bytes:
        method, path, _ = request.split(b"\r\n", 1)[0].decode().split(" ")
        fate = self.lose(method, path, len(self.requests))
        if fate.isdigit():
            return f"HTTP/1.1 {fate} No\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}".encode()
        if fate == "before":
            return b""
        self.delivered.append(request)
        answer = self.forwarded(request)
        if fate == "garbage":
            return b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>"
        return b"" if fate == "after" else answer

    def forwarded(self, request: bytes) -> bytes:
        head, body = request.split(b"\r\n\r\n", 1)
        head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head) + b"\r\nConnection: close"
        with socket.create_connection(("127.0.0.1", self.upstream), timeout=20) as upstream:
            upstream.sendall(head + b"\r\n\r\n" + body)
            parts = []
            while part := upstream.recv(65536):
                parts.append(part)
        # said, so that no client sends its next request on a connection that is about to be closed
        return b"".join(parts).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
