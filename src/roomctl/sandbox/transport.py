"""The sandbox in this process, behind httpx: the events of a response become what a connection would bring."""

import errno
import os
import time
from collections.abc import Iterator

import httpx

from roomctl.sandbox.app import App
from roomctl.sandbox.request import Break, Event, Head, RawRequest, Wait


class SandboxTransport(httpx.BaseTransport):
    """Answers requests with an application; may be used from several threads."""

    def __init__(self, app: App) -> None:
        self._app = app

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        headers = request.headers.multi_items()
        raw = RawRequest.read(request.method, url.path, url.query.decode("ascii"), headers, request.read())
        events = self._app(raw)
        head = _next(events, limit := request.extensions.get("timeout", {}).get("read"))
        assert isinstance(head, Head), "an application sends a head first"
        return httpx.Response(head.status, headers=head.headers, stream=_Body(events, head, limit))


class _Body(httpx.SyncByteStream):
    """The body of a reply, made as it is read, and taken as HTTP takes it: so many bytes as were announced."""

    def __init__(self, events: Iterator[Event], head: Head, limit: float | None) -> None:
        self._events, self._limit = events, limit
        self._length = int(head.headers["content-length"]) if "content-length" in head.headers else None

    def __iter__(self) -> Iterator[bytes]:
        left = self._length
        while (left is None or left > 0) and isinstance(event := _next(self._events, self._limit), bytes):
            if chunk := event[:left]:
                left = None if left is None else left - len(chunk)
                yield chunk


def _next(events: Iterator[Event], limit: float | None) -> Event | None:
    """Give the next event, None at the end, or raise what a connection would; the client waits up to `limit` s."""
    for event in events:
        if isinstance(event, Wait):
            time.sleep(event.seconds if limit is None else min(event.seconds, limit))
            if limit is not None and event.seconds > limit:
                raise httpx.ReadTimeout("timed out")
        elif isinstance(event, Break):
            if event.reset:
                raise httpx.ReadError(os.strerror(errno.ECONNRESET))
            raise httpx.RemoteProtocolError("Server disconnected without sending a whole response.")
        else:
            return event
    return None
