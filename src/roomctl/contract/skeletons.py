"""Bodies to fill in: every field that a person may write, with what it allows. Imports no pydantic."""

from typing import Any

from roomctl.contract.fields import Field, fields
from roomctl.contract.shapes import SHAPES

JSON = Any

TEXT = "<string>"
"""The placeholder of a text. The check refuses it like the others, so that a body half filled in is never sent."""

_PLACEHOLDERS: dict[str, str] = {
    "string": TEXT,
    "uuid": "<uuid>",
    "date-time": "<date-time, such as 2026-12-01T18:00:00+01:00>",
    "byte": "<base64>",
    "integer": "<integer>",
    "boolean": "true | false",
}

_LEFT_OUT: dict[str, frozenset[str]] = {
    "User": frozenset(
        {
            *("emailVerified", "preload", "mobilePhoneVerified", "mobilePhoneVerifiedWeb", "registeredDateTime"),
            *("profileId", "profileImageURI", "profileImageId", "profileImageBackground", "active", "actedAs"),
        }
    ),
    "Social": frozenset(
        {
            *("socialId", "userId", "companyId", "socialURI", "sessionId", "isOpen", "isValid", "user", "theme"),
            *("dateCreated", "companyName", "socialMeta", "connectedRoom", "updatedByUser", "updatedDateTime"),
            "myBadgeData",
        }
    ),
    "RoomSet": frozenset({"socials"}),
    "Theme": frozenset({"dateCreated", "uploadStatus"}),
    "SocialInvite": frozenset({"socialInviteId", "socialId", "didAttend", "dateTimeInvited", "error"}),
    "Playlist": frozenset({"playlistId"}),
    "Transcription": frozenset({"user"}),
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
    if field.type in SHAPES:
        left_out = _LEFT_OUT.get(field.type, frozenset())
        return {name: _fill(inner) for name, inner in fields(field.type).items() if name not in left_out}
    return " | ".join(field.values) if field.values else _PLACEHOLDERS[field.type]
