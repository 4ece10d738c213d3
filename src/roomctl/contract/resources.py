"""The 20 resource types as pydantic models, for a caller who wants a reply as typed objects.

Reading is tolerant: unknown fields and unknown values of enumerations are kept, and a date or uuid of an odd form is
text like any other; a value of another JSON type is an error. The models are made from `shapes`. Importing pydantic
costs more than a whole short command: who checks, fills in or describes a body takes `checking`, `skeletons` or
`fields`, which need none of it.
"""

from functools import cache
from typing import Any

import pydantic

from roomctl.contract.checking import Problem, check
from roomctl.contract.fields import Field, fields
from roomctl.contract.shapes import SHAPES
from roomctl.contract.skeletons import skeleton

__all__ = ["RESOURCES", "Field", "Problem", "Resource", "check", "fields", "read", "skeleton"]

JSON = Any


class Resource(pydantic.BaseModel):
    """What the models have in common: strict JSON types, unknown fields kept in `model_extra`."""

    model_config = pydantic.ConfigDict(extra="allow", strict=True, defer_build=True, hide_input_in_errors=True)


def read(type_name: str, value: JSON) -> Any:
    """Read a reply as its model, or a list of models for `X[]`. Raises ValueError where a JSON type is wrong."""
    model = RESOURCES[type_name.removesuffix("[]")]
    if not type_name.endswith("[]"):
        return _one(model, value, type_name)
    if not isinstance(value, list):
        raise ValueError(f"{type_name}: must be an array")
    return [_one(model, item, f"{type_name[:-2]}[{index}]") for index, item in enumerate(value)]


def _one(model: type[Resource], value: JSON, where: str) -> Resource:
    try:
        return model.model_validate(value)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise ValueError(".".join([where, *map(str, first["loc"])]) + ": must be of another JSON type") from None


@cache
def _model(name: str) -> type[Resource]:
    shape = SHAPES[name]
    made: dict[str, Any] = {field.name: (_annotation(field), _missing(field)) for field in fields(name).values()}
    return pydantic.create_model(name, __base__=(Resource, shape), __doc__=shape.__doc__, __module__=__name__, **made)


def _annotation(field: Field) -> Any:
    kind: Any = {"integer": int, "boolean": bool}.get(field.item.type, str)
    if field.item.type in SHAPES:
        kind = _model(field.item.type)
    return (list[kind] if field.array else kind) | None


def _missing(field: Field) -> Any:
    return pydantic.Field(default=None, repr="Bearer" not in field.name)  # a bearer credential is never shown


RESOURCES: dict[str, type[Resource]] = {name: _model(name) for name in SHAPES}
"""The models by name, in the document's order. Each derives from its shape, which carries the static types."""
