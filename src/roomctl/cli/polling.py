"""Looking again and again: until something is processed, or at the rooms of a set (operations 3, 12, 13)."""

import time
from collections.abc import Iterator
from typing import Annotated, Any

from roomctl.cli.lists import with_id
from roomctl.cli.lookup import room_set, rooms_unseen
from roomctl.cli.options import option
from roomctl.cli.progress import progress
from roomctl.cli.session import Answer, Session
from roomctl.cli.times import seconds, wire
from roomctl.contract.operations import Operation
from roomctl.contract.rooms import hides_rooms, rooms
from roomctl.errors import NotFound, NotYet, Partial, WrongCall
from roomctl.output.progress import Progress

JSON = Any
MaxWait = Annotated[float, option("--max-wait", "give up after this: 30s, 5m, 2h", "TIME", seconds, show_default="2h")]
Interval = Annotated[float, option("--interval", "time between two looks", "TIME", seconds, show_default="30s")]


def wait(session: Session, operation: Operation, key: str, *, max_wait: float, interval: float) -> Answer:
    """Look until a record's status is COMPLETE or FAILED. Raises NotYet, NotFound; FAILED is a Partial."""
    with progress(session, resume="run the same command again to go on waiting") as counted:
        return _wait(session, operation, key, max_wait, interval, counted)


def _wait(
    session: Session, operation: Operation, key: str, max_wait: float, interval: float, counted: Progress
) -> Answer:
    resource, start = operation.resource, time.monotonic()
    kind = resource.lower()
    while True:
        record = with_id(session, operation, key)
        if record is None:
            raise NotFound(f"no {kind} with the id {key} is in the list", hint=f"`roomctl {kind} list` shows them")
        status = record.get("status")
        if status == "COMPLETE":
            return Answer(record, resource)
        if status == "FAILED":
            hint = "`-o json` shows all that the service says of it; waiting longer changes nothing"
            return Answer(record, resource, Partial(f"the processing of {kind} {key} failed", hint=hint))
        now = f"{kind} {key} is still {status}" if status else f"the status of {kind} {key} is not shown"
        left = start + max_wait - time.monotonic()
        if left <= 0:
            raise NotYet(f"{now} after {max_wait:g} s", hint="run the same command again")
        if (shown := status or "not shown") != counted.detail:
            session.note(f"{now.replace(' still ', ' ')}; looking again every {interval:g} s")
        counted.update(0, shown)
        time.sleep(min(interval, left))


def watch(session: Session, which: str, *, interval: float, times: int | None) -> Answer:
    """Look at a set `times` times, for ever without it; each look is a row. Raises WrongCall, NotFound."""
    form, given = session.output_format(), session.given
    streams = form == "ndjson" or (form == "table" and not given.fields)
    if times is None and (not streams or given.sort_by or given.to is not None):
        raise WrongCall("a result that is written when it is whole needs an end: `--times N`", hint="or `-o ndjson`")
    return Answer(_looks(session, which, interval, times), "Occupancy", picture="occupancy")


def _looks(session: Session, which: str, interval: float, times: int | None) -> Iterator[JSON]:
    done = 0
    while True:
        record = room_set(session, which)
        which = str(record.get("socialRoomSetId") or which)  # a set that is renamed stays the one that was asked for
        session.doubt = session.doubt or rooms_unseen([record], None)
        found = rooms(record)
        yield {
            "at": wire(session.now()),
            **{name: record.get(name) for name in ("socialRoomSetId", "name")},
            "socials": None if hides_rooms(record) and not found else [_occupancy(room) for room in found],
        }
        done += 1
        if done == times:
            return
        time.sleep(interval)


def _occupancy(room: JSON) -> JSON:
    """What is seen of a room: whether it is open, how many people are present."""
    meta = room.get("socialMeta")
    present = meta.get("numberCurrentlyPresent") if isinstance(meta, dict) else None
    shown = {name: room.get(name) for name in ("socialId", "name", "isOpen")}
    return {**shown, "socialMeta": {"numberCurrentlyPresent": present}}
