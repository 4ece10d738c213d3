"""Values checked against the models; a problem never repeats a value, so it cannot hold a secret (R8)."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import Annotated, Any, NamedTuple

import pydantic

from roomctl.contract.annotations import Scalar, Strictness
from roomctl.contract.fields import inside
from roomctl.contract.models import RESOURCES
from roomctl.contract.scalars import PROBLEMS, kind_of
from roomctl.text import JSON
from roomctl.text.suggest import did_you_mean

MOST_PROBLEMS = 1_000
_LONGEST_NAME = 64


class Problem(NamedTuple):
    """What is wrong with a value, and where: `theme.tiles[0].x`; the path is empty for the value as a whole."""

    path: str
    message: str


def check(
    type_name: str, value: JSON, *, allow_unknown: bool = False, allow_placeholders: bool = False
) -> list[Problem]:
    """List, up to 1,000, what keeps a value from being a `RoomSet`, `SocialInvite[]`, `uuid[]`, or another such type.

    A field may be missing or null (which clears it). With `allow_unknown`, fields and values of enumerations that the
    interface does not name pass; with `allow_placeholders`, texts that a skeleton left to fill in. Raises KeyError.
    """
    item, strictness = type_name.removesuffix("[]"), Strictness(allow_unknown, allow_placeholders)
    if item == type_name:
        return list(islice(_problems(item, value, strictness), MOST_PROBLEMS))
    if not isinstance(value, list):
        return [Problem("", f"must be an array, not {kind_of(value)}")]
    found = (_problems(item, each, strictness, f"[{index}]") for index, each in enumerate(value))
    return list(islice(chain.from_iterable(found), MOST_PROBLEMS))


@cache
def _adapter(type_name: str) -> pydantic.TypeAdapter[Any]:
    """Make what checks values of a type that is no array. Raises KeyError for a type that there is not."""
    return pydantic.TypeAdapter(Annotated[Any, Scalar(type_name)] if type_name in PROBLEMS else RESOURCES[type_name])


def _problems(resource: str, value: JSON, strictness: Strictness, path: str = "") -> Iterator[Problem]:
    try:
        extra: Any = "allow" if strictness.unknown_values else "forbid"
        _adapter(resource).validate_python(value, extra=extra, context=strictness)
    except pydantic.ValidationError as error:
        for each in error.errors(include_url=False):
            message = wrong_type(each) or str(each["msg"])  # of the value they tell the JSON type only
            if each["type"] == "extra_forbidden":
                *parents, name = each["loc"]
                message = f"is not a known field{did_you_mean(_short(str(name)), inside(resource, parents))}"
            yield Problem(_path(path, each["loc"]), message)


def wrong_type(error: Any) -> str:
    """Say of what is no array, or no object, what it is instead; empty for any other finding."""
    if error["type"] not in ("list_type", "model_type", "dict_type", "model_attributes_type"):
        return ""
    return f"must be {'an array' if error['type'] == 'list_type' else 'an object'}, not {kind_of(error['input'])}"


def _path(path: str, places: Iterable[str | int]) -> str:
    for place in places:
        if isinstance(place, int):
            path += f"[{place}]"
        else:
            path += f".{_short(place)}" if path else _short(place)
    return path


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
