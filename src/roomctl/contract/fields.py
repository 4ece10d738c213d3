"""What a resource consists of: its fields and their types, read off the shapes. Imports no pydantic."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from roomctl.contract.shapes import ENUMS, SHAPES

SCALARS: dict[str, str] = {
    "Uuid": "uuid",
    "str": "string",
    "bool": "boolean",
    "int": "integer",
    "DateTime": "date-time",
    "Byte": "byte",
}
"""How the interface writes a type, by its name in the shapes."""


class Field(NamedTuple):
    """A field: its name, its type as the interface writes it (`uuid`, `User[]`, `enum`), an enumeration's values."""

    name: str
    type: str
    values: tuple[str, ...] = ()

    @property
    def array(self) -> bool:
        """Whether it holds an array."""
        return self.type.endswith("[]")

    @property
    def item(self) -> "Field":
        """What one item of the array is; for anything else the field itself."""
        return Field(self.name, self.type.removesuffix("[]"), self.values)


@cache
def fields(type_name: str) -> Mapping[str, Field]:
    """Name the fields of a resource, in the document's order; of `X[]` those of X, of anything else none."""
    shape = SHAPES.get(type_name.removesuffix("[]"))
    return {} if shape is None else {name: _field(name, text) for name, text in shape.__annotations__.items()}


def _field(name: str, annotation: str) -> Field:
    text = annotation.removesuffix(" | None")
    item = text.removeprefix("list[").removesuffix("]")
    if item in ENUMS:
        return Field(name, "enum", ENUMS[item])
    return Field(name, SCALARS.get(item, item) + ("[]" if text.startswith("list[") else ""))
