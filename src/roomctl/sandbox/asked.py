"""What a request asks for, checked against its operation: path and query parameters, and the body."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from roomctl.contract.operations import Operation, Param
from roomctl.contract.records import is_uuid
from roomctl.contract.scalars import date_time_problem
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.readings import Reading, named

JSON = Any
LARGEST_PAGE = {"strict": 100, "lenient": 1000, "hostile": 7}
MOST = 2**63 - 1


class Asked(NamedTuple):
    """A checked request: the documented parameters by name, the other query parameters, the body, how gaps are read."""

    given: Mapping[str, Any]
    extra: Mapping[str, str]
    body: JSON
    reading: Reading

    def foreign(self, *owned: str) -> JSON:
        """Give the body without what the service says itself. Raises Problem where that is read strictly."""
        return _foreign(self.body, owned, self.reading)

    def demand(self, body: JSON, *names: str) -> None:
        """Raise Problem where a body lacks a field, and that is read strictly."""
        for name in names:
            if body.get(name) is None and self.reading.strict("required-fields"):
                raise Problem(422, "is required", at=name)


def _foreign(body: JSON, owned: Sequence[str], reading: Reading) -> JSON:
    for name in owned:
        if body.get(name) is not None and reading.strict("owned-fields"):
            raise Problem(422, "is the service's to say", at=name)
    return {name: item for name, item in body.items() if name not in owned}


def parameters(
    operation: Operation, path: Mapping[str, str], pairs: Sequence[tuple[str, str]], reading: Reading
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
        values["size"] = _size(values["size"], reading)
    extra = {name: text for name, text in pairs if name not in known}
    for name in extra.keys() - {param.name for param in operation.assumed}:
        if reading.strict("create-query"):
            raise Problem(400, "is not documented", at=name)
    return values, extra


def _size(size: int, reading: Reading) -> int:
    if size < 1:
        raise Problem(400, "must be 1 or more", at="size")
    most = LARGEST_PAGE[reading.name]
    if size > most and reading.strict("largest-size"):
        raise Problem(400, f"must be {most} or less", at="size")
    return min(size, most)


def _value(param: Param, text: str) -> str | int:
    """Read a parameter as its type says."""
    if param.type == "uuid":
        if not is_uuid(text):
            raise Problem(400, "is not a uuid", at=param.name)
        return text.lower()
    if param.type == "integer":
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST)) and int(text) <= MOST):
            raise Problem(400, f"is not a whole number from 0 to {MOST}", at=param.name)
        return int(text)
    if param.type == "date-time" and date_time_problem(text):
        raise Problem(400, "is not an RFC 3339 date-time with its offset", at=param.name)
    return text


def parsed(type_name: str, data: bytes, reading: Reading) -> JSON:
    """Read a body as strictly as a person's file is read. Raises Problem, which lists what is wrong."""
    from roomctl.contract.validation import check

    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Problem(400, "the body is not JSON") from None
    problems = check(type_name, value, allow_placeholders=True)
    if problems and reading.hostile("unknown-fields"):
        problems = check(type_name, value, allow_placeholders=True, allow_unknown=True)
        value = value if problems else named(type_name, value)
    if problems:
        raise Problem(422, f"the body is not a {type_name}", problems=[each._asdict() for each in problems])
    return _nulls(value, reading)


def _nulls(value: JSON, reading: Reading) -> JSON:
    """Read null in the fields of a body."""
    if not isinstance(value, dict) or None not in value.values():
        return value
    if reading.strict("null"):
        empty = next(name for name, item in value.items() if item is None)
        raise Problem(422, "must not be null", at=empty)
    return {name: item for name, item in value.items() if item is not None} if reading.hostile("null") else value


def _no_constant(name: str) -> JSON:
    raise ValueError(name)
