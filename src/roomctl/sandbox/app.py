"""The sandbox's HTTP: an ASGI application routed from OPERATIONS. Awaits nothing but `receive` and `send`.

Written on the bare ASGI events: a framework would load an event loop for each command that is tried in process.
"""

import hmac
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl

from roomctl.contract.operations import KEY_HEADER, OPERATIONS, PREFIX, Operation
from roomctl.errors import LocalFailure
from roomctl.sandbox.asked import Asked, parameters, parsed
from roomctl.sandbox.handlers import HANDLERS
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.store import Store, encoded

JSON = Any
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
Route = tuple[re.Pattern[str], Operation]
LARGEST_BODY = 64 * 1024 * 1024
HOSTS = ("127.0.0.1", "localhost", "[::1]")


def build(store: Store, key: str) -> Asgi:
    """Make the application over a store; every operation needs the key."""
    routes = [(_pattern(each.path), each) for each in OPERATIONS]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            data = await _answer(store, key, routes, scope, receive)
            await _send(send, 200, data)
        except Problem as problem:
            await _send(send, problem.status, encoded(problem.document()), problem.headers)
        except LocalFailure as error:
            await _send(send, 503, encoded(Problem(503, str(error)).document()))
        except _Gone:
            return

    return app


class _Gone(Exception):
    """The client went away in the middle of its request."""


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.escape(PREFIX) + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))


async def _answer(store: Store, key: str, routes: list[Route], scope: Scope, receive: Receive) -> bytes:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    _host(headers.get("host", ""))
    operation, path = _matched(routes, scope["method"], scope["path"])
    _key(headers.get(KEY_HEADER.lower(), ""), key)
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    known, extra = parameters(operation, path, pairs)
    body = await _body(operation, headers, receive)
    reply = HANDLERS[operation.name](store, Asked(known, extra, body))
    return b"" if operation.reply is None else encoded(reply)


def _host(host: str) -> None:
    """Answer only to this machine's names, so that no page in a browser reaches the sandbox by a name of its own."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if name.lower() not in HOSTS:
        raise Problem(421, "this host is not served here: use 127.0.0.1")


def _key(given: str, key: str) -> None:
    if not hmac.compare_digest(given.encode(), key.encode()):
        raise Problem(401, f"the header {KEY_HEADER} is {'not a key of this sandbox' if given else 'missing'}")


def _matched(routes: list[Route], method: str, path: str) -> tuple[Operation, Mapping[str, str]]:
    found = [(operation, match) for pattern, operation in routes if (match := pattern.fullmatch(path))]
    for operation, match in found:
        if operation.method == method:
            return operation, match.groupdict()
    if found:
        allowed = ", ".join(operation.method for operation, _ in found)
        raise Problem(405, f"the method here is {allowed}", headers={"Allow": allowed})
    raise Problem(404, "nothing is at this path")


async def _body(operation: Operation, headers: Mapping[str, str], receive: Receive) -> JSON:
    """Read and check the body. A body that an operation does not take is ignored, as most services do."""
    if operation.body is None:
        return None
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "a body is sent as application/json")
    return parsed(operation.body, await _bytes(receive))


async def _bytes(receive: Receive) -> bytes:
    data = bytearray()
    while True:
        event = await receive()
        if event["type"] != "http.request":
            raise _Gone
        data += event.get("body", b"")
        if len(data) > LARGEST_BODY:
            raise Problem(413, "the body is larger than 64 MiB")
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
