"""Values checked against the models: strictly what a person writes and what the sandbox accepts, tolerantly a reply.

A problem names its place and never repeats a value, so it cannot hold a secret (R8).
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import pydantic

from roomctl.contract.annotations import Resource, Strictness
from roomctl.contract.fields import fields
from roomctl.contract.models import RESOURCES
from roomctl.contract.scalars import PROBLEMS, UNFILLED, kind_of
from roomctl.text.suggest import did_you_mean

JSON = Any
MOST_PROBLEMS = 1_000
_LONGEST_NAME = 64


class Problem(NamedTuple):
    """What is wrong with a value, and where: `theme.tiles[0].x`; the path is empty for the value as a whole."""

    path: str
    message: str


def check(
    type_name: str, value: JSON, *, allow_unknown: bool = False, allow_placeholders: bool = False
) -> list[Problem]:
    """List what keeps a value from being a `RoomSet`, `SocialInvite[]`, `uuid[]`, `date-time`, or another such type.

    A field may be missing or null (which clears it). With `allow_unknown`, fields and values of enumerations that the
    interface does not name pass. A text that a skeleton left to fill in is a problem, except where a service checks
    (`allow_placeholders`). At most 1,000 problems are listed. Raises KeyError for a type that there is not.
    """
    found = _problems(type_name, value, Strictness(allow_unknown, allow_placeholders))
    return list(islice(found, MOST_PROBLEMS))


def _problems(type_name: str, value: JSON, strictness: Strictness, path: str = "") -> Iterator[Problem]:
    item = type_name.removesuffix("[]")
    if item != type_name:
        if not isinstance(value, list):
            yield Problem(path, f"must be an array, not {kind_of(value)}")
            return
        for index, each in enumerate(value):
            yield from _problems(item, each, strictness, f"[{index}]")
    elif item in PROBLEMS:
        message = PROBLEMS[item](value)
        if message and not (message == UNFILLED and strictness.placeholders):
            yield Problem(path, message)
    else:
        yield from _problems_of_record(RESOURCES[item], value, strictness, path)


def _problems_of_record(model: type[Resource], value: JSON, strictness: Strictness, path: str) -> Iterator[Problem]:
    try:
        model.model_validate(value, extra="allow" if strictness.unknown_values else "forbid", context=strictness)
    except pydantic.ValidationError as error:
        for each in error.errors(include_url=False):
            yield Problem(_path(path, each), _message(model, each))


def _message(model: type[Resource], error: Any) -> str:
    """Put a finding of pydantic in our words; of its value they tell the JSON type only."""
    match error["type"]:
        case "extra_forbidden":
            return _unknown_field(model.__name__, error["loc"])
        case "invalid_key":
            return "must be a field whose name is a string"
        case "list_type":
            return f"must be an array, not {kind_of(error['input'])}"
        case "model_type" | "dict_type":
            return f"must be an object, not {kind_of(error['input'])}"
        case _:
            return str(error["msg"])


def _unknown_field(resource: str, location: Sequence[Any]) -> str:
    """Name the resource that has no such field, which the location leads to, and the field that was meant."""
    *parents, name = location
    for parent in parents:
        if isinstance(parent, str):
            resource = fields(resource)[parent].item.type
    return f"{resource} has no such field{did_you_mean(_short(name), fields(resource))}"


def _path(path: str, error: Any) -> str:
    *parents, last = error["loc"] or [""]
    for part in [*parents, f"({kind_of(last)})" if error["type"] == "invalid_key" else last]:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part:
            path += f".{_short(part)}" if path else _short(part)
    return path


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def read(type_name: str, value: JSON) -> Any:
    """Read a reply as its model, or a list of models for `X[]`. Raises ValueError where a JSON type is wrong."""
    model = RESOURCES[type_name.removesuffix("[]")]
    if not type_name.endswith("[]"):
        return _read_one(model, value, type_name)
    if not isinstance(value, list):
        raise ValueError(f"{type_name}: must be an array")
    return [_read_one(model, item, f"{type_name[:-2]}[{index}]") for index, item in enumerate(value)]


def _read_one(model: type[Resource], value: JSON, where: str) -> Resource:
    try:
        return model.model_validate(value)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise ValueError(".".join([where, *map(str, first["loc"])]) + ": must be of another JSON type") from None
