"""A request made ready and not yet sent: what `--dry-run` and `--curl` show, what the journal records, what leaves."""

import json
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote, urlencode

from roomctl.contract.operations import KEY_HEADER, PREFIX, Operation
from roomctl.contract.outcome import Query, asked
from roomctl.contract.records import ID_FORM, is_uuid
from roomctl.errors import BadInput, BadValue, WrongCall
from roomctl.text import JSON
from roomctl.text.jsontext import compact

REDACTED = "<API_KEY>"
_LONGEST = 80  # characters of a wrong value that are repeated


class Prepared(NamedTuple):
    """One request. `path` begins with `/api/v1`; `headers` are without the key, which is added where it leaves."""

    operation: Operation
    url: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: tuple[tuple[str, str], ...]
    body: bytes | None
    digest: str = ""  # the body's sha256 in hexadecimal
    asked: Mapping[str, JSON] = {}  # the fields that its record is asked to have
    standing: Mapping[str, JSON] | None = {}  # records that were there before, by id: none is new; None: not known

    def shown(self) -> dict[str, JSON]:
        """Give the request as JSON for `--dry-run`: the key redacted, bytes fields shortened."""
        shown: dict[str, JSON] = {"operation": self.operation.name, "method": self.operation.method, "url": self.url}
        shown["headers"] = {**dict(self.headers), KEY_HEADER: REDACTED}
        if self.body is not None:
            shown["body"] = _shortened(json.loads(self.body))
        return shown


def prepare(
    base: str,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Query = (),
    body: JSON = None,
    standing: Mapping[str, JSON] | None = {},
) -> Prepared:
    """Make a request to the `base` of an address ready; nothing is sent. Raises BadValue, BadInput, WrongCall.

    Each id is checked before it is used (R16).
    """
    filled = {name: str(value) for name, value in (path or {}).items()}
    pairs = tuple((str(name), str(value)) for name, value in query)
    for param in operation.params:
        values = [value for name, value in (filled.items() if param.where == "path" else pairs) if name == param.name]
        if param.required and not values:
            raise WrongCall(f"{operation.name} needs {param.name}")
        wrong = next((value for value in values if param.type == "uuid" and not is_uuid(value)), None)
        if wrong is not None:
            shown = wrong if len(wrong) <= _LONGEST else wrong[:_LONGEST] + "…"
            raise BadValue(f"{param.name} is not an id: {compact(shown)}", hint=ID_FORM)
    if body is not None and operation.body is None:
        raise WrongCall(f"{operation.name} takes no body")
    where = PREFIX + operation.path.format_map({name: quote(value, safe="") for name, value in filled.items()})
    try:
        written = f"?{urlencode(pairs, quote_via=quote, safe='')}" if pairs else ""
    except UnicodeEncodeError:
        raise BadValue("a query parameter is not Unicode text: it holds half of a surrogate pair") from None
    headers = [("Accept", "application/json"), *[("Content-Type", "application/json")] * (body is not None)]
    data, digest = None, ""
    if body is not None:
        from hashlib import sha256

        data = encoded(body)
        digest = sha256(data).hexdigest()
    named = asked(operation, filled, pairs, body, standing or {})
    return Prepared(operation, f"{base}{where}{written}", where, pairs, tuple(headers), data, digest, named, standing)


def curl(prepared: Prepared) -> str:
    """Write a request as a shell command that takes the key from `$ROOMCTL_API_KEY`."""
    from shlex import quote as shell

    words = ["curl", "-sS", "--globoff", "--request", prepared.operation.method, shell(prepared.url)]
    for name, value in prepared.headers:
        words += ["--header", shell(f"{name}: {value}")]
    words += ["--header", f'"{KEY_HEADER}: $ROOMCTL_API_KEY"']
    if prepared.body is not None:
        words += ["--data-raw", shell(prepared.body.decode())]
    return " ".join(words)


def encoded(body: JSON) -> bytes:
    """Write a body as it is sent. Raises BadInput."""
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8, but it has an escape
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (ValueError, TypeError, RecursionError):
        raise BadInput("the body cannot be written as JSON") from None


def _shortened(value: JSON, name: str = "") -> JSON:
    if isinstance(value, dict):
        return {key: _shortened(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_shortened(each, name) for each in value]
    if isinstance(value, str) and name.endswith("Bytes"):
        digits = sum(character not in "=\r\n\t " for character in value)
        return f"<{digits * 3 // 4} bytes>"
    return value
