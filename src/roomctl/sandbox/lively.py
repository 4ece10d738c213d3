"""People who come and go in the open rooms of a sandbox that is served, so that there is something to watch."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from random import Random
from threading import Event, Thread
from typing import Final

from roomctl.sandbox.store import Document, Store

PACE: Final = 2.0
"""Seconds between two steps."""
MOST_COMING: Final = 3


@contextmanager
def lively(store: Store) -> Iterator[None]:
    """Let people come and go while what is inside is done."""
    over, random = Event(), Random(store.meta("seed"))  # noqa: S311  (a world, not a secret)

    def live() -> None:
        while not over.wait(PACE):
            step(store, random)

    thread = Thread(target=live, name="lively", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def step(store: Store, random: Random) -> None:
    """Let some people come to each open room that is not full, and some leave; after its end they only leave."""
    with store.writing():
        now = store.now()
        for room in store.where("social", "isOpen", True):
            meta = {**(room.get("socialMeta") or {})}
            present, most = meta.get("numberCurrentlyPresent") or 0, room.get("maxParticipants") or 100
            ends = [datetime.fromisoformat(at.upper()) for at in (room.get("endDateTime"), room.get("_closesAt")) if at]
            staying = max(0, present - random.randint(0, 1 + present // 6))
            came = random.randint(0, MOST_COMING) if all(end > now for end in ends) else 0
            came = max(0, min(came, most - staying))
            meta["numberCurrentlyPresent"] = staying + came
            meta["numberOfAttendees"] = (meta.get("numberOfAttendees") or 0) + came
            room["socialMeta"] = meta
            store.put(Document("social", room["socialId"], room["socialRoomSetId"], room))
