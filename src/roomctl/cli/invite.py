"""`roomctl invite`: invitations to a room (operation 8), in batches, and which of them the service took."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from typer import BadParameter

from roomctl.bulk import Job, Row, Shape, Table, unfinished
from roomctl.bulk.people import (
    IN_ROOMS,
    PEOPLE,
    fault_of_address,
    in_rooms,
    invitation,
    names_of,
    plain_address,
    without_others,
)
from roomctl.cli.bulk_run import Run, going_on, planned, read_table, run
from roomctl.cli.lookup import ROOM, SET, id_of, known, of_sets, rooms_by_id
from roomctl.cli.mutation import approve, hint_of_set, settle
from roomctl.cli.options import BULK_WRITE, RECORDS, Commands, argument, option
from roomctl.cli.parsers import an_id, at_least, in_form
from roomctl.cli.reply_notes import LOOKS
from roomctl.cli.request_body import check_body, check_new, read_input, same_id
from roomctl.cli.session import JSON, Answer, Session
from roomctl.contract.invitations import invited, person, stood
from roomctl.contract.operations import INVITE_SEND, ROOMSET_LIST
from roomctl.contract.outcome import Outcome, compared
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import all_rooms, is_open
from roomctl.errors import BadInput, ExpectationFailed, NotFound, Partial, WrongCall
from roomctl.reconcile import Write
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean

commands = Commands("Invitations to a room.")
ASKED_LIGHTLY = 25
NO_ROOMS = "room set {} has no open rooms; nobody was invited there"
CLOSED, GONE = "already closed", "the room is no longer in the room set"
FIELDS = "|".join(PEOPLE.columns)
HEADING = in_form(f"COLUMN={FIELDS}", f"(.+)=({FIELDS})")


def address(text: str) -> str:
    """Take an e-mail address, also as `Ada Lovelace <ada@example.org>`."""
    plain = plain_address(text)
    if fault := fault_of_address(plain):
        raise BadParameter(f"{compact(plain)} is {fault} such as ada@example.org")
    return plain


@commands.verb(
    "send", shows=["InviteResult", "RoomInviteResult"], calls=[INVITE_SEND, ROOMSET_LIST], takes=[RECORDS, *BULK_WRITE]
)
def send(
    session: Session,
    which: str | None = argument("[ID|NAME]"),
    user: list[str] | None = option("--user", "ID", an_id),
    email: list[str] | None = option("--email", "ADDRESS", address),
    source: str | None = option("--from", "FILE|-"),
    headings: list[Any] | None = option("--map", "COLUMN=FIELD", HEADING, needs="--from"),
    sets: list[str] | None = option("--room-set", "ID|NAME"),
    batch: int = option("--batch", "N", at_least(1), default=25),
) -> Answer:
    """Invite people to a room, or to each open room of a set, and report a result for each person."""
    if sum((bool(user or email), source is not None, session.given.input is not None)) != 1:
        ways = "`--email` or `--user` (both may be repeated), `--from FILE`, or `--input FILE`"
        raise WrongCall(
            f"name the people in exactly one way: {ways}", hint="for example, add `--email ada@example.org`"
        )
    if (which is None) != bool(sets):
        why = "give either a room, or `--room-set ID|NAME`" + (", not both" if sets else "")
        raise WrongCall(why, hint="`roomctl social list` lists the rooms")
    if sets and session.given.input is not None:
        raise WrongCall("`--input` is for one room", hint="with `--room-set`, name the people in `--from FILE`")
    shape = (IN_ROOMS if sets else PEOPLE)._replace(headings=dict(headings or ()))
    table, records = _people(session, user or (), email or (), source, shape)
    rooms = _rooms(session, which, sets or (), [*records.values()])
    rooms = _as_begun(session, table, rooms)
    if not rooms.names:
        why = "; ".join(NO_ROOMS.format(known(session, key)) for key in rooms.shut)
        raise ExpectationFailed(why, hint=LOOKS[ROOMSET_LIST])
    begun = _planned(session, table, rooms, shape)
    rooms = _looked_up(session, rooms)
    invited_to = {each.row.room for each in begun.plan.carried if each.status == "ok"}
    shut = [NO_ROOMS.format(known(session, key)) for key, ids in rooms.shut.items() if invited_to.isdisjoint(ids)]
    for why in shut:
        session.note(why)
    if new := ", ".join([*rooms.new, *_not_in(table, rooms)]):
        session.note(f"in the room set since the earlier run: {new}; nobody is invited there")

    def write(room: str, part: Sequence[Row]) -> Write:
        body = [records.get(row.line) or invitation(row) for row in part]
        what = f"invite {numbered(len(body), 'people')} to room {rooms.names[room]}"
        return Write(INVITE_SEND, {"socialId": room}, (), check_body(session, "SocialInvite[]", body), what)

    lost: list[NotFound] = []
    made: dict[str, object] = {folded(each.id): each for each in begun.plan.carried if each.id}

    def call(part: Sequence[Row], write: Write) -> list[Outcome]:
        try:
            replies = settle(session, write)
        except NotFound as error:
            lost.append(error)
            raise
        outcomes = invited([*map(names_of, part)], replies, write.path["socialId"], session.doubts, made)
        return [  # that somebody is invited already proves what an earlier run left unknown
            each._replace(status="ok", error="") if row.status == "unknown" and stood(each) else each
            for row, each in zip(part, outcomes, strict=True)
        ]

    people = {room: [row for row in begun.rows if row.room in ("", room)] for room in rooms.names}
    parts = [(room, rows[at : at + batch]) for room, rows in people.items() for at in range(0, len(rows), batch)]
    writes = [write(*each) for each in parts]
    word = "invite" * (len(begun.rows) > ASKED_LIGHTLY)
    card, many = _card(begun.rows, rooms), len(writes) > 1
    if (preview := approve(session, writes, card, word, many=many, again=begun.again)) is not None:
        return preview
    jobs = [Job(tuple(part), partial(call, part, write)) for (_, part), write in zip(parts, writes, strict=True)]
    resource = "RoomInviteResult" if sets else "InviteResult"
    answer = run(session, begun, jobs, *(("sent", "invitations") if sets else ("invited", "people")), resource=resource)
    if lost and answer.failure is not None and not sets and (why := hint_of_set(session, next(iter(rooms.names)))):
        answer.failure.hint = why
    if (lacking := [f"nobody was invited to {new}"] * bool(new) + shut) and answer.failure is None:
        kind = Partial if new or writes or invited_to else ExpectationFailed
        hint = "`roomctl invite send ROOM --from FILE` invites people to one room" if new else LOOKS[ROOMSET_LIST]
        return answer._replace(failure=kind("; ".join(lacking), hint=hint, outcome="applied" if writes else None))
    return answer


class Rooms(NamedTuple):
    """Rooms to invite to: what each is called, by id; why some are skipped; their sets, unless one room was named.

    `new` are the names of those that an earlier run, which this one goes on with, did not find; `shut` are the ids of
    the sets in which no room is open, with those of their rooms. `where` says in which set the one room is.
    """

    names: Mapping[str, str]
    skipped: Mapping[str, str] = {}
    sets: Sequence[str] = ()
    new: Sequence[str] = ()
    shut: Mapping[str, Collection[str]] = {}
    where: str = ""

    @property
    def target(self) -> str:
        return f"{INVITE_SEND.name} " + (f"rooms of {' '.join(self.sets)}" if self.sets else next(iter(self.names)))


def _rooms(session: Session, which: str | None, sets: Sequence[str], records: Sequence[JSON]) -> Rooms:
    """Find the room, or the rooms of some sets, each of which shows whether it is open. Raises ExpectationFailed."""
    if which is None:
        wanted = set(of_sets(session, sets))
        names = {key: known(session, key) for key in rooms_by_id(session) if key in wanted}
        closed = [key for key in names if is_open(rooms_by_id(session)[key]) is False]
        mine, chosen = by_id(session.mine.sets, SET), sorted({id_of(session, each, SET) for each in sets})
        inside = {key: by_id(all_rooms([mine[key]]), ROOM).keys() for key in chosen}
        shut = {key: ids for key, ids in inside.items() if not ids & (names.keys() - closed)}
        return Rooms(names, dict.fromkeys(closed, CLOSED), chosen, shut=shut)
    room = id_of(session, which)
    for record in records:
        same_id(session, room, record.get("socialId"))
    check_new(INVITE_SEND, records)
    return Rooms({room: known(session, room)})


def _looked_up(session: Session, rooms: Rooms) -> Rooms:
    """Say more of the one room that was named; by its id it is looked up for the question only, which it may lack."""
    if rooms.sets:
        return rooms
    [room] = rooms.names
    why = hint_of_set(session, room) if (session.settings.asks and session.can_ask) or session.mine else ""
    found = rooms_by_id(session).get(room, {}) if session.mine else {}
    if is_open(found) is False:
        session.say(f"warning: room {known(session, room)} is closed; it is not skipped, because you named it")
    if why:
        session.say(f"warning: {why}")
    where = f" in room set {compact(found['roomSetName'])}" if found.get("roomSetName") else ""
    return rooms._replace(names={room: known(session, room)}, where=where)


def _planned(session: Session, table: Table, rooms: Rooms, shape: Shape) -> Run:
    """Plan a run: of several rooms, each person for each room, and those of closed rooms are skipped."""
    if not rooms.sets:
        return planned(session, without_others(table, [*rooms.names], "names another room"), rooms.target)
    keys = list(rooms.names)
    table = going_on(session, in_rooms(table, keys), shape)
    table = table if table.rooms else in_rooms(table, keys)  # that of an earlier run
    begun = planned(session, table, rooms.target)
    for why in dict.fromkeys(rooms.skipped.values()):
        skipped = ", ".join(name for key, name in rooms.names.items() if rooms.skipped.get(key) == why)
        session.note(f"{why.removeprefix('the room is ')}, skipped: {skipped}")
    return begun.skip(rooms.skipped, lambda row: row.room)


def _as_begun(session: Session, table: Table, rooms: Rooms) -> Rooms:
    """The rooms of a killed run over the same people, whose rows are known by their places; others come after it."""
    given = session.given
    left = unfinished(Path(given.results)) if given.results and rooms.sets and not given.dry_run else {}
    order = left.get("keys", ())
    if not order or in_rooms(table, order).sha256 != left.get("sha256"):
        return rooms
    gone = {key: GONE for key in order if key not in rooms.names}
    new = [name for key, name in rooms.names.items() if key not in {*order, *rooms.skipped}]
    names = {key: rooms.names.get(key) or known(session, key) for key in order}
    return rooms._replace(names=names, skipped={**rooms.skipped, **gone}, new=new)


def _not_in(table: Table, rooms: Rooms) -> list[str]:
    """Name the open rooms for which the results of everybody in each room have no row: they were opened since."""
    earlier = [row for row in (*table.rows, *table.bad) if row.room]
    named, people = {row.room for row in earlier}, {row.key.casefold() for row in earlier}
    everybody = len(earlier) == len(table.rows) + len(table.bad) == len(named) * len(people)
    if not everybody or not any(row.before for row in earlier):
        return []
    return [name for key, name in rooms.names.items() if key not in {*named, *rooms.skipped}]


def _card(rows: Sequence[Row], rooms: Rooms) -> list[str]:
    people = list(dict.fromkeys(row.key for row in rows))
    some = ", ".join(first(people, 5))
    if not rooms.sets:
        room = f"{next(iter(rooms.names.values()))}{rooms.where}"
        return [f"about to invite {numbered(len(people), 'people')} to room {room}: {some}"]
    wanted = {row.room for row in rows}
    lines = [f"  {name}" for key, name in rooms.names.items() if key in wanted]
    total = f"{numbered(len(lines), 'rooms')} ({numbered(len(rows), 'invitations')})"
    return [f"about to invite {numbered(len(people), 'people')} to {total}: {some}", *first(lines, 50, indent="  ")]


def _people(
    session: Session, users: Sequence[str], emails: Sequence[str], source: str | None, shape: Shape
) -> tuple[Table, Mapping[int, JSON]]:
    """Make the table of the people to invite, and of `--input` the records by line. Raises BadInput, WrongCall."""
    if session.given.input is not None:
        records = read_input(session, source := session.given.input)
        if isinstance(records, str):  # so is a CSV
            why = f"`--input {source}` holds text, but not an array of records in JSON or YAML"
            raise BadInput(why, hint=f"use `--from {source}` for a CSV or a list; `--skeleton` prints a record")
        check_body(session, "SocialInvite[]", records)
        lines: dict[str, int] = {}
        for line, key in enumerate(map(person, records), 1):
            if not key:
                raise BadInput(f"record {line} of `--input` names no person", hint="add `invitedUserId` to it")
            if (twin := lines.setdefault(compared(key), line)) != line:
                why = f"record {line} of `--input` names the same person as record {twin}"
                raise BadInput(why, hint="leave out one of them")
        table = Table.of((("person", person(record)) for record in records), "person")._replace(name="--input")
        return table, dict(enumerate(records, 1))
    if source is not None:
        table = read_table(session, source, shape)
        for column in (each for each in shape.headings if table.header and each not in table.header):
            why = f"{table.name} has no column {compact(column)} (from `--map`); nothing was sent"
            raise WrongCall(why, hint=did_you_mean(column, table.header, "") or f"use one of {', '.join(table.header)}")
        both = sum(all(row.columns.get(name) for name in PEOPLE.columns) for row in table.rows)
        if both:
            session.note(f"{numbered(both, 'rows')} with both an id and an address: the id is used")
        return table, {}
    people = [*(("invitedUserId", user) for user in users), *(("emailAddress", email) for email in emails)]
    spelled: dict[str, str] = {}  # in capitals an address may be another person's
    for (field, each), text in zip(people, (*session.given.typed.get("--user", ()), *emails), strict=True):
        if (before := spelled.setdefault(compared(each), text)) != text:
            name = "--user" if field == "invitedUserId" else "--email"
            raise WrongCall(f"`{name} {text}` is the same as `{name} {before}`", hint="use only one of them")
    return going_on(session, Table.of(dict.fromkeys(people), *PEOPLE.columns), shape), {}
