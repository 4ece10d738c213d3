"""Why a step of a plan is not sent, or may not be: what a plan says of it."""

from collections.abc import Sequence
from typing import Final

from roomctl.events.plan import Step

UNKNOWN: Final = "outcome unknown (`--retry-unknown` resends it)"
GONE: Final = "an earlier run found it, but no set of this name is shown now; `--retry-unknown` creates a new one"
UNSEEN: Final = "not shown by the service, so it may exist already: skipped; `--send-unseen` sends it"
UNSURE: Final = "it is not known whether {} exists"
NO_ID: Final = "it uses the theme {}, whose id is not known: add it to the file"
CHANGED: Final = "sent at {} with other {}; `--send-unseen` sends it as it is now"
SECOND: Final = "it may exist already: sending it may create a second one"
IMAGES: Final = "the service returns only their addresses: `--send-unseen` sends them again"
FAILED: Final = "the service could not store the images: {}; `--send-unseen` sends them again"
NEW_SET: Final = "to create a new set from this file, change `room_set` and remove any `id`"
NO_CHANGE: Final = (
    "the API cannot change an existing room: change it in the service's own interface, or end it and add a new one; "
    f"{NEW_SET}"
)
OTHERWISE: Final = "it was created {} with other content: if it is as the file says now, add its `id`"
CLOSED: Final = f"it is closed, and the service cannot reopen rooms: to create a new room, change its name; {NEW_SET}"
REPLACED: Final = (
    "an earlier run created another {} of this name, {}; to use the one that is shown now, add its `id`: {}"
)
DELETED: Final = "the service says, in its `{}`, that it is deleted or not valid"


def requested(when: str, sets: Sequence[str]) -> str:
    """Say which sets may be the one that an earlier run requested."""
    found = (
        f"one of these may be that set: {', '.join(sets)}" if len(sets) > 1 else "no set that is shown can be that one"
    )
    found = f"{sets[0]} may be that set" if len(sets) == 1 else found
    return f"an earlier run asked for it at {when}; {found}"


def lost(room: Step) -> str:
    """Say why nothing can name a room that is not there; empty where something can."""
    told = {"unknown": UNSURE, "cannot": "{} cannot be created"}.get(room.action, "") if not room.id else ""
    return told.format(room.key)
