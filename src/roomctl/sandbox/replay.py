"""A log played again: its requests as the log keeps them, to the sandbox's application, and what is answered now."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from roomctl.contract.operations import KEY_HEADER, PREFIX
from roomctl.errors import BadInput
from roomctl.sandbox.app import Asgi
from roomctl.sandbox.exchange import withheld
from roomctl.sandbox.spoiling import BREAK, Event
from roomctl.sandbox.store import encoded

JSON = Any
KEY: Final = "sandbox-replay-key"
_SHAPE: Final[Mapping[str, Any]] = {"method": str, "path": str, "query": list, "body": str, "status": int | None}


class Replayed(NamedTuple):
    """A request of the log: the status it had and the one it has now, None where nothing was answered.

    `became` is `same`, `other` or `left out`, then `why` says what the log does not hold of it.
    """

    number: JSON
    operation: str
    method: str
    path: str
    then: int | None
    now: int | None
    became: str
    why: str


def read_log(text: str, name: str) -> list[JSON]:
    """Read what `sandbox log` printed: a JSON array, or JSON in lines. Raises BadInput."""
    try:
        found = json.loads(text) if text.lstrip().startswith("[") else list(map(json.loads, text.splitlines()))
    except (ValueError, RecursionError):
        raise BadInput(f"{name} is not JSON, nor JSON in lines", hint=_HINT) from None
    for number, entry in enumerate(found, 1):
        if not _is_entry(entry):
            raise BadInput(f"{name} is no log of the sandbox: request {number}", hint=_HINT)
    return list(found)


_HINT: Final = "`roomctl sandbox log -o ndjson` prints one"


def _is_entry(entry: JSON) -> bool:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(name, 0.0), kind) for name, kind in _SHAPE.items()):
        return False
    pairs = (
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair) for pair in entry["query"]
    )
    return all(pairs) and entry["path"].startswith("/")


def replay(app: Asgi, log: Sequence[JSON]) -> Iterator[Replayed]:
    """Send the requests in their order; one of which the log does not hold all is left out."""
    for place, entry in enumerate(log, 1):
        why = withheld(entry)
        now = None if why else _status(app, entry)
        became = "left out" if why else "same" if now == entry["status"] else "other"
        number, operation = entry.get("number", place), str(entry.get("operation", ""))
        yield Replayed(number, operation, entry["method"], entry["path"], entry["status"], now, became, why)


def _status(app: Asgi, entry: JSON) -> int | None:
    """Ask, and give the status; the application awaits nothing but these two, so its coroutine runs in one go."""
    body = encoded(entry.get("sent")) if entry["body"] else b""
    unread: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Event] = []

    async def receive() -> Event:
        return unread.pop() if unread else {"type": "http.disconnect"}

    async def send(event: Event) -> None:
        sent.append(event)

    coroutine: Any = app(_scope(entry), receive, send)
    with suppress(StopIteration):
        coroutine.send(None)
    answers = (event for event in sent if event["type"] in (BREAK, "http.response.start"))
    return next(answers, {}).get("status")


def _scope(entry: JSON) -> Event:
    """Give a request its headers again, which the log does not keep."""
    headers = {"host": "127.0.0.1", KEY_HEADER.lower(): KEY, "content-type": "application/json"}
    return {
        "type": "http",
        "method": entry["method"],
        "path": PREFIX + entry["path"],
        "query_string": urlencode([tuple(pair) for pair in entry["query"]], errors="surrogatepass").encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
