"""What the sandbox does for each operation: HANDLERS. Choices of ours are named in `gaps`.

What writes is called while the store's one write lock is held: all of what it does is kept, or none.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from roomctl.contract import operations as ops
from roomctl.sandbox.handlers import media, rooms, roomsets
from roomctl.sandbox.handlers.records import page, record
from roomctl.sandbox.request import Request
from roomctl.sandbox.store import Store
from roomctl.text import JSON

Handler = Callable[[Store, Request], JSON]


def _lister(kind: str, parent: str, key: str) -> Handler:
    return lambda store, request: page(store, kind, record(store, parent, request.params[key])[key], request)


HANDLERS: Final[Mapping[str, Handler]] = {
    ops.ROOMSET_CREATE.name: roomsets.create_room_set,
    ops.ROOMSET_UPDATE.name: roomsets.update_room_set,
    ops.ROOMSET_LIST.name: roomsets.list_room_sets,
    ops.ROOMSET_COPY.name: roomsets.copy_room_set,
    ops.SOCIAL_CREATE.name: rooms.create_room,
    ops.SOCIAL_COPY.name: rooms.copy_room,
    ops.SOCIAL_END.name: rooms.end_room,
    ops.INVITE_SEND.name: rooms.invite,
    ops.SOCIAL_CTA.name: _lister("cta", "social", "socialId"),
    ops.THEME_SAVE.name: media.save_theme,
    ops.TRANSCRIPTION_PROCESS.name: media.process_transcription,
    ops.TRANSCRIPTION_LIST.name: partial(media.list_processed, "transcription"),
    ops.RECORDING_LIST.name: partial(media.list_processed, "recording"),
    ops.RULES_SAVE.name: roomsets.save_rules,
    ops.RULES_GET.name: roomsets.get_rules,
    ops.PLAYLIST_CREATE.name: media.create_playlist,
    ops.USER_GET.name: lambda store, request: record(store, "user", request.params["userId"]),
    ops.REGISTRATION_LIST.name: _lister("registration", "event", "socialEventId"),
}
