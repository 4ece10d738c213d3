"""Records as they are answered: with what the passing of time has done to them."""

from datetime import datetime, timedelta
from typing import Any

from roomctl.sandbox.records import ME
from roomctl.sandbox.store import Document, Store, answered, moment

JSON = Any
PROCESSING = timedelta(minutes=1)
"""How long the sandbox processes a recording or a transcription."""


def current(store: Store, room: JSON) -> JSON:
    """Give a room as it stands now: closed, and empty, from the moment on that it closes at."""
    closes = room.get("_closesAt")
    if not closes or datetime.fromisoformat(closes) > store.now():
        return room
    meta = {**room["socialMeta"], "numberCurrentlyPresent": 0}
    return {**room, "isOpen": False, "endDateTime": closes, "socialMeta": meta}


def room(store: Store, document: JSON) -> JSON:
    """Give a room with its theme."""
    shown = current(store, document)
    theme = store.get("theme", shown["themeId"]) if shown.get("themeId") else None
    return answered({**shown, "theme": theme} if theme else shown)


def room_set(store: Store, document: JSON) -> JSON:
    """Give a room set with its rooms."""
    rooms = store.all("social", document["socialRoomSetId"])
    return {**document, "socials": [room(store, each) for each in rooms]}


def settle(store: Store, kind: str, key: str, end: str = "COMPLETE") -> None:
    """Write down what is processed by now, so that lists find and sort it as it is shown. `key` names the id."""
    if not any(_due(store, each) for each in store.among(kind, "status", "PROCESSING")):
        return
    with store.writing():
        for each in store.among(kind, "status", "PROCESSING"):
            if ended := _due(store, each):
                done = {**each, "status": end, "processingEndDateTime": ended}
                store.put(Document(kind, each[key], ME, done), touches=False)


def _due(store: Store, document: JSON) -> str:
    """Say when the processing of a record has ended; empty while it goes on."""
    done = datetime.fromisoformat(document["processingStartDateTime"]) + PROCESSING
    return "" if done > store.now() else moment(done)
