"""Looking again and again: until something is processed, or at the rooms of sets (operations 3, 12, 13)."""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from roomctl.cli.lists import with_id
from roomctl.cli.lookup import ROOM, SET, named_rooms, rooms_unseen, sets_named
from roomctl.cli.options import option
from roomctl.cli.progress import progress
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.times import seconds, wire
from roomctl.contract.operations import Operation
from roomctl.contract.records import by_id
from roomctl.contract.rooms import all_rooms, hides_rooms, is_open, present_in, rooms
from roomctl.errors import NotFound, NotYet, Partial, WrongCall

_SETS = "`roomctl roomset tree` shows the rooms of your sets"
MAX_WAIT = option(
    "--max-wait", "give up after this time: 30s, 5m, 2h", "TIME", seconds, default=7200.0, show_default="2h"
)
INTERVAL = option("--interval", "time between checks", "TIME", seconds, default=30.0, show_default="30s")


def wait(session: Session, operation: Operation, key: str, *, max_wait: float, interval: float) -> Answer:
    """Look until a record's status is COMPLETE or FAILED. Raises NotYet, NotFound; FAILED is a Partial."""
    resource, start = operation.resource, time.monotonic()
    kind = resource.lower()
    with progress(session, resume="run the same command again to keep waiting") as counted:
        while True:
            record = with_id(session, operation, key)
            status = record.get("status")
            if status == "COMPLETE":
                return Answer(record, resource)
            if status == "FAILED":
                hint = "`-o json` shows what the service reports; waiting longer changes nothing"
                return Answer(record, resource, Partial(f"the processing of {kind} {key} failed", hint=hint))
            now = f"{kind} {key} is still {status}" if status else f"the status of {kind} {key} is not shown"
            left = start + max_wait - time.monotonic()
            if left <= 0:
                raise NotYet(f"{now} after {max_wait:g} s", hint="run the same command again")
            if (shown := status or "not shown") != counted.detail:
                session.note(f"{now.replace(' still ', ' ')}; checking every {interval:g} s")
            counted.update(0, shown)
            time.sleep(min(interval, left))


def watch(
    session: Session,
    which: Sequence[str],
    *,
    interval: float,
    times: int | None = None,
    until: Callable[[JSON], bool] | None = None,
    max_wait: float | None = None,
) -> Answer:
    """Look at sets, all without any named: `times` times, or until something holds of all rooms, or for ever.

    Each look is a row for each set. Raises WrongCall, NotFound; the answer's doubt is NotYet after `max_wait` seconds.
    """
    form, given = session.output_format(), session.given
    drawn = form == "table" and not given.fields
    endless = times is None and until is None
    if endless and (not (form == "ndjson" or drawn) or given.sort_by or given.to is not None):
        raise WrongCall(
            "this output format is written at the end, so the watch needs an end: `--times N`", hint="or `-o ndjson`"
        )
    if max_wait is not None and until is None:
        raise WrongCall("`--max-wait` is for `--until-empty` and `--until-closed`", hint="`--times N` ends a watch")
    session.watching = until is None
    looks = _looks(session, which, interval, times, until, max_wait)
    return Answer(looks if drawn else chain.from_iterable(looks), "Occupancy", picture="occupancy")


def _looks(
    session: Session,
    which: Sequence[str],
    interval: float,
    times: int | None,
    until: Callable[[JSON], bool] | None,
    max_wait: float | None,
) -> Iterator[list[JSON]]:
    start, done = time.monotonic(), 0
    any_room, waiting = False, set[str]()
    while True:
        before, session.doubt = session.doubt, None
        try:
            sets = sets_named(session, which)
        except NotFound as missing:
            raise NotFound(
                missing.message + ", which the last check still showed" * bool(done), hint=missing.hint
            ) from None
        session.doubt = rooms_unseen(sets, session.doubt)
        proven = session.doubt is None and session.mine is not None and session.mine.doubt is None
        if which and proven:
            which = [str(each.get(SET)) for each in sets]  # what is renamed stays what was asked for
        yield [_occupancy(session, each) for each in sets]
        done += 1
        if until is not None:
            found = by_id(all_rooms(sets), ROOM)
            shown = by_id(session.mine.rooms, ROOM)  # in whichever of my sets; of one that is not shown nothing holds
            waiting = {key for key in {*waiting, *found} if key not in shown or not until(shown[key])}
            any_room = any_room or bool(found)
            if proven and not waiting:
                session.doubt = None if any_room else NotYet("no room to wait for", hint=_SETS)
                return
        session.doubt = before or session.doubt
        if done == times:
            break
        left = interval if max_wait is None else start + max_wait - time.monotonic()
        if left <= 0:
            break
        time.sleep(min(interval, left))
    if until is not None:
        shown = by_id(session.mine.rooms, ROOM)
        gone = [key for key in waiting if key not in shown]
        more = f"; no longer shown: {named_rooms(session, gone)}" if gone else ""
        session.doubt = NotYet(
            f"this is not yet true of every room{more}", hint="run the same command again to keep waiting"
        )


def is_empty(room: JSON) -> bool:
    """Whether a room shows that nobody is present."""
    return present_in(room) == 0


def is_closed(room: JSON) -> bool:
    """Whether a room shows that it is closed."""
    return is_open(room) is False


def _occupancy(session: Session, record: JSON) -> JSON:
    """What is seen of a set now: of each room whether it is open, how many people are present, and how many may be."""
    found = rooms(record)
    return {
        "at": wire(session.now()),
        **{name: record.get(name) for name in (SET, "name")},
        "socials": None if hides_rooms(record) and not found else [_room(each) for each in found],
    }


def _room(room: JSON) -> JSON:
    meta = room.get("socialMeta")
    present = meta.get("numberCurrentlyPresent") if isinstance(meta, dict) else None
    shown = {name: room.get(name) for name in ("socialId", "name", "isOpen", "maxParticipants")}
    return {**shown, "socialMeta": {"numberCurrentlyPresent": present}}
