"""Operations 5 to 9: rooms, their invitations and call-to-action items."""

from collections.abc import Mapping
from datetime import datetime

from roomctl.contract.records import is_uuid
from roomctl.sandbox.gaps import Strictness
from roomctl.sandbox.handlers.records import ME, NOUNS, lower, me, merge, record, without, without_nulls
from roomctl.sandbox.request import Problem, Request
from roomctl.sandbox.store import Document, Store, moment
from roomctl.text import JSON

DEFAULTS = {
    "recurring": False, "anyoneCanStart": False, "isValid": True, "free": True, "allowGuestUsers": False,
    "socialPermissionType": "COMPANY", "platform": "PLATFORM_A", "hostAdmitted": False, "connectedRoom": False,
}  # fmt: skip
OWNED = (
    "socialId", "socialMeta", "isOpen", "user", "userId", "dateCreated", "sessionId", "theme", "updatedByUser",
    "updatedDateTime", "myBadgeData", "connectedRoom",
)  # fmt: skip
"""Fields that the service says: what a body has in them is not taken over."""
NAMED = {"themeId": "theme", "playlistId": "playlist", "configurationId": "config"}


def create_room(store: Store, request: Request) -> JSON:
    """Make a room, open, with its set; a room without a set joins the first of mine."""
    body = lower(request.body_without(*OWNED), *NAMED)
    request.require(body, "name")
    request.strictness.note("other-lifecycles")
    parent = body.get("socialRoomSetId")
    if not parent and request.strictness.strict("room-without-set"):
        raise Problem(422, "is required", at="socialRoomSetId")
    if not parent and request.strictness.hostile("room-without-set"):
        parent = store.new_id()  # a set that nobody sees
    elif found := record(store, "roomset", parent) if parent else next(iter(store.all("roomset", ME)), None):
        parent = found["socialRoomSetId"]
    else:
        raise Problem(422, "is required where no room set exists", at="socialRoomSetId")
    for name, kind in NAMED.items():
        if body.get(name) and store.get(kind, body[name]) is None:
            raise Problem(422, f"names no {NOUNS[kind]}", at=name)
    key = store.new_id()
    doc = {**DEFAULTS, "name": "New room", **merge({}, body), "socialId": key, "socialRoomSetId": parent}
    doc |= {"isOpen": True, "dateCreated": moment(store.now())}
    doc |= {"user": me(store), "userId": me(store).get("userId"), **_unvisited(store, key)}
    store.put(Document("social", key, parent, doc))
    return show(store, doc)


def _unvisited(store: Store, key: str) -> JSON:
    counts = dict.fromkeys(("numberOfInvites", "numberOfAttendees", "numberCurrentlyPresent"), 0)
    meta = {"socialMetaId": store.new_id(), **counts}
    return {"socialMeta": meta, "socialURI": f"https://rooms.example.org/s/{key[:8]}"}


def copy_room(store: Store, request: Request) -> JSON:
    request.strictness.note("copy-room", "other-lifecycles")
    key = request.extra.get("socialId", "")
    if not is_uuid(key):
        raise Problem(400, "is required, a uuid: the room to copy", at="socialId")
    room = record(store, "social", key)
    return show(store, copy(store, room, room["socialRoomSetId"], {}))


def copy(store: Store, room: JSON, parent: str, configs: Mapping[str, str]) -> JSON:
    """Put a copy of a room below a set: closed, empty, with its call-to-action items. `configs`: old ids → new."""
    key = store.new_id()
    copy = without(room, "_closesAt", "sessionId", "myBadgeData", "updatedByUser", "updatedDateTime")
    copy |= {"socialId": key, "socialRoomSetId": parent, "isOpen": False, "dateCreated": moment(store.now())}
    copy |= _unvisited(store, key)
    if copy.get("configurationId") in configs:
        copy["configurationId"] = configs[copy["configurationId"]]
    store.put(Document("social", key, parent, copy))
    for item in store.all("cta", room["socialId"]):
        store.put(Document("cta", f"{key}/{item['CTAItemId']}", key, item))
    return copy


def end_room(store: Store, request: Request) -> JSON:
    """Close a room, now or at `leaveOpenUntil`; ending a closed room changes nothing further."""
    room = _current(store, record(store, "social", request.params["socialId"]))
    now = store.now()
    if room["isOpen"]:
        closes, until = now, request.params.get("leaveOpenUntil")
        if until and not request.strictness.hostile("leave-open-until"):
            closes = datetime.fromisoformat(until.upper())
            try:
                closes = closes.astimezone(now.tzinfo)
            except OverflowError:  # UTC has no year for it: as far away as there is
                closes = closes.replace(tzinfo=now.tzinfo)
            if closes < now and request.strictness.strict("leave-open-until"):
                raise Problem(400, "is in the past", at="leaveOpenUntil")
        room |= {"_closesAt": moment(max(closes, now)), "updatedDateTime": moment(now), "updatedByUser": me(store)}
        store.put(Document("social", room["socialId"], room["socialRoomSetId"], room))
    elif request.strictness.strict("ended-twice"):
        raise Problem(409, "the room is already closed")
    elif request.strictness.hostile("ended-twice"):
        raise Problem(404, "no such room")
    return show(store, room)


def invite(store: Store, request: Request) -> JSON:
    """Invite people; who is not known is answered with `error`. Hostilely, a third is refused, in another order."""
    hostile = request.strictness.hostile("invited-person")
    room = record(store, "social", request.params["socialId"])
    known = {each["invitedUserId"] for each in store.all("invite", room["socialId"])}
    before = len(known)
    replies = [
        {**without_nulls(each), "error": "try again later"}
        if hostile and number % 3 == 2
        else _invite(store, room, each, known, request.strictness)
        for number, each in enumerate(request.body)
    ]
    meta = {**room["socialMeta"]}
    meta["numberOfInvites"] += len(known) - before
    store.put(Document("social", room["socialId"], room["socialRoomSetId"], {**room, "socialMeta": meta}))
    return replies[::-1] if hostile else replies


def _invite(store: Store, room: JSON, wanted: JSON, known: set[str], strictness: Strictness) -> JSON:
    named, user = wanted.get("invitedUser") or {}, None
    if wanted.get("invitedUserId") or not strictness.strict("invited-person"):
        if key := wanted.get("invitedUserId") or named.get("userId"):
            user = store.get("user", key.lower())
        elif named.get("emailAddress"):
            user = store.find("user", "emailAddress", named["emailAddress"])
    sent = merge({}, without(wanted, "error", "socialInviteId", "didAttend", "socialId"))
    base = {"socialId": room["socialId"], **sent}
    if user is None:
        return {**base, "error": "no user with this id or e-mail address"}
    who = {"invitedUserId": user["userId"], "invitedUser": user}
    if user["userId"] in known:
        strictness.note("invited-twice")
        return {**base, **who, "error": "already invited"}
    known.add(user["userId"])
    doc = {"socialInviteId": store.new_id(), "socialId": room["socialId"], **who}
    doc |= {"didAttend": False, "dateTimeInvited": moment(store.now())}
    store.put(Document("invite", doc["socialInviteId"], room["socialId"], doc))
    return doc


def show(store: Store, document: JSON) -> JSON:
    room = _current(store, document)
    theme = store.get("theme", room["themeId"]) if room.get("themeId") else None
    shown = {**room, "theme": theme} if theme else room
    return {name: value for name, value in shown.items() if not name.startswith("_")}


def _current(store: Store, room: JSON) -> JSON:
    """Give a room as it stands now: closed, and empty, from the moment on that it closes at."""
    closes = room.get("_closesAt")
    if not closes or datetime.fromisoformat(closes) > store.now():
        return room
    meta = {**room["socialMeta"], "numberCurrentlyPresent": 0}
    return {**room, "isOpen": False, "endDateTime": closes, "socialMeta": meta}
