"""The sandbox over real HTTP, on this machine only: each connection has a thread, and a response may take its time."""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler
from itertools import count
from random import Random
from socketserver import ThreadingTCPServer
from threading import Event, Thread
from time import sleep
from typing import Any
from urllib.parse import unquote

from roomctl.errors import LocalFailure
from roomctl.sandbox.app import App, build
from roomctl.sandbox.faults import FaultStore
from roomctl.sandbox.request import LARGEST_BODY, Break, Head, RawRequest, Wait
from roomctl.sandbox.store import Document, Store

HOST = "127.0.0.1"  # served on this machine only
SOON = 0.02  # seconds between two looks whether serving is to end
PACE = 2.0  # seconds between two steps of people who come and go
MOST_COMING = 3
MINUTE, EVERYBODY_LEAVES = 30, 18
"""Steps: of a minute, and those of it after which nobody comes until its end, so that all rooms are empty once."""


@contextmanager
def served(store: Store, faults: FaultStore, key: str) -> Iterator[int]:
    """Serve in a thread beside what is done inside; gives the port."""
    with Server(build(store, key, faults)) as server:
        Thread(target=server.serve_forever, args=(SOON,), daemon=True).start()
        try:
            yield server.port
        finally:
            server.shutdown()


class Server(ThreadingTCPServer):
    """Hands requests to an application. Raises LocalFailure when the port is taken."""

    allow_reuse_address = os.name == "posix"  # elsewhere it would let two processes share a port
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, app: App, port: int = 0) -> None:
        self.app = app
        try:
            super().__init__((HOST, port), Connection)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise LocalFailure(f"cannot listen on port {port}: {reason}", hint="`--port 0` picks a free port") from None

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing where a client went away."""


class Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # what is written leaves at the end of a response, or before a wait
    server: Server

    def answer(self) -> None:
        if (body := self._body()) is None:
            self.close_connection = True
            return
        path, _, query = self.path.partition("?")
        request = RawRequest.read(self.command, unquote(path), query, self.headers.items(), body)
        for event in self.server.app(request):
            if isinstance(event, Wait):
                self.wfile.flush()
                sleep(event.seconds)
            elif isinstance(event, Break):  # in order, when what was written has left, or at once with a reset
                self.close_connection = True
                if event.reset:
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    socket.close(self.connection.detach())
            elif isinstance(event, Head):
                self.send_response_only(event.status)
                for name, value in {"date": self.date_time_string(), **event.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
            elif self.command != "HEAD":
                self.wfile.write(event)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_TRACE = answer

    def _body(self) -> bytes | None:
        """Read a body; of one that is too long, just enough to show that it is. None where it does not come whole."""
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            return self._chunks()
        length = self.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return None
        wanted = min(int(length), LARGEST_BODY + 1)
        self.close_connection |= wanted > LARGEST_BODY  # the rest is not read
        body = self.rfile.read(wanted)
        return body if len(body) == wanted else None

    def _chunks(self) -> bytes | None:
        data = bytearray()
        try:
            while len(data) <= LARGEST_BODY and (size := int(self.rfile.readline(1024).partition(b";")[0], 16)) > 0:
                data += self.rfile.read(min(size, LARGEST_BODY + 1))
                self.rfile.readline(1024)
        except ValueError:
            return None
        while self.rfile.readline(1024).strip():  # what is said at the end of a body
            pass
        return bytes(data)

    def log_message(self, *_: Any) -> None:
        """Say nothing: the sandbox has a log of its own."""


@contextmanager
def lively(store: Store) -> Iterator[None]:
    """Let people come and go while what is inside is done; at the end of each minute the rooms are empty."""
    over, random = Event(), Random(store.meta("seed"))  # noqa: S311  (a world, not a secret)

    def live() -> None:
        for number in count():
            if over.wait(PACE):
                break
            step(store, random, leaving=number % MINUTE >= EVERYBODY_LEAVES)

    thread = Thread(target=live, name="lively", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def step(store: Store, random: Random, *, leaving: bool = False) -> None:
    """Let some people come to each open room that is not full, and some leave; `leaving`, and after its end, all do."""
    with store.writing():
        now = store.now()
        for room in store.where("social", "isOpen", True):
            meta = {**(room.get("socialMeta") or {})}
            present, most = meta.get("numberCurrentlyPresent") or 0, room.get("maxParticipants") or 100
            ends = [datetime.fromisoformat(at.upper()) for at in (room.get("endDateTime"), room.get("_closesAt")) if at]
            staying = present // 3 if leaving else max(0, present - random.randint(0, 1 + present // 6))
            came = random.randint(0, MOST_COMING) if not leaving and all(end > now for end in ends) else 0
            came = max(0, min(came, most - staying))
            meta["numberCurrentlyPresent"] = staying + came
            meta["numberOfAttendees"] = (meta.get("numberOfAttendees") or 0) + came
            room["socialMeta"] = meta
            store.put(Document("social", room["socialId"], room["socialRoomSetId"], room))
