"""A room set as a file, with its settings, rules, themes, rooms and playlists, for people and their git.

Fields are the service's, from the models; what is written in another way is declared here: `starts` and `ends` on the
clock of `zone`, a theme by its key, rooms by their names, images and invitations by files beside the file.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pydantic
from pydantic import Field

from roomctl.contract.annotations import Strictness, Text, Uuid
from roomctl.contract.fields import inside, skeleton
from roomctl.contract.models import RESOURCES
from roomctl.contract.openapi import Schemas
from roomctl.contract.scalars import kind_of
from roomctl.contract.validation import wrong_type
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean

IMAGES = {name: f"{name}Bytes" for name in ("image", "imageFar", "imageMid", "imageNear")}
"""The images of a theme in the file, and the field that each is sent as."""
_ADDRESSES = ("imageFarURI", "imageMidURI", "imageNearURI", "previewImageURI", "minimapImageURI", "tiles")
SETTABLE: Mapping[str, tuple[str, ...]] = {
    name: tuple(field for field in skeleton(name) if field not in without)
    for name, without in {
        "RoomSet": ("socialRoomSetId", "name", "hostUser", "startingPointSocialId"),
        "Social": ("socialRoomSetId",),
        "EntryConfig": ("configurationId", "associatedSocialIds"),
        "Theme": ("socialThemeId", *_ADDRESSES),
        "Playlist": (),
    }.items()
}
"""The fields of each resource that the file may set: not those that the service assigns, nor ids that `id` holds."""
CONFIG = pydantic.ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


def _described(text: str) -> Any:
    return Field(None, description=text)


def _part(name: str, resource: str, **own: tuple[Any, Any]) -> Any:
    """Make the model of a part of the file: the settable fields of a resource, and those of its own."""
    model = RESOURCES[resource]
    model.model_rebuild()
    taken = {field: (model.model_fields[field].annotation, None) for field in SETTABLE[resource]}
    definitions: dict[str, Any] = {**own, **taken}
    doc = f"Fields of {resource}, as the service names them."
    return pydantic.create_model(name, __config__=CONFIG, __doc__=doc, **definitions)


_ID = (Uuid | None, _described("its id, if its name is not unique"))
_FILE = "a file, relative to this file's folder"
Settings = _part(
    "Settings", "RoomSet", startingPoint=(Text | None, _described("the room in which people start, by name, or by id"))
)
_ROOMS = (
    list[Text] | None,
    _described("the rooms that have them, by name, or by id; default: all that do not have other rules of this file"),
)
Rules = _part("Rules", "EntryConfig", id=_ID, rooms=_ROOMS)
Theme = _part("Theme", "Theme", id=_ID, **{name: (Text | None, _described(_FILE)) for name in IMAGES})
Room = _part(
    "Room",
    "Social",
    id=_ID,
    starts=(Text | None, _described("2026-12-01 18:30 in the time zone `zone`, or with an offset; startDateTime")),
    ends=(Text | None, _described("as `starts`; endDateTime")),
    theme=(Text | None, _described("a key of `themes`")),
    invite=(Text | None, _described(f"people to invite: CSV with `emailAddress` or `invitedUserId`; {_FILE}")),
)
Playlist = _part("Playlist", "Playlist")
_PARTS = {
    "settings": (Settings, "RoomSet"),
    "rules": (Rules, "EntryConfig"),
    "themes": (Theme, "Theme"),
    "rooms": (Room, "Social"),
    "playlists": (Playlist, "Playlist"),
}
"""The model of each part of the file, and the resource whose fields it has."""

_LIST: Any = list
_DICT: Any = dict
EventFile: Any = pydantic.create_model(
    "EventFile",
    __doc__="A room set as a file: anything left out stays as it is.",
    __config__=CONFIG,
    __validators__={
        "one_or_several": pydantic.field_validator("rules", mode="before")(
            lambda value: [value] if isinstance(value, dict) else value
        )
    },
    room_set=(Text, Field(description="the set's exact name")),
    id=(Uuid | None, _described("the set's id, if two have the same name")),
    zone=(Text | None, _described("the time zone for times given without one, such as Europe/Berlin")),
    settings=(Settings | None, None),
    rules=(_LIST[Rules] | None, _described("entry rules, one configuration or several")),
    themes=(_DICT[str, Theme] | None, _described("themes by a key, which is also the theme's name by default")),
    rooms=(_LIST[Room] | None, None),
    playlists=(_LIST[Playlist] | None, None),
)

Path = tuple[str | int, ...]


class Problem(NamedTuple):
    """What is wrong with a file, and where: the keys and places that lead there."""

    path: Path
    message: str


def check(document: JSON) -> list[Problem]:
    """List what keeps a document from being an event file; no message repeats a value."""
    if not isinstance(document, dict):
        return [Problem((), f"must be an object, not {kind_of(document)}")]
    try:
        EventFile.model_validate(document, context=Strictness(), extra="forbid")
    except pydantic.ValidationError as error:
        return [_problem(each, document) for each in error.errors(include_url=False)]
    return []


def _problem(error: Any, document: JSON) -> Problem:
    path: Path = tuple(part for part in error["loc"] if part != "[key]")
    if path[:1] == ("rules",) and not isinstance(document["rules"], list):
        path = (path[0], *path[2:])  # one configuration stands there without its list
    name = path[-1] if path else 0
    if error["type"] == "missing":
        return Problem(path[:-1], f"`{name}` is missing")
    if error["type"] == "extra_forbidden":
        known = _known(path[:-1])
        others = did_you_mean(str(name), known) or f"; the fields are {', '.join(known)}"
        return Problem(path, f"no such field {compact(name)}{others}")
    message = wrong_type(error) or str(error["msg"])
    return Problem(path, f"`{name}` {message}" if isinstance(name, str) and message.startswith("must") else message)


def _known(path: Path) -> Sequence[str]:
    part, *names = [part for part in path if isinstance(part, str)] or [""]
    if not part:
        return tuple(EventFile.model_fields)
    model, resource = _PARTS[part]
    inner = names[1:] if part == "themes" else names
    return tuple(inside(resource, inner) if inner else model.model_fields)


def schema() -> dict[str, JSON]:
    made = EventFile.model_json_schema(schema_generator=Schemas)
    for each in made["$defs"].values():  # those of the models take what a service may have added
        each["additionalProperties"] = False
    rules = made["properties"]["rules"]
    made["properties"]["rules"] = {"description": rules["description"], "anyOf": [{"$ref": "#/$defs/Rules"}, rules]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
