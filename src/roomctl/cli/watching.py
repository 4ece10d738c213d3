"""Looking at the rooms of a set again and again (operation 3)."""

import time
from collections.abc import Iterator
from typing import Any

from roomctl.cli.lookup import room_set
from roomctl.cli.session import Answer, Session
from roomctl.cli.times import wire
from roomctl.contract.rooms import rooms
from roomctl.errors import WrongCall

JSON = Any
_ENDLESS = ("table", "ndjson")
PICTURE = "occupancy"


def watch(session: Session, which: str, *, interval: float, times: int | None) -> Answer:
    """Look at a set `times` times, for ever without it; each look is a row. Raises WrongCall, NotFound."""
    form = session.output_format()
    given = session.given
    whole = form not in _ENDLESS or (form == "table" and given.fields) or given.sort_by or given.to is not None
    if times is None and whole:
        raise WrongCall("a result that is written when it is whole needs an end: `--times N`", hint="or `-o ndjson`")
    return Answer(_looks(session, which, interval, times), "Occupancy", picture=PICTURE)


def _looks(session: Session, which: str, interval: float, times: int | None) -> Iterator[JSON]:
    done = 0
    while True:
        record = room_set(session, which)
        which = str(record.get("socialRoomSetId") or which)  # a set that is renamed stays the one that was asked for
        yield seen(record, wire(session.now()))
        done += 1
        if done == times:
            return
        time.sleep(interval)


def seen(record: JSON, at: str) -> JSON:
    """What is seen of a set at a moment: its rooms, whether they are open, how many people are present."""
    return {
        "at": at,
        "socialRoomSetId": record.get("socialRoomSetId"),
        "name": record.get("name"),
        "socials": [
            {**{name: room.get(name) for name in ("socialId", "name", "isOpen")}, "socialMeta": _present(room)}
            for room in rooms(record)
        ],
    }


def _present(room: JSON) -> JSON:
    meta = room.get("socialMeta")
    return {"numberCurrentlyPresent": meta.get("numberCurrentlyPresent") if isinstance(meta, dict) else None}
