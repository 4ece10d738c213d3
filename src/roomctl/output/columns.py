"""The default columns of each resource, chosen by hand, and what stands for a row: its id, its name in the plural.

A column of a path is a column of csv and tsv under that path, the service's own name; scripts count on their order, so
new ones are appended to what csv and tsv have. A column that is computed is for people only.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from roomctl.contract.rooms import hides_rooms, is_open, present_in, rooms
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact

JSON = Any
FILE_ONLY = 9


class Column(NamedTuple):
    """A column: where its value stands, its heading for people, how it is written, how soon it is dropped.

    `kind` is text, id, named (an id, in whose place a name stands where it is known), time, bool, number, count, size,
    state, mail, fault, path, bad, prose, pairs or rules. The higher `rank`, the sooner a narrow terminal drops it; 0
    never, unless it is empty, FILE_ONLY always. `of` computes the value from the row.
    """

    path: str
    heading: str = ""
    kind: str = "text"
    rank: int = FILE_ONLY
    of: Callable[[JSON], JSON] | None = None

    @property
    def short_name(self) -> str:
        """What is typed where this field is asked for: its heading, where that is one word."""
        return self.path if " " in self.heading and self.path else self.heading or self.path


def room_count(row: JSON) -> int | None:
    return None if hides_rooms(row) else len(rooms(row))


def open_rooms(row: JSON) -> int | None:
    """How many rooms of a set are open; None where that is not shown of each of them."""
    states = [state for room in rooms(row) if (state := is_open(room)) is not None]
    return sum(states) if len(states) == room_count(row) else None


def present(row: JSON) -> int | None:
    """How many people are in the rooms of a set; None where that is not shown of each of them."""
    numbers = [number for room in rooms(row) if (number := present_in(room)) is not None]
    return sum(numbers) if len(numbers) == room_count(row) else None


def people_present(number: int | None) -> str:
    """Write a number of people: `1 person present`; None is what is not shown."""
    return "people present not shown" if number is None else f"{numbered(number, 'people')} present"


def room_counts(row: JSON) -> str:
    """Count the rooms of a set, those that are open, and the people in them, as far as its record shows them."""
    if (count := room_count(row)) is None:
        return f"at least {numbered(len(rooms(row)), 'rooms')}, not all shown" if rooms(row) else "rooms not shown"
    if not count:
        return "no rooms"
    state = "open or closed not shown" if (number := open_rooms(row)) is None else f"{number} open"
    return f"{numbered(count, 'rooms')}, {state}, {people_present(present(row))}"


def _computed(key: str, form: Callable[[Any], JSON], kind: type = list) -> Callable[[JSON], JSON]:
    """Give what a column computes of the array or object at `key`; nothing where that is something else."""
    return lambda row: form(row[key]) if isinstance(row.get(key), kind) else None


def shortened(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[: most * 4 // 5]}… ({len(text)} characters)"


def _changes(changes: list[JSON]) -> str:
    olds = ("" if each["old"] is None else f"{compact(each['old'])} → " for each in changes)
    return "; ".join(f"{each['field']}: {old}{compact(each['new'])}" for each, old in zip(changes, olds, strict=True))


def _compared(changes: list[JSON]) -> str:
    """Write what changed from what to what; one that has no `old`, or no `new`, was nothing."""
    sides = ("old", "new")
    pairs = ([shortened(compact(each[at]), 60) if at in each else "nothing" for at in sides] for each in changes)
    return "; ".join(f"{each['field']}: {old} → {new}" for each, (old, new) in zip(changes, pairs, strict=True))


def counts(effects: Mapping[str, int]) -> str:
    """Write counts of things of which something was done: `1 room ended, 4 invitations made`."""
    parts = ((count, what.rpartition(" ")) for what, count in effects.items())
    return ", ".join(f"{numbered(count, nouns)} {done}" for count, (nouns, _, done) in parts)


# fmt: off
COLUMNS: dict[str, tuple[Column, ...]] = {
    "User": (
        Column("name", "name", rank=0), Column("userId", "id", "id", 0), Column("emailAddress", "e-mail", "mail", 1),
        Column("emailVerified", "verified", "bool", 3), Column("mobilePhone", "phone", rank=4),
        Column("timeZone", "time zone", rank=5), Column("registeredDateTime", "registered", "time", 6),
        Column("active", "active", "bool", 2), Column("firstName"), Column("middleName"), Column("lastName"),
    ),
    "Social": (
        Column("name", "name", rank=0), Column("socialId", "id", "id", 0), Column("isOpen", "open", "bool", 1),
        Column("socialMeta.numberCurrentlyPresent", "present", "number", 2),
        Column("startDateTime", "starts", "time", 4), Column("endDateTime", "ends", "time", 5),
        Column("user.name", "host", rank=6), Column("maxParticipants", "max", "number", 7),
        Column("socialPermissionType", "permission", rank=8), Column("socialRoomSetId", "room set", "named", 3),
        Column("userId"), Column("description"), Column("themeId"), Column("configurationId"), Column("dateCreated"),
    ),
    "RoomSet": (
        Column("name", "name", rank=0), Column("socialRoomSetId", "id", "id", 0),
        Column("", "rooms", "number", 3, room_count), Column("", "open", "number", 2, open_rooms),
        Column("", "present", "number", 1, present), Column("hostUser.name", "host", rank=5),
        Column("entryOption", "entry", rank=7), Column("socialPermissionType", "permission", rank=8),
        Column("allowGuestUsers", "guests", "bool", 6), Column("anyoneCanStart"), Column("hostAdmitted"),
        Column("groupFormerCount"), Column("startingPointSocialId"), Column("hostUser.userId"), Column("description"),
    ),
    "Theme": (
        Column("socialThemeName", "name", rank=0), Column("socialThemeId", "id", "id", 0),
        Column("type", "type", rank=1), Column("uploadStatus.progress", "progress", "number", 2),
        Column("uploadStatus.failureReason", "failure", rank=3), Column("colorPrimary", "primary", rank=4),
        Column("colorSecondary", "secondary", rank=5), Column("colorBackground", "background", rank=6),
        Column("imageWidth", "width", "number", 7), Column("imageHeight", "height", "number", 7),
        Column("dateCreated", "created", "time", 8), Column("description"),
    ),
    "SocialInvite": (
        Column("invitedUser.name", "name", rank=2), Column("invitedUser.emailAddress", "e-mail", "mail", 1),
        Column("error", "error", "bad", 0), Column("socialInviteId", "id", "id", 0),
        Column("didAttend", "attended", "bool", 4), Column("dateTimeInvited", "invited", "time", 5),
        Column("invitedUserId", "user", "id", 3), Column("socialId", "room", "named", 8),
    ),
    "CTAItem": (
        Column("name", "name", rank=0), Column("CTAItemId", "id", "number", 0), Column("type", "type", rank=1),
        Column("text", "text", rank=3), Column("url", "url", rank=2), Column("buttonVisible", "visible", "bool", 5),
        Column("buttonSize", "size", rank=6), Column("x", "x", "number", 4), Column("y", "y", "number", 4),
        Column("buttonColor", "colour", rank=7), Column("traversable", "traversable", "bool", 8), Column("imageURI"),
    ),
    "EntryConfig": (
        Column("name", "name", rank=0), Column("configurationId", "id", "id", 0),
        Column("entryOption", "entry", rank=1), Column("entryFlow", "flow", rank=2),
        Column("groupSpawnSize", "spawn size", "number", 5), Column("groupFormerCount", "former", "number", 6),
        Column("startingPointX", "x", "number", 7), Column("startingPointY", "y", "number", 7),
        Column("rules", "rules", "rules", 3), Column("associatedSocialIds", "rooms", "count", 4),
    ),
    "Playlist": (
        Column("name", "name", rank=0), Column("playlistId", "id", "id", 0), Column("type", "type", rank=1),
        Column("qty", "qty", "number", 3), Column("duration", "duration", "number", 4),
        Column("available", "available", "bool", 2),
    ),
    "Recording": (
        Column("name", "name", rank=0), Column("socialRecordingId", "id", "id", 0),
        Column("status", "status", "state", 1), Column("startDateTime", "starts", "time", 1),
        Column("endDateTime", "ends", "time", 3), Column("user.name", "by", rank=6),
        Column("", "visits", "number", 5, _computed("participants", len)), Column("recordingSize", "size", "number", 6),
        Column("socialId", "room", "id", 7), Column("recordingId"), Column("processingStartDateTime"),
        Column("processingEndDateTime"), Column("userId"), Column("storageBucket"),
    ),
    "RecordingParticipant": (
        Column("user.name", "name", rank=0), Column("userId", "id", "id", 0),
        Column("startDateTime", "from", "time", 1), Column("endDateTime", "to", "time", 2),
        Column("user.emailAddress", "e-mail", "mail", 3),
    ),
    "Transcription": (
        Column("name", "name", rank=0), Column("socialTranscriptionId", "id", "id", 0),
        Column("status", "status", "state", 1), Column("startDateTime", "starts", "time", 2),
        Column("user.name", "by", rank=3), Column("processingEndDateTime", "processed", "time", 4),
        Column("socialRoomSetId", "room set", "named", 5), Column("processingStartDateTime"), Column("storageBucket"),
    ),
    "Registration": (
        Column("user.name", "name", rank=0), Column("registrationId", "id", "id", 5),
        Column("user.emailAddress", "e-mail", "mail", 0), Column("confirmed", "confirmed", "bool", 1),
        Column("registeredDateTime", "registered", "time", 3), Column("source", "source", rank=4),
        Column("values", "answers", "pairs", 6), Column("user.userId"), Column("event.name"),
        Column("event.socialEventId"), Column("event.startDateTime"), Column("event.endDateTime"),
    ),
    "Event": (
        Column("name", "name", rank=0), Column("socialEventId", "id", "id", 0),
        Column("startDateTime", "starts", "time", 1), Column("endDateTime", "ends", "time", 2),
        Column("user.name", "by", rank=4), Column("eventLink", "link", rank=3),
        Column("validateParticipants", "validates", "bool", 6), Column("socialRoomSetId", "room set", "id", 5),
        Column("description"),
    ),
    "Result": (
        Column("", "name", "named", 1, _computed("reply", lambda reply: reply.get("name"), dict)),
        Column("input", "input", "id", 0), Column("status", "status", "state", 0), Column("error", "error", "bad", 0),
        Column("reply"),
    ),
    "JournalRun": (
        Column("id", "run", "id", 1), Column("target", "target", "path", 2), Column("input", "input", "path", 3),
        Column("rows", "rows", "number", 0), Column("ok", "ok", "number", 0), Column("failed", "failed", "number", 0),
        Column("unknown", "unknown", "number", 0), Column("begun", "started", "time", 0),
        Column("finished", "finished", "time", 3), Column("profile", "profile", rank=3), Column("command"),
        Column("sha256"), Column("pid"), Column("name", "name", rank=0),
    ),
    "Profile": (
        Column("name", "name", rank=0), Column("default", "default", "bool", 0),
        Column("base_url", "base_url", "path", 1), Column("key", "key", rank=4),
        Column("protected", "protected", "bool", 2), Column("read_only", "read_only", "bool", 3),
    ),
    "SandboxSnapshot": (
        Column("snapshot", "snapshot", rank=0), Column("created", "created", "time", 1),
        Column("size", "size", "size", 2),
    ),
    "JournalEntry": (
        Column("id", "entry", "id", 0), Column("state", "state", "state", 0),
        Column("operation", "operation", "id", 0), Column("planned", "planned", "time", 2),
        Column("settled", "settled", "time", 7),
        Column("profile", "profile", rank=4), Column("path", "path", "path", 6), Column("detail", "detail", rank=5),
        Column("method"), Column("query"), Column("body", "body sha256"), Column("origin"), Column("command"),
        Column("pid"), Column("sent"), Column("run"), Column("rows"), Column("name", "name", rank=1), Column("made"),
        Column("about", "about", "id", 3),
    ),
    "SandboxFault": (
        Column("id", "id", "number", 1), Column("fault", "fault", rank=0), Column("state", "state", "state", 0),
        Column("matched", "matched", "number", 3), Column("applied", "applied", "number", 2),
    ),
    "SandboxRequest": (
        Column("number", "request", "number", 0), Column("at", "at", "time", 3),
        Column("operation", "operation", rank=0), Column("path", "path", rank=6), Column("query", "query", rank=5),
        Column("status", "status", "number", 1), Column("answer", "reply", rank=2), Column("fault", "fault", rank=1),
        Column("committed", "done", "bool", 1), Column("method"), Column("answered"), Column("retryAfter"),
        Column("empty"), Column("body"), Column("answerBody"),
    ),
    "Mistake": (
        Column("rule", "mistake", "bad", 0), Column("request", "request", "number", 1),
        Column("operation", "operation", rank=0), Column("message", "what was wrong", rank=0),
    ),
    "WatchedRoom": (
        Column("room", "room", rank=0), Column("state", "state", "state", 1), Column("present", "present", "number", 1),
        Column("change", "change", "number", 2), Column("lately", "lately", rank=3),
    ),
    "Rehearsed": (
        Column("run", "run", "fault", 0), Column("exit", "exit", "number", 0),
        Column("", "what changed", rank=1, of=_computed("effects", counts, dict)),
        Column("", "mistakes", "bad", 0, of=_computed("mistakes", lambda found: "; ".join(map(str, found)))),
        Column("effects"), Column("mistakes"), Column("applied", "applied", "number", 2),
        Column("requests", "requests", "number", 3), Column("seconds", "seconds", "number", 4),
    ),
    "PlanStep": (
        Column("symbol", "sign", rank=0), Column("action", "plan", rank=1), Column("step", "step", rank=0),
        Column("name", "name", rank=0), Column("people", "people", "number", 3),
        Column("", "what changes", rank=2, of=_computed("changes", _changes)), Column("why", "why", rank=4),
        Column("request"), Column("changes"), Column("id"), Column("digest"),
    ),
    "Finding": (
        Column("file", "file", rank=4), Column("line", "line", "number", 1), Column("column", "column", "number", 3),
        Column("severity", "severity", "state", 1), Column("code", "code", rank=0),
        Column("message", "what was found", rank=0),
    ),
    "RegistrationChange": (
        Column("", "who", rank=0, of=lambda row: row["name"] or row["emailAddress"] or row["id"]),
        Column("id", "id", "id", 4), Column("change", "change", "state", 0), Column("fields"), Column("name"),
        Column("emailAddress", "e-mail", "mail", 3), Column("changes"),
        Column("", "what changed", "pairs", 0, _computed("changes", _compared)),
    ),
    "Verified": (
        Column("entry", "entry", "id", 0), Column("operation", "operation", rank=1), Column("path", "path", "path", 3),
        Column("status", "status", "state", 0), Column("seen", "seen", "prose", 0),
    ),
    "Setting": (
        Column("setting", "setting", rank=0), Column("value", "value", rank=0), Column("origin", "origin", "path", 0),
    ),
    "Operation": (
        Column("number", "number", "number", 1), Column("operation", "operation", "path", 0),
        Column("method", "method", rank=1), Column("path", "path", "path", 0), Column("summary", "summary", rank=2),
    ),
    "CommonOption": (
        Column("option"), Column("takes"),
        Column("", "option", "path", 0, lambda row: f"{row['option']} {row['takes']}"),
        Column("meaning", "meaning", rank=0), Column("repeated", "repeated", rank=2),
    ),
    "LintCode": (
        Column("code", "code", rank=0), Column("severity", "severity", "state", 1),
        Column("meaning", "meaning", rank=0), Column("advice", "what to do", rank=2),
    ),
}
# fmt: on
_name, _first, *_others = COLUMNS["Result"]
_mail = Column("", "e-mail", "mail", 2, _computed("reply", lambda reply: reply.get("emailAddress"), dict))
COLUMNS["UserResult"] = (_name, _first, _mail, *_others)
COLUMNS["RoomResult"] = (_name._replace(rank=0), _first, *_others)
COLUMNS["InviteResult"] = (_first, *_others)
COLUMNS["RoomInviteResult"] = (_first, Column("socialId", "room", "named", 0), *_others)
COLUMNS["WatchedRoomOfSets"] = (*COLUMNS["WatchedRoom"], Column("set", "room set", rank=2))
RESULTS = ("Result", "UserResult", "RoomResult", "InviteResult", "RoomInviteResult")
"""What became of each row of a bulk command."""

FILE_COLUMNS: Mapping[str, tuple[str, ...]] = {
    name: tuple(column.path for column in columns if column.of is None) for name, columns in COLUMNS.items()
}
"""The columns of a resource in csv and tsv."""

ID_FIELDS: Mapping[str, str] = {
    **{name: column.path for name, columns in COLUMNS.items() for column in columns if column.heading == "id"},
    "SocialMeta": "socialMetaId",
    "UploadStatus": "requestStatusId",
    "SandboxSnapshot": "snapshot",
    **dict.fromkeys(("Result", "UserResult", "RoomResult"), "input"),
    **dict.fromkeys(("InviteResult", "RoomInviteResult"), "reply.socialInviteId"),
    "Verified": "entry",
    "Occupancy": "socialRoomSetId",
}
"""The field that identifies a row of a resource, for `-o ids`; of anything else it is `id`, or else `name`."""

FOUND_BY_NAME = ("RoomSet", "Social", "Recording", "RoomResult")
"""Resources whose rows people know by name, so that their ids may make room for what tells more."""

# fmt: off
_PLURALS: Mapping[str, str] = {
    "User": "users", "Social": "rooms", "RoomSet": "room sets", "Theme": "themes", "SocialInvite": "invites",
    "CTAItem": "call-to-action items", "EntryConfig": "entry configurations", "Playlist": "playlists",
    "Recording": "recordings", "RecordingParticipant": "participants", "Transcription": "transcriptions",
    "Registration": "registrations", "Event": "events", "Result": "results", "JournalEntry": "journal entries",
    "JournalRun": "bulk runs", "Verified": "writes of this profile at its address with an unknown outcome",
    "Profile": "profiles", "Difference": "differences", "RegistrationChange": "changes",
    "SandboxSnapshot": "snapshots", "SandboxFault": "faults", "SandboxRequest": "requests",
    "Mistake": "mistakes", "PlanStep": "steps", "Finding": "findings",
}
# fmt: on


def several(resource: str) -> str:
    return _PLURALS.get(resource, "rows")


def seen_keys(rows: Iterable[JSON]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(key) for row in rows if isinstance(row, dict) for key in row))
