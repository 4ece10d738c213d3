"""Operations 1 to 4: room sets."""

from typing import Any

from roomctl.contract import operations as ops
from roomctl.sandbox import views
from roomctl.sandbox.asked import Asked
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.records import ME, lowered, me, merged, page, the, without
from roomctl.sandbox.rooms import copied
from roomctl.sandbox.store import Document, Store

JSON = Any
DEFAULTS = {
    "groupFormerCount": 0,
    "anyoneCanStart": False,
    "allowGuestUsers": False,
    "hostAdmitted": False,
    "socialPermissionType": "COMPANY",
    "alternateHosts": list[JSON](),
}


def create_room_set(store: Store, asked: Asked) -> JSON:
    """Make a set; the ids are those of rooms that move into it."""
    with store.writing():
        named = [] if asked.body and asked.reading.hostile("room-set-ids") else asked.body
        rooms = [the(store, "social", each) for each in dict.fromkeys(key.lower() for key in named)]
        key = store.new_id()
        doc = {"socialRoomSetId": key, "name": "New room set", "entryOption": "DEFAULT", **DEFAULTS}
        doc["hostUser"] = me(store)
        store.put(Document("roomset", key, ME, doc))
        for room in rooms:
            store.move(Document("social", room["socialId"], key, {**room, "socialRoomSetId": key}))
        return views.room_set(store, doc)


def update_room_set(store: Store, asked: Asked) -> JSON:
    """Change the fields that are named; the set's rooms and host stay."""
    key = asked.body.get("socialRoomSetId")
    if not key:
        raise Problem(422, "is required", at="socialRoomSetId")
    with store.writing():
        old = the(store, "roomset", key)
        body = lowered(without(asked.foreign("socials", "hostUser"), "socialRoomSetId"), "startingPointSocialId")
        store.put(Document("roomset", old["socialRoomSetId"], ME, merged(old, body)))


def list_room_sets(store: Store, asked: Asked) -> JSON:
    """List the sets with their rooms."""
    return [views.room_set(store, each) for each in page(store, ops.ROOMSET_LIST, "roomset", ME, asked)]


def copy_room_set(store: Store, asked: Asked) -> JSON:
    """Copy a set with its rooms, settings and entry rules, each with a new id; nobody is in the copies."""
    asked.reading.meets("copies", "other-lifecycles")
    with store.writing():
        old = the(store, "roomset", asked.given["socialRoomSetId"])
        source, key = old["socialRoomSetId"], store.new_id()
        configs = {each["configurationId"]: store.new_id() for each in store.all("config", source)}
        rooms = {
            each["socialId"]: copied(store, each, key, configs)["socialId"] for each in store.all("social", source)
        }
        for config in store.all("config", source):
            store.put(_config(config, key, configs, rooms))
        new = {**old, "socialRoomSetId": key, "name": asked.given["roomSetName"]}
        if new.get("startingPointSocialId") in rooms:
            new["startingPointSocialId"] = rooms[new["startingPointSocialId"]]
        store.put(Document("roomset", key, ME, new))
        return views.room_set(store, new)


def _config(config: JSON, parent: str, configs: dict[str, str], rooms: dict[str, str]) -> Document:
    key = configs[config["configurationId"]]
    named = [rooms[each] for each in config.get("associatedSocialIds", ()) if each in rooms]
    return Document("config", key, parent, {**config, "configurationId": key, "associatedSocialIds": named})
