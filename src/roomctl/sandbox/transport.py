"""The sandbox in this process, behind httpx: the ASGI coroutine is driven by hand, chunk by chunk.

No event loop and no thread: the application awaits nothing but `receive` and `send`, so each step of its coroutine runs
until it has something to send.
"""

import errno
import os
import time
from collections.abc import Coroutine, Generator, Iterator, Sequence
from typing import Any

import httpx

from roomctl.sandbox.app import Asgi
from roomctl.sandbox.spoiling import BREAK, WAIT, Event


class _Sent:
    """What `send` awaits: it hands its event to the driver and goes on when the driver comes again."""

    def __init__(self, event: Event) -> None:
        self._event = event

    def __await__(self) -> Generator[Event, None, None]:
        yield self._event


class _Body(httpx.SyncByteStream):
    """The body of a reply, made as it is read, and taken as HTTP takes it: so many bytes as were announced."""

    def __init__(self, steps: "_Steps", headers: Sequence[tuple[bytes, bytes]]) -> None:
        self._steps = steps
        self._length = next((int(value) for name, value in headers if name == b"content-length"), None)

    def __iter__(self) -> Iterator[bytes]:
        left = self._length
        while (left is None or left > 0) and (event := self._steps.next()) is not None:
            if chunk := event.get("body", b"")[:left]:
                left = None if left is None else left - len(chunk)
                yield chunk

    def close(self) -> None:
        self._steps.close()


class _Steps:
    """The application on its way through one request; `limit` is how many seconds the client waits for a byte."""

    def __init__(self, coroutine: Coroutine[Event, None, None], limit: float | None) -> None:
        self._coroutine = coroutine
        self._limit = limit

    def next(self) -> Event | None:
        """Run the application until it sends something; None when it is done. Raises what a connection would."""
        while True:
            try:
                event = self._coroutine.send(None)
            except StopIteration:
                return None
            if event["type"] == WAIT:
                self._wait(event["seconds"])
            elif event["type"] == BREAK:
                raise _broken(event["reset"])
            else:
                return event

    def _wait(self, seconds: float) -> None:
        if self._limit is not None and seconds > self._limit:
            time.sleep(self._limit)
            raise httpx.ReadTimeout("timed out")
        time.sleep(seconds)

    def close(self) -> None:
        """Leave the application where it is."""
        self._coroutine.close()


def _broken(reset: bool) -> httpx.TransportError:
    if reset:
        return httpx.ReadError(os.strerror(errno.ECONNRESET))
    return httpx.RemoteProtocolError("Server disconnected without sending a whole response.")


class SandboxTransport(httpx.BaseTransport):
    """Answers requests with an ASGI application; may be used from several threads."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        body = request.read()
        unread = [body]

        async def receive() -> Event:
            if unread:
                return {"type": "http.request", "body": unread.pop(), "more_body": False}
            return {"type": "http.disconnect"}

        async def send(event: Event) -> None:
            await _Sent(event)

        coroutine: Any = self._app(_scope(request), receive, send)
        steps = _Steps(coroutine, request.extensions.get("timeout", {}).get("read"))
        try:
            start = steps.next()
        except BaseException:
            steps.close()
            raise
        assert start is not None, "the application sends a head first"
        return httpx.Response(start["status"], headers=start["headers"], stream=_Body(steps, start["headers"]))


def _scope(request: httpx.Request) -> Event:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path.partition(b"?")[0],
        "query_string": request.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 0),
        "server": (request.url.host, request.url.port or 80),
    }
