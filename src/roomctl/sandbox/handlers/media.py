"""Operations 10 to 13 and 16: themes, transcriptions, recordings, playlists."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from roomctl.sandbox.handlers.records import ME, me, merge, page, record, record_to_update, without
from roomctl.sandbox.request import Problem, Request
from roomctl.sandbox.store import Document, Store, moment
from roomctl.text import JSON

PROCESSING: Final = timedelta(minutes=1)  # how long the sandbox processes a recording or a transcription
URIS = {"image": "previewImageURI", **{f"image{each}": f"image{each}URI" for each in ("Far", "Mid", "Near")}}
"""Which address an image of a theme gets: `imageFarBytes` and `imageFarId` are those of `imageFarURI`."""


def save_theme(store: Store, request: Request) -> JSON:
    theme = request.body.get("theme") or {}
    if len(request.body) > 1:
        request.strictness.note("theme-images")
    images = {name: value for name, value in request.body.items() if name.endswith("Bytes") and value}
    old = record_to_update(store, "theme", theme.get("socialThemeId"), request)
    if old is None:
        request.require(theme, "socialThemeName", "type")
    key = old["socialThemeId"] if old else store.new_id()
    doc = old or {"type": "SINGLE_COLOR", "multiSize": False, "dateCreated": moment(store.now())}
    doc = {**merge(doc, without(theme, "uploadStatus", "dateCreated")), "socialThemeId": key}
    for name, field in URIS.items():
        if request.body.get(f"{name}Id"):
            doc[field] = f"https://rooms.example.org/images/{request.body[f'{name}Id'].lower()}"
        if request.body.get(f"{name}Bytes"):
            doc[field] = f"https://rooms.example.org/themes/{key}/{name}Bytes"
    if images:
        now, user = moment(store.now()), me(store).get("userId")
        status = {"requestStatusId": store.new_id(), "userId": user, "progress": 100}
        doc["uploadStatus"] = {**status, "startedDateTime": now, "endedDateTime": now}
        kept = store.get("image", key) or {}
        store.put(Document("image", key, "", {**kept, **images}))
    store.put(Document("theme", key, ME, doc))
    return doc


def process_transcription(store: Store, request: Request) -> JSON:
    """Start processing: a known transcription again, a new one where no id is given; COMPLETE a minute later."""
    body = request.body_without("processingEndDateTime", "user")
    known = body.get("socialTranscriptionId")
    if request.strictness.strict("transcription-processing") and not known:
        raise Problem(422, "is required", at="socialTranscriptionId")
    old = record(store, "transcription", known) if known else None
    if body.get("socialRoomSetId"):
        body["socialRoomSetId"] = record(store, "roomset", body["socialRoomSetId"])["socialRoomSetId"]
    key = old["socialTranscriptionId"] if old else store.new_id()
    doc = merge(without(old or {"name": "New transcription", "user": me(store)}, "processingEndDateTime"), body)
    doc |= {"socialTranscriptionId": key, "status": "PROCESSING"}
    doc["processingStartDateTime"] = moment(store.now())
    store.put(Document("transcription", key, ME, doc))
    return _queued(request, [doc])[0]


def list_processed(kind: str, store: Store, request: Request) -> list[JSON]:
    """List what is processed; what has ended is stored so first, that it may be found and sorted as it is shown."""
    key = str(request.operation.row_id)
    if kind == "transcription":
        request.strictness.note("transcriptions-included")
    status = "FAILED" if request.strictness.hostile(f"{kind}-states") else "COMPLETE"

    def ended() -> Iterator[Document]:
        for each in store.where(kind, "status", "PROCESSING"):
            at = datetime.fromisoformat(each["processingStartDateTime"]) + PROCESSING
            if at <= store.now():
                yield Document(kind, each[key], ME, {**each, "status": status, "processingEndDateTime": moment(at)})

    if any(ended()):
        with store.writing():
            store.put(*ended())
    return _queued(request, page(store, kind, ME, request))


def _queued(request: Request, rows: list[JSON]) -> list[JSON]:
    hidden = {"status": "QUEUED"} if request.strictness.level == "hostile" else {}
    return [{**row, **hidden} if row.get("status") == "PROCESSING" else row for row in rows]


def create_playlist(store: Store, request: Request) -> JSON:
    request.require(request.body, "name", "type")
    key = store.new_id()
    doc = {"type": "FREE_PLAYLIST", "qty": 0, "duration": 0, "available": True, **merge({}, request.body)}
    doc["playlistId"] = key
    store.put(Document("playlist", key, ME, doc))
    return doc
