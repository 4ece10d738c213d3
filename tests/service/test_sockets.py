"""What has left, to the byte: that decides whether a write may be sent again (P0 or P2)."""

import socket
import ssl
import time
from collections.abc import Iterator

import httpcore
import pytest

from roomctl.service.attempt import Attempt, Overdue
from roomctl.service.sockets import Stream

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


def attempt(seconds: float = 5.0, said: list[str] | None = None) -> Attempt:
    said = [] if said is None else said
    return Attempt(seconds, time.monotonic, lambda: said.append("departing"))


def test_a_first_write_that_fails_has_sent_nothing(pair: Pair) -> None:
    ours, theirs = pair
    theirs.close()
    said: list[str] = []
    trial = attempt(said=said)
    with pytest.raises(httpcore.WriteError):
        Stream(ours).write(b"POST / HTTP/1.1", trial)
    assert (trial.departed, said) == (False, ["departing"])


def test_a_later_write_that_fails_has(pair: Pair) -> None:
    ours, theirs = pair
    said: list[str] = []
    trial, stream = attempt(said=said), Stream(ours)
    stream.write(b"POST / HTTP/1.1", trial)
    theirs.close()
    with pytest.raises(httpcore.WriteError):
        stream.write(b"body", trial)
    assert (trial.departed, said) == (True, ["departing"])


def test_a_tunnel_s_opening_and_an_empty_write_are_not_the_request(pair: Pair) -> None:
    ours, theirs = pair
    said: list[str] = []
    trial, stream = attempt(said=said), Stream(ours)
    stream.write(b"CONNECT h:443 HTTP/1.1\r\n\r\n", trial)
    stream.write(b"", trial)
    assert (theirs.recv(100), trial.departed, said) == (b"CONNECT h:443 HTTP/1.1\r\n\r\n", False, [])


def test_a_write_ends_at_the_deadline_and_knows_that_some_has_left(pair: Pair) -> None:
    data = b"x" * 5_000_000
    trial = attempt(0.5)
    with pytest.raises(Overdue):
        Stream(pair[0]).write(data, trial)
    assert trial.departed


def test_an_attempt_without_time_does_nothing(pair: Pair) -> None:
    trial, stream = attempt(0.0), Stream(pair[0])
    for step in (lambda: stream.write(b"x", trial), lambda: stream.read(10, trial)):
        with pytest.raises(Overdue):
            step()
    assert not trial.departed


def test_a_handshake_without_time_leaves_nothing_open(pair: Pair) -> None:
    with pytest.raises(Overdue):
        Stream(pair[0]).start_tls(ssl.create_default_context(), "localhost", attempt(0.0))
    assert pair[0].fileno() == -1


def test_what_the_journal_refuses_does_not_leave(pair: Pair) -> None:
    ours, theirs = pair

    def refuse() -> None:
        raise MemoryError

    trial = Attempt(5.0, time.monotonic, refuse)
    for _ in range(2):
        with pytest.raises(MemoryError):
            Stream(ours).write(b"x", trial)
    theirs.setblocking(False)
    with pytest.raises(BlockingIOError):
        theirs.recv(1)


def test_what_comes_must_look_like_http_from_its_first_byte(pair: Pair) -> None:
    ours, theirs = pair
    trial, stream = attempt(), Stream(ours)
    theirs.sendall(b"H")
    assert stream.read(10, trial) == b"H"
    theirs.sendall(b"anything")
    assert stream.read(10, trial) == b"anything"
    theirs.sendall(b"SSH")
    with pytest.raises(httpcore.RemoteProtocolError):
        stream.read(10, attempt())
    theirs.close()
    assert (stream.read(10, trial), trial.ended) == (b"", True)


def test_of_a_stream_only_what_is_needed_can_be_asked(pair: Pair) -> None:
    ours, theirs = pair
    stream = Stream(ours)
    assert [stream.get_extra_info(name) for name in ("is_readable", "ssl_object", "socket")] == [False, None, None]
    theirs.sendall(b"x")
    assert stream.get_extra_info("is_readable") is True
