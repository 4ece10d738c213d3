"""Records as they are answered: with what the passing of time has done to them."""

from datetime import datetime, timedelta
from typing import Any

from roomctl.sandbox.store import Store, answered, moment

JSON = Any
PROCESSING = timedelta(minutes=1)
"""How long the sandbox processes a recording or a transcription."""


def current(store: Store, room: JSON) -> JSON:
    """A room as it stands now: closed, and empty, from the moment on that it closes at."""
    closes = room.get("_closesAt")
    if not closes or datetime.fromisoformat(closes) > store.now():
        return room
    meta = {**room["socialMeta"], "numberCurrentlyPresent": 0}
    return {**room, "isOpen": False, "endDateTime": closes, "socialMeta": meta}


def room(store: Store, document: JSON) -> JSON:
    """A room with its theme."""
    shown = current(store, document)
    theme = store.get("theme", shown["themeId"].lower()) if shown.get("themeId") else None
    return answered({**shown, "theme": theme} if theme else shown)


def room_set(store: Store, document: JSON) -> JSON:
    """A room set with its rooms."""
    rooms = store.all("social", document["socialRoomSetId"])
    return answered({**document, "socials": [room(store, each) for each in rooms]})


def recording(store: Store, document: JSON) -> JSON:
    """A recording, processed or not by now."""
    return answered(_processed(store, document))


def transcription(store: Store, document: JSON) -> JSON:
    """A transcription, processed or not by now."""
    return answered(_processed(store, document))


def _processed(store: Store, document: JSON) -> JSON:
    if document.get("status") != "PROCESSING" or not document.get("processingStartDateTime"):
        return document
    done = datetime.fromisoformat(document["processingStartDateTime"]) + PROCESSING
    if done > store.now():
        return document
    return {**document, "status": document.get("_ends", "COMPLETE"), "processingEndDateTime": moment(done)}
