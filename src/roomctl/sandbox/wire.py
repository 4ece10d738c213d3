"""What the stage asks for beyond ASGI, done on a socket: waiting, breaking a connection, a body of another length."""

import asyncio
import socket
import struct
from http import HTTPStatus
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from roomctl.sandbox.app import Asgi, Receive, Scope, Send
from roomctl.sandbox.spoiling import AS_IS, BREAK, WAIT, Event

CONNECTION: Final = "roomctl.connection"


class Connection(H11Protocol):
    """A connection that is handed to the application, in its scope's `state`, so that it can be broken."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, {**app_state, CONNECTION: self}, _loop)

    def end(self, *, reset: bool) -> None:
        """End the connection: in order, when what was written has left, or at once with a reset."""
        if reset:
            self.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
            )
            self.transport.abort()
        else:
            self.transport.close()


class _Gone(Exception):
    """The client went away, or the server stops, while an answer waits."""


def over_sockets(inner: Asgi) -> Asgi:
    """Do the stage's own events on the socket; every other one goes to the server."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        async def perform(event: Event) -> None:
            if event["type"] == WAIT:
                await _pause(receive, event["seconds"])
            elif event["type"] == BREAK:
                scope["state"][CONNECTION].end(reset=event["reset"])
                await _disconnected(receive)
            elif AS_IS in event:
                scope["state"][CONNECTION].transport.write(_raw(event))
            else:
                await send(event)

        try:
            await inner(scope, receive, perform)
        except _Gone:
            scope["state"][CONNECTION].end(reset=False)
            await _disconnected(receive)

    return app


def _raw(event: Event) -> bytes:
    if "status" not in event:
        return bytes(event["body"])
    known = event["status"] in HTTPStatus._value2member_map_
    phrase = HTTPStatus(event["status"]).phrase if known else ""
    lines = [b"%s: %s\r\n" % pair for pair in event["headers"]]
    return f"HTTP/1.1 {event['status']} {phrase}\r\n".encode() + b"".join(lines) + b"\r\n"


async def _pause(receive: Receive, seconds: float) -> None:
    """Wait, but not for a client that has gone."""
    try:
        await asyncio.wait_for(_disconnected(receive), seconds)
    except TimeoutError:
        return
    except asyncio.CancelledError:
        raise _Gone from None
    raise _Gone


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
