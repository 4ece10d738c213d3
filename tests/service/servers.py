"""Servers on loopback that behave badly on purpose, and a service's clock that does not make one wait."""

import json
import socket
import ssl
import struct
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from roomctl.service.client import Client
from roomctl.service.policy import Clock, Quota
from tests.servers import A, Loopback

JSON = Any
Script = Callable[[socket.socket], None]
KEY = "service-test-key/0123+456=789"
ROOM = {"socialId": A, "isOpen": False}
CERTIFICATES = Path(__file__).parent / "certificates"
HELD: list[socket.socket] = []
NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z


def response(
    body: bytes | JSON = b"", status: int = 200, headers: Sequence[str] = (), length: int | None = None
) -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(data) if length is None else length}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def say(data: bytes) -> Script:
    def script(connection: socket.socket) -> None:
        connection.sendall(data)

    return script


def reply(*args: Any, **more: Any) -> Script:
    return say(response(*args, **more))


def hang_up(data: bytes = b"") -> Script:
    def script(connection: socket.socket) -> None:
        connection.sendall(data)
        raise ConnectionAbortedError

    return script


def reset(data: bytes = b"") -> Script:
    def script(connection: socket.socket) -> None:
        connection.sendall(data)
        time.sleep(0.05)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise ConnectionAbortedError

    return script


def drip(head: bytes, each: bytes, seconds: float, times: int = 10_000) -> Script:
    def script(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(times):
            connection.sendall(each)
            time.sleep(seconds)

    return script


class Server(Loopback):
    """Plays one script for each request, the last one again and again."""

    def __init__(self, *scripts: Script, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.scripts = scripts
        super().__init__(tls, host)

    def converse(self, connection: socket.socket, request: bytes) -> None:
        self.scripts[min(len(self.requests), len(self.scripts)) - 1](connection)


class Waits:
    """A clock whose sleeps are noted instead of slept, and whose chance is always the upper end."""

    def __init__(self) -> None:
        self.sleeps: list[float] = []
        self.clock = Clock(sleep=self.sleeps.append, wall=lambda: NOW, uniform=lambda _, high: high)


class Book:
    """A recorder that keeps what it was told."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, ...]] = []

    def planned(self, prepared: Any) -> str:
        self.lines.append(("planned", prepared.operation.name))
        return "entry"

    def sent(self, entry: str) -> None:
        self.lines.append(("sent", entry))

    def settled(self, entry: str, outcome: str, detail: str = "", made: str = "") -> None:
        self.lines.append(("settled", entry, outcome, detail))


def client(url: str, **more: Any) -> Client:
    """A client that waits for nothing and shares no quota."""
    settings: dict[str, Any] = {"timeout": 5.0, "clock": Waits().clock, "quota": Quota(), **more}
    return Client(url, KEY, **settings)


def refused_port() -> int:
    """A port on which nobody listens, and which stays taken: another test's server could get it otherwise."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    HELD.append(held)
    return int(held.getsockname()[1])


def server_tls(name: str = "server.pem") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / name)
    return context
