"""What the sandbox does when an operation is asked: HANDLERS. Choices of ours are named in `gaps`."""

from collections.abc import Callable
from typing import Any

from roomctl.contract import operations as ops
from roomctl.sandbox import entry, media, rooms, roomsets
from roomctl.sandbox.asked import Asked
from roomctl.sandbox.records import page, the
from roomctl.sandbox.store import Store

JSON = Any


def get_user(store: Store, asked: Asked) -> JSON:
    """Answer a user."""
    return the(store, "user", asked.given["userId"])


def list_registrations(store: Store, asked: Asked) -> JSON:
    """List the registrations of an event."""
    event = the(store, "event", asked.given["socialEventId"])
    return page(store, ops.REGISTRATION_LIST, "registration", event["socialEventId"], asked)


HANDLERS: dict[str, Callable[[Store, Asked], JSON]] = {
    ops.ROOMSET_CREATE.name: roomsets.create_room_set,
    ops.ROOMSET_UPDATE.name: roomsets.update_room_set,
    ops.ROOMSET_LIST.name: roomsets.list_room_sets,
    ops.ROOMSET_COPY.name: roomsets.copy_room_set,
    ops.SOCIAL_CREATE.name: rooms.create_room,
    ops.SOCIAL_COPY.name: rooms.copy_room,
    ops.SOCIAL_END.name: rooms.end_room,
    ops.INVITE_SEND.name: rooms.invite,
    ops.SOCIAL_CTA.name: rooms.list_cta_items,
    ops.THEME_SAVE.name: media.save_theme,
    ops.TRANSCRIPTION_PROCESS.name: media.process_transcription,
    ops.TRANSCRIPTION_LIST.name: media.list_transcriptions,
    ops.RECORDING_LIST.name: media.list_recordings,
    ops.RULES_SAVE.name: entry.save_rules,
    ops.RULES_GET.name: entry.get_rules,
    ops.PLAYLIST_CREATE.name: media.create_playlist,
    ops.USER_GET.name: get_user,
    ops.REGISTRATION_LIST.name: list_registrations,
}
