"""A transport of httpx's kind in place of the network: the same fault gives the same outcome."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from roomctl.contract.operations import ROOMSET_LIST, ROOMSET_UPDATE, SOCIAL_END
from roomctl.errors import OutcomeUnknown, RoomctlError, Temporary, Unintelligible
from tests.service.servers import KEY, ROOM, A, Book, client

URL = "http://127.0.0.1:8400"
END: dict[str, Any] = {"path": {"socialId": A}}


class Stream(httpx.SyncByteStream):
    """A body that comes in pieces, and can break."""

    def __init__(self, *pieces: bytes | Exception, seconds: float = 0.0) -> None:
        self.pieces = pieces
        self.seconds = seconds
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            time.sleep(self.seconds)
            if isinstance(piece, Exception):
                raise piece
            yield piece

    def close(self) -> None:
        self.closed = True


class Transport(httpx.BaseTransport):
    """Answers with a function."""

    def __init__(self, answer: Callable[[httpx.Request], httpx.Response]) -> None:
        self.answer = answer
        self.requests: list[httpx.Request] = []
        self.closed = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self.answer(request)

    def close(self) -> None:
        self.closed = True


def test_a_request_arrives_whole() -> None:
    transport = Transport(lambda _: httpx.Response(200, json=ROOM if "social/end" in str(_.url) else None))
    book = Book()
    with client(f"{URL}/base", transport=transport, recorder=book, timeout=9.0) as service:
        assert service.send(SOCIAL_END, path={"socialId": A}, query=[("leaveOpenUntil", "a b+")]).value == ROOM
        service.send(ROOMSET_UPDATE, body={"name": "é"})
    assert transport.closed
    first, second = transport.requests
    assert str(first.url) == f"{URL}/base/api/v1/social/end/{A}?leaveOpenUntil=a%20b%2B"
    assert (first.method, first.headers["x-api-key"], first.headers["host"]) == ("POST", KEY, "127.0.0.1:8400")
    assert 8 < first.extensions["timeout"]["read"] <= 9
    assert (second.read(), second.headers["content-length"]) == ('{"name":"é"}'.encode(), "13")
    assert [line[0] for line in book.lines] == ["planned", "sent", "settled"] * 2


@pytest.mark.parametrize(
    ("error", "phase", "why"),
    [
        (httpx.ConnectError("Connection refused"), "P0", "connection refused"),
        (httpx.ConnectTimeout(""), "P0", "no connection in time"),
        (httpx.PoolTimeout(""), "P0", "no connection in time"),
        (httpx.ReadTimeout("x"), "P2", "no answer in time"),
        (httpx.WriteTimeout("x"), "P2", "no answer in time"),
        (httpx.ReadError(""), "P2", "the connection broke"),
        (httpx.ReadError(f"broken by {KEY}"), "P2", "broken by <redacted>"),
        (httpx.LocalProtocolError(f"illegal header value {KEY}"), "P2", "it cannot be written as HTTP"),
        (httpx.RemoteProtocolError("peer closed"), "P2", "the connection ended before the answer was whole"),
    ],
)
def test_r6_what_breaks_has_its_phase_and_shows_no_key(error: httpx.TransportError, phase: str, why: str) -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        raise error

    book = Book()
    with client(URL, transport=Transport(broken), recorder=book) as service, pytest.raises(RoomctlError) as caught:
        service.send(SOCIAL_END, **END)
    attempts = 4 if phase == "P0" else 1
    assert type(caught.value) is (Temporary if phase == "P0" else OutcomeUnknown)
    assert (caught.value.details["phase"], caught.value.details["attempts"]) == (phase, attempts)
    assert caught.value.message.endswith(f": {why}")
    assert book.lines[-1] == ("settled", "entry", "not_sent" if phase == "P0" else "unknown", why)


@pytest.mark.parametrize(
    ("stream", "why"),
    [
        (Stream(b"[", httpx.ReadError("Reset")), "reset"),
        (Stream(b"[", httpx.RemoteProtocolError("cut")), "the connection ended before the answer was whole"),
        (Stream(b"[", httpx.ReadTimeout("late")), "no answer in time"),
        (Stream(b"[", b" ", b" ", b"]", seconds=0.1), "no answer in time"),
    ],
)
def test_a_body_that_breaks_off_is_asked_for_again(stream: Stream, why: str) -> None:
    answers = iter([httpx.Response(200, stream=stream), httpx.Response(200, json=[1])])
    notes: list[str] = []
    transport = Transport(lambda _: next(answers))
    with client(URL, transport=transport, timeout=0.25, note=notes.append) as service:
        assert service.send(ROOMSET_LIST, what="look").value == [1]
    assert notes == [f"could not look: {why}; attempt 2 of 5 in 0.5 s"]
    assert stream.closed


def test_a_wrong_length_and_a_wrong_type_are_seen_here_too() -> None:
    short = Transport(lambda _: httpx.Response(200, headers={"Content-Length": "9"}, stream=Stream(b"[]")))
    with (
        client(URL, transport=short) as service,
        pytest.raises(Temporary, match="the answer is cut short: 2 of 9 bytes came"),
    ):
        service.send(ROOMSET_LIST)
    other = Transport(lambda _: httpx.Response(200, json={"content": []}))
    with client(URL, transport=other) as service, pytest.raises(Unintelligible, match="HTTP 200, not an array"):
        service.send(ROOMSET_LIST)
