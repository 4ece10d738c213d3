"""The sandbox over real HTTP, on this machine only: uvicorn, and on a connection itself what ASGI cannot say."""

import asyncio
import logging
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from http import HTTPStatus
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from roomctl.errors import LocalFailure
from roomctl.sandbox.app import App, build
from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.messages import Break, Head, RawRequest, Wait
from roomctl.sandbox.request import LARGEST_BODY
from roomctl.sandbox.store import Store

HOST = "127.0.0.1"
"""Served on this machine only."""
WAITING_LINES = 100
"""Lines that wait to be written, at most; those beyond are lost."""
Say = Callable[[str], None]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
CONNECTION: Final = "roomctl.connection"


def serve(
    store: Store, faults: FaultStore, *, port: int, key: str, ready: Callable[[int], None], say: Say,
    strictness: str = "", people: AbstractContextManager[None] | None = None,
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM; `ready` hears the port, `say` what went wrong since; `people` live meanwhile.

    Raises LocalFailure when the port is taken.
    """
    listener = _listener(port)
    app = build(store, key, faults, strictness=strictness, tell=teller(say))
    with listener, people or nullcontext():
        _server(app, lambda: ready(listener.getsockname()[1])).run(sockets=[listener])


@contextmanager
def served(store: Store, faults: FaultStore, key: str) -> Iterator[int]:
    """Serve in a thread beside what is done inside; gives the port."""
    up = Event()
    with _listener(0) as listener:
        server = _server(build(store, key, faults), up.set)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        up.wait()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def teller(say: Say) -> Say:
    """Make a `say` that never waits: a thread says the lines, however long the reader takes."""
    waiting: Queue[str] = Queue(WAITING_LINES)

    def tell(line: str) -> None:
        try:
            waiting.put_nowait(line)
        except Full:
            return

    def speak() -> None:
        while True:
            say(waiting.get())

    Thread(target=speak, daemon=True).start()
    return tell


def _server(app: App, ready: Callable[[], None]) -> Any:
    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        asgi(app), log_config=None, log_level=logging.CRITICAL, access_log=False, lifespan="off", http=Connection,
        server_header=False, timeout_graceful_shutdown=2,
    )  # fmt: skip
    return Server(config)


def _listener(port: int) -> socket.socket:
    try:
        listener = socket.create_server((HOST, port), backlog=128)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise LocalFailure(f"port {port} cannot be served: {reason}", hint="`--port 0` takes a free one") from None
    # A head and a body are two packets: without this the second waits 40 ms for the first one's acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


# The application on a connection


class Connection(H11Protocol):
    """A connection that is handed to the application, in its scope's `state`, so that it can be broken."""

    def __init__(self, *, app_state: dict[str, Any], **more: Any) -> None:
        super().__init__(app_state={**app_state, CONNECTION: self}, **more)

    def end(self, *, reset: bool) -> None:
        """End the connection: in order, when what was written has left, or at once with a reset."""
        if reset:
            linger = struct.pack("ii", 1, 0)
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.transport.abort()
        else:
            self.transport.close()


class _Disconnected(Exception):
    """The client went away, or the server stops, while a response waits."""


def asgi(app: App) -> Callable[[Message, Receive, Send], Awaitable[None]]:
    """Make an ASGI application of an application."""

    async def outer(scope: Message, receive: Receive, send: Send) -> None:
        body = await _body(receive) if scope["type"] == "http" else None
        if body is None:
            return
        request = RawRequest.read(scope["method"], scope["path"], scope["query_string"], scope["headers"], body)
        try:
            await _perform(app, request, scope["state"][CONNECTION], receive, send)
        except _Disconnected:
            scope["state"][CONNECTION].end(reset=False)
            await _disconnected(receive)

    return outer


async def _body(receive: Receive) -> bytes | None:
    """Read a body, of one that is too long only so much that this shows; None where the client went away."""
    data, more = bytearray(), True
    while more and len(data) <= LARGEST_BODY:
        message = await receive()
        if message["type"] != "http.request":
            return None
        data += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(data)


async def _perform(app: App, request: RawRequest, connection: Connection, receive: Receive, send: Send) -> None:
    exact = True
    for event in app(request):
        if isinstance(event, Wait):
            await _pause(receive, event.seconds)
        elif isinstance(event, Break):
            connection.end(reset=event.reset)
            await _disconnected(receive)
            return
        elif isinstance(event, Head):
            exact = event.exact
            if exact:
                headers = list(event.headers)
                await send({"type": "http.response.start", "status": event.status, "headers": headers})
            else:
                connection.transport.write(_head(event))
        elif exact:
            await send({"type": "http.response.body", "body": event, "more_body": True})
        else:
            connection.transport.write(event)
    await send({"type": "http.response.body", "body": b""})


def _head(head: Head) -> bytes:
    known = head.status in HTTPStatus._value2member_map_
    phrase = HTTPStatus(head.status).phrase if known else ""
    lines = [b"%s: %s\r\n" % pair for pair in head.headers]
    return f"HTTP/1.1 {head.status} {phrase}\r\n".encode() + b"".join(lines) + b"\r\n"


async def _pause(receive: Receive, seconds: float) -> None:
    """Wait, but not for a client that has gone."""
    try:
        await asyncio.wait_for(_disconnected(receive), seconds)
    except TimeoutError:
        return
    except asyncio.CancelledError:
        raise _Disconnected from None
    raise _Disconnected


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
