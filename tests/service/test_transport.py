"""How a request leaves: whom to trust over https (R14), and a transport of httpx's kind in place of the network."""

import os
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from roomctl.contract.operations import ROOMSET_LIST, ROOMSET_UPDATE, SOCIAL_END
from roomctl.errors import BadConfig, OutcomeUnknown, RoomctlError, Temporary, Unintelligible
from roomctl.service.transport import tls_context
from tests.servers import A
from tests.service.servers import CERTIFICATES, KEY, ROOM, Book, client, server_tls

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
        (httpx.RemoteProtocolError("peer closed"), "P2", "the connection ended before the answer was complete"),
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
        (Stream(b"[", httpx.RemoteProtocolError("cut")), "the connection ended before the answer was complete"),
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


CA = CERTIFICATES / "ca.pem"
CA_HASH = "4a7d2633.0"  # what `openssl x509 -hash` says of ca.pem


def shakes_hands(made: ssl.SSLContext) -> bool:
    """Whether a context trusts the test authority's server."""
    ours, theirs = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_side = made.wrap_bio(theirs, ours, server_hostname="localhost")
    server_side = server_tls().wrap_bio(ours, theirs, server_side=True)
    for _ in range(4):
        for side in (client_side, server_side):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLError:
                return False
    return client_side.version() is not None


@pytest.fixture
def hashed(tmp_path: Path) -> str:
    folder = tmp_path / "hashed"
    folder.mkdir()
    (folder / "README").write_text("not a certificate")
    (folder / CA_HASH).write_bytes(CA.read_bytes())
    return os.fspath(folder)


def test_a_hashed_folder_is_used_where_there_is_one(hashed: str, tmp_path: Path) -> None:
    assert shakes_hands(tls_context(None, (os.fspath(tmp_path / "missing"), os.fspath(tmp_path), hashed)))


def test_without_one_the_bundle_that_comes_with_httpx_is_used(tmp_path: Path) -> None:
    made = tls_context(None, (os.fspath(tmp_path),))
    assert len(made.get_ca_certs()) > 50
    assert not shakes_hands(made)


def test_a_file_of_the_profile_takes_the_place_of_the_system_s(hashed: str) -> None:
    assert shakes_hands(tls_context(os.fspath(CA), ()))
    assert tls_context(os.fspath(CA)).get_ca_certs()[0]["subject"] == ((("commonName", "roomctl test authority"),),)


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "no such file or directory"), ("", "it holds no certificates"), ("x", "it holds no certificates")],
)
def test_a_file_that_cannot_be_used_is_named(content: str | None, why: str, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadConfig) as caught:
        client("https://rooms.example.org", ca_file=os.fspath(path))
    assert caught.value.message == f"the certificates of the profile cannot be used: {path}: {why}"


def test_no_variable_of_the_environment_widens_or_watches_the_trust(
    hashed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R14."""
    log = tmp_path / "keys"
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(CA))
    monkeypatch.setenv("SSL_CERT_DIR", hashed)
    monkeypatch.setenv("SSLKEYLOGFILE", os.fspath(log))
    assert not shakes_hands(tls_context(None, ()))
    assert shakes_hands(tls_context(os.fspath(CA)))
    assert not log.exists()


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
