"""`roomctl social watch`: the rooms of sets, looked at again and again (operation 3)."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

from roomctl.cli.lookup import ROOM, SET, named_rooms, rooms_unseen, sets_watched
from roomctl.cli.options import Commands, argument, flag, option
from roomctl.cli.parsers import at_least
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.time_values import seconds, wire
from roomctl.contract.operations import ROOMSET_LIST
from roomctl.contract.records import by_id, error_of
from roomctl.contract.rooms import all_rooms, hides_rooms, is_open, present_in, rooms
from roomctl.errors import NotYet, WrongCall
from roomctl.text.counted import numbered

commands = Commands()
SETS = "`roomctl roomset tree` shows the rooms of your sets"
UNTIL = "--until-empty --until-closed"


@commands.verb("watch", calls=[ROOMSET_LIST], exits=[8, 130, 143])
def watch(
    session: Session,
    which: list[str] | None = argument("[SET|ROOM]..."),
    interval: float = option("--interval", "TIME", seconds, default=5.0, show_default="5s"),
    times: int | None = option("--times", "N", at_least(1)),
    until_empty: bool = flag("--until-empty"),
    until_closed: bool = flag("--until-closed"),
    max_wait: float | None = option("--max-wait", "TIME", seconds, needs=UNTIL),
) -> Answer:
    """Watch rooms, or all the rooms of a set, until Ctrl-C: open or closed, and how many people are present."""
    until = partial(holds, empty=until_empty, closed=until_closed) if until_empty or until_closed else None
    form, given = session.output_format(), session.given
    drawn = form == "table" and not (given.fields or given.sort_by or given.expression)
    endless = times is None and until is None
    if endless and (not (form == "ndjson" or drawn) or given.sort_by or given.to is not None):
        raise WrongCall(
            "this output format is written at the end, but the watch has no end", hint="add `--times N` or `-o ndjson`"
        )
    session.parting, session.resume = "", "run the same command again to keep waiting" if until else ""
    looks = _looks(session, [*dict.fromkeys(which or ())], interval, times, until, max_wait)
    return Answer(looks if drawn else chain.from_iterable(looks), "Occupancy", picture="occupancy")


def holds(room: JSON, *, empty: bool, closed: bool) -> bool:
    """Whether a room shows that nobody is present, and that it is closed, as far as that is asked for."""
    return not error_of(room) and (not empty or present_in(room) == 0) and (not closed or is_open(room) is False)


def _looks(
    session: Session,
    which: Sequence[str],
    interval: float,
    times: int | None,
    until: Callable[[JSON], bool] | None,
    max_wait: float | None,
) -> Iterator[list[JSON]]:
    start, done = time.monotonic(), 0
    any_room, waiting = False, list[str]()
    while True:
        before, session.doubt = session.doubt, None
        ids, sets = sets_watched(session, which)
        session.doubt = rooms_unseen(sets, session.doubt, session.mine.claimed)
        proven = session.doubt is None and session.mine is not None and session.mine.doubt is None
        if which and proven:
            which = ids  # what is renamed stays what was asked for
        yield [_occupancy(session, each) for each in sets]
        session.busy = True  # from now on a bar would be drawn over the view
        done += 1
        if until is not None:
            found = by_id(all_rooms(sets), ROOM)
            shown = by_id(session.mine.rooms, ROOM)  # in whichever of my sets; of one that is not shown nothing holds
            both = dict.fromkeys([*found, *waiting])
            waiting = [key for key in both if key not in shown or not until(shown[key])]
            any_room = any_room or bool(found)
            if proven and not waiting and session.stale is None:
                session.doubt = None if any_room else NotYet("no room to wait for", hint=SETS)
                return
        session.doubt = before or session.doubt
        left = interval if max_wait is None else start + max_wait - time.monotonic()
        if done == times or left <= 0:
            break
        time.sleep(min(interval, left))
    if until is not None:
        after = numbered(done, "checks") if done == times else f"{max_wait:g} s"
        unseen = session.stale.message if session.stale else "not every room is shown"
        unmet = f", still waiting for {named_rooms(session, waiting)}" if waiting else f": {unseen}"
        session.doubt = NotYet(f"gave up after {after}{unmet}", hint=session.resume)


def _occupancy(session: Session, record: JSON) -> JSON:
    """What is seen of a set now: of each room whether it is open, how many people are present, and how many may be."""
    found = rooms(record)

    def seen(room: JSON) -> JSON:
        told = {"isOpen": is_open(room), "maxParticipants": room.get("maxParticipants")}
        present = {"numberCurrentlyPresent": present_in(room)}
        return {ROOM: room.get(ROOM), "name": room.get("name"), **told, "socialMeta": present}

    return {
        "at": wire(session.now()),
        **{name: record.get(name) for name in (SET, "name")},
        "socials": None if hides_rooms(record) and not found else [*map(seen, found)],
    }
