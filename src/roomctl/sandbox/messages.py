"""HTTP as values: a request as it came, a response, and the events by which a response is delivered."""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl

from roomctl.contract.operations import OPERATIONS, PREFIX, Operation
from roomctl.text import JSON

Headers = tuple[tuple[bytes, bytes], ...]
LARGEST_PAGE = {"strict": 100, "lenient": 1000, "hostile": 7}
LARGEST_NUMBER = 2**63 - 1


def routes(path: str) -> dict[str, tuple[Operation, Mapping[str, str]]]:
    """Give the operations at a path by their methods, each with the parameters that the path holds for it."""
    inner = path.removeprefix(PREFIX) if path.startswith(PREFIX) else ""
    found = ((each, each.match(inner)) for each in OPERATIONS)
    return {each.method: (each, match) for each, match in found if match is not None}


class RawRequest(NamedTuple):
    """A request as it came; `operation` is None where there is none at its path."""

    method: str
    full_path: str
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    body: bytes
    operation: Operation | None

    @classmethod
    def read(
        cls, method: str, path: str, query: bytes = b"", headers: Iterable[tuple[bytes, bytes]] = (), body: bytes = b""
    ) -> "RawRequest":
        operation, _ = routes(path).get(method, (None, {}))
        pairs = tuple(parse_qsl(query.decode("latin-1"), keep_blank_values=True))
        lines = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
        return cls(method, path, pairs, lines, body, operation)

    @property
    def path(self) -> str:
        return self.full_path.removeprefix(PREFIX)

    @property
    def name(self) -> str:
        return self.operation.name if self.operation else ""

    @property
    def writes(self) -> bool:
        return self.operation.writes if self.operation else self.method != "GET"

    @property
    def page(self) -> int | None:
        return self._number("page", 0) if self.operation and self.operation.paged else None

    @property
    def size(self) -> int:
        return max(1, min(self._number("size", 20), LARGEST_PAGE["lenient"]))

    def _number(self, name: str, default: int) -> int:
        text = dict(self.query).get(name, "")
        return min(int(text), LARGEST_NUMBER) if text.isascii() and text.isdigit() and len(text) < 20 else default

    def with_query(self, **query: int) -> "RawRequest":
        kept = tuple(pair for pair in self.query if pair[0] not in query)
        return self._replace(query=(*kept, *((name, str(value)) for name, value in query.items())))


class Response(NamedTuple):
    status: int
    headers: Headers = ()
    body: bytes = b""

    def with_body(self, body: bytes, kind: str = "application/json") -> "Response":
        """Put another body in, with its length; one without bytes has no type."""
        kept = tuple(pair for pair in self.headers if pair[0] not in (b"content-length", b"content-type"))
        kinds = ((b"content-type", kind.encode()),) if body else ()
        return self._replace(headers=((b"content-length", str(len(body)).encode()), *kinds, *kept), body=body)

    def with_headers(self, headers: Mapping[str, str]) -> "Response":
        more = ((name.lower().encode(), value.encode()) for name, value in headers.items())
        return self._replace(headers=(*self.headers, *more))

    def json(self) -> JSON:
        return json.loads(self.body) if self.status == 200 and self.body else None

    @property
    def empty_list(self) -> bool | None:
        """Whether it is a list without rows; None where it is no list. Seen without parsing: pages are large."""
        return self.body == b"[]" if self.status == 200 and self.body[:1] == b"[" else None


class Head(NamedTuple):
    status: int
    headers: Headers


class Wait(NamedTuple):
    seconds: float


class Break(NamedTuple):
    reset: bool


Event = Head | bytes | Wait | Break
"""A step of delivering a response; bytes are a part of its body."""
