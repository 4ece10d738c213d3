"""Operations 5 to 9: rooms, their invitations and call-to-action items."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from roomctl.contract import operations as ops
from roomctl.contract.records import is_uuid
from roomctl.sandbox import views
from roomctl.sandbox.asked import Asked
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.readings import Reading
from roomctl.sandbox.records import KINDS, ME, lowered, me, merged, page, the, without, without_nulls
from roomctl.sandbox.store import Document, Store, moment

JSON = Any
DEFAULTS = {
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
OWNED = (
    "socialId", "socialMeta", "isOpen", "user", "userId", "dateCreated", "sessionId", "theme", "updatedByUser",
    "updatedDateTime", "myBadgeData", "connectedRoom",
)  # fmt: skip
"""Fields that the service says: what a body has in them is not taken over."""
NAMED = {"themeId": "theme", "playlistId": "playlist", "configurationId": "config"}


def create_room(store: Store, asked: Asked) -> JSON:
    """Make a room, open, with its set; a room without a set gets into the first one of mine."""
    body = lowered(asked.foreign(*OWNED), *NAMED)
    asked.demand(body, "name")
    asked.reading.meets("other-lifecycles")
    with store.writing():
        parent = _set_for(store, body.get("socialRoomSetId"), asked.reading)
        for name, kind in NAMED.items():
            if body.get(name) and store.get(kind, body[name]) is None:
                raise Problem(422, f"names no {KINDS[kind]}", at=name)
        key = store.new_id()
        doc = {**DEFAULTS, "name": "New room", **merged({}, body), "socialId": key, "socialRoomSetId": parent}
        doc |= {"isOpen": True, "dateCreated": moment(store.now())}
        doc |= {"user": me(store), "userId": me(store).get("userId"), "socialMeta": _nobody(store)}
        doc["socialURI"] = _address(key)
        store.put(Document("social", key, parent, doc))
        return views.room(store, doc)


def _set_for(store: Store, key: str | None, reading: Reading) -> str:
    if not key and reading.strict("room-without-set"):
        raise Problem(422, "is required", at="socialRoomSetId")
    if not key and reading.hostile("room-without-set"):
        return store.new_id()  # a set that nobody sees
    found = the(store, "roomset", key) if key else next(iter(store.all("roomset", ME)), None)
    if found is None:
        raise Problem(422, "is required where no room set exists", at="socialRoomSetId")
    return str(found["socialRoomSetId"])


def _address(key: str) -> str:
    return f"https://rooms.example.org/s/{key[:8]}"


def _nobody(store: Store) -> JSON:
    return {
        "socialMetaId": store.new_id(),
        "numberOfInvites": 0,
        "numberOfAttendees": 0,
        "numberCurrentlyPresent": 0,
    }


def copy_room(store: Store, asked: Asked) -> JSON:
    """Copy the room that the query parameter `socialId` names."""
    asked.reading.meets("copy-room", "other-lifecycles")
    key = asked.extra.get("socialId", "")
    if not is_uuid(key):
        raise Problem(400, "is required, a uuid: the room to copy", at="socialId")
    with store.writing():
        room = the(store, "social", key)
        return views.room(store, copied(store, room, room["socialRoomSetId"], {}))


def copied(store: Store, room: JSON, parent: str, configs: Mapping[str, str]) -> JSON:
    """Put a copy of a room below a set: closed, empty, with its call-to-action items. `configs`: old ids → new."""
    key = store.new_id()
    copy = without(room, "_closesAt", "sessionId", "myBadgeData", "updatedByUser", "updatedDateTime")
    copy |= {"socialId": key, "socialRoomSetId": parent, "isOpen": False, "dateCreated": moment(store.now())}
    copy |= {"socialURI": _address(key), "socialMeta": _nobody(store)}
    if copy.get("configurationId") in configs:
        copy["configurationId"] = configs[copy["configurationId"]]
    store.put(Document("social", key, parent, copy))
    for item in store.all("cta", room["socialId"]):
        store.put(Document("cta", f"{key}/{item['CTAItemId']}", key, item))
    return copy


def end_room(store: Store, asked: Asked) -> JSON:
    """Close a room, now or at `leaveOpenUntil`; ending a closed room changes nothing further."""
    with store.writing():
        room = views.current(store, the(store, "social", asked.given["socialId"]))
        now = store.now()
        if not room["isOpen"]:
            _ended_twice(asked.reading)
        else:
            when = _closing(asked, now)
            room |= {"_closesAt": moment(when), "updatedDateTime": moment(now), "updatedByUser": me(store)}
            store.put(Document("social", room["socialId"], room["socialRoomSetId"], room))
        return views.room(store, room)


def _ended_twice(reading: Reading) -> None:
    if reading.strict("ended-twice"):
        raise Problem(409, "the room is closed already")
    if reading.hostile("ended-twice"):
        raise Problem(404, "no such room")


def _closing(asked: Asked, now: datetime) -> datetime:
    """Say when a room that is ended closes."""
    until = asked.given.get("leaveOpenUntil")
    if not until or asked.reading.hostile("leave-open-until"):
        return now
    when = _read(until, now)
    if when < now and asked.reading.strict("leave-open-until"):
        raise Problem(400, "lies in the past", at="leaveOpenUntil")
    return max(when, now)


def _read(text: str, now: datetime) -> datetime:
    """Read a moment; one that UTC has no year for is as far away as there is."""
    when = datetime.fromisoformat(text.upper())
    try:
        return when.astimezone(now.tzinfo)
    except OverflowError:
        return when.replace(tzinfo=now.tzinfo)


def invite(store: Store, asked: Asked) -> JSON:
    """Invite people to a room; each record is answered, with `error` where its person is not known."""
    with store.writing():
        room = the(store, "social", asked.given["socialId"])
        known = {each["invitedUserId"] for each in store.all("invite", room["socialId"])}
        before = len(known)
        replies = _invitations(store, room, asked, known)
        meta = {**room["socialMeta"]}
        meta["numberOfInvites"] += len(known) - before
        store.put(Document("social", room["socialId"], room["socialRoomSetId"], {**room, "socialMeta": meta}))
    return replies


def _invitations(store: Store, room: JSON, asked: Asked, known: set[str]) -> list[JSON]:
    """Invite each; read hostilely, every third is refused, and the last comes first."""
    reading = asked.reading
    if not reading.hostile("invited-person"):
        return [_invited(store, room, each, known, reading) for each in asked.body]
    refused = {"error": "try again later"}
    replies = [
        {**without_nulls(each), **refused} if number % 3 == 2 else _invited(store, room, each, known, reading)
        for number, each in enumerate(asked.body)
    ]
    return replies[::-1]


def _invited(store: Store, room: JSON, record: JSON, known: set[str], reading: Reading) -> JSON:
    user = _person(store, record, reading)
    base = {"socialId": room["socialId"], **without(record, "error", "socialInviteId", "didAttend", "socialId")}
    base = merged({}, base)
    if user is None:
        return {**base, "error": "no user with this id or e-mail address"}
    if user["userId"] in known:
        reading.meets("invited-twice")
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


def _person(store: Store, record: JSON, reading: Reading) -> JSON:
    given = record.get("invitedUser") or {}
    if not record.get("invitedUserId") and reading.strict("invited-person"):
        return None
    if key := record.get("invitedUserId") or given.get("userId"):
        return store.get("user", key.lower())
    address = given.get("emailAddress")
    return store.find("user", "emailAddress", address) if address else None


def list_cta_items(store: Store, asked: Asked) -> JSON:
    """List the call-to-action items of a room."""
    return page(store, ops.SOCIAL_CTA, "cta", the(store, "social", asked.given["socialId"])["socialId"], asked)
