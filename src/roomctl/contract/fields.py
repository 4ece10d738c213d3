"""What a resource consists of, for whoever needs no model: its fields and their types, and a body to fill in."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from roomctl.contract.records import NUMERAL, SPELLED, count, truth
from roomctl.contract.scalars import TEXT_PLACEHOLDER
from roomctl.text import JSON

INDEX = Path(__file__).with_name("fields.json")


INDEXED: Mapping[str, Mapping[str, str | list[str]]] = json.loads(INDEX.read_text("utf-8"))
"""The names of the fields of each resource, with their types: for whoever asks only whether the interface has one."""


class Field(NamedTuple):
    """A field: its name, its type as the interface writes it (`uuid`, `User[]`, `enum`), an enumeration's values."""

    name: str
    type: str
    values: tuple[str, ...] = ()

    @property
    def array(self) -> bool:
        return self.type.endswith("[]")

    @property
    def item(self) -> "Field":
        """What one item of the array is; for anything else the field itself."""
        return Field(self.name, self.type.removesuffix("[]"), self.values)


@cache
def resources() -> Mapping[str, Mapping[str, Field]]:
    """Give the fields of each resource by name, in the interface's order."""
    return {
        name: {
            field: Field(field, kind) if isinstance(kind, str) else Field(field, "enum", tuple(kind))
            for field, kind in types.items()
        }
        for name, types in INDEXED.items()
    }


def fields(type_name: str) -> Mapping[str, Field]:
    """Name the fields of a resource, in the interface's order; of `X[]` those of X, of anything else none."""
    return resources().get(type_name.removesuffix("[]"), {})


def read_texts(type_name: str, value: JSON, told: dict[str, str]) -> JSON:
    """Give a value of a resource with true, false and numbers in place of texts that say so.

    `told` gets what there is to say of it, by the fields' names.
    """
    if isinstance(value, list):
        return [read_texts(type_name, each, told) for each in value]
    if not isinstance(value, dict):
        return value
    known, read = fields(type_name), dict(value)
    for name in known.keys() & value.keys():
        kind, text = known[name].type, value[name]
        if kind in _IN_TEXTS and isinstance(text, str):
            said, what = _IN_TEXTS[kind]
            read[name] = text if (found := said(text)) is None else found
            told |= {} if found is None else {name: what.format(name)}
        elif known[name].item.type in resources():
            read[name] = read_texts(kind, text, told)
    return read


_IN_TEXTS: Mapping[str, tuple[Callable[[str], JSON], str]] = {"boolean": (truth, SPELLED), "integer": (count, NUMERAL)}
"""What reads the values of a type that are written as text, and what is said of that."""


def inside(type_name: str, path: Iterable[str | int]) -> Mapping[str, Field]:
    """Name the fields of what stands at a path inside a resource; places in arrays are passed over."""
    for name in path:
        if isinstance(name, str):
            type_name = fields(type_name)[name].item.type
    return fields(type_name)


_PLACEHOLDERS: dict[str, str] = {
    "string": TEXT_PLACEHOLDER,
    "uuid": "<uuid>",
    "date-time": "<date-time, such as 2026-12-01T18:00:00+01:00>",
    "byte": "<base64>",
    "integer": "<integer>",
    "boolean": "true | false",
}

_LEFT_OUT: Mapping[str, str] = {
    "User": "emailVerified preload mobilePhoneVerified mobilePhoneVerifiedWeb registeredDateTime profileId"
    " profileImageURI profileImageId profileImageBackground active actedAs",
    "Social": "socialId userId companyId socialURI sessionId isOpen isValid user theme dateCreated companyName"
    " socialMeta connectedRoom updatedByUser updatedDateTime myBadgeData",
    "RoomSet": "socials",
    "Theme": "dateCreated uploadStatus",
    "SocialInvite": "socialInviteId socialId didAttend dateTimeInvited error",
    "Playlist": "playlistId",
    "Transcription": "user",
}
"""What a skeleton leaves out: what the service seems to assign, and rooms and themes that have a command of their own.

The interface does not say who sets a field: this is our reading. A body may hold all of them, the check lets them pass.
"""


def skeleton(type_name: str) -> JSON:
    """Make a body to fill in: the value of a field says what it allows, such as `PUBLIC | COMPANY`."""
    return _fill(Field("", type_name))


def _fill(field: Field) -> JSON:
    if field.array:
        return [_fill(field.item)]
    if field.type in resources():
        left_out = _LEFT_OUT.get(field.type, "").split()
        return {name: _fill(inner) for name, inner in fields(field.type).items() if name not in left_out}
    return " | ".join(field.values) if field.values else _PLACEHOLDERS[field.type]
