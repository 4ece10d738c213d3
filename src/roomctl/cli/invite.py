"""`roomctl invite`: invitations to a room (operation 8)."""

from typing import Annotated

from typer import Argument, BadParameter, Option

from roomctl.cli.bodies import read_input, skeleton
from roomctl.cli.inviting import fault_of_address, from_records, invite, table_of
from roomctl.cli.lazy import Commands, Context, Example
from roomctl.cli.options import BULK, RECORDS, WRITING, an_id, at_least
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import INVITE_SEND, ROOMSET_LIST
from roomctl.errors import WrongCall

commands = Commands("Invitations to a room.")


def address(text: str) -> str:
    """Take an e-mail address."""
    if fault := fault_of_address(text):
        raise BadParameter(fault)
    return text


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
    which: Annotated[str, Argument(metavar="ID|NAME", help="the room's id, or its exact name")],
    user: Annotated[list[str] | None, Option("--user", parser=an_id, metavar="ID", help="a user's id; repeats")] = None,
    email: Annotated[
        list[str] | None, Option("--email", parser=address, metavar="ADDRESS", help="a person's address; repeats")
    ] = None,
    source: Annotated[
        str | None,
        Option(
            "--from",
            metavar="FILE|-",
            help="CSV with the column invitedUserId or emailAddress, or a list of ids or addresses",
        ),
    ] = None,
    batch: Annotated[int, Option("--batch", parser=at_least(1), metavar="N", help="people for each request")] = 25,
) -> Answer:
    """Invite people to a room by user id or e-mail address; a result for each of them.

    An address is sent as `invitedUser.emailAddress`: the service gives an invitation a whole `invitedUser`, and does
    not document that an address alone is enough. A CSV's further columns are carried along into --results.
    """
    session: Session = ctx.obj
    if (shown := skeleton(session, "SocialInvite[]")) is not None:
        return shown
    records = session.given.input
    if sum((bool(user or email), source is not None, records is not None)) != 1:
        raise WrongCall("give people by `--user` and `--email`, by `--from FILE`, or by `--input FILE`")
    if records is not None:
        table, bodies = from_records(session, read_input(session, records))
        return invite(session, which, table, batch, bodies)
    return invite(session, which, table_of(session, user or (), email or (), source), batch)
