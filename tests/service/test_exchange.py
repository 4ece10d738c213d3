"""One request from plan to outcome: the journal, interruptions, messages (R41, R53)."""

import gzip
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from roomctl.contract.operations import ROOMSET_LIST, SOCIAL_END
from roomctl.errors import LocalFailure, RoomctlError, Terminated
from roomctl.service.policy import Clock
from tests.conftest import Cases
from tests.servers import A
from tests.service.servers import KEY, NOW, ROOM, Book, Server, client, drip, hang_up, refused_port, reply

Serve = Callable[..., Server]
END: dict[str, Any] = {"path": {"socialId": A}}


class FullDisk(Book):
    """A recorder that cannot write one of its lines."""

    def __init__(self, step: str) -> None:
        super().__init__()
        self.step = step

    def planned(self, prepared: Any) -> str:
        if self.step == "planned":
            raise LocalFailure("no space left")
        return super().planned(prepared)

    def sent(self, entry: str) -> None:
        if self.step == "sent":
            raise LocalFailure("no space left")
        super().sent(entry)


@pytest.mark.parametrize("step", ["planned", "sent"])
def test_r41_what_cannot_be_journaled_is_not_sent(step: str, serve: Serve) -> None:
    server = serve(reply(ROOM))
    book = FullDisk(step)
    with client(server.url, recorder=book) as service, pytest.raises(LocalFailure):
        service.send(SOCIAL_END, **END)
    assert server.requests == []
    left = [("planned", "social.end"), ("settled", "entry", "not_sent", "stopped before it was sent")]
    assert book.lines == ([] if step == "planned" else left)


def test_the_journal_is_written_before_the_first_byte_leaves(serve: Serve) -> None:
    server = serve(reply(ROOM))

    class Looks(Book):
        def sent(self, entry: str) -> None:
            time.sleep(0.05)
            assert server.requests == []
            assert server.connections == 1
            super().sent(entry)

    with client(server.url, recorder=Looks()) as service:
        service.send(SOCIAL_END, **END)


@pytest.mark.parametrize(
    ("server_says", "standing", "detail"),
    [(reply(b"", 429), "refused", "HTTP 429"), (None, "not_sent", "connection refused")],
)
@pytest.mark.parametrize("stop", [KeyboardInterrupt, Terminated])
def test_r53_a_stop_between_attempts_leaves_what_was_known(
    server_says: Any, standing: str, detail: str, stop: type[BaseException], serve: Serve
) -> None:

    def sleep(_: float) -> None:
        raise stop("now")

    url = serve(server_says).url if server_says else f"http://127.0.0.1:{refused_port()}"
    book = Book()
    clock = Clock(sleep=sleep, wall=lambda: NOW)
    with client(url, recorder=book, clock=clock) as service, pytest.raises(stop):
        service.send(SOCIAL_END, **END)
    assert book.lines[-1] == ("settled", "entry", standing, detail)


@contextmanager
def alarm() -> Iterator[None]:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        signal.signal(signal.SIGALRM, before)


def test_r53_a_signal_that_comes_just_before_a_wait_ends_it(serve: Serve) -> None:
    """Another thread takes it, as if it had come before this one waited: no wait is broken off by it."""

    def take_alarms() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        time.sleep(15)

    start = time.monotonic()
    with alarm(), client(serve(drip(b"", b"", 1.0)).url) as service, pytest.raises(KeyboardInterrupt):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        threading.Thread(target=take_alarms, daemon=True).start()
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        service.send(SOCIAL_END, **END)
    assert time.monotonic() - start < 12


def test_r53_an_interruption_while_an_answer_is_awaited_leaves_it_unknown(serve: Serve) -> None:
    writing: list[bool] = []

    class Alarm(Book):
        def sent(self, entry: str) -> None:
            super().sent(entry)
            threading.Thread(target=interrupt, daemon=True).start()

    def interrupt() -> None:
        time.sleep(0.1)
        writing.append(service.writing)
        signal.setitimer(signal.ITIMER_REAL, 0.01)

    book = Alarm()
    with alarm(), client(serve(drip(b"", b"", 1.0)).url, recorder=book) as service:
        assert not service.writing
        with pytest.raises(KeyboardInterrupt):
            service.send(SOCIAL_END, **END)
        assert (writing, service.writing) == ([True], False)
    assert book.lines[-1] == ("settled", "entry", "unknown", "stopped before a reply arrived")


ECHOES = [
    f"bad key {KEY}".encode(),
    f'{{"error":"{KEY}","request":{{"headers":{{"X-API-Key":"{KEY}"}}}}}}'.encode(),
    b"x" * 1500 + KEY.encode() * 10_000,
    b"x" * (64 * 1024 - 5) + KEY.encode(),
    KEY.encode() * 5000,
    b"<p>" + KEY.encode().hex().encode() + b'{"guestBearer":"hunter2hunter2"}',
    b'{"guestBearer":"hunter2hunter2","a":[{"x_BEARER_y":{"z":"hunter2hunter2"}}]}',
    b"\xff\xfe" + KEY.encode(),
]


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("body", ECHOES)
def test_no_error_body_shows_a_secret(body: bytes, cut: bool, serve: Serve) -> None:
    """R6: the whole body, or cut anywhere within the key."""
    server = serve(hang_up(b"HTTP/1.1 400 X\r\nContent-Length: 99999999\r\n\r\n" + body) if cut else reply(body, 400))
    lines: list[str] = []
    with client(server.url, log=lines.append) as service, pytest.raises(RoomctlError) as caught:
        service.send(ROOMSET_LIST)
    error = caught.value
    everything = "\n".join([*lines, error.message, error.hint, error.service, repr(error.details), str(error)])
    assert KEY not in everything
    assert KEY[:10] not in everything
    assert "hunter2" not in everything
    assert len(error.service) <= 2048


def test_an_excerpt_of_an_error_body_is_short_text(serve: Serve, cases: Cases) -> None:
    def says(text: str, headers: dict[str, str] | None = None, packed: bool = False) -> str:
        body = gzip.compress(text.encode()) if packed else text.encode("latin-1")
        server = serve(reply(body, 400, headers=[f"{name}: {value}" for name, value in (headers or {}).items()]))
        with client(server.url) as service, pytest.raises(RoomctlError) as caught:
            service.send(ROOMSET_LIST)
        return json.dumps(caught.value.service)

    cases("excerpts.txt", says)
    assert says("x" * 100_000) == f'"{"x" * 2048}"'
    assert says('"' + "y" * 60_000 + '"') == f'"{"y" * 2048}"'
    assert says("z" * 10_000_000, {"Content-Encoding": "gzip"}, packed=True) == f'"{"z" * 2048}"'


def test_a_log_tells_each_attempt(serve: Serve) -> None:
    server = serve(reply(b"", 503), reply([]))
    lines: list[str] = []
    with client(server.url, log=lines.append) as service:
        service.send(ROOMSET_LIST, query=[("sort", KEY)])
    address = f"{server.url}/api/v1/social/room/set/mine?sort=<redacted>"
    assert lines == [
        f"attempt 1: GET {address}",
        "attempt 1: HTTP 503",
        "attempt 1 failed: HTTP 503",
        f"attempt 2: GET {address}",
        "attempt 2: HTTP 200",
    ]
