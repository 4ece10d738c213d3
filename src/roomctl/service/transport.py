"""How a request leaves and an answer comes back: through httpx, to one origin (R59).

Its transports are used without `httpx.Client`, whose work is what must not happen here: it turns each redirect into a
request, even where it follows none, and a hostile `Location` into an error; it keeps cookies and reads the environment.
A transport of ours holds one connection for one request at a time. A read takes one that is idle, a write a new one.
"""

import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import Any, Final, NamedTuple, cast
from urllib.parse import unquote, urlsplit

import httpx

from roomctl.errors import BadConfig, RoomctlError, Temporary, Unintelligible
from roomctl.service.attempt import LATE, UNREACHED, Attempt
from roomctl.service.policy import Failed, Phase
from roomctl.service.request import Address, Headers, Prepared, wrong_address

CUT: Final = "the connection ended before the answer was whole"
_LIMITS: Final = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=5.0)
_LOCAL: Final = ("127.0.0.1", "::1")  # `localhost`, whatever a name server says
_UNSENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL")
_HTTP: Final = b"HTTP/"


class Answer(NamedTuple):
    """What came back: the body's chunks are read while one iterates, and raise Failed."""

    status: int
    headers: Headers
    chunks: Iterator[bytes]


class Connection:
    """A transport of its own, which holds at most one socket, and the attempt that uses it now."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self.transport = transport
        self.attempt: Attempt
        self._socket: socket.socket | None = None
        self._host = ""

    def use(self, attempt: Attempt) -> None:
        """Serve this attempt from now on."""
        self.attempt = attempt
        attempt.socket = self._socket

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Follow what httpx does: which socket it uses, and when the request itself begins."""
        match event.partition(".")[2]:
            case "connect_tcp.started":
                self._host, self._socket = info["host"], None
            case "connect_tcp.complete" | "start_tls.complete":
                self._socket = info["return_value"].get_extra_info("socket")
            case "send_request_headers.started" if info["request"].method != b"CONNECT":
                self.attempt.send()
            case "receive_response_headers.started" if self.attempt.sent:
                self._check_http()
        self.attempt.socket = self._socket

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Turn what httpx raises into Failed."""
        try:
            yield
        except (httpx.TransportError, UnicodeError) as error:
            raise self._failed(error) from error

    def _check_http(self) -> None:
        """Look at the first bytes before httpx takes them: it would wait for a whole head of whatever comes."""
        if self._socket is None or isinstance(self._socket, ssl.SSLSocket):
            return
        try:
            first = self._socket.recv(len(_HTTP), socket.MSG_PEEK)
        except OSError as error:  # a reset is said once: who reads after it meets an end
            raise httpx.ReadError("") from error
        if not _HTTP.startswith(first):
            raise httpx.RemoteProtocolError("not HTTP")

    def _failed(self, error: Exception) -> Failed:
        """Say what an error means: before the request began nothing was sent, afterwards nobody knows."""
        phase: Phase = "P2" if self.attempt.sent and not isinstance(error, _UNSENT) else "P0"
        if self.attempt.late or isinstance(error, httpx.TimeoutException) or isinstance(_cause(error), TimeoutError):
            return Failed(phase, LATE if phase == "P2" else UNREACHED)
        kind: type[RoomctlError] = Temporary
        match error, _cause(error):
            case _, ssl.SSLCertVerificationError(verify_message=text):
                phase, kind, why = "P3", BadConfig, f"the certificate of the service is not trusted: {text.lower()}"
            case httpx.ConnectError(), ssl.SSLError(reason=text) if text in _NOT_TLS:
                kind, why = BadConfig, "what answers at its port does not speak TLS"
            case _, (socket.gaierror() | UnicodeError()) as cause:
                why = f"the name {self._host} is not known: {_reason(cause)}"
            case httpx.ConnectError(), OSError() as cause if self._socket is not None:
                why = f"no TLS connection: {_reason(cause)}"
            case httpx.ProxyError(), _:
                why = f"the proxy refused: {error}"
            case httpx.RemoteProtocolError(), _ if phase == "P2" and self._socket is not None and not _cut(error):
                kind, why = Unintelligible, "the answer is not HTTP"
            case httpx.RemoteProtocolError(), _:
                why = CUT
            case httpx.LocalProtocolError(), _:  # its text repeats a header, which may be the key
                phase, why = "P3", "it cannot be written as HTTP"
            case _, OSError() as cause:
                why = _reason(cause)
            case _:
                why = str(error).lower() or "the connection broke"
        return Failed(phase, why, kind=kind)


class Transport:
    """The network, or what is `given` in its place, such as the sandbox. May be used from several threads."""

    def __init__(
        self,
        address: Address,
        given: httpx.BaseTransport | None = None,
        *,
        ca_file: str | None = None,
        proxy: str | None = None,
    ) -> None:
        self._given = given
        self._proxy = None if proxy is None or address.loopback else _proxy(proxy)
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody, and costs nothing
        if address.scheme == "https":
            from roomctl.service.tls import context

            self._tls = context(ca_file)
        try:
            base = httpx.URL(f"{address.scheme}://{address.authority}")
        except httpx.InvalidURL:
            raise wrong_address() from None
        local = given is None and address.host == "localhost"
        self._bases = [base.copy_with(host=host) for host in _LOCAL] if local else [base]
        self._name = address.host
        self._idle: list[Connection] = []
        self._closed = False

    @contextmanager
    def send(self, prepared: Prepared, headers: Headers, attempt: Attempt) -> Iterator[Answer]:
        """Send a request within the attempt's time and give what comes back. Raises Failed."""
        fresh = prepared.operation.writes
        connection = self._connection(fresh)
        connection.use(attempt)
        reusable = False
        try:
            with connection.failures():
                response = self._respond(prepared, headers, connection)
            reusable = not fresh
            with closing(response):
                yield Answer(response.status_code, response.headers.raw, _chunks(response, connection))
        finally:
            if reusable and not attempt.late and not self._closed:
                self._idle.append(connection)
            elif self._given is None:
                connection.transport.close()

    def close(self) -> None:
        """Close what is open and not in use."""
        self._closed = True
        for transport in [connection.transport for connection in self._idle] + [self._given]:
            if transport is not None:
                transport.close()

    def _connection(self, fresh: bool) -> Connection:
        if self._given is not None:
            return Connection(self._given)
        with suppress(IndexError):
            if not fresh:
                return self._idle.pop()
        return Connection(httpx.HTTPTransport(verify=self._tls, trust_env=False, limits=_LIMITS, proxy=self._proxy))

    def _respond(self, prepared: Prepared, headers: Headers, connection: Connection) -> httpx.Response:
        attempt = connection.attempt
        if self._given is not None:
            attempt.send()
        extensions = {
            "timeout": {**dict.fromkeys(("read", "write", "pool"), attempt.seconds), "connect": attempt.seconds / 2},
            "trace": connection.trace,
            "sni_hostname": self._name,
        }
        for base in self._bases:
            url = base.copy_with(raw_path=prepared.target.encode("ascii"))
            body = prepared.body or b""
            request = httpx.Request(prepared.method, url, headers=headers, content=body, extensions=extensions)
            try:
                return connection.transport.handle_request(request)
            except httpx.ConnectError:
                if base is self._bases[-1] or attempt.socket:
                    raise
        raise AssertionError("there is a last address")


def _chunks(response: httpx.Response, connection: Connection) -> Iterator[bytes]:
    with connection.failures():
        for chunk in cast(Iterable[bytes], response.stream):
            if connection.attempt.late:
                break
            yield chunk
    connection.attempt.complete()


def _proxy(text: str) -> httpx.Proxy:
    """Read a proxy's address; it may hold a login, so that no message repeats it. Raises BadConfig."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname or "", parts.port or 80
        if not host or parts.scheme != "http":
            raise ValueError
        login = None if parts.username is None else (unquote(parts.username), unquote(parts.password or ""))
        return httpx.Proxy(httpx.URL(scheme="http", host=host, port=port), auth=login)
    except (ValueError, httpx.InvalidURL):
        raise BadConfig("the proxy is not an address such as http://proxy.example.org:3128") from None


def _cause(error: BaseException) -> BaseException:
    """Give what an error began with: what the system said, where it is in the chain."""
    while not isinstance(error, OSError | UnicodeError) and (inner := error.__cause__ or error.__context__):
        error = inner
    return error


def _cut(error: Exception) -> bool:
    """Whether the other side closed the connection, rather than saying what is not HTTP."""
    return any(word in str(error) for word in ("disconnected", "closed connection"))


def _reason(error: BaseException) -> str:
    """Say in words what the system said."""
    text = getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error) or type(error).__name__
    return str(text).lower()
