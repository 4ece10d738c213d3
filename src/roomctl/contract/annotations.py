"""The types of fields as pydantic meets them: a scalar of the interface, checked as strictly as the context asks."""

from typing import Annotated, Any, NamedTuple

import pydantic
from pydantic_core import PydanticCustomError, core_schema

from roomctl.contract import scalars
from roomctl.text import JSON
from roomctl.text.suggest import did_you_mean


class Strictness(NamedTuple):
    """How values are checked: the context of every validation."""

    unknown_values: bool = False  # values of enumerations that the interface does not name pass
    placeholders: bool = False  # the placeholder of a text passes


class Scalar(NamedTuple):
    """A scalar type as the interface names it, with the values of an enumeration."""

    name: str
    values: tuple[str, ...] = ()

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.with_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, JSON]:
        return {"type": "string", "enum": list(self.values)} if self.values else dict(JSON_SCHEMAS[self.name])

    def _validate(self, value: JSON, info: pydantic.ValidationInfo) -> JSON:
        strictness: Any = info.context
        message = scalars.PROBLEMS[self.name](value)
        if not message and self.values and value not in self.values and not strictness.unknown_values:
            message = f"must be one of {', '.join(self.values)}{did_you_mean(value[:64], self.values)}"
        if message and not (message == scalars.UNFILLED and strictness.placeholders):
            raise PydanticCustomError("scalar", "{message}", {"message": message})
        return value


JSON_SCHEMAS: dict[str, dict[str, JSON]] = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "integer": {"type": "integer", "format": "int64"},
    "uuid": {"type": "string", "format": "uuid"},
    "date-time": {"type": "string", "format": "date-time"},
    "byte": {"type": "string", "format": "byte", "contentEncoding": "base64"},
}
"""Formats carry the bounds: with `pattern` or `maximum` beside them, clients made from the document fail to load it."""

Text = Annotated[str, Scalar("string")]
Boolean = Annotated[bool, Scalar("boolean")]
Integer = Annotated[int, Scalar("integer")]
Uuid = Annotated[str, Scalar("uuid")]
DateTime = Annotated[str, Scalar("date-time")]
Byte = Annotated[str, Scalar("byte")]
Credential = Annotated[
    str,
    Scalar("string"),
    pydantic.Field(description="a bearer credential: roomctl removes it where the reply is decoded"),
]
EntryOption = Annotated[str, Scalar("string", scalars.ENTRY_OPTION)]
EntryFlow = Annotated[str, Scalar("string", scalars.ENTRY_FLOW)]
PermissionType = Annotated[str, Scalar("string", scalars.PERMISSION_TYPE)]
Platform = Annotated[
    str,
    Scalar("string", scalars.PLATFORM),
    pydantic.Field(description="two values, which the interface writes as PLATFORM_A and PLATFORM_B"),
]
ThemeType = Annotated[str, Scalar("string", scalars.THEME_TYPE)]
CTAType = Annotated[str, Scalar("string", scalars.CTA_TYPE)]
ButtonSize = Annotated[str, Scalar("string", scalars.BUTTON_SIZE)]
PlaylistType = Annotated[str, Scalar("string", scalars.PLAYLIST_TYPE)]
ProcessingStatus = Annotated[str, Scalar("string", scalars.PROCESSING_STATUS)]


class Resource(pydantic.BaseModel):
    """What the models have in common: values are as they came, and no error repeats one."""

    model_config = pydantic.ConfigDict(extra="allow", strict=True, defer_build=True, hide_input_in_errors=True)
