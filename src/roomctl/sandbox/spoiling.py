"""The stage's application: it stands before the sandbox's, lets its faults happen, and writes every request down.

What ASGI cannot say, it says with two events of its own, which the transport in this process and the served protocol
both understand: WAIT (for `seconds`) and BREAK (end the connection; `reset` or not). A head that has AS_IS is followed
by a body that does not keep what the head says, and by BREAK.
"""

import json
import time
from collections.abc import Callable, Mapping, MutableMapping
from hashlib import sha256
from typing import Any, Final

from roomctl.sandbox.app import LARGEST_BODY, Asgi, Receive, Scope, Send
from roomctl.sandbox.exchange import Answer, Asking, asking, empty
from roomctl.sandbox.faults import DENIALS, Fault, Value
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.stage import Stage
from roomctl.sandbox.store import encoded
from roomctl.sandbox.twisting import twisted

JSON = Any
Event = MutableMapping[str, Any]
Effects = Mapping[str, Value]
WAIT: Final = "roomctl.wait"
BREAK: Final = "roomctl.break"
AS_IS: Final = "roomctl.as_is"
PAGE: Final = b"<!doctype html><html><body><h1>We will be back soon</h1></body></html>"
SILENT: Final = frozenset({"drop-before-commit", "drop-after-commit", "reset"})
CUT: Final = frozenset({"truncated", "wrong-length"})
UNREAD: Final = frozenset({"status", "body", "html", "denied", "empty-body", "key-revoked"})
"""Effects under which an answer shows no page of the list, whatever was done."""
NONE: Final = Fault({}, {})


def staged(inner: Asgi, stage: Stage, *, clock: Callable[[], float] = time.time) -> Asgi:
    """Put the stage before an application."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await inner(scope, receive, send)
            return
        at = clock()
        events, whole = await _events(receive)
        asked = asking(scope, b"".join(event.get("body", b"") for event in events))
        request = asked.request()
        fault = (stage.meet(request) if whole else None) or NONE
        effects = fault.effects(request)
        done = await _done(inner, scope, events, asked, effects if fault.commits else None)
        if done is None and fault.commits:
            return  # the client went away in the middle of its request
        shown = _shown(asked, done, effects)
        stage.note(
            _entry(asked, effects, done, shown)
            | {"fault": str(fault) if fault.fault else "", "at": at, "answered": clock()}
        )
        await _send(send, shown, effects)

    return app


async def _events(receive: Receive) -> tuple[list[Event], bool]:
    """Take the events of a request, and say whether it came whole; one that is too long is not read to its end."""
    events, length = [await receive()], 0
    while events[-1]["type"] == "http.request" and events[-1].get("more_body") and length <= LARGEST_BODY:
        length += len(events[-1].get("body", b""))
        events.append(await receive())
    return events, events[-1]["type"] == "http.request"


async def _done(
    inner: Asgi, scope: Scope, events: list[Event], asked: Asking, effects: Effects | None
) -> Answer | None:
    """Let the sandbox do the operation; None where it is not to be done (no effects), or where nobody waits for it."""
    if effects is None:
        return None
    if events[-1]["type"] != "http.request":
        return await _answered(inner, scope, events)

    async def ask(other: Asking) -> Answer:
        if other is asked:
            answer = await _answered(inner, scope, events)
        else:
            event: Event = {"type": "http.request", "body": other.body, "more_body": False}
            answer = await _answered(inner, {**scope, "query_string": other.query_string}, [event])
        assert answer is not None, "a whole request is answered"
        return answer

    return await (twisted(ask, asked, effects) if effects else ask(asked))


async def _answered(inner: Asgi, scope: Scope, events: list[Event]) -> Answer | None:
    """Run the application on a request that is here already, and collect its answer."""
    unread, sent = list(events), list[Event]()

    async def receive() -> Event:
        return unread.pop(0) if unread else {"type": "http.disconnect"}

    async def send(event: Event) -> None:
        sent.append(event)

    await inner(scope, receive, send)
    if not sent:
        return None
    body = b"".join(event.get("body", b"") for event in sent[1:])
    return Answer(sent[0]["status"], tuple(map(tuple, sent[0]["headers"])), body)


def _shown(asked: Asking, done: Answer | None, effects: Effects) -> Answer | None:
    """Make the answer that is sent; None where none is."""
    if not SILENT.isdisjoint(effects):
        return None
    answer = done or Answer(200, (), b"")
    if answer.status == 200:
        answer = _in_other_words(asked, answer, effects)
    if "key-revoked" in effects:
        return _problem(401, "the key was revoked")
    if "status" in effects:
        answer = _problem(int(effects["status"]), "a fault of the sandbox")
        if "retry-after" in effects:
            answer = answer._replace(headers=(*answer.headers, (b"retry-after", str(effects["retry-after"]).encode())))
    if "body" in effects:
        answer = answer.holding(str(effects["body"]).encode(), b"text/plain; charset=utf-8")
    if "html" in effects:
        answer = answer.holding(PAGE, b"text/html")
    return answer


def _in_other_words(asked: Asking, answer: Answer, effects: Effects) -> Answer:
    """Say what was done, or that it was not, as other services say it."""
    if "denied" in effects:
        return answer.holding(encoded(_denial(asked, str(effects["denied"]))))
    if "empty-body" in effects:
        return answer.holding(b"")
    if asked.page is not None and "end-of-list" in effects and empty(answer):
        return _end(str(effects["end-of-list"]))
    if asked.page is not None and "list-field" in effects:
        name = "content" if effects["list-field"] is True else effects["list-field"]
        more = {"number": asked.page, "size": asked.size, "first": asked.page == 0, "empty": empty(answer)}
        return answer.holding(b'{"%s":%s,%s' % (str(name).encode(), answer.body, encoded(more)[1:]))
    return answer


def _end(word: str) -> Answer:
    """A page without rows in other words: a status, or what stands in the body of a 200."""
    if word.isdigit():
        return _problem(int(word), "there is no such page")
    return Answer(200, (), b"").holding(b"null" if word == "null" else b"")


def _denial(asked: Asking, word: str) -> JSON:
    """Say no; beside the ids and fields that were sent, where that is wanted."""
    if word != "record":
        return DENIALS[word]
    path = (
        {param.name: asked.path.rpartition("/")[2] for param in asked.operation.path_params} if asked.operation else {}
    )
    try:
        sent = json.loads(asked.body)
    except ValueError:
        sent = None
    return {**dict(asked.query), **path, **(sent if isinstance(sent, dict) else {}), **DENIALS[word]}


def _problem(status: int, message: str) -> Answer:
    body = encoded(Problem(status, message).document())
    return Answer(status, (), b"").holding(b"" if status in (204, 304) else body)


def _entry(asked: Asking, effects: Effects, done: Answer | None, shown: Answer | None) -> dict[str, JSON]:
    """Write down what was asked, done and answered; what the client took for it is the judge's to say."""
    committed = done is not None and done.status == 200 if asked.writes else None
    whole = shown is not None and CUT.isdisjoint(effects)
    return {
        **asked.record(),
        "status": shown.status if shown else None,
        "committed": committed,
        "answer": _kind(asked, shown, effects, whole),
        "retryAfter": effects.get("retry-after"),
        "empty": empty(done) if whole and asked.page is not None and UNREAD.isdisjoint(effects) else None,
        "answerBody": sha256(shown.body).hexdigest() if shown and shown.body else "",
    }


def _kind(asked: Asking, shown: Answer | None, effects: Effects, whole: bool) -> str:
    """Say in a word what came: `none`, `cut`, `garbled` (whole, and no answer to what was asked), or `whole`."""
    if shown is None:
        return "none"
    if not whole:
        return "cut"
    garbling = {"html", "body", "other-id", "denied"}
    if asked.operation and asked.operation.reply:
        garbling.add("empty-body")
    return "garbled" if "status" not in effects and effects.keys() & garbling else "whole"


async def _send(send: Send, answer: Answer | None, effects: Effects) -> None:
    if "latency" in effects:
        await send({"type": WAIT, "seconds": float(effects["latency"])})
    if answer is None:
        await send({"type": BREAK, "reset": "reset" in effects})
        return
    head: Event = {"type": "http.response.start", "status": answer.status, "headers": list(answer.headers)}
    if not CUT.isdisjoint(effects):
        await _send_cut(send, head, answer.body, effects)
    elif "slow-drip" in effects:
        await send(head)
        for byte in answer.body:
            await send({"type": WAIT, "seconds": float(effects["slow-drip"])})
            await send({"type": "http.response.body", "body": bytes([byte]), "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    else:
        await send(head)
        await send({"type": "http.response.body", "body": answer.body})


async def _send_cut(send: Send, head: Event, body: bytes, effects: Effects) -> None:
    """Send a head that announces another length than that of what follows."""
    length = max(0, len(body) + int(effects.get("wrong-length", 0)))
    kept = [pair for pair in head["headers"] if pair[0] not in (b"content-length", b"connection")]
    lines = [*kept, (b"content-length", str(length).encode()), (b"connection", b"close")]
    await send({**head, "headers": lines, AS_IS: True})
    came = body[: len(body) // 2] if "truncated" in effects else body
    await send({"type": "http.response.body", "body": came, "more_body": True, AS_IS: True})
    await send({"type": BREAK, "reset": False})
