"""Operations 14 and 15: entry rules configurations."""

from collections.abc import Iterable
from typing import Any

from roomctl.sandbox.asked import Asked
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.readings import Reading
from roomctl.sandbox.records import merged, the, without
from roomctl.sandbox.store import Document, Store

JSON = Any


def save_rules(store: Store, asked: Asked) -> JSON:
    """Save an entry configuration, a new one where no id is given; its rooms name it from then on."""
    body = asked.body
    with store.writing():
        parent = the(store, "roomset", asked.given["socialRoomSetId"])["socialRoomSetId"]
        rooms = store.all("social", parent)
        old = _saved(store, parent, body.get("configurationId"), asked.reading)
        key = old["configurationId"] if old else store.new_id()
        everyone = [each["socialId"] for each in rooms]
        doc = {**merged(old or {"entryOption": "DEFAULT", "rules": []}, body), "configurationId": key}
        doc["associatedSocialIds"] = _named(doc.get("associatedSocialIds", () if old else everyone), everyone)
        store.put(Document("config", key, parent, doc))
        for room in rooms:
            _associate(store, room, key, room["socialId"] in doc["associatedSocialIds"])


def _saved(store: Store, parent: str, key: str | None, reading: Reading) -> JSON:
    reading.meets("create-or-update", "rooms-of-rules")
    if not key:
        return None
    known = {each["configurationId"] for each in store.all("config", parent)}
    return None if reading.name == "hostile" and key.lower() not in known else _config(store, parent, key)


def _named(keys: Iterable[str], everyone: list[str]) -> list[str]:
    named = list(dict.fromkeys(each.lower() for each in keys))
    if not set(named) <= set(everyone):
        raise Problem(422, "names a room that is not in the set", at="associatedSocialIds")
    return named


def _associate(store: Store, room: JSON, key: str, wanted: bool) -> None:
    """Let a room name a configuration, or no longer."""
    if wanted == (room.get("configurationId") == key):
        return
    changed = {**room, "configurationId": key} if wanted else without(room, "configurationId")
    store.put(Document("social", room["socialId"], room["socialRoomSetId"], changed))


def get_rules(store: Store, asked: Asked) -> JSON:
    """Answer an entry configuration of a set."""
    parent = the(store, "roomset", asked.given["socialRoomSetId"])["socialRoomSetId"]
    return _config(store, parent, asked.given["configurationId"])


def _config(store: Store, parent: str, key: str) -> JSON:
    for each in store.all("config", parent):
        if each["configurationId"] == key.lower():
            return each
    raise Problem(404, f"no entry configuration {key} of room set {parent}")
