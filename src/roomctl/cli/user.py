"""`roomctl user`: users (operation 17)."""

from typing import Annotated

from typer import Argument

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.options import an_id
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import USER_GET
from roomctl.errors import NotAllowed, Partial, RoomctlError

commands = Commands("Users.")


@commands.verb(
    "get",
    calls=[USER_GET],
    examples=["user get 11111111-1111-4111-8111-111111111111", "user get ID ID -o csv"],
    exits=[0, 2, 3, 4, 5, 6],
)
def get(
    ctx: Context, which: Annotated[list[str], Argument(parser=an_id, metavar="ID...", help="users' ids")]
) -> Answer:
    """Show users by id; the service has no operation that lists them."""
    session: Session = ctx.obj
    if len(which) == 1:
        return Answer(session.read(USER_GET, path={"userId": which[0]}, what=f"show user {which[0]}").value, "User")
    results = [_result(session, each) for each in which]
    failed = sum(result["status"] == "failed" for result in results)
    counts = f"{len(results) - failed} of {len(results)} users found, {failed} failed"
    return Answer(results, "Result", Partial(counts) if failed else None)


def _result(session: Session, key: str) -> dict[str, object]:
    try:
        reply = session.read(USER_GET, path={"userId": key}, what=f"show user {key}")
    except NotAllowed:
        raise
    except RoomctlError as error:
        return {"input": key, "status": "failed", "error": error.message, "reply": None}
    return {"input": key, "status": "ok", "error": None, "reply": reply.value}
