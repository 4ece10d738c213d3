"""One function for each operation: what the sandbox does when it is asked. Choices of ours are named in `gaps`."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from roomctl.contract import operations as ops
from roomctl.contract.fields import fields
from roomctl.contract.operations import UUID, Operation
from roomctl.sandbox import views
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.store import Document, Store, answered, moment

JSON = Any
ME = "me"


class Asked(Protocol):
    """What a request asks for, checked."""

    @property
    def path(self) -> Mapping[str, str]: ...
    @property
    def query(self) -> Mapping[str, Any]: ...
    @property
    def extra(self) -> Mapping[str, str]: ...
    @property
    def body(self) -> JSON: ...


def me(store: Store) -> JSON:
    """The user that the sandbox's key acts for."""
    return store.get("user", store.meta(ME) or "") or {}


def _merged(old: JSON, new: JSON) -> JSON:
    """Apply fields: a value replaces, null clears, what is not named stays."""
    return {name: value for name, value in {**old, **new}.items() if value is not None}


def _without(value: JSON, *names: str) -> JSON:
    return {name: item for name, item in value.items() if name not in names}


def _the_set(store: Store, key: str) -> JSON:
    found = store.get("roomset", key.lower())
    if found is None:
        raise Problem(404, f"no room set {key}")
    return found


def _the_room(store: Store, key: str) -> JSON:
    found = store.get("social", key.lower())
    if found is None:
        raise Problem(404, f"no room {key}")
    return found


def _page(store: Store, operation: Operation, kind: str, parent: str, asked: Asked) -> list[JSON]:
    query = asked.query
    sort = query.get("sort", "")
    if sort:
        _sortable(operation, sort)
    return store.page(kind, parent, page=query["page"], size=query["size"], sort=sort, text=query.get("text", ""))


def _sortable(operation: Operation, sort: str) -> None:
    name, _, direction = sort.partition(",")
    field = fields(operation.resource).get(name)
    if field is None or field.array or field.type[:1].isupper() or direction not in ("", "asc", "desc"):
        raise Problem(400, "names no top-level scalar of the resource, with `,asc` or `,desc` behind it", at="sort")


def create_room_set(store: Store, asked: Asked) -> JSON:
    """Make a set; the ids are those of rooms that move into it."""
    rooms = [store.get("social", key.lower()) for key in dict.fromkeys(asked.body)]
    missing = [key for key, room in zip(dict.fromkeys(asked.body), rooms, strict=True) if room is None]
    if missing:
        raise Problem(404, f"no room {missing[0]}")
    with store.writing():
        key = store.new_id()
        doc = {"socialRoomSetId": key, "name": "New room set", "entryOption": "DEFAULT", **SET_DEFAULTS}
        doc["hostUser"] = me(store)
        store.put(Document("roomset", key, ME, doc))
        for room in rooms:
            store.move(Document("social", room["socialId"], key, {**room, "socialRoomSetId": key}))
    return views.room_set(store, doc)


SET_DEFAULTS = {
    "groupFormerCount": 0,
    "anyoneCanStart": False,
    "allowGuestUsers": False,
    "hostAdmitted": False,
    "socialPermissionType": "COMPANY",
    "alternateHosts": list[JSON](),
}


def update_room_set(store: Store, asked: Asked) -> JSON:
    """Change the fields that are named; the set's rooms and host stay."""
    key = asked.body.get("socialRoomSetId")
    if not key:
        raise Problem(422, "is required", at="socialRoomSetId")
    with store.writing():
        old = _the_set(store, key)
        new = _merged(old, _without(asked.body, "socialRoomSetId", "socials", "hostUser"))
        store.put(Document("roomset", old["socialRoomSetId"], ME, new))


def list_room_sets(store: Store, asked: Asked) -> JSON:
    """List the sets with their rooms."""
    return [views.room_set(store, each) for each in _page(store, ops.ROOMSET_LIST, "roomset", ME, asked)]


def copy_room_set(store: Store, asked: Asked) -> JSON:
    """Copy a set with its rooms, settings and entry rules, each with a new id; nobody is in the copies."""
    old = _the_set(store, asked.query["socialRoomSetId"])
    with store.writing():
        key, renamed = store.new_id(), dict[str, str]()
        new = {**old, "socialRoomSetId": key, "name": asked.query["roomSetName"]}
        for config in store.all("config", old["socialRoomSetId"]):
            renamed[config["configurationId"]] = store.new_id()
            copy = {**config, "configurationId": renamed[config["configurationId"]]}
            store.put(Document("config", copy["configurationId"], key, _without(copy, "associatedSocialIds")))
        rooms = {}
        for room in store.all("social", old["socialRoomSetId"]):
            made = _copied(store, room, key, renamed)
            rooms[room["socialId"]] = made["socialId"]
        if old.get("startingPointSocialId") in rooms:
            new["startingPointSocialId"] = rooms[old["startingPointSocialId"]]
        store.put(Document("roomset", key, ME, new))
    return views.room_set(store, new)


def _copied(store: Store, room: JSON, set_key: str, configs: Mapping[str, str] | None = None) -> JSON:
    key = store.new_id()
    copy = _without(room, "_closesAt", "sessionId", "myBadgeData", "updatedByUser", "updatedDateTime")
    copy |= {"socialId": key, "socialRoomSetId": set_key, "isOpen": False, "dateCreated": moment(store.now())}
    copy["socialURI"], copy["socialMeta"] = f"https://rooms.example.org/s/{key[:8]}", _nobody(store)
    if configs and copy.get("configurationId") in configs:
        copy["configurationId"] = configs[copy["configurationId"]]
    store.put(Document("social", key, set_key, copy))
    for item in store.all("cta", room["socialId"]):
        store.put(Document("cta", f"{key}/{item['CTAItemId']}", key, item))
    return copy


def _nobody(store: Store) -> JSON:
    return {
        "socialMetaId": store.new_id(),
        "numberOfInvites": 0,
        "numberOfAttendees": 0,
        "numberCurrentlyPresent": 0,
    }


def create_room(store: Store, asked: Asked) -> JSON:
    """Make a room, open, with its set; a room without a set gets into the first one of mine."""
    owned = ("socialId", "socialMeta", "isOpen", "user", "userId", "dateCreated", "sessionId", "theme", "updatedByUser")
    body = _without(asked.body, *owned, "updatedDateTime", "myBadgeData", "connectedRoom")
    parent = body.get("socialRoomSetId")
    with store.writing():
        found = _the_set(store, parent) if parent else next(iter(store.all("roomset", ME)), None)
        if found is None:
            raise Problem(422, "is required where no room set exists", at="socialRoomSetId")
        for name, kind in (("themeId", "theme"), ("playlistId", "playlist"), ("configurationId", "config")):
            if body.get(name) and store.get(kind, body[name].lower()) is None:
                raise Problem(422, f"names no {kind}", at=name)
        key = store.new_id()
        doc = {**ROOM_DEFAULTS, "name": "New room", **_merged({}, body), "socialId": key}
        doc |= {"socialRoomSetId": found["socialRoomSetId"], "isOpen": True, "dateCreated": moment(store.now())}
        doc |= {"user": me(store), "userId": me(store).get("userId"), "socialMeta": _nobody(store)}
        doc["socialURI"] = f"https://rooms.example.org/s/{key[:8]}"
        store.put(Document("social", key, found["socialRoomSetId"], doc))
    return views.room(store, doc)


ROOM_DEFAULTS = {
    "recurring": False,
    "anyoneCanStart": False,
    "isValid": True,
    "free": True,
    "allowGuestUsers": False,
    "socialPermissionType": "COMPANY",
    "platform": "PLATFORM_A",
    "hostAdmitted": False,
    "connectedRoom": False,
}


def copy_room(store: Store, asked: Asked) -> JSON:
    """Copy the room that the query parameter `socialId` names."""
    key = asked.extra.get("socialId", "")
    if not UUID.fullmatch(key):
        raise Problem(400, "is required, a uuid: the room to copy", at="socialId")
    with store.writing():
        room = _the_room(store, key)
        return views.room(store, _copied(store, room, room["socialRoomSetId"]))


def end_room(store: Store, asked: Asked) -> JSON:
    """Close a room, now or at `leaveOpenUntil`; ending a closed room changes nothing further."""
    from datetime import datetime

    with store.writing():
        room = views.current(store, _the_room(store, asked.path["socialId"]))
        until, now = asked.query.get("leaveOpenUntil"), store.now()
        if room["isOpen"]:
            when = datetime.fromisoformat(until.upper()) if until else now
            room |= {"_closesAt": moment(max(when, now)), "updatedDateTime": moment(now), "updatedByUser": me(store)}
            store.put(Document("social", room["socialId"], room["socialRoomSetId"], room))
    return views.room(store, room)


def invite(store: Store, asked: Asked) -> JSON:
    """Invite people to a room; each record is answered, with `error` where its person is not known."""
    with store.writing():
        room = _the_room(store, asked.path["socialId"])
        known = {each["invitedUserId"] for each in store.all("invite", room["socialId"])}
        replies = [_invited(store, room, each, known) for each in asked.body]
        meta = {**room["socialMeta"], "numberOfInvites": store.count("invite", room["socialId"])}
        store.put(Document("social", room["socialId"], room["socialRoomSetId"], {**room, "socialMeta": meta}))
    return replies


def _invited(store: Store, room: JSON, record: JSON, known: set[str]) -> JSON:
    user = _person(store, record)
    base = {"socialId": room["socialId"], **_without(record, "error", "socialInviteId", "didAttend", "socialId")}
    base = {name: value for name, value in base.items() if value is not None}
    if user is None:
        return {**base, "error": "no user with this id or e-mail address"}
    if user["userId"] in known:
        return {**base, "invitedUserId": user["userId"], "invitedUser": user, "error": "already invited"}
    known.add(user["userId"])
    doc = {
        "socialInviteId": store.new_id(),
        "socialId": room["socialId"],
        "invitedUserId": user["userId"],
        "invitedUser": user,
        "didAttend": False,
        "dateTimeInvited": moment(store.now()),
    }
    store.put(Document("invite", doc["socialInviteId"], room["socialId"], doc))
    return doc


def _person(store: Store, record: JSON) -> JSON:
    given = record.get("invitedUser") or {}
    if key := record.get("invitedUserId") or given.get("userId"):
        return store.get("user", key.lower())
    address = given.get("emailAddress")
    return store.find("user", "emailAddress", address) if address else None


def list_cta_items(store: Store, asked: Asked) -> JSON:
    """List the call-to-action items of a room."""
    return _page(store, ops.SOCIAL_CTA, "cta", _the_room(store, asked.path["socialId"])["socialId"], asked)


def save_theme(store: Store, asked: Asked) -> JSON:
    """Create a theme, or update the one whose id is in the body."""
    theme = asked.body.get("theme") or {}
    images = {name: asked.body[name] for name in asked.body if name.endswith("Bytes") and asked.body[name]}
    with store.writing():
        key = theme.get("socialThemeId")
        old = store.get("theme", key.lower()) if key else None
        if key and old is None:
            raise Problem(404, f"no theme {key}")
        key = key.lower() if key else store.new_id()
        doc = old or {"type": "SINGLE_COLOR", "multiSize": False, "dateCreated": moment(store.now())}
        doc = {**_merged(doc, _without(theme, "uploadStatus", "dateCreated", "tiles")), "socialThemeId": key}
        doc |= {URIS[name]: f"https://rooms.example.org/themes/{key}/{name}" for name in images}
        if images:
            doc["uploadStatus"] = _uploaded(store)
            store.put(Document("image", key, "", images))
        store.put(Document("theme", key, ME, doc))
    return answered(doc)


URIS = {
    "imageBytes": "previewImageURI",
    "imageFarBytes": "imageFarURI",
    "imageMidBytes": "imageMidURI",
    "imageNearBytes": "imageNearURI",
}


def _uploaded(store: Store) -> JSON:
    now, user = moment(store.now()), me(store).get("userId")
    status = {"requestStatusId": store.new_id(), "userId": user, "progress": 100}
    return {**status, "startedDateTime": now, "endedDateTime": now}


def process_transcription(store: Store, asked: Asked) -> JSON:
    """Start processing: a known transcription again, a new one where no id is given; COMPLETE a minute later."""
    body = asked.body
    with store.writing():
        key = body.get("socialTranscriptionId")
        old = store.get("transcription", key.lower()) if key else None
        if key and old is None:
            raise Problem(404, f"no transcription {key}")
        if body.get("socialRoomSetId"):
            _the_set(store, body["socialRoomSetId"])
        key = key.lower() if key else store.new_id()
        now = moment(store.now())
        doc = _merged(_without(old or {"name": "New transcription", "user": me(store)}, "processingEndDateTime"), body)
        doc |= {"socialTranscriptionId": key, "status": "PROCESSING", "processingStartDateTime": now}
        store.put(Document("transcription", key, ME, doc))
    return views.transcription(store, doc)


def list_transcriptions(store: Store, asked: Asked) -> JSON:
    """List all transcriptions."""
    rows = _page(store, ops.TRANSCRIPTION_LIST, "transcription", ME, asked)
    return [views.transcription(store, each) for each in rows]


def list_recordings(store: Store, asked: Asked) -> JSON:
    """List the recordings of the key's user."""
    return [views.recording(store, each) for each in _page(store, ops.RECORDING_LIST, "recording", ME, asked)]


def save_rules(store: Store, asked: Asked) -> JSON:
    """Save an entry configuration, a new one where no id is given; the set's rooms name it from then on."""
    body = asked.body
    with store.writing():
        parent = _the_set(store, asked.query["socialRoomSetId"])["socialRoomSetId"]
        key = body.get("configurationId")
        old = _config(store, parent, key) if key else {"entryOption": "DEFAULT", "rules": []}
        key = key.lower() if key else store.new_id()
        doc = {**_merged(old, body), "configurationId": key}
        named = [each.lower() for each in body.get("associatedSocialIds") or ()]
        rooms = [each for each in store.all("social", parent) if not named or each["socialId"] in named]
        doc["associatedSocialIds"] = [each["socialId"] for each in rooms]
        store.put(Document("config", key, parent, doc))
        for room in rooms:
            store.put(Document("social", room["socialId"], parent, {**room, "configurationId": key}))


def get_rules(store: Store, asked: Asked) -> JSON:
    """Answer an entry configuration of a set."""
    parent = _the_set(store, asked.query["socialRoomSetId"])["socialRoomSetId"]
    return _config(store, parent, asked.query["configurationId"])


def _config(store: Store, parent: str, key: str) -> JSON:
    for each in store.all("config", parent):
        if each["configurationId"] == key.lower():
            return each
    raise Problem(404, f"no entry configuration {key} of room set {parent}")


def create_playlist(store: Store, asked: Asked) -> JSON:
    """Make a playlist."""
    with store.writing():
        key = store.new_id()
        doc = {"type": "FREE_PLAYLIST", "qty": 0, "duration": 0, "available": True, **_merged({}, asked.body)}
        doc["playlistId"] = key
        store.put(Document("playlist", key, ME, doc))
    return doc


def get_user(store: Store, asked: Asked) -> JSON:
    """Answer a user."""
    found = store.get("user", asked.path["userId"])
    if found is None:
        raise Problem(404, f"no user {asked.path['userId']}")
    return found


def list_registrations(store: Store, asked: Asked) -> JSON:
    """List the registrations of an event."""
    key = asked.query["socialEventId"]
    if store.get("event", key) is None:
        raise Problem(404, f"no event {key}")
    return _page(store, ops.REGISTRATION_LIST, "registration", key, asked)


HANDLERS: dict[str, Callable[[Store, Asked], JSON]] = {
    ops.ROOMSET_CREATE.name: create_room_set,
    ops.ROOMSET_UPDATE.name: update_room_set,
    ops.ROOMSET_LIST.name: list_room_sets,
    ops.ROOMSET_COPY.name: copy_room_set,
    ops.SOCIAL_CREATE.name: create_room,
    ops.SOCIAL_COPY.name: copy_room,
    ops.SOCIAL_END.name: end_room,
    ops.INVITE_SEND.name: invite,
    ops.SOCIAL_CTA.name: list_cta_items,
    ops.THEME_SAVE.name: save_theme,
    ops.TRANSCRIPTION_PROCESS.name: process_transcription,
    ops.TRANSCRIPTION_LIST.name: list_transcriptions,
    ops.RECORDING_LIST.name: list_recordings,
    ops.RULES_SAVE.name: save_rules,
    ops.RULES_GET.name: get_rules,
    ops.PLAYLIST_CREATE.name: create_playlist,
    ops.USER_GET.name: get_user,
    ops.REGISTRATION_LIST.name: list_registrations,
}
