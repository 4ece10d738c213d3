"""How a request leaves and an answer comes back: through httpx, to one origin (R59).

Its transports are used without `httpx.Client`, whose work is what must not happen here: it turns each redirect into a
request, even where it follows none, and a hostile `Location` into an error; it keeps cookies and reads the environment.
Each transport holds one connection. A read takes one that is idle, a write a new one.
"""

import os
import re
import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from typing import Any, Final, NamedTuple, cast

import httpx

from roomctl.contract.address import EXAMPLE, Address
from roomctl.contract.outcome import Query
from roomctl.errors import BadConfig
from roomctl.service.attempt import BROKEN, Attempt
from roomctl.service.policy import Failed
from roomctl.service.request import Prepared

_HASHED: Final = ("/etc/ssl/certs", "/etc/pki/ca-trust/extracted/pem/directory-hash")
"""Folders in which systems keep certificates under the hash of their names: only the one that is needed is read, where
a bundle is parsed whole, which costs more than the rest of a request."""
_ENTRY: Final = re.compile(r"[0-9a-f]{8}\.[0-9]+", re.ASCII)
_LIMITS: Final = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=5.0)
_trusting_nobody: Final = cache(partial(ssl.SSLContext, ssl.PROTOCOL_TLS_CLIENT))
_LOCAL: Final = ("127.0.0.1", "::1")  # `localhost`, whatever a name server says


Connection = tuple[httpx.BaseTransport, socket.socket | None]
"""A transport that serves one request at a time, and the socket that it uses, where it is known."""


class Answer(NamedTuple):
    """What came back: the body's chunks are read while one iterates, and raise Failed."""

    status: int
    headers: httpx.Headers
    chunks: Iterator[bytes]


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
        self._tls = tls_context(ca_file) if address.scheme == "https" else _trusting_nobody()
        try:
            base = httpx.URL(f"{address.scheme}://{address.authority}")
        except httpx.InvalidURL:
            raise BadConfig(f"the base URL is not {EXAMPLE}") from None
        local = given is None and address.host == "localhost"
        self._bases = [base.copy_with(host=host) for host in _LOCAL] if local else [base]
        self._name = address.host
        self._idle: list[Connection] = []
        self._closed = False

    @contextmanager
    def send(self, prepared: Prepared, headers: Query, attempt: Attempt) -> Iterator[Answer]:
        """Send a request within the attempt's time and give what comes back. Raises Failed."""
        fresh = prepared.operation.writes
        connection: Connection | None = None if self._given is None else (self._given, None)
        with suppress(IndexError):
            connection = connection or (None if fresh else self._idle.pop())
        if connection is None:
            new = httpx.HTTPTransport(verify=self._tls, trust_env=False, limits=_LIMITS, proxy=self._proxy)
            connection = new, None
        attempt.transport, attempt.sock = connection
        reusable = False
        try:
            response = self._respond(prepared, headers, attempt)
            reusable = not fresh
            with closing(response):
                yield Answer(response.status_code, response.headers, _chunks(response, attempt))
        finally:
            if self._given is None:
                if reusable and not (attempt.late or self._closed or attempt.behind):
                    self._idle.append((attempt.transport, attempt.sock))
                else:
                    attempt.transport.close()

    def close(self) -> None:
        self._closed = True
        for transport, _ in self._idle:
            transport.close()
        if self._given is not None:
            self._given.close()

    def _respond(self, prepared: Prepared, headers: Query, attempt: Attempt) -> httpx.Response:
        seconds = attempt.seconds  # the attempt's own deadline is before each of these; half: time for a second address
        timeout = {"connect": seconds / 2, "read": seconds, "write": seconds, "pool": seconds}
        extensions = {"timeout": timeout, "trace": attempt.trace, "sni_hostname": self._name}
        target = "/" + prepared.url.split("/", 3)[3]  # path and query, and no origin (R3)
        for base in self._bases:
            url = base.copy_with(raw_path=target.encode("ascii"))
            method, body = prepared.operation.method, prepared.body or b""
            request = httpx.Request(method, url, headers=headers, content=body, extensions=extensions)
            if self._given is not None:  # which traces nothing
                attempt.trace("given.send_request_headers.started", {"request": request})
            try:
                return attempt.transport.handle_request(request)
            except BROKEN as error:
                refused = isinstance(error, httpx.ConnectError) and not attempt.sock
                if base is self._bases[-1] or not refused:
                    raise attempt.failed(error) from error
        raise AssertionError("there is a last address")


def _chunks(response: httpx.Response, attempt: Attempt) -> Iterator[bytes]:
    pool = getattr(attempt.transport, "_pool", None)
    inner: Any = next(iter(pool.connections), None) if pool else None
    while hasattr(inner, "_connection"):  # inside that of the pool and, behind a proxy, that of its tunnel
        inner = inner._connection
    try:
        for chunk in cast(Iterable[bytes], response.stream):
            if attempt.late:
                break
            yield chunk
    except BROKEN as error:
        raise attempt.failed(error) from error
    with attempt.lock:
        if attempt.late:  # nobody waits for it any longer
            raise attempt.overdue()
        attempt.complete = True
    attempt.behind = bytes(inner._h11_state.trailing_data[0]) if inner else b""
    if attempt.behind.startswith(b"HTTP/"):
        raise Failed("P2", "another reply followed it, so it is not known which one is the answer")


def _proxy(text: str) -> httpx.Proxy:
    """Read a proxy's address; it may hold a login, so that no message repeats it. Raises BadConfig."""
    with suppress(ValueError, httpx.InvalidURL):
        proxy = httpx.Proxy(text if "://" in text else f"http://{text}")
        if proxy.url.scheme == "http" and proxy.url.host and (proxy.url.port or 80) < 65536:
            return proxy
    raise BadConfig("the proxy is not an address such as http://proxy.example.org:3128")


def tls_context(ca_file: str | None = None, folders: tuple[str, ...] = _HASHED) -> ssl.SSLContext:
    """Make a context that verifies certificates and names: against `ca_file` alone where given. Raises BadConfig.

    There is no way to switch it off (R14).
    """
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # TLS 1.2 or later, names checked, certificates required
    if ca_file is not None:
        try:
            made.load_verify_locations(cafile=ca_file)
        except OSError as error:
            why = "it holds no certificates" if isinstance(error, ssl.SSLError) else (error.strerror or "").lower()
            raise BadConfig(f"the certificates of the profile cannot be used: {ca_file}: {why}") from None
        return made
    folder = next(filter(_is_hashed, folders), None)
    if folder is not None:
        made.load_verify_locations(capath=folder)
        return made
    import certifi

    made.load_verify_locations(cafile=certifi.where())
    return made


def _is_hashed(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(_ENTRY.fullmatch(entry.name) for entry in entries)
    except OSError:
        return False
