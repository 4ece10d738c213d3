"""Operations 10 to 13 and 16: themes, transcriptions, recordings, playlists."""

from typing import Any

from roomctl.contract import operations as ops
from roomctl.sandbox import views
from roomctl.sandbox.asked import Asked
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.records import ME, identified, me, merged, page, the, without
from roomctl.sandbox.store import Document, Store, moment

JSON = Any
URIS = {
    "image": "previewImageURI",
    "imageFar": "imageFarURI",
    "imageMid": "imageMidURI",
    "imageNear": "imageNearURI",
}
"""Which address an image of a theme gets: `imageFarBytes` and `imageFarId` are those of `imageFarURI`."""


def save_theme(store: Store, asked: Asked) -> JSON:
    """Create a theme, or update the one whose id is in the body."""
    theme = asked.body.get("theme") or {}
    if len(asked.body) > 1:
        asked.reading.meets("theme-images")
    images = {name: value for name, value in asked.body.items() if name.endswith("Bytes") and value}
    with store.writing():
        old = identified(store, "theme", theme.get("socialThemeId"), asked.reading)
        if old is None:
            asked.demand(theme, "socialThemeName", "type")
        key = old["socialThemeId"] if old else store.new_id()
        doc = old or {"type": "SINGLE_COLOR", "multiSize": False, "dateCreated": moment(store.now())}
        doc = {**merged(doc, without(theme, "uploadStatus", "dateCreated")), "socialThemeId": key}
        doc |= _addresses(key, asked.body)
        if images:
            doc["uploadStatus"] = _uploaded(store)
            kept = store.get("image", key) or {}
            store.put(Document("image", key, "", {**kept, **images}))
        store.put(Document("theme", key, ME, doc))
    return doc


def _addresses(key: str, body: JSON) -> dict[str, str]:
    found = {}
    for name, field in URIS.items():
        if body.get(f"{name}Id"):
            found[field] = f"https://rooms.example.org/images/{body[f'{name}Id'].lower()}"
        if body.get(f"{name}Bytes"):
            found[field] = f"https://rooms.example.org/themes/{key}/{name}Bytes"
    return found


def _uploaded(store: Store) -> JSON:
    now, user = moment(store.now()), me(store).get("userId")
    status = {"requestStatusId": store.new_id(), "userId": user, "progress": 100}
    return {**status, "startedDateTime": now, "endedDateTime": now}


def process_transcription(store: Store, asked: Asked) -> JSON:
    """Start processing: a known transcription again, a new one where no id is given; COMPLETE a minute later."""
    body = asked.foreign("processingEndDateTime", "user")
    if not body.get("socialTranscriptionId") and asked.reading.strict("transcription-processing"):
        raise Problem(422, "is required", at="socialTranscriptionId")
    asked.reading.meets("transcription-processing")
    with store.writing():
        old = None
        if body.get("socialTranscriptionId"):
            old = the(store, "transcription", body["socialTranscriptionId"])
        if body.get("socialRoomSetId"):
            body["socialRoomSetId"] = the(store, "roomset", body["socialRoomSetId"])["socialRoomSetId"]
        key = old["socialTranscriptionId"] if old else store.new_id()
        doc = merged(without(old or {"name": "New transcription", "user": me(store)}, "processingEndDateTime"), body)
        doc |= {"socialTranscriptionId": key, "status": "PROCESSING"}
        doc["processingStartDateTime"] = moment(store.now())
        store.put(Document("transcription", key, ME, doc))
    return _queued(asked, [doc])[0]


def list_transcriptions(store: Store, asked: Asked) -> JSON:
    """List all transcriptions."""
    asked.reading.meets("transcriptions-included")
    views.settle(store, "transcription", "socialTranscriptionId", _end(asked, "transcription-states"))
    return _queued(asked, page(store, ops.TRANSCRIPTION_LIST, "transcription", ME, asked))


def list_recordings(store: Store, asked: Asked) -> JSON:
    """List the recordings of the key's user."""
    views.settle(store, "recording", "socialRecordingId", _end(asked, "recording-states"))
    return _queued(asked, page(store, ops.RECORDING_LIST, "recording", ME, asked))


def _end(asked: Asked, gap: str) -> str:
    """Say what becomes of what is processed."""
    return "FAILED" if asked.reading.hostile(gap) else "COMPLETE"


def _queued(asked: Asked, rows: list[JSON]) -> list[JSON]:
    """Show what is being processed; read hostilely, with a status that nobody knows."""
    hidden = {"status": "QUEUED"} if asked.reading.name == "hostile" else {}
    return [{**row, **hidden} if row.get("status") == "PROCESSING" else row for row in rows]


def create_playlist(store: Store, asked: Asked) -> JSON:
    """Make a playlist."""
    asked.demand(asked.body, "name", "type")
    with store.writing():
        key = store.new_id()
        doc = {"type": "FREE_PLAYLIST", "qty": 0, "duration": 0, "available": True, **merged({}, asked.body)}
        doc["playlistId"] = key
        store.put(Document("playlist", key, ME, doc))
    return doc
