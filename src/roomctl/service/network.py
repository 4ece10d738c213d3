"""The network: one origin, connections kept for reads, a fresh one for each write, every step within the deadline."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

import httpcore

from roomctl.errors import BadConfig, Unintelligible
from roomctl.service.access import Address
from roomctl.service.attempt import Attempt, Overdue
from roomctl.service.policy import Failed, Phase
from roomctl.service.sockets import Backend, Unreachable
from roomctl.service.transport import CUT, LATE, UNREACHED, Answer, Call, words

IDLE_SECONDS: Final = 5.0  # how long an idle connection is kept


class Network:
    """The network, to one origin only (R59): connections kept for reads, a fresh one for each write."""

    def __init__(self, address: Address, *, ca_file: str | None = None, proxy: str | None = None) -> None:
        self._address = address
        self._proxy = None if proxy is None or address.loopback else _proxy(proxy)
        self._tls: Any = None
        if address.scheme == "https":
            from roomctl.service.trust import context

            self._tls = context(ca_file)
        self._pools: dict[bool, httpcore.ConnectionPool] = {}

    def exchange(self, call: Call, attempt: Attempt) -> Answer:
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
        with _told(attempt):
            response = self._pool(call.fresh).handle_request(request)
        return Answer(response.status, response.headers, _chunks(response.stream, attempt), response.close)

    def _pool(self, fresh: bool) -> httpcore.ConnectionPool:
        if (pool := self._pools.get(fresh)) is not None:
            return pool
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


def _chunks(stream: Any, attempt: Attempt) -> Iterator[bytes]:
    with _told(attempt):
        yield from stream


@contextmanager
def _told(attempt: Attempt) -> Iterator[None]:
    """Turn what the network raises into Failed."""
    try:
        yield
    except Exception as error:
        if (failed := _failed(error, attempt)) is None:
            raise
        raise failed from error


def _failed(error: Exception, attempt: Attempt) -> Failed | None:
    """Say what an error means: before the first byte left nothing was sent, afterwards nobody knows."""
    phase: Phase = "P2" if attempt.departed else "P0"
    failed: Failed | None = None  # not of the network: the journal could not be written, a defect
    match error:
        case Unreachable(distrusted=True):
            failed = Failed("P3", f"the certificate of the service is not trusted: {error}", kind=BadConfig)
        case Unreachable(wrong=True):
            failed = Failed("P0", f"{error}", kind=BadConfig)
        case Unreachable():
            failed = Failed("P0", str(error))
        case Overdue():
            failed = Failed(phase, LATE if attempt.departed else UNREACHED)
        case httpcore.ProxyError():
            failed = Failed("P0", f"the proxy refused: {error}")
        case httpcore.RemoteProtocolError() if attempt.departed and not attempt.ended:
            failed = Failed(phase, "the answer is not HTTP", kind=Unintelligible)
        case httpcore.RemoteProtocolError():
            failed = Failed(phase, CUT)
        case httpcore.NetworkError():
            failed = Failed(phase, words(error))
    return failed
