"""A request made ready and not yet sent: what `--dry-run` and `--curl` show, what the journal records, what leaves."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from roomctl.contract.operations import KEY_HEADER, PREFIX, UUID, Operation
from roomctl.errors import BadInput, BadValue, WrongCall
from roomctl.service.access import address

JSON = Any
Query = Sequence[tuple[str, str]]
REDACTED = "<API_KEY>"
_LONGEST = 80  # characters of a wrong value that are repeated


class Prepared(NamedTuple):
    """One request. `path` begins with `/api/v1`; `headers` are without the key, which is added where it leaves."""

    operation: Operation
    method: str
    url: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: tuple[tuple[str, str], ...]
    body: bytes | None

    def shown(self) -> dict[str, JSON]:
        """Give the request as JSON for `--dry-run`: the key redacted, bytes fields shortened."""
        shown: dict[str, JSON] = {"operation": self.operation.name, "method": self.method, "url": self.url}
        shown["headers"] = {**dict(self.headers), KEY_HEADER: REDACTED}
        if self.body is not None:
            shown["body"] = _shortened(json.loads(self.body))
        return shown


def prepare(
    base_url: str,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Query = (),
    body: JSON = None,
) -> Prepared:
    """Make a request ready; nothing is sent and no key is needed. Raises BadValue, BadInput, WrongCall, BadConfig."""
    where = PREFIX + _filled(operation, path or {})
    pairs = tuple((str(name), str(value)) for name, value in query)
    _check_query(operation, pairs)
    if body is not None and operation.body is None:
        raise WrongCall(f"{operation.name} takes no body")
    data = None if body is None else _encoded(body)
    headers = [("Accept", "application/json")]
    if data is not None:
        headers.append(("Content-Type", "application/json"))
    url = f"{address(base_url).base}{where}" + (f"?{_written(pairs)}" if pairs else "")
    return Prepared(operation, operation.method, url, where, pairs, tuple(headers), data)


def curl(prepared: Prepared) -> str:
    """Write a request as a shell command that takes the key from `$ROOMCTL_API_KEY`."""
    from shlex import quote as shell

    words = ["curl", "-sS", "--globoff", "--request", prepared.method, shell(prepared.url)]
    for name, value in prepared.headers:
        words += ["--header", shell(f"{name}: {value}")]
    words += ["--header", f'"{KEY_HEADER}: $ROOMCTL_API_KEY"']
    if prepared.body is not None:
        words += ["--data-raw", shell(prepared.body.decode())]
    return " ".join(words)


def _filled(operation: Operation, given: Mapping[str, str]) -> str:
    """Put the path parameters in their places, each matched before use and quoted (R16)."""
    filled = operation.path
    for param in operation.path_params:
        if param.name not in given:
            raise WrongCall(f"{operation.name} needs {param.name}")
        value = str(given[param.name])
        _check_id(param.name, value)
        filled = filled.replace(f"{{{param.name}}}", quote(value, safe=""))
    return filled


def _check_query(operation: Operation, pairs: Query) -> None:
    given = {name for name, _ in pairs}
    types = {param.name: param.type for param in operation.query_params}
    for param in operation.query_params:
        if param.required and param.name not in given:
            raise WrongCall(f"{operation.name} needs {param.name}")
    for name, value in pairs:
        if types.get(name) == "uuid":
            _check_id(name, value)


def _check_id(name: str, value: str) -> None:
    if not UUID.fullmatch(value):
        shown = value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
        raise BadValue(f"{name} is not an id: {shown!r}", hint="an id is a uuid of 36 characters, hyphens included")


def _written(pairs: Query) -> str:
    try:
        return urlencode(pairs, quote_via=quote, safe="")
    except UnicodeEncodeError:
        raise BadValue("a query parameter is not Unicode text: it holds half of a surrogate pair") from None


def _encoded(body: JSON) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8, but it has an escape
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (ValueError, TypeError, RecursionError):
        raise BadInput("the body cannot be written as JSON") from None


def _shortened(value: JSON, name: str = "") -> JSON:
    """Write the value of a field named `…Bytes` as its size."""
    if isinstance(value, dict):
        return {key: _shortened(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_shortened(each, name) for each in value]
    if isinstance(value, str) and name.endswith("Bytes"):
        digits = sum(character not in "=\r\n\t " for character in value)
        return f"<{digits * 3 // 4} bytes>"
    return value
