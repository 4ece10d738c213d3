"""HTTP as values: a request as it came, and checked against its operation; a response, and how it is delivered."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from roomctl.contract.operations import OPERATIONS, PREFIX, Operation, Param
from roomctl.contract.records import is_uuid
from roomctl.contract.scalars import date_time_problem
from roomctl.sandbox.fault_rewrite import rewrite
from roomctl.sandbox.gaps import Strictness
from roomctl.sandbox.store import encode
from roomctl.text import JSON
from roomctl.text.strict_json import no_constant

LARGEST_PAGE = {"strict": 100, "lenient": 1000, "hostile": 7}
LARGEST_NUMBER = 2**63 - 1
LARGEST_BODY = 64 * 1024 * 1024
LARGEST_STRICT_BODY = 1024 * 1024


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
        cls, method: str, path: str, query: str = "", headers: Iterable[tuple[str, str]] = (), body: bytes = b""
    ) -> "RawRequest":
        operation, _ = routes(path).get(method, (None, {}))
        lines = {name.lower(): value for name, value in headers}
        return cls(method, path, tuple(parse_qsl(query, keep_blank_values=True)), lines, body, operation)

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
    headers: Mapping[str, str] = {}
    body: bytes = b""

    def with_body(self, body: bytes, kind: str = "application/json") -> "Response":
        """Put another body in, with its length; one without bytes has no type."""
        kept = {name: value for name, value in self.headers.items() if name != "content-type"}
        kinds = {"content-type": kind} if body else {}
        return self._replace(headers={**kept, **kinds, "content-length": str(len(body))}, body=body)

    def with_headers(self, headers: Mapping[str, str]) -> "Response":
        return self._replace(headers={**self.headers, **{name.lower(): value for name, value in headers.items()}})

    def json(self) -> JSON:
        return json.loads(self.body) if self.status == 200 and self.body else None

    @property
    def empty_list(self) -> bool | None:
        """Whether it is a list without rows; None where it is no list. Seen without parsing: pages are large."""
        return self.body == b"[]" if self.status == 200 and self.body[:1] == b"[" else None


class Head(NamedTuple):
    status: int
    headers: Mapping[str, str]


class Wait(NamedTuple):
    seconds: float


class Break(NamedTuple):
    reset: bool


Event = Head | bytes | Wait | Break  # a step of delivering a response; bytes are a part of its body


class Problem(Exception):
    """What is wrong with a request; `at` names the parameter or field, `problems` lists several."""

    def __init__(
        self, status: int, message: str, *, at: str = "", problems: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.status = status
        self.message = f"{at} {message}" if at else message
        self.problems = list(problems) or ([{"path": at, "message": message}] if at else [])
        self.headers = headers or {}

    def response(self) -> Response:
        body = {"status": self.status, "message": self.message, "problems": self.problems}
        data = b"" if self.status in (204, 304) else encode(body)
        return Response(self.status).with_body(data).with_headers(self.headers)


class Request(NamedTuple):
    """A checked request: documented parameters by name, other query parameters, the body, how gaps are read."""

    operation: Operation
    params: Mapping[str, Any]
    extra: Mapping[str, str]
    body: JSON
    strictness: Strictness

    def body_without(self, *owned: str) -> JSON:
        """Give the body without what the service says itself. Raises Problem where that is read strictly."""
        for name in owned:
            if self.body.get(name) is not None and self.strictness.strict("owned-fields"):
                raise Problem(422, "is set by the service", at=name)
        return {name: item for name, item in self.body.items() if name not in owned}

    def require(self, body: JSON, *names: str) -> None:
        for name in names:
            if body.get(name) is None and self.strictness.strict("required-fields"):
                raise Problem(422, "is required", at=name)


def check(raw: RawRequest, operation: Operation, path: Mapping[str, str], strictness: Strictness) -> Request:
    """Read the parameters as their types say, and the body as strictly as a person's file. Raises Problem."""
    params: dict[str, Any] = {param.name: _value(param, path[param.name]) for param in operation.path_params}
    known = {param.name: param for param in operation.query_params}
    for name, text in raw.query:
        if name in known and name in params:
            raise Problem(400, "given more than once", at=name)
        if name in known:
            params[name] = _value(known[name], text)
    for param in known.values():
        if param.required and param.name not in params:
            raise Problem(400, "is required", at=param.name)
        if param.default is not None:
            params.setdefault(param.name, param.default)
    if operation.paged:
        most = LARGEST_PAGE[strictness.level]
        if params["size"] < 1:
            raise Problem(400, "must be 1 or more", at="size")
        if params["size"] > most and strictness.strict("largest-size"):
            raise Problem(400, f"must be {most} or less", at="size")
        params["size"] = min(params["size"], most)
    extra = {name: text for name, text in raw.query if name not in known}
    for name in extra.keys() - {param.name for param in operation.assumed}:
        if strictness.strict("create-query"):
            raise Problem(400, "is not documented", at=name)
    body = _body(operation.body, raw, strictness) if operation.body else None  # one that is not taken is ignored
    return Request(operation, params, extra, body, strictness)


def _value(param: Param, text: str) -> str | int:
    if param.type == "uuid":
        if not is_uuid(text):
            raise Problem(400, "is not a uuid", at=param.name)
        return text.lower()
    if param.type == "integer":
        if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= LARGEST_NUMBER):
            raise Problem(400, f"is not a whole number from 0 to {LARGEST_NUMBER}", at=param.name)
        return int(text)
    if param.type == "date-time" and date_time_problem(text):
        raise Problem(400, "is not an RFC 3339 date-time with its offset", at=param.name)
    return text


def _body(type_name: str, raw: RawRequest, strictness: Strictness) -> JSON:
    from roomctl.contract.validation import check as check_value

    if raw.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "a body must be application/json")
    most = LARGEST_STRICT_BODY if strictness.level == "strict" else LARGEST_BODY
    if len(raw.body) > most:
        strictness.note("largest-body")
        raise Problem(413, f"the body is larger than {most >> 20} MiB")
    try:
        value = json.loads(raw.body.decode("utf-8"), parse_constant=no_constant)
    except (ValueError, RecursionError):
        raise Problem(400, "the body is not JSON") from None
    problems = check_value(type_name, value, allow_placeholders=True)
    if problems and strictness.hostile("unknown-fields"):
        problems = check_value(type_name, value, allow_placeholders=True, allow_unknown=True)
        value = value if problems else rewrite(type_name, value, {"without-unknown": True})
    if problems:
        raise Problem(422, f"the body is not a {type_name}", problems=[each._asdict() for each in problems])
    if isinstance(value, dict) and None in value.values():
        if strictness.strict("null"):
            raise Problem(422, "must not be null", at=next(name for name, item in value.items() if item is None))
        if strictness.hostile("null"):
            return {name: item for name, item in value.items() if item is not None}
    return value
