"""The sandbox in this process, behind httpx: the ASGI coroutine is driven by hand, chunk by chunk.

No event loop and no thread: the application awaits nothing but `receive` and `send`, so each step of its coroutine runs
until it has something to send.
"""

from collections.abc import Coroutine, Generator, Iterator, MutableMapping
from typing import Any

import httpx

from roomctl.sandbox.app import Asgi

Event = MutableMapping[str, Any]


class _Sent:
    """What `send` awaits: it hands its event to the driver and goes on when the driver comes again."""

    def __init__(self, event: Event) -> None:
        self._event = event

    def __await__(self) -> Generator[Event, None, None]:
        yield self._event


class _Body(httpx.SyncByteStream):
    """The body of a reply, made as it is read."""

    def __init__(self, coroutine: Coroutine[Event, None, None]) -> None:
        self._coroutine = coroutine

    def __iter__(self) -> Iterator[bytes]:
        while (event := _step(self._coroutine)) is not None:
            if event.get("body"):
                yield event["body"]

    def close(self) -> None:
        self._coroutine.close()


def _step(coroutine: Coroutine[Event, None, None]) -> Event | None:
    """Run the application until it sends something; None when it is done."""
    try:
        return coroutine.send(None)
    except StopIteration:
        return None


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
        start = _step(coroutine)
        assert start is not None, "the application sends a head first"
        return httpx.Response(start["status"], headers=start["headers"], stream=_Body(coroutine))


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
