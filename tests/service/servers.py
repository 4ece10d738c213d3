"""Servers on loopback that behave badly on purpose, and a service's clock that does not make one wait."""

import json
import re
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from roomctl.service.client import Client
from roomctl.service.policy import Clock, Quota

JSON = Any
Script = Callable[[socket.socket], None]
A = "11111111-1111-4111-8111-111111111111"
B = "22222222-2222-4222-8222-222222222222"
C = "33333333-3333-4333-8333-333333333333"
KEY = "service-test-key/0123+456=789"
ROOM = {"socialId": A, "isOpen": False}
CERTIFICATES = Path(__file__).parent / "certificates"
HELD: list[socket.socket] = []
NOW = 1_700_000_000.0  # 2023-11-14T22:13:20Z


def response(
    body: bytes | JSON = b"", status: int = 200, headers: Sequence[str] = (), length: int | None = None
) -> bytes:
    """The bytes of a reply; a body that is not bytes is written as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(data) if length is None else length}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def say(data: bytes) -> Script:
    """Send these bytes and keep the connection."""

    def script(connection: socket.socket) -> None:
        connection.sendall(data)

    return script


def reply(*args: Any, **more: Any) -> Script:
    """Send a reply and keep the connection."""
    return say(response(*args, **more))


def hang_up(data: bytes = b"") -> Script:
    """Send these bytes and close the connection."""

    def script(connection: socket.socket) -> None:
        connection.sendall(data)
        raise ConnectionAbortedError

    return script


def reset(data: bytes = b"") -> Script:
    """Send these bytes and reset the connection."""

    def script(connection: socket.socket) -> None:
        connection.sendall(data)
        time.sleep(0.05)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise ConnectionAbortedError

    return script


def drip(head: bytes, each: bytes, seconds: float, times: int = 10_000) -> Script:
    """Send a beginning, then a little again and again."""

    def script(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(times):
            connection.sendall(each)
            time.sleep(seconds)

    return script


class Server:
    """Plays one script for each request, the last one again and again; keeps the bytes of every request."""

    def __init__(self, *scripts: Script, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.scripts = scripts
        self.tls = tls
        self.requests: list[bytes] = []
        self.connections = 0
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, 0), family=family, backlog=64)
        self.port: int = self.listener.getsockname()[1]
        self.open: list[socket.socket] = []
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        """The targets that were asked for."""
        return [request.split(b" ")[1].decode() for request in self.requests]

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.attend, args=(connection,), daemon=True).start()

    def attend(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        self.open.append(connection)
        try:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
                self.open.append(connection)
            while request := self.read(connection):
                self.requests.append(request)
                self.scripts[min(len(self.requests), len(self.scripts)) - 1](connection)
        except OSError:
            pass
        finally:
            connection.close()

    def read(self, connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(65536)
            if not part:
                return b""
            data += part
        length = re.search(rb"(?i)content-length: (\d+)", data)
        wanted = data.index(b"\r\n\r\n") + 4 + (int(length[1]) if length else 0)
        while len(data) < wanted:
            data += connection.recv(65536)
        return data

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(5)
        for connection in self.open:
            connection.close()


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

    def settled(self, entry: str, outcome: str, detail: str = "") -> None:
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
