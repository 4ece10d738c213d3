"""How one request leaves and its answer comes: over the network, or through a transport of httpx's kind."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast
from urllib.parse import unquote, urlsplit

from roomctl.errors import BadConfig, Unintelligible
from roomctl.service.access import Address
from roomctl.service.policy import Failed, Phase

if TYPE_CHECKING:  # at run time each is loaded only where it is used
    import httpcore
    import httpx

    from roomctl.service.attempt import Attempt

Headers = Sequence[tuple[bytes, bytes]]
IDLE_SECONDS = 5.0  # how long an idle connection is kept
_LATE = "no answer in time"
_UNREACHED = "no connection in time"
_CUT = "the connection ended before the answer was whole"


class Call(NamedTuple):
    """A request as it leaves. `target` is path and query; `fresh` asks for a connection of its own."""

    method: str
    target: str
    headers: Headers
    body: bytes | None
    fresh: bool


class Answer(NamedTuple):
    """What came back: the body's chunks are read while one iterates, and raise Failed."""

    status: int
    headers: Headers
    chunks: Iterator[bytes]
    close: Callable[[], None]


class Transport(Protocol):
    """What a client needs to exchange a request for an answer. May be used from several threads."""

    def exchange(self, call: Call, attempt: "Attempt") -> Answer:
        """Send a request within the attempt's time. Raises Failed."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


class Live:
    """The network, to one origin only (R59): connections kept for reads, a fresh one for each write."""

    def __init__(self, address: Address, *, ca_file: str | None = None, proxy: str | None = None) -> None:
        self._address = address
        self._proxy = None if proxy is None or address.loopback else _proxy(proxy)
        self._tls: Any = None
        if address.scheme == "https":
            from roomctl.service.trust import context

            self._tls = context(ca_file)
        self._pools: dict[bool, httpcore.ConnectionPool] = {}

    def exchange(self, call: Call, attempt: "Attempt") -> Answer:
        import httpcore

        url = httpcore.URL(
            scheme=self._address.scheme, host=self._address.host, port=self._address.port, target=call.target
        )
        request = httpcore.Request(
            call.method,
            url,
            headers=[*call.headers],
            content=call.body,
            extensions={"timeout": dict.fromkeys(("connect", "read", "write"), attempt)},
        )
        try:
            response = self._pool(call.fresh).handle_request(request)
        except Exception as error:
            raise _failed(error, attempt) from error
        return Answer(response.status, response.headers, _chunks(response.stream, attempt), response.close)

    def _pool(self, fresh: bool) -> "httpcore.ConnectionPool":
        if (pool := self._pools.get(fresh)) is not None:
            return pool
        import httpcore

        from roomctl.service.sockets import Backend

        settings: dict[str, Any] = {
            "ssl_context": self._tls,
            "max_connections": None,
            "max_keepalive_connections": 0 if fresh else None,
            "keepalive_expiry": IDLE_SECONDS,
            "network_backend": Backend(),
        }
        if self._proxy is None:
            made = httpcore.ConnectionPool(**settings)
        else:
            made = httpcore.HTTPProxy(self._proxy.url, proxy_auth=self._proxy.login, **settings)
        return self._pools.setdefault(fresh, made)

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()


class _Proxy(NamedTuple):
    url: str
    login: tuple[bytes, bytes] | None


def _proxy(text: str) -> _Proxy:
    """Read a proxy's address; it may hold a login, so that no message repeats it. Raises BadConfig."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port or 80
    except ValueError:
        host, port = None, 0
    if not host or parts.scheme != "http":
        raise BadConfig("the proxy is not an address such as http://proxy.example.org:3128")
    login = None
    if parts.username is not None:
        login = (unquote(parts.username).encode(), unquote(parts.password or "").encode())
    return _Proxy(f"http://{f'[{host}]' if ':' in host else host}:{port}", login)


def _chunks(stream: Any, attempt: "Attempt") -> Iterator[bytes]:
    try:
        yield from stream
    except Exception as error:
        raise _failed(error, attempt) from error


def _failed(error: Exception, attempt: "Attempt") -> Exception:
    """Say what an error of the network means: before the first byte left nothing was sent, afterwards nobody knows."""
    import httpcore

    from roomctl.service.sockets import Unreachable

    phase: Phase = "P2" if attempt.departed else "P0"
    match error:
        case Unreachable(distrusted=True):
            return Failed("P3", f"its certificate is not trusted: {error}", kind=BadConfig)
        case Unreachable():
            return Failed("P0", str(error))
        case Overdue():
            return Failed(phase, _LATE if attempt.departed else _UNREACHED)
        case httpcore.ProxyError():
            return Failed("P0", f"the proxy refused: {error}")
        case httpcore.RemoteProtocolError() if attempt.departed and not attempt.ended:
            return Failed(phase, "the answer is not HTTP", kind=Unintelligible)
        case httpcore.RemoteProtocolError():
            return Failed(phase, _CUT)
        case httpcore.NetworkError():
            return Failed(phase, _words(error))
    return error


class Adapted:
    """A transport of httpx's kind, such as the sandbox's, which answers in this process."""

    def __init__(self, transport: "httpx.BaseTransport", address: Address) -> None:
        self._transport = transport
        self._address = address

    def exchange(self, call: Call, attempt: "Attempt") -> Answer:
        import httpx

        seconds = attempt.left()
        request = httpx.Request(
            call.method,
            f"{self._address.scheme}://{self._address.authority}{call.target}",
            headers=[*call.headers],
            content=call.body or b"",
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), seconds)},
        )
        attempt.depart()
        try:
            response = self._transport.handle_request(request)
        except httpx.TransportError as error:
            raise _plugged(error) from error
        attempt.departed = True
        return Answer(response.status_code, response.headers.raw, _plugged_chunks(response, attempt), response.close)

    def close(self) -> None:
        self._transport.close()


def _plugged_chunks(response: "httpx.Response", attempt: "Attempt") -> Iterator[bytes]:
    import httpx

    try:
        for chunk in cast("Iterable[bytes]", response.stream):
            attempt.left()
            yield chunk
    except Overdue:
        raise Failed("P2", _LATE) from None
    except httpx.TransportError as error:
        raise _plugged(error) from error


def _plugged(error: "httpx.TransportError") -> Failed:
    import httpx

    unsent = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)
    if isinstance(error, unsent):
        return Failed("P0", _UNREACHED if isinstance(error, httpx.TimeoutException) else _words(error))
    if isinstance(error, httpx.TimeoutException):
        return Failed("P2", _LATE)
    return Failed("P2", _CUT if isinstance(error, httpx.RemoteProtocolError) else _words(error))


def _words(error: Exception) -> str:
    return str(error).lower() or "the connection broke"
