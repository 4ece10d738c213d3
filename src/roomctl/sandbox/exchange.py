"""One request at the sandbox and its answer, as values: what a fault looks at and changes, and what the log keeps."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from roomctl.contract.operations import OPERATIONS, PREFIX, Operation
from roomctl.sandbox.asked import LARGEST_PAGE, MOST
from roomctl.sandbox.faults import Request

JSON = Any
KEPT: Final = 16 * 1024
"""Bytes up to which the log keeps a body."""
_SECRET: Final = re.compile(r"key|token|secret|password|bearer|bytes", re.IGNORECASE)


class Answer(NamedTuple):
    """What the sandbox answers: status, headers, body."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def value(self) -> JSON:
        """Read its JSON; None where it has none."""
        return json.loads(self.body) if self.status == 200 and self.body else None

    def holding(self, body: bytes, kind: bytes = b"application/json") -> "Answer":
        """Put another body in, with its true length."""
        kept = tuple(pair for pair in self.headers if pair[0] not in (b"content-length", b"content-type"))
        length = str(len(body)).encode()
        return self._replace(headers=(*kept, (b"content-type", kind), (b"content-length", length)), body=body)


class Asking(NamedTuple):
    """A request as it came; `operation` is None where there is none at its path."""

    operation: Operation | None
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def name(self) -> str:
        """The operation's name; empty where there is none."""
        return self.operation.name if self.operation else ""

    @property
    def writes(self) -> bool:
        """Whether it would change something."""
        return self.operation.writes if self.operation else self.method != "GET"

    @property
    def page(self) -> int | None:
        """The page of the list that it asks for; None where it is no list."""
        return self.number("page", 0) if self.operation and self.operation.paged else None

    @property
    def size(self) -> int:
        """How many rows the sandbox puts in a page of it."""
        return max(1, min(self.number("size", 20), LARGEST_PAGE["lenient"]))

    def number(self, name: str, default: int) -> int:
        """Read a number of the query as the sandbox does; what is none is left to the sandbox to refuse."""
        text = dict(self.query).get(name, "")
        return min(int(text), MOST) if text.isascii() and text.isdigit() and len(text) < 20 else default

    def asking(self, **query: int) -> "Asking":
        """Ask with other parameters in the query."""
        kept = tuple(pair for pair in self.query if pair[0] not in query)
        return self._replace(query=(*kept, *((name, str(value)) for name, value in query.items())))

    @property
    def query_string(self) -> bytes:
        """The query as it stands behind the path."""
        return urlencode(self.query).encode()

    def request(self) -> Request:
        """Say what a fault looks at."""
        return Request(self.name, self.writes, self.path, self.page)

    def record(self) -> dict[str, JSON]:
        """Write it down for the log: without key and secrets, the body as its hash and, where it is small, itself."""
        query = [[name, "…" if _SECRET.search(name) else value] for name, value in self.query]
        found = {"operation": self.name, "method": self.method, "path": self.path, "query": query}
        return {**found, "body": sha256(self.body).hexdigest() if self.body else "", "sent": _kept(self.body)}


def asking(scope: Mapping[str, Any], body: bytes) -> Asking:
    """Read a request off its ASGI scope."""
    path = str(scope["path"]).removeprefix(PREFIX)
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return Asking(_operation(scope["method"], path), scope["method"], path, tuple(query), body)


def _operation(method: str, path: str) -> Operation | None:
    parts = path.split("/")
    for each in OPERATIONS:
        form = each.path.split("/")
        if each.method == method and len(form) == len(parts) and all(map(_fits, form, parts)):
            return each
    return None


def _fits(form: str, part: str) -> bool:
    return form == part or (form.startswith("{") and bool(part))


def _kept(body: bytes) -> JSON:
    """A small JSON body without secrets and pictures; None where it is not that."""
    if not body or len(body) > KEPT:
        return None
    try:
        return _plain(json.loads(body))
    except (ValueError, RecursionError):
        return None


def _plain(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {name: "…" if _SECRET.search(name) else _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def empty(answer: Answer | None) -> bool | None:
    """Whether an answered list is empty; None where it is no list. Told without parsing: pages are large."""
    if answer is None or answer.status != 200 or answer.body[:1] != b"[":
        return None
    return answer.body == b"[]"
