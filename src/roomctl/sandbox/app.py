"""The sandbox's HTTP: an ASGI application routed from OPERATIONS. Awaits nothing but `receive` and `send`.

Written on the bare ASGI events: a framework would load an event loop for each command that is tried in process.
"""

import hmac
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl

from roomctl.contract.operations import KEY_HEADER, OPERATIONS, PREFIX, Operation
from roomctl.errors import LocalFailure
from roomctl.sandbox.asked import Asked, parameters, parsed
from roomctl.sandbox.handlers import HANDLERS
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.readings import KEPT, PAGE, Reading, twisted
from roomctl.sandbox.store import Store, encoded

JSON = Any
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
LARGEST_BODY = 64 * 1024 * 1024
LARGEST_STRICT_BODY = 1024 * 1024
NO_REPLY = b"OK"
"""What a hostile service answers where the interface shows no body."""
HOSTILE_STATUS = {401: 403}
HOSTS = ("127.0.0.1", "localhost", "[::1]")


def build(store: Store, key: str, reading: str = "") -> Asgi:
    """Make the application over a store; every operation needs the key.

    `reading` says how the gaps are read, whatever the world keeps about it.
    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        read = Reading(reading or store.meta(KEPT) or "lenient")
        try:
            data = await _answer(store, key, scope, receive, read)
            await _send(send, 200, data, {**_plain(data), **read.header})
        except Problem as problem:
            await _refuse(send, problem, read)
        except LocalFailure as error:
            read.meets("busy")
            await _refuse(send, Problem(503, str(error)), read)
        except _Gone:
            return

    return app


def _plain(data: bytes) -> dict[str, str]:
    return {"Content-Type": "text/plain"} if data == NO_REPLY else {}


async def _refuse(send: Send, problem: Problem, read: Reading) -> None:
    """Answer what is wrong; read hostilely, as a page that says nothing."""
    read.meets("error-statuses", "error-shape")
    headers = {**(problem.headers or {}), **read.header}
    if read.name != "hostile":
        await _send(send, problem.status, encoded(problem.document()), headers)
        return
    status = HOSTILE_STATUS.get(problem.status, problem.status if problem.status >= 500 else 400)
    page = PAGE.format(status=status).encode()
    await _send(send, status, page, {**headers, "Content-Type": "text/html; charset=utf-8"})


class _Gone(Exception):
    """The client went away in the middle of its request."""


async def _answer(store: Store, key: str, scope: Scope, receive: Receive, reading: Reading) -> bytes:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    _host(headers.get("host", ""))
    operation, path = _matched(scope["method"], scope["path"])
    _key(headers.get(KEY_HEADER.lower(), ""), key, reading)
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    known, extra = parameters(operation, path, pairs, reading)
    body = await _body(operation, headers, receive, reading)
    reply = HANDLERS[operation.name](store, Asked(known, extra, body, reading))
    if operation.reply is None:
        return NO_REPLY if reading.hostile("no-reply") else b""
    return encoded(twisted(reading, operation, reply))


def _host(host: str) -> None:
    """Answer only to this machine's names, so that no page in a browser reaches the sandbox by a name of its own."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if name.lower() not in HOSTS:
        raise Problem(421, "this host is not served here: use 127.0.0.1")


def _key(given: str, key: str, reading: Reading) -> None:
    if not hmac.compare_digest(given.encode(), key.encode()):
        reading.meets("keys")
        raise Problem(401, f"the header {KEY_HEADER} is {'not a key of this sandbox' if given else 'missing'}")


def _matched(method: str, path: str) -> tuple[Operation, Mapping[str, str]]:
    inner = path.removeprefix(PREFIX) if path.startswith(PREFIX) else ""
    found = [(each, match) for each in OPERATIONS if (match := each.match(inner)) is not None]
    for operation, match in found:
        if operation.method == method:
            return operation, match
    if found:
        allowed = ", ".join(operation.method for operation, _ in found)
        raise Problem(405, f"the method here is {allowed}", headers={"Allow": allowed})
    raise Problem(404, "nothing is at this path")


async def _body(operation: Operation, headers: Mapping[str, str], receive: Receive, reading: Reading) -> JSON:
    """Read and check the body. A body that an operation does not take is ignored, as most services do."""
    if operation.body is None:
        return None
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "a body is sent as application/json")
    return parsed(operation.body, await _bytes(receive, reading), reading)


async def _bytes(receive: Receive, reading: Reading) -> bytes:
    most = LARGEST_STRICT_BODY if reading.name == "strict" else LARGEST_BODY
    data = bytearray()
    while True:
        event = await receive()
        if event["type"] != "http.request":
            raise _Gone
        data += event.get("body", b"")
        if len(data) > most:
            reading.meets("largest-body")
            raise Problem(413, f"the body is larger than {most >> 20} MiB")
        if not event.get("more_body"):
            return bytes(data)


async def _send(send: Send, status: int, data: bytes, headers: Mapping[str, str] | None = None) -> None:
    lines = {
        "Content-Length": str(len(data)),
        **({"Content-Type": "application/json"} if data else {}),
        **(headers or {}),
    }
    named = [(name.lower().encode(), value.encode()) for name, value in lines.items()]
    await send({"type": "http.response.start", "status": status, "headers": named})
    await send({"type": "http.response.body", "body": data})
