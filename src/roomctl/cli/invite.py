"""`roomctl invite`: invitations to a room (operation 8), in batches, and which of them the service took."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from typer import BadParameter

from roomctl.bulk import Row, Table
from roomctl.bulk.people import PEOPLE, fault_of_address, invitation, plain_address
from roomctl.cli.bodies import check_body, check_new, read_input, skeleton
from roomctl.cli.bulk import jobs_of, planned, read_table, run
from roomctl.cli.lazy import Commands, Context, Example
from roomctl.cli.lookup import called, room_id, same_id
from roomctl.cli.mutation import approve, settle
from roomctl.cli.options import BULK, RECORDS, WRITING, argument, option
from roomctl.cli.parsers import an_id, at_least
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import INVITE_SEND, ROOMSET_LIST
from roomctl.contract.outcome import Outcome, invited, person
from roomctl.errors import BadInput, WrongCall
from roomctl.output.values import numbered
from roomctl.reconcile import Write

JSON = Any
commands = Commands("Invitations to a room.")
ASKED_LIGHTLY = 25


def address(text: str) -> str:
    """Take an e-mail address, also as `Ada Lovelace <ada@example.org>`."""
    plain = plain_address(text)
    if fault := fault_of_address(plain):
        raise BadParameter(fault)
    return plain


def heading(text: str) -> tuple[str, str]:
    """Take `COLUMN=FIELD`: a column of a file, and which field it holds."""
    column, equals, field = text.rpartition("=")
    if not (column and equals and field in PEOPLE.columns):
        raise BadParameter(f"{text!r} is not of the form COLUMN={'|'.join(PEOPLE.columns)}")
    return column, field


@commands.verb(
    "send",
    shows=["Result"],
    calls=[INVITE_SEND, ROOMSET_LIST],
    takes=[RECORDS, BULK, WRITING],
    examples=[
        Example('invite send "Main Stage" --email ada.lovelace@example.org --email nobody@example.invalid --yes', 6),
        'invite send "Main Stage" --from people.csv --results invited.csv --yes',
    ],
)
def send(
    ctx: Context,
    which: Annotated[str, argument("ID|NAME", "the room's id, or its exact name")],
    user: Annotated[list[str] | None, option("--user", "a user's id; may be repeated", "ID", an_id)] = None,
    email: Annotated[
        list[str] | None, option("--email", "a person's address; may be repeated", "ADDRESS", address)
    ] = None,
    source: Annotated[
        str | None,
        option("--from", "CSV with the column invitedUserId or emailAddress, or a list of ids or addresses", "FILE|-"),
    ] = None,
    headings: Annotated[
        list[Any] | None,
        option(
            "--map", "read a field from this column of the file, such as E-Mail=emailAddress", "COLUMN=FIELD", heading
        ),
    ] = None,
    batch: Annotated[int, option("--batch", "people per request", "N", at_least(1))] = 25,
) -> Answer:
    """Invite people to a room by user id or e-mail address, with a result for each.

    An address is sent as `invitedUser.emailAddress`: an invitation has a whole `invitedUser`, and the service does not
    document that an address alone is enough. It may be written `Ada Lovelace <ada@example.org>`. Other columns of a CSV
    are copied to --results.
    """
    session: Session = ctx.obj
    if (shown := skeleton(session, "SocialInvite[]")) is not None:
        return shown
    if sum((bool(user or email), source is not None, session.given.input is not None)) != 1:
        raise WrongCall("give people by `--user` and `--email`, by `--from FILE`, or by `--input FILE`")
    if headings and source is None:
        raise WrongCall("`--map` says what the columns of `--from FILE` hold")
    table, records = _people(session, user or (), email or (), source, dict(headings or ()))

    room = room_id(session, which)
    name = called(which, room)
    begun = planned(session, table, f"{INVITE_SEND.name} {room}")
    rows = begun.rows
    batches = [rows[start : start + batch] for start in range(0, len(rows), batch)]
    bodies = [[records.get(row.line) or invitation(row) for row in part] for part in batches]
    for record in records.values():
        same_id(which, room, record.get("socialId"))
    check_new(INVITE_SEND, [*records.values()])

    def write(body: JSON) -> Write:
        what = f"invite {numbered(len(body), 'people')} to room {name}"
        return Write(INVITE_SEND, {"socialId": room}, (), check_body(session, "SocialInvite[]", body), what)

    writes = [write(body) for body in bodies]
    some = ", ".join(row.key for row in rows[:5]) + (f" and {len(rows) - 5} more" if len(rows) > 5 else "")
    card = [f"about to invite {numbered(len(rows), 'people')} to room {name}: {some}"]
    word = "invite" if len(rows) > ASKED_LIGHTLY else None
    if (preview := approve(session, writes, card, word, many=len(writes) > 1)) is not None:
        return preview

    def call(part: Sequence[Row], write: Write) -> list[Outcome]:
        return invited([row.key for row in part], settle(session, write), room, session.say)

    return run(session, begun, jobs_of(batches, writes, call), noun="people", resource="InviteResult")


def _people(
    session: Session, users: Sequence[str], emails: Sequence[str], source: str | None, headings: Mapping[str, str]
) -> tuple[Table, Mapping[int, JSON]]:
    """Make the table of the people to invite, and of `--input` the records by line. Raises BadInput."""
    if session.given.input is not None:
        return _records(session, read_input(session, session.given.input))
    if source is not None:
        table = read_table(session, source, PEOPLE._replace(headings=headings))
        both = sum(all(row.columns.get(name) for name in PEOPLE.columns) for row in table.rows)
        if both:
            session.note(f"{numbered(both, 'rows')} with an id and an address: the id is what is invited")
        return table, {}
    people = [("invitedUserId", user) for user in users] + [("emailAddress", email) for email in emails]
    header = PEOPLE.columns
    rows = tuple(
        Row(line, {column: value}, value, tuple(value if column == each else "" for each in header))
        for line, (column, value) in enumerate(dict.fromkeys(people), 1)
    )
    return Table("arguments", header=header, rows=rows), {}


def _records(session: Session, records: JSON) -> tuple[Table, dict[int, JSON]]:
    check_body(session, "SocialInvite[]", records)
    keys = {line: person(record) for line, record in enumerate(records, 1)}
    if nobody := [line for line, key in keys.items() if not key]:
        raise BadInput(f"record {nobody[0]} of `--input` names nobody", hint="give invitedUserId or invitedUser")
    rows = tuple(Row(line, {}, key, (key,)) for line, key in keys.items())
    return Table("--input", header=("person",), rows=rows), dict(enumerate(records, 1))
