"""The sandbox's HTTP: a request in, a response out as events, one by one, in this process and on a socket alike.

Faults happen between the two, and every request is written to the log.
"""

import hmac
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from email.utils import format_datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final

from roomctl.contract.operations import KEY_HEADER
from roomctl.contract.records import error_of
from roomctl.errors import LocalFailure
from roomctl.sandbox.fault_effects import PAGE, functions
from roomctl.sandbox.fault_rewrite import Effects
from roomctl.sandbox.faults import Fault, FaultStore
from roomctl.sandbox.gaps import SETTING, Strictness
from roomctl.sandbox.handlers import HANDLERS
from roomctl.sandbox.request import Break, Event, Head, Problem, RawRequest, Response, Wait, check, routes
from roomctl.sandbox.store import Store, encode
from roomctl.text import JSON, Note

App = Callable[[RawRequest], Iterator[Event]]
HOSTS = ("127.0.0.1", "localhost", "[::1]")
"""Only this machine's names, so that no page in a browser reaches the sandbox by a name of its own."""
LOGGED: Final = 16 * 1024  # bytes up to which the log keeps a body
_SECRET: Final = re.compile(r"key|token|secret|password|bearer|bytes", re.IGNORECASE)
SILENT: Final = frozenset({"drop-before-commit", "drop-after-commit", "reset"})
CUT: Final = frozenset({"truncated", "wrong-length"})
GARBLED: Final = frozenset({"html", "body", "other-id", "other-name", "denied"})
UNREAD: Final = frozenset({"status", "body", "html", "denied", "empty-body", "key-revoked"})
"""Effects under which an answer shows no page of the list, whatever was done."""
NONE: Final = Fault({}, {})


def build(store: Store, key: str, faults: FaultStore, *, strictness: str = "", tell: Note | None = None) -> App:
    """Make the application over a store; `strictness` goes before that of the world.

    With `tell`, a defect is a 500, and a line without any value of the request; without it, it is raised.
    """

    def respond(request: RawRequest) -> Response:
        level = Strictness(strictness or store.meta(SETTING) or "lenient")
        try:
            return _answer(store, key, request, level)
        except Problem as problem:
            return _refuse(problem, level)
        except LocalFailure as error:
            level.note("busy")
            return _refuse(Problem(503, str(error)), level)
        except Exception as error:
            if tell is None:
                raise
            tell(f"SANDBOX: a bug: {request.method} {request.full_path[:100]}: {type(error).__name__}")
            return Problem(500, "a bug in the sandbox").response()

    return with_faults(respond, faults)


def _answer(store: Store, key: str, raw: RawRequest, strictness: Strictness) -> Response:
    host = raw.headers.get("host", "")
    if (host if host.endswith("]") else host.rpartition(":")[0] or host).lower() not in HOSTS:
        raise Problem(421, "this host is not served: use 127.0.0.1")
    found = routes(raw.full_path)
    if not found:
        raise Problem(404, "nothing is at this path")
    if raw.method not in found:
        allowed = ", ".join(found)
        raise Problem(405, f"the method here is {allowed}", headers={"Allow": allowed})
    given = raw.headers.get(KEY_HEADER.lower(), "")
    if not hmac.compare_digest(given.encode(), key.encode()):
        strictness.note("keys")
        raise Problem(401, f"the header {KEY_HEADER} is {'not a key of this sandbox' if given else 'missing'}")
    operation, path = found[raw.method]
    request = check(raw, operation, path, strictness)
    with store.writing() if operation.writes else nullcontext():
        reply = HANDLERS[operation.name](store, request)
    if operation.reply is not None:
        response = Response(200).with_body(encode(strictness.reply(operation, reply)))
    else:
        response = Response(200).with_body(b"OK" if strictness.hostile("no-reply") else b"", "text/plain")
    dated = {"Date": format_datetime(store.now(), usegmt=True)} if operation.writes else {}
    return response.with_headers({**strictness.headers, **dated})


def _refuse(problem: Problem, strictness: Strictness) -> Response:
    strictness.note("error-statuses", "error-shape")
    response = problem.response()
    if strictness.level == "hostile":
        status = {401: 403}.get(problem.status, problem.status if problem.status >= 500 else 400)
        response = response._replace(status=status).with_body(PAGE, "text/html; charset=utf-8")
    return response.with_headers(strictness.headers)


def with_faults(respond: Callable[[RawRequest], Response], faults: FaultStore) -> App:
    def app(request: RawRequest) -> Iterator[Event]:
        at = time.time()
        fault = faults.meet(request) or NONE
        effects = fault.effects(request)
        do = respond
        for apply in functions("results", effects):
            do = partial(apply, effects, do)
        done = do(request) if fault.commits else None
        answer = (done or Response(200)) if SILENT.isdisjoint(effects) else None
        for change in functions("replies", effects) if answer else ():
            answer = change(effects, request, answer)
        name = str(fault) if fault.fault else ""
        faults.note(_entry(request, effects, done, answer) | {"fault": name, "at": at, "answered": time.time()})
        yield from deliver(answer, effects)

    return app


def _entry(request: RawRequest, effects: Effects, done: Response | None, answer: Response | None) -> dict[str, JSON]:
    """Describe a request, without key and secrets, and what came back; what a client made of it is the judge's."""
    whole = answer is not None and CUT.isdisjoint(effects)
    page = done if whole and request.page is not None and UNREAD.isdisjoint(effects) else None
    emptied = "empty-body" in effects and request.operation and request.operation.reply
    sent = None  # unless it is small, and JSON
    with suppress(ValueError, RecursionError):
        sent = _without_secrets(json.loads(request.body)) if 0 < len(request.body) <= LOGGED else None
    unnamed = {"other-name"} if request.operation and request.operation.body == "uuid[]" else set()
    garbled = "status" not in effects and bool(emptied or effects.keys() & GARBLED - unnamed)
    return {
        "operation": request.name,
        "method": request.method,
        "path": request.path,
        "query": [[name, "…" if _SECRET.search(name) else value] for name, value in request.query],
        "body": _hash(request.body),
        "sent": sent,
        "status": answer.status if answer else None,
        "committed": _committed(request, done) if request.writes else None,
        "answer": ("garbled" if garbled else "whole") if whole else "cut" if answer else "none",
        "retryAfter": effects.get("retry-after"),
        "empty": page.empty_list if page else None,
        "answerBody": _hash(answer.body) if answer else "",
    }


def _committed(request: RawRequest, done: Response | None) -> bool:
    """Whether anything was changed: of invitations, unless each has an error."""
    if done is None or done.status != 200:
        return False
    return not (request.operation and request.operation.many and all(map(error_of, json.loads(done.body))))


def _hash(body: bytes) -> str:
    return sha256(body).hexdigest() if body else ""


def _without_secrets(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {name: "…" if _SECRET.search(name) else _without_secrets(item) for name, item in value.items()}
    return [_without_secrets(item) for item in value] if isinstance(value, list) else value


def deliver(answer: Response | None, effects: Mapping[str, Any]) -> Iterator[Event]:
    if "latency" in effects:
        yield Wait(float(effects["latency"]))
    if answer is None:
        yield Break(reset="reset" in effects)
    elif not CUT.isdisjoint(effects):
        length = max(0, len(answer.body) + int(effects.get("wrong-length", 0)))
        yield Head(answer.status, {**answer.headers, "content-length": str(length), "connection": "close"})
        yield answer.body[: len(answer.body) // 2] if "truncated" in effects else answer.body
        yield Break(reset=False)
    else:
        yield Head(answer.status, answer.headers)
        if "slow-drip" not in effects:
            yield answer.body
            return
        for byte in answer.body:
            yield Wait(float(effects["slow-drip"]))
            yield bytes([byte])
