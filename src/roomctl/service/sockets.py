"""Sockets under one deadline: httpx's own timeouts begin anew with each read, so a slow drip would last for ever (R12).

httpcore hands the `timeout` of a request through to each step; here it is an `Attempt`, so that every step knows how
much time is left, and the attempt knows whether a byte of its request has left.
"""

import select
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

import httpcore

from roomctl.service.attempt import Attempt, Overdue

_FIRST_READ: Final = 64 * 1024
_LARGEST_READ: Final = 1024 * 1024  # httpcore works per read, so a long page costs half as much in few large ones
_TURN: Final = 0.25  # seconds
_HTTP: Final = b"HTTP/"
_NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL")
_LOCAL: Final = ((socket.AF_INET, ("127.0.0.1",)), (socket.AF_INET6, ("::1",)))

Place = tuple[socket.AddressFamily, tuple[Any, ...]]


class Unreachable(Exception):
    """No connection: the message says why. `distrusted` where the certificate was the reason, `wrong` where only
    another address can help.
    """

    def __init__(self, why: str, distrusted: bool = False, wrong: bool = False) -> None:
        super().__init__(why)
        self.distrusted = distrusted
        self.wrong = wrong


class Stream(httpcore.NetworkStream):
    """A connection, plain or with TLS, whose every step ends with the attempt."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._read = _FIRST_READ

    def read(self, max_bytes: int, timeout: Any = None) -> bytes:  # noqa: ARG002  (reads grow while they come full)
        attempt = cast(Attempt, timeout)
        try:
            data = self._received(attempt)
        except OSError as error:
            raise httpcore.ReadError(reason(error)) from error
        if len(data) == self._read:
            self._read = min(self._read * 2, _LARGEST_READ)
        if not attempt.heard and not data.startswith(_HTTP[: len(data)]):
            raise httpcore.RemoteProtocolError("not HTTP")  # httpcore would wait for a whole head of it
        attempt.heard = True
        attempt.ended = not data
        return data

    def _received(self, attempt: Attempt) -> bytes:
        """Wait in short turns: a signal that comes just before a wait begins does not end it."""
        while True:
            self._sock.settimeout(min(attempt.left(), _TURN))
            try:
                return self._sock.recv(self._read)
            except TimeoutError:
                continue

    def write(self, buffer: bytes, timeout: Any = None) -> None:
        attempt = cast(Attempt, timeout)
        ours = not buffer.startswith(b"CONNECT ")  # what opens a tunnel through a proxy is not the request
        if ours and buffer:
            attempt.depart()
        rest = memoryview(buffer)
        try:
            while rest:
                self._sock.settimeout(attempt.left())
                # of a failed TLS write nobody knows what has left; of a plain one, that nothing of it has
                attempt.departed = attempt.departed or (ours and isinstance(self._sock, ssl.SSLSocket))
                sent = self._sock.send(rest)
                attempt.departed = attempt.departed or ours
                rest = rest[sent:]
        except TimeoutError:
            raise Overdue from None
        except OSError as error:  # httpcore goes on to read: some servers answer before they have read all
            raise httpcore.WriteError(reason(error)) from error

    def close(self) -> None:
        self._sock.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: Any = None
    ) -> "Stream":
        try:
            self._sock.settimeout(cast(Attempt, timeout).left())
            return Stream(ssl_context.wrap_socket(self._sock, server_hostname=server_hostname))
        except ssl.SSLCertVerificationError as error:
            self.close()
            raise Unreachable(error.verify_message.lower(), distrusted=True) from None
        except (TimeoutError, Overdue):
            self.close()
            raise Overdue from None
        except ssl.SSLError as error:
            self.close()
            if error.reason in _NOT_TLS:
                why = "what answers at its port does not speak TLS"
                raise Unreachable(why, wrong=True) from None
            raise Unreachable(f"no TLS connection: {reason(error)}") from None
        except OSError as error:
            self.close()
            raise Unreachable(f"no TLS connection: {reason(error)}") from None

    def get_extra_info(self, info: str) -> Any:
        if info == "ssl_object":
            return self._sock if isinstance(self._sock, ssl.SSLSocket) else None
        return _readable(self._sock) if info == "is_readable" else None


class Backend(httpcore.NetworkBackend):
    """Opens connections for httpcore."""

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: Any = None,
        local_address: str | None = None,  # noqa: ARG002  (httpcore's signature)
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002  (the same)
    ) -> Stream:
        attempt = cast(Attempt, timeout)
        places = _places(host, port, attempt)
        why = "it has no address"
        for tried, place in enumerate(places):
            try:
                return Stream(_connected(place, attempt.left() / (len(places) - tried)))
            except TimeoutError:
                why = "no connection in time"
            except OSError as error:
                why = reason(error)
        raise Unreachable(why)


def _connected(place: Place, seconds: float) -> socket.socket:
    sock = socket.socket(place[0], socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.connect(place[1])
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def _places(host: str, port: int, attempt: Attempt) -> list[Place]:
    """Give the addresses of a host. `localhost` is this machine, whatever a name server says."""
    if host == "localhost":
        return [(family, (*name, port)) for family, name in _LOCAL]
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except OSError:
            continue
        return [(family, (host, port))]
    return list(_resolved(host, port, attempt))


def _resolved(host: str, port: int, attempt: Attempt) -> Iterator[Place]:
    """Ask for the addresses of a name, in a thread: a resolver knows no deadline of ours."""
    found: list[Any] = []

    def ask() -> None:
        try:
            found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(attempt.left())
    if not found:
        raise Overdue
    if isinstance(found[0], Exception):
        raise Unreachable(f"the name {host} is not known: {reason(found[0])}")
    yield from ((family, place) for family, _, _, _, place in found[0])


def _readable(sock: socket.socket) -> bool:
    """Whether something can be read: on an idle connection, its end."""
    if not hasattr(select, "poll"):
        return bool(select.select([sock], [], [], 0)[0])
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))


def reason(error: BaseException) -> str:
    """Say in words what the system said."""
    text = getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error) or type(error).__name__
    return str(text).lower()
