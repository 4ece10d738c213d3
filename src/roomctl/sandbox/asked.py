"""What a request asks for, checked against its operation: path and query parameters, and the body."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from roomctl.contract.operations import UUID, Operation, Param
from roomctl.sandbox.problem import Problem

JSON = Any
LARGEST_PAGE = 1000
MOST = 2**63 - 1


class Asked(NamedTuple):
    """A checked request: the documented parameters by name, the other query parameters, the body."""

    given: Mapping[str, Any]
    extra: Mapping[str, str]
    body: JSON


def parameters(
    operation: Operation, path: Mapping[str, str], pairs: Sequence[tuple[str, str]]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the parameters as their types say: the documented ones, and the rest of the query. Raises Problem."""
    values: dict[str, Any] = {param.name: _value(param, path[param.name]) for param in operation.path_params}
    known = {param.name: param for param in operation.query_params}
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
    if operation.paged:
        values["size"] = _size(values["size"])
    return values, {name: text for name, text in pairs if name not in known}


def _size(size: int) -> int:
    if size < 1:
        raise Problem(400, "must be 1 or more", at="size")
    return min(size, LARGEST_PAGE)


def _value(param: Param, text: str) -> str | int:
    """Read a parameter as its type says."""
    if param.type == "uuid":
        if not UUID.fullmatch(text):
            raise Problem(400, "is not a uuid", at=param.name)
        return text.lower()
    if param.type == "integer":
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST)) and int(text) <= MOST):
            raise Problem(400, f"is not a whole number from 0 to {MOST}", at=param.name)
        return int(text)
    if param.type == "date-time":
        from roomctl.contract.checking import check

        if check("date-time", text):
            raise Problem(400, "is not an RFC 3339 date-time with its offset", at=param.name)
    return text


def parsed(type_name: str, data: bytes) -> JSON:
    """Read a body as strictly as a person's file is read. Raises Problem, which lists what is wrong."""
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
