"""Operations 1 to 4, 14 and 15: room sets and their entry rules."""

from roomctl.sandbox.handlers.records import ME, lower, me, merge, page, record, without
from roomctl.sandbox.handlers.rooms import copy, show
from roomctl.sandbox.request import Problem, Request
from roomctl.sandbox.store import Document, Store
from roomctl.text import JSON

DEFAULTS = {
    "groupFormerCount": 0, "anyoneCanStart": False, "allowGuestUsers": False, "hostAdmitted": False,
    "socialPermissionType": "COMPANY", "alternateHosts": list[JSON](),
}  # fmt: skip


def create_room_set(store: Store, request: Request) -> JSON:
    """Make a set; the ids are those of rooms that move into it."""
    named = [] if request.body and request.strictness.hostile("room-set-ids") else request.body
    rooms = [record(store, "social", each) for each in dict.fromkeys(key.lower() for key in named)]
    key = store.new_id()
    doc = {"socialRoomSetId": key, "name": "New room set", "entryOption": "DEFAULT", **DEFAULTS}
    doc["hostUser"] = me(store)
    store.put(Document("roomset", key, ME, doc))
    for room in rooms:
        store.move(Document("social", room["socialId"], key, {**room, "socialRoomSetId": key}))
    return _show(store, doc)


def update_room_set(store: Store, request: Request) -> JSON:
    key = request.body.get("socialRoomSetId")
    if not key:
        raise Problem(422, "is required", at="socialRoomSetId")
    old = record(store, "roomset", key)
    body = lower(without(request.body_without("socials", "hostUser"), "socialRoomSetId"), "startingPointSocialId")
    store.put(Document("roomset", old["socialRoomSetId"], ME, merge(old, body)))


def list_room_sets(store: Store, request: Request) -> JSON:
    return [_show(store, each) for each in page(store, "roomset", ME, request)]


def copy_room_set(store: Store, request: Request) -> JSON:
    """Copy a set with its rooms, settings and entry rules, each with a new id; nobody is in the copies."""
    request.strictness.note("copies", "other-lifecycles")
    old = record(store, "roomset", request.params["socialRoomSetId"])
    source, key = old["socialRoomSetId"], store.new_id()
    configs = {each["configurationId"]: store.new_id() for each in store.all("config", source)}
    rooms = {each["socialId"]: copy(store, each, key, configs)["socialId"] for each in store.all("social", source)}
    for config in store.all("config", source):
        own, named = configs[config["configurationId"]], config.get("associatedSocialIds", ())
        copied = {"configurationId": own, "associatedSocialIds": [rooms[each] for each in named if each in rooms]}
        store.put(Document("config", own, key, {**config, **copied}))
    new = {**old, "socialRoomSetId": key, "name": request.params["roomSetName"]}
    if new.get("startingPointSocialId") in rooms:
        new["startingPointSocialId"] = rooms[new["startingPointSocialId"]]
    store.put(Document("roomset", key, ME, new))
    return _show(store, new)


def save_rules(store: Store, request: Request) -> JSON:
    """Save an entry configuration, a new one where no id is given; its rooms name it from then on."""
    body = request.body
    parent = record(store, "roomset", request.params["socialRoomSetId"])["socialRoomSetId"]
    rooms = store.all("social", parent)
    request.strictness.note("create-or-update", "rooms-of-rules")
    old, asked = None, body.get("configurationId")
    known = {each["configurationId"] for each in store.all("config", parent)}
    if asked and (asked.lower() in known or request.strictness.level != "hostile"):
        old = get_rules(store, request, asked)
    key = old["configurationId"] if old else store.new_id()
    everyone = [each["socialId"] for each in rooms]
    doc = {**merge(old or {"entryOption": "DEFAULT", "rules": []}, body), "configurationId": key}
    named = dict.fromkeys(each.lower() for each in doc.get("associatedSocialIds", () if old else everyone))
    if not named.keys() <= set(everyone):
        raise Problem(422, "names a room that is not in the set", at="associatedSocialIds")
    store.put(Document("config", key, parent, {**doc, "associatedSocialIds": list(named)}))
    for room in rooms:
        if (room["socialId"] in named) != (room.get("configurationId") == key):
            wanted = room["socialId"] in named
            changed = {**room, "configurationId": key} if wanted else without(room, "configurationId")
            store.put(Document("social", room["socialId"], parent, changed))


def get_rules(store: Store, request: Request, key: str = "") -> JSON:
    """Give the entry rules of a set that have the id in the path, or another `key`. Raises Problem 404."""
    parent = record(store, "roomset", request.params["socialRoomSetId"])["socialRoomSetId"]
    key = key or request.params["configurationId"]
    for each in store.all("config", parent):
        if each["configurationId"] == key.lower():
            return each
    raise Problem(404, f"no entry configuration {key} of room set {parent}")


def _show(store: Store, document: JSON) -> JSON:
    return {**document, "socials": [show(store, each) for each in store.all("social", document["socialRoomSetId"])]}
