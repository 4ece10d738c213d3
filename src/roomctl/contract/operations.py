"""The 18 operations of the service, in the order of its interface document: one row each, and OPERATIONS.

Read by the client, the sandbox's routes and validation, `roomctl api`, the OpenAPI document and the contract tests.
It does not drive commands, help, columns or questions: those are for people and written by hand. Imports no pydantic.
"""

from typing import Final, Literal, NamedTuple

PREFIX = "/api/v1"
KEY_HEADER = "X-API-Key"

Type = str
"""A type as the interface writes it: `uuid`, `string`, `integer`, `date-time`, a resource's name; `[]` for an array."""

Repeat = Literal["read", "patch", "create", "end"]
"""What a lost answer allows: `read` repeat; `patch` compare, then once more; `create` never; `end` look, then again."""


class Param(NamedTuple):
    """A parameter; `field` is the one of the reply in which it shows, under another name."""

    name: str
    type: Type
    required: bool = False
    default: int | None = None
    meaning: str = ""
    where: Literal["path", "query"] = "query"
    field: str = ""


class Operation(NamedTuple):
    """An operation. `body` and `reply` name types (None: no body; a reply that is not shown). `row_id` is the field
    that identifies a reply row. `readback` names the operation in which the effect of a write can be seen. `open_query`
    is true where the interface does not show the query parameters, and `assumed` are those that the sandbox takes all
    the same. `assigns` are the ids by which a record that is created would name itself: the service gives them, so no
    body that creates has them. `not_shown` quotes what the interface does not say.

    What follows from a row: `identity` identifies its record, also where no reply is shown; `resource` is the name of
    what it answers, `many` of these in an array; `paged` it takes the paging parameters; it `writes`; it `creates` a
    record that was not there before; it `saves`: creates or updates, by a rule that is not shown.
    """

    number: int
    name: str
    method: str
    path: str
    summary: str
    params: tuple[Param, ...] = ()
    body: Type | None = None
    reply: Type | None = None
    row_id: str | None = None
    repeat: Repeat = "read"
    readback: str | None = None
    open_query: bool = False
    assumed: tuple[Param, ...] = ()
    assigns: tuple[str, ...] = ()
    not_shown: tuple[str, ...] = ()
    identity: str = ""
    resource: str = ""
    many: bool = False
    paged: bool = False
    writes: bool = False
    creates: bool = False
    saves: bool = False

    @property
    def in_words(self) -> str:
        """Its summary inside a sentence, which a verb begins, and where what is mine is yours."""
        words = (self.summary[:1].lower() + self.summary[1:]).replace(" my ", " your ").replace(" a room", " room")
        return words.replace("transcription processing", "process transcription")

    @property
    def seen_in(self) -> "Operation | None":
        """The operation of `readback`; None where no operation shows what a write did."""
        return BY_NAME[self.readback] if self.readback is not None else None

    @property
    def path_params(self) -> tuple[Param, ...]:
        return tuple(param for param in self.params if param.where == "path")

    @property
    def query_params(self) -> tuple[Param, ...]:
        return tuple(param for param in self.params if param.where == "query")

    def match(self, path: str) -> dict[str, str] | None:
        """Read the path parameters from a path behind the prefix; None where it is not this operation's."""
        wanted, given = self.path.split("/"), path.split("/")
        found: dict[str, str] = {}
        for want, have in zip(wanted, given, strict=False):
            if want.startswith("{") and have:
                found[want.strip("{}")] = have
            elif want != have:
                return None
        return found if len(wanted) == len(given) else None


def _derived(row: Operation) -> Operation:
    reply = row.reply or ""
    many = reply.endswith("[]")
    return row._replace(
        identity=row.identity or row.row_id or "",
        resource=reply.removesuffix("[]"),
        many=many,
        paged=any(param.name == "page" for param in row.params),
        writes=row.repeat != "read",
        creates=row.repeat == "create" and not many and bool(row.assigns or row.body is None),
        saves=_NO_RULE in row.not_shown,
    )


USUAL_SIZE: Final = 20
"""Rows of a page of which no size is asked for."""
_PAGING = (
    Param("page", "integer", default=0, meaning="number of the page to get; used with size"),
    Param("size", "integer", default=USUAL_SIZE, meaning="number of items in one request; used with page"),
    Param("sort", "string", meaning="property to sort by; `,asc` or `,desc` appended sets the direction"),
)
_TEXT = Param("text", "string", meaning="text to search for")
_SOCIAL = Param("socialId", "uuid", required=True, where="path", meaning="the room")
_SET = Param("socialRoomSetId", "uuid", required=True, meaning="the room set")
_NO_QUERY = "Query parameters: not shown."
_NO_RULE = "The rule deciding between creating and updating: not shown."
_NO_REPLY = "Response: 200; response body: not shown."

# fmt: off
ROOMSET_CREATE = _derived(Operation(
    1, "roomset.create", "POST", "/social/room/set/create", "Create room set",
    body="uuid[]", reply="RoomSet", row_id="socialRoomSetId", repeat="create", readback="roomset.list", open_query=True,
    assigns=("socialRoomSetId",),
    not_shown=(_NO_QUERY, "Body: JSON array of uuid strings. What the identifiers refer to: not shown."),
))
ROOMSET_UPDATE = _derived(Operation(
    2, "roomset.update", "PATCH", "/social/room/set", "Update room set",
    body="RoomSet", repeat="patch", readback="roomset.list", identity="socialRoomSetId", not_shown=(_NO_REPLY,),
))
ROOMSET_LIST = _derived(Operation(
    3, "roomset.list", "GET", "/social/room/set/mine", "List my room sets",
    params=_PAGING, reply="RoomSet[]", row_id="socialRoomSetId",
))
ROOMSET_COPY = _derived(Operation(
    4, "roomset.copy", "POST", "/social/room/set/copy", "Copy room set",
    params=(_SET, Param("roomSetName", "string", required=True, meaning="the copy's name", field="name")),
    reply="RoomSet", row_id="socialRoomSetId", repeat="create", readback="roomset.list",
))
SOCIAL_CREATE = _derived(Operation(
    5, "social.create", "POST", "/social/create", "Create room",
    body="Social", reply="Social", row_id="socialId", repeat="create", readback="roomset.list", open_query=True,
    assigns=("socialId", "userId", "companyId", "sessionId", "socialMeta.socialMetaId"), not_shown=(_NO_QUERY,),
))
SOCIAL_COPY = _derived(Operation(
    6, "social.copy", "POST", "/social/copy", "Copy room",
    reply="Social", row_id="socialId", repeat="create", readback="roomset.list", open_query=True,
    assumed=(Param("socialId", "uuid", meaning="the room to copy"),),
    not_shown=("How the room to copy is identified: not shown.",),
))
SOCIAL_END = _derived(Operation(
    7, "social.end", "POST", "/social/end/{socialId}", "End room",
    params=(_SOCIAL, Param("leaveOpenUntil", "date-time", meaning="when the room closes")),
    reply="Social", row_id="socialId", repeat="end", readback="roomset.list",
    not_shown=("Effect of leaveOpenUntil on the timing of closing: not shown.",),
))
INVITE_SEND = _derived(Operation(
    8, "invite.send", "POST", "/social/invite/{socialId}", "Invite to room",
    params=(_SOCIAL._replace(field="socialId"),), body="SocialInvite[]", reply="SocialInvite[]",
    row_id="socialInviteId", repeat="create", assigns=("socialInviteId",),
))
SOCIAL_CTA = _derived(Operation(
    9, "social.cta", "GET", "/social/{socialId}/ctaitem", "List call-to-action items of a room",
    params=(_SOCIAL, *_PAGING), reply="CTAItem[]", row_id="CTAItemId",
))
THEME_SAVE = _derived(Operation(
    10, "theme.save", "POST", "/theme/custom", "Create or update custom theme",
    body="CustomTheme", reply="Theme", row_id="socialThemeId", repeat="create", not_shown=(_NO_RULE,),
))
TRANSCRIPTION_PROCESS = _derived(Operation(
    11, "transcription.process", "POST", "/transcription/processing", "Transcription processing",
    body="Transcription", reply="Transcription", row_id="socialTranscriptionId", repeat="create",
    readback="transcription.list", not_shown=("Effect of the operation: not shown.",),
))
TRANSCRIPTION_LIST = _derived(Operation(
    12, "transcription.list", "GET", "/transcription/company", "List company transcriptions",
    params=(_TEXT, *_PAGING), reply="Transcription[]", row_id="socialTranscriptionId",
    not_shown=("Which records are included: not shown.",),
))
RECORDING_LIST = _derived(Operation(
    13, "recording.list", "GET", "/recording/mine", "List my recordings",
    params=(_TEXT, *_PAGING), reply="Recording[]", row_id="socialRecordingId",
))
RULES_SAVE = _derived(Operation(
    14, "rules.save", "POST", "/rules/entry/config", "Create or update entry rules configuration",
    params=(_SET._replace(field="socialRoomSetId"),), body="EntryConfig", repeat="create", readback="rules.get",
    identity="configurationId",
    not_shown=(_NO_REPLY, _NO_RULE),
))
RULES_GET = _derived(Operation(
    15, "rules.get", "GET", "/rules/entry/config/details", "Get entry rules configuration",
    params=(_SET, Param("configurationId", "uuid", required=True, meaning="the entry configuration")),
    reply="EntryConfig", row_id="configurationId",
))
PLAYLIST_CREATE = _derived(Operation(
    16, "playlist.create", "POST", "/audio/api/key/playlist", "Create audio playlist",
    body="Playlist", reply="Playlist", row_id="playlistId", repeat="create",
    assigns=("playlistId",),
))
USER_GET = _derived(Operation(
    17, "user.get", "GET", "/user/{userId}", "Get user",
    params=(Param("userId", "uuid", required=True, where="path", meaning="the user"),), reply="User", row_id="userId",
))
REGISTRATION_LIST = _derived(Operation(
    18, "registration.list", "GET", "/event/registration", "List event registrations",
    params=(Param("socialEventId", "uuid", required=True, meaning="the event"), _TEXT, *_PAGING),
    reply="Registration[]", row_id="registrationId",
))

OPERATIONS: tuple[Operation, ...] = (
    ROOMSET_CREATE, ROOMSET_UPDATE, ROOMSET_LIST, ROOMSET_COPY, SOCIAL_CREATE, SOCIAL_COPY, SOCIAL_END, INVITE_SEND,
    SOCIAL_CTA, THEME_SAVE, TRANSCRIPTION_PROCESS, TRANSCRIPTION_LIST, RECORDING_LIST, RULES_SAVE, RULES_GET,
    PLAYLIST_CREATE, USER_GET, REGISTRATION_LIST,
)
# fmt: on

BY_NAME: dict[str, Operation] = {operation.name: operation for operation in OPERATIONS}
