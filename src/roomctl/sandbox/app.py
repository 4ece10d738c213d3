"""The sandbox's HTTP: an ASGI application routed from OPERATIONS. Awaits nothing but `receive` and `send`."""

import hmac
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from roomctl.contract.operations import KEY_HEADER, OPERATIONS, PREFIX, UUID, Operation, Param
from roomctl.sandbox.handlers import HANDLERS
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.store import Store

JSON = Any
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
LARGEST_BODY = 64 * 1024 * 1024
LARGEST_PAGE = 1000
HOSTS = ("127.0.0.1", "localhost", "[::1]")


class Asked(NamedTuple):
    """What a request asks for, checked: path and query parameters by name, all of the query, the body."""

    path: Mapping[str, str]
    query: Mapping[str, Any]
    extra: Mapping[str, str]
    body: JSON


def build(store: Store, key: str) -> Asgi:
    """Make the application over a store; every operation needs the key."""
    routes = [Route(PREFIX + each.path, _refuse, methods=[each.method]) for each in OPERATIONS]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            _host(request)
            response = await _answer(store, key, routes, request)
        except Problem as problem:
            response = _json(problem.document(), problem.status, problem.headers)
        await response(scope, receive, send)

    return app


async def _refuse(request: Request) -> Response:
    """Stand for an endpoint: routes only say what a path matches."""
    raise Problem(404, f"nothing is at {request.url.path}")


def _host(request: Request) -> None:
    """Answer only to this machine's names, so that no page in a browser reaches the sandbox by a name of its own."""
    host = request.headers.get("host", "")
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if name.lower() not in HOSTS:
        raise Problem(421, "this host is not served here: use 127.0.0.1")


async def _answer(store: Store, key: str, routes: list[Route], request: Request) -> Response:
    operation, path = _matched(routes, request)
    given = request.headers.get(KEY_HEADER, "")
    if not hmac.compare_digest(given.encode("utf-8", "replace"), key.encode()):
        raise Problem(401, f"the header {KEY_HEADER} is {'not a key of this sandbox' if given else 'missing'}")
    asked = Asked(_path(operation, path), *_query(operation, request), await _body(operation, request))
    reply = HANDLERS[operation.name](store, asked)
    return Response(status_code=200) if operation.reply is None else _json(reply)


def _matched(routes: list[Route], request: Request) -> tuple[Operation, Mapping[str, str]]:
    allowed = []
    for operation, route in zip(OPERATIONS, routes, strict=True):
        match, scope = route.matches(request.scope)
        if match is Match.FULL and request.method == operation.method:
            return operation, scope["path_params"]
        if match is not Match.NONE:
            allowed.append(operation.method)
    if allowed:
        raise Problem(405, f"the method here is {' or '.join(allowed)}", headers={"Allow": ", ".join(allowed)})
    raise Problem(404, "nothing is at this path")


def _path(operation: Operation, given: Mapping[str, str]) -> dict[str, str]:
    return {param.name: str(_value(param, given[param.name])) for param in operation.path_params}


def _query(operation: Operation, request: Request) -> tuple[dict[str, Any], dict[str, str]]:
    values: dict[str, Any] = {}
    known = {param.name: param for param in operation.query_params}
    pairs = request.query_params.multi_items()
    for name, text in pairs:
        if name in known and name in values:
            raise Problem(400, "given more than once", at=name)
        if name in known:
            values[name] = _value(known[name], text)
    for param in known.values():
        if param.required and param.name not in values:
            raise Problem(400, "is required", at=param.name)
        if param.default is not None:
            values.setdefault(param.name, param.default)
    values = _paged(values) if operation.paged else values
    return values, {name: text for name, text in pairs if name not in known}


def _paged(values: dict[str, Any]) -> dict[str, Any]:
    if values["size"] < 1:
        raise Problem(400, "must be 1 or more", at="size")
    return {**values, "size": min(values["size"], LARGEST_PAGE)}


def _value(param: Param, text: str) -> str | int:
    """Read a parameter as its type says."""
    if param.type == "uuid":
        if not UUID.fullmatch(text):
            raise Problem(400, "is not a uuid", at=param.name)
        return text.lower()
    if param.type == "integer":
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise Problem(400, "is not a whole number from 0 to 999999999", at=param.name)
        return int(text)
    if param.type == "date-time":
        from roomctl.contract.checking import check

        if check("date-time", text):
            raise Problem(400, "is not an RFC 3339 date-time with its offset", at=param.name)
    return text


async def _body(operation: Operation, request: Request) -> JSON:
    """Read and check the body. A body that an operation does not take is ignored, as most services do."""
    if operation.body is None:
        return None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem(415, "a body is sent as application/json")
    return _checked(operation.body, await _bytes(request))


async def _bytes(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST_BODY:
            raise Problem(413, "the body is larger than 64 MiB")
    return bytes(data)


def _checked(type_name: str, data: bytes) -> JSON:
    from roomctl.contract.checking import check

    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Problem(400, "the body is not JSON") from None
    problems = check(type_name, value, allow_placeholders=True)
    if problems:
        raise Problem(422, f"the body is not a {type_name}", problems=[each._asdict() for each in problems])
    return value


def _no_constant(name: str) -> JSON:
    raise ValueError(name)


def _json(value: JSON, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return Response(data, status, headers, media_type="application/json")
