"""`roomctl social end`: which rooms, the guards, the question, the requests, and what became of each room."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from roomctl import reconcile
from roomctl.cli.lookup import SET, fault_of_room, id_of, ids_of, known, of_sets, rooms_by_id
from roomctl.cli.mutation import approve, hint_of_set, settle, tell
from roomctl.cli.options import BULK_WRITE, GUARD_OPTIONS, GUARDS, LOOKING, Commands, argument, option
from roomctl.cli.session import JSON, Answer, Query, Session
from roomctl.cli.time_values import future, wire, zone_for
from roomctl.cli.time_values import moment as read_time
from roomctl.contract.evidence import unproven
from roomctl.contract.operations import ROOMSET_LIST, SOCIAL_END
from roomctl.contract.records import called, folded, is_uuid
from roomctl.contract.rooms import is_open, present_in
from roomctl.errors import Ambiguous, NotFound, WrongCall
from roomctl.output.columns import people_present
from roomctl.output.values import plain, short, titled
from roomctl.reconcile import Write
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact
from roomctl.text.times import moment, spoken, stamp, told_at

if TYPE_CHECKING:
    from roomctl.bulk import Mark, Result, Row, Shape, Table
    from roomctl.cli.bulk_run import Run
    from roomctl.cli.guards import Guards

commands = Commands()
NO_ROOM, HEADING = "none of your rooms has this name", "; if line 1 is a heading, change it to `socialId`"
OF_FILE = "not read from a file: give it as `--leave-open-until`, or remove the column"
LATER, CLOSED = "accepted, still open", "already closed"
ZONE = option("--tz", "ZONE", needs="--starts --ends --leave-open-until")


class Until(NamedTuple):
    """How long rooms are to be left open: the query parameter, and the same for a person."""

    query: Query = ()
    note: str = ""  # with a placeholder for the verb and one for what the rooms are called
    unmet: str = ""  # what is said of a room that is closed at once
    target: str = SOCIAL_END.name
    due: Callable[[datetime], datetime] = lambda at: at  # when a room that was asked to end at a moment is to be closed


@commands.verb("end", shows=["Social", "RoomResult"], calls=[SOCIAL_END, ROOMSET_LIST], takes=[GUARDS, *BULK_WRITE])
def end(
    session: Session,
    which: list[str] | None = argument("[ID|NAME]..."),
    leave_open_until: str | None = option("--leave-open-until", "WHEN"),
    source: str | None = option("--from", "FILE|-"),
    sets: list[str] | None = option("--room-set", "ID|NAME"),
    tz: str | None = ZONE,
) -> Answer:
    """End rooms: close them to new participants. The service offers no way to undo this."""
    if sum((bool(which), source is not None, bool(sets))) != 1:
        why = "give exactly one of these: room names or ids, `--from FILE`, or `--room-set ID|NAME`"
        raise WrongCall(why, hint="`roomctl social list` lists the rooms")
    until = _until(session, leave_open_until, tz) if leave_open_until is not None else Until()
    looks = (session.settings.asks and session.can_ask) or bool(LOOKING & session.given.typed.keys())
    run: Run | None = None
    if which and len(which) == 1 and session.given.results is None:
        ids = ids_of(session, which)
    else:
        run = _planned(session, which or (), source, sets or (), until, looks)
        ids = [folded(row.key) for row in run.rows]

    seen = rooms_by_id(session) if session.mine or looks else {}
    shut = [key for key in ids if key in seen and is_open(seen[key]) is False]
    if run is None and shut:
        room = seen[ids[0]]
        return Answer(room, "Social", done=f"{titled(room, 'Social')} is already closed; nothing was sent")
    run, ids = run and run.skip(dict.fromkeys(shut, CLOSED)), [key for key in ids if key not in shut]
    writes = [
        Write(SOCIAL_END, {"socialId": key}, until.query, None, f"end room {known(session, key)}", seen) for key in ids
    ]
    guards = None
    if GUARD_OPTIONS & session.given.typed.keys():
        from roomctl.cli.guards import Guards

        guards = Guards(session, seen, sets or ())
        guards.check(ids, run)
        writes = [each._replace(guard=partial(guards.look, each.path["socialId"])) for each in writes]

    for room in (seen[key] for key in ids if key in seen and session.given.dry_run):
        session.note(f"{titled(room, 'Social')}: {people_present(present_in(room))}")
    note = until.note.format("will ask", "room" if len(writes) == 1 else "rooms")
    shown = card(ids, seen, note, [str(seen[key].get("name")) for key in shut]) if session.settings.asks else ()
    if (preview := approve(session, writes, shown, "end", many=run is not None)) is not None:
        return preview
    if run is not None:
        return _end_each(session, run, writes, until, guards)

    try:
        room = settle(session, writes[0])
    except NotFound as error:
        error.hint = hint_of_set(session, ids[0]) or error.hint  # nobody has looked it up
        raise
    if guards is not None:
        guards.heed(ids[0], room)
        seen = guards.rooms
    if until.query:
        session.note(until.note.format("asked", "room"))
        return Answer(room, "Social", done=f"{titled(room, 'Social')}: {LATER if is_open(room) else until.unmet}")
    shows = [each for record in (room, seen.get(ids[0], {})) if (each := present_in(record)) is not None]
    people = max(shows, default=None)  # an end may empty the room
    who = f"{numbered(people, 'people')} {'was' if people == 1 else 'were'}" if people else "nobody was"
    present = "" if people is None else f", {who} present"
    if people or ids[0] in seen:  # and not as closed
        return Answer(room, "Social", done=f"ended {titled(room, 'Social')}{present}")
    return Answer(room, "Social", done=f"{titled(room, 'Social')} is closed{present}")


def _until(session: Session, text: str, tz: str | None) -> Until:
    zone = zone_for(session, tz)
    when = future(text, session.now(), zone)
    told = f"open until {spoken(when, session.now())}"
    note = f"{{}} the service to keep the {{}} {told}; the effect is not documented"
    target = f"{SOCIAL_END.name} leaving it open until {text}"
    unmet = f"closed now, not left {told}"
    return Until([("leaveOpenUntil", wire(when))], note, unmet, target, lambda at: read_time(text, at, zone))


def _planned(
    session: Session, which: Sequence[str], source: str | None, sets: Sequence[str], until: Until, looks: bool
) -> "Run":
    from roomctl.bulk import Shape, Table
    from roomctl.cli.bulk_run import going_on, planned, read_table

    checks = {"socialId": fault_of_room, "leaveOpenUntil": lambda text: OF_FILE if text else ""}
    shape = Shape(("socialId",), checks, instead=dict.fromkeys(("id", "name"), "socialId"), likely=("room",))
    gone = set[str]()
    if source is not None:
        table = _with_ids(session, read_table(session, source, shape))
    elif sets:
        table, gone = _of_sets(session, sets, shape)
    else:
        named = Table.of((("socialId", key) for key in ids_of(session, which)), "socialId")
        table = going_on(session, named, shape)
    seen = rooms_by_id(session) if session.mine or looks else {}

    def as_seen(row: "Row") -> "Mark | None":
        """An open room is open again once lists have had the time to show its end; until then nobody knows.

        Nor does anybody of one that is in another set now: it is not to be ended here.
        """
        mark, now = row.before, datetime.now(UTC)
        if mark is None or mark.status != "ok" or not is_open(seen.get(folded(row.key), {})):
            return mark
        due = until.due(moment(mark.at) or now)
        if until.query and now < due:
            return mark
        if now - due > reconcile.LAG and folded(row.key) not in gone:
            return None
        ended = f"{'left open until' if until.query else 'ended at'} {wire(due)}"
        return mark._replace(status="unknown", error=f"{ended}, but the list still shows it open")

    begun = planned(session, table, until.target, known=as_seen)
    begun = begun.with_results([_gone(row, seen.get(folded(row.key))) for row in begun.rows if folded(row.key) in gone])
    return _look_again(session, begun._replace(looked_up=bool(sets)))


def _gone(row: "Row", room: JSON) -> "Result":
    """Say of a room that is in none of the sets now what it shows: unless it was closed, its end was asked for."""
    from roomctl.bulk import Result

    state = None if room is None else is_open(room)
    if state is False or (row.before and row.before.error == CLOSED):
        return Result.unsent(row, "skipped", CLOSED)
    where = "in none of your room sets" if room is None else f"in room set {compact(room['roomSetName'])}"
    shown = "still open" if state else "the service does not show it closed"
    return Result.unsent(row, "failed", f"not sent: the room is {where} now, and {shown}; end it by its id")


def _of_sets(session: Session, sets: Sequence[str], shape: "Shape") -> "tuple[Table, set[str]]":
    """Make the table of the rooms of sets: those of an earlier run in its order, finished or killed; new ones last.

    Say also which of them are no longer in the sets. Raises WrongCall where the result file is about other rooms.
    """
    from roomctl.bulk import Table, unfinished
    from roomctl.cli.bulk_run import read_table

    rooms, has_results = of_sets(session, sets), True  # which reads the list; the names are found in it
    named = sorted(("roomSetId", id_of(session, each, SET)) for each in sets)
    given, path, earlier = session.given, Path(session.given.results or ""), Table.of((), "socialId")
    if given.results and not given.force and path.is_file():
        earlier = _with_ids(session, read_table(session, given.results, shape))
        has_results = not earlier.problems and any(row.before for row in earlier.rows)
    keys = [folded(row.key) for row in earlier.rows]
    left = unfinished(path) if given.results and not given.dry_run else {}
    killed = [*map(folded, left.get("keys", ()))]

    def digest(rooms: Sequence[str]) -> str:  # it is also that of their order, which says which row is which
        return earlier.sha256 if earlier.rows else Table.of([*named, *(("socialId", key) for key in rooms)]).sha256

    if killed and left["sha256"] == digest(killed):
        given.resume, keys = True, [*dict.fromkeys([*keys, *killed])]
    if not has_results or (keys and not {*keys} & {*rooms}):
        why = f"{path} already exists, and holds results for other rooms"
        raise WrongCall(why, hint="name another file, or use `--force` to replace it")
    if gone := {*keys} - {*rooms}:
        session.note(f"{numbered(len(gone), 'rows')} of rooms that are not in the room set now: kept, and not sent")
    new = Table.of((("socialId", key) for key in dict.fromkeys([*keys, *rooms])), *earlier.header).rows
    last = max((row.line for row in earlier.rows), default=0) - len(earlier.rows)
    added = [row._replace(line=row.line + last) for row in new[len(earlier.rows) :]]
    sha256 = digest(killed if given.resume and killed else rooms)
    return earlier._replace(sha256=sha256, rows=(*earlier.rows, *added), looked_up=True), gone


def _with_ids(session: Session, table: "Table") -> "Table":
    """Find the rooms that an input names; a room that is not found, or named twice, is a problem of its row."""
    from roomctl.cli.guards import renamed

    rows: dict[str, Row] = {}
    bad, problems = list(table.bad), list(table.problems)
    for row in table.rows:
        try:
            key = row.before.id if row.sent and row.before else ""  # what was ended once is the same room
            wrong = renamed(session, row.key, folded(key)) if key and not is_uuid(row.key) else ""
            key = key or (row.key if is_uuid(row.key) else ids_of(session, [row.key])[0])
            wrong = f"the same room as on line {rows[folded(key)].line}" if folded(key) in rows else wrong
        except (NotFound, Ambiguous) as error:  # a name that no room has may be a secret (R8)
            what, *which = error.message.split("\n")
            several = f"{what} {'; '.join(map(str.strip, which))}" if isinstance(error, Ambiguous) else ""
            near = f"; {error.hint}" if error.hint.startswith("did you mean") else ""
            key, wrong = "", several or NO_ROOM + (near or HEADING * (row.line == 1))
        if wrong:
            bad.append(row)
            problems.append(table.problem(row.line, wrong, "socialId"))
        else:
            rows[folded(key)] = row._replace(key=key, typed=row.key)
    return table._replace(rows=tuple(rows.values()), bad=tuple(bad), problems=tuple(problems))


def _end_each(session: Session, begun: "Run", writes: Sequence[Write], until: Until, guards: "Guards | None") -> Answer:
    from roomctl.bulk import Job, Outcome
    from roomctl.cli.bulk_run import run
    from roomctl.cli.guards import Guards

    guarded, asked = guards or Guards(session, {}), list[str]()

    def call(row: "Row", write: Write) -> list[Outcome]:
        room, key = settle(session, write), folded(row.key)
        told = (LATER if is_open(room) else until.unmet) if until.query else ""
        if told not in ("", LATER):
            session.say(f"{titled(room, 'Social')}: {told}")
        if not until.query and is_open(room) is False:
            guarded.closed.add(key)
        broken = guarded.heed(key, room)
        asked.extend([key] if until.query else [])
        return [Outcome("ok", told or broken, row.key, room)]

    watched = [each._replace(watch=guarded.watch) for each in writes]
    jobs = [Job((row,), partial(call, row, write)) for row, write in zip(begun.rows, watched, strict=True)]
    done = "asked to end" if until.query else "ended"
    answer = run(session, begun._replace(unmet=guarded.unmet), jobs, done, "rooms", resource="RoomResult")
    if asked:
        session.note(until.note.format("asked", "room" if len(asked) == 1 else "rooms"))
    if answer.done and until.query and all(row["error"] == LATER for row in answer.value):
        return answer._replace(done=f"{numbered(len(answer.value), 'rooms')}: {LATER}")
    if answer.done == f"{done} {numbered(len(begun.rows), 'rooms')}" and begun.rows:
        names = (short(plain(row["reply"].get("name") or row["input"])) for row in answer.value)
        return answer._replace(done=f"{answer.done}: {', '.join(first(names, 5))}")
    return answer


def card(ids: Sequence[str], seen: Mapping[str, JSON], note: str = "", shut: Sequence[str] = ()) -> list[str]:
    lines = [f"already closed, skipped: {', '.join(first(shut))}"] if shut else []
    lines += [f"about to end {numbered(len(ids), 'rooms')}:"]
    for key in ids[:50]:
        if (room := seen.get(key)) is None:
            lines.append(f"  room {key}: not in your room sets, so its state is not visible")
            continue
        end = room.get("endDateTime")
        planned = told_at(end)
        host = called(room.get("user") or {})
        about = f"{people_present(present_in(room))}, set {room.get('roomSetName')}"
        about += f", host {host}" if host else ", no host shown"
        about += f", planned end {planned}" if planned else ", no planned end shown"
        lines += [f"  {room.get('name')}  {key}", f"    {about}"]
    lines += [f"  and {len(ids) - 50} more"] if len(ids) > 50 else []
    lines += [lines[bool(shut)].rstrip(":")] if len(ids) > 10 else []  # the first line may have left the screen
    return [*lines, note] if note else lines


def _look_again(session: Session, begun: "Run") -> "Run":
    """Read the rooms of unknown outcome; those that are seen closed are done and are not sent (R40).

    There are two looks: a list may lag, and a request may only just arrive. Raises errors.*.
    """
    from roomctl.bulk import Result

    standing = [result.row for result in begun.plan.carried if result.status == "unknown"]
    rows = [*(row for row in begun.rows if row.status == "unknown"), *standing]
    if not rows or session.given.dry_run:
        return begun
    closed = _closed(session, rows)
    if len(closed) < len(rows):
        time.sleep(reconcile.APART)
        closed = _closed(session, rows)
    shut = {folded(row.key) for row in closed}
    for entry in session.journal.open_entries():
        ours = entry.operation == SOCIAL_END.name and entry.profile == session.settings.profile
        if ours and not entry.running and folded(entry.about) in shut:
            tell(session, entry.id, "confirmed", reconcile.READING)
    session.note(f"rows of unknown outcome whose room is closed now: {len(closed)} of {len(rows)}")
    return begun.with_results([Result(row, "ok", "", row.key, stamp(time.time())) for row in closed])


def _closed(session: Session, rows: Sequence["Row"]) -> list["Row"]:
    seen: dict[str, JSON] = reconcile.snapshot(session.client, SOCIAL_END)
    shut = {key for key, room in seen.items() if is_open(room) is False and not unproven(room, "Social")}
    return [row for row in rows if folded(row.key) in shut]
