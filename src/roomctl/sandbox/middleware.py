"""Faults between a request and its response: they happen here, and every request is written to the log."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any, Final

from roomctl.sandbox.fault_effects import REPLIES, RESULTS, functions
from roomctl.sandbox.fault_rewrite import Effects
from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.faults import Fault
from roomctl.sandbox.messages import Break, Event, Head, RawRequest, Response, Wait

JSON = Any
LOGGED: Final = 16 * 1024
"""Bytes up to which the log keeps a body."""
_SECRET: Final = re.compile(r"key|token|secret|password|bearer|bytes", re.IGNORECASE)
SILENT: Final = frozenset({"drop-before-commit", "drop-after-commit", "reset"})
CUT: Final = frozenset({"truncated", "wrong-length"})
GARBLED: Final = frozenset({"html", "body", "other-id", "other-name", "denied"})
UNREAD: Final = frozenset({"status", "body", "html", "denied", "empty-body", "key-revoked"})
"""Effects under which an answer shows no page of the list, whatever was done."""
NONE: Final = Fault({}, {})


def with_faults(
    respond: Callable[[RawRequest], Response], faults: FaultStore
) -> Callable[[RawRequest], Iterator[Event]]:

    def app(request: RawRequest) -> Iterator[Event]:
        at = time.time()
        fault = faults.meet(request) or NONE
        effects = fault.effects(request)
        do = respond
        for apply in functions(RESULTS, effects):
            do = partial(apply, effects, do)
        done = do(request) if fault.commits else None
        answer = (done or Response(200)) if SILENT.isdisjoint(effects) else None
        for change in functions(REPLIES, effects) if answer else ():
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
    garbled = "status" not in effects and (emptied or not GARBLED.isdisjoint(effects))
    return {
        "operation": request.name,
        "method": request.method,
        "path": request.path,
        "query": [[name, "…" if _SECRET.search(name) else value] for name, value in request.query],
        "body": _hash(request.body),
        "sent": sent,
        "status": answer.status if answer else None,
        "committed": done is not None and done.status == 200 if request.writes else None,
        "answer": ("garbled" if garbled else "whole") if whole else "cut" if answer else "none",
        "retryAfter": effects.get("retry-after"),
        "empty": page.empty_list if page else None,
        "answerBody": _hash(answer.body) if answer else "",
    }


def _hash(body: bytes) -> str:
    return sha256(body).hexdigest() if body else ""


def _without_secrets(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {name: "…" if _SECRET.search(name) else _without_secrets(item) for name, item in value.items()}
    return [_without_secrets(item) for item in value] if isinstance(value, list) else value


def deliver(answer: Response | None, effects: Mapping[str, Any] = NONE.fault) -> Iterator[Event]:
    """Give the events by which a response arrives, or does not (None)."""
    if "latency" in effects:
        yield Wait(float(effects["latency"]))
    if answer is None:
        yield Break(reset="reset" in effects)
    elif not CUT.isdisjoint(effects):
        length = max(0, len(answer.body) + int(effects.get("wrong-length", 0)))
        kept = (pair for pair in answer.headers if pair[0] not in (b"content-length", b"connection"))
        headers = (*kept, (b"content-length", str(length).encode()), (b"connection", b"close"))
        yield Head(answer.status, headers)
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
