"""`roomctl user`: users (operation 17)."""

from collections import Counter

from roomctl.cli.options import BULK, Commands, argument, option
from roomctl.cli.parsers import id_from
from roomctl.cli.session import JSON, Answer, Session
from roomctl.contract.operations import USER_GET
from roomctl.errors import WrongCall
from roomctl.text.counted import first

commands = Commands("Users. The service has no operation that lists them.")


@commands.verb("get", shows=["User", "UserResult"], calls=[USER_GET], takes=[BULK])
def get(
    session: Session,
    which: list[str] | None = argument("[ID]...", id_from("the service finds users by id only")),
    source: str | None = option("--from", "FILE|-"),
) -> Answer:
    """Show users by id: one object for one user, otherwise an array of results."""
    if bool(which) == (source is not None):
        hint = "`roomctl social list --fields user.name,userId` shows those of hosts"
        raise WrongCall("give users' ids, or `--from FILE`", hint=hint)
    if which and len(which) == 1 and session.given.results is None:
        return Answer(_user(session, which[0]), "User")

    from roomctl.bulk import Job, Outcome, Row, Shape, Table
    from roomctl.bulk.people import fault_of_id
    from roomctl.cli.bulk_run import planned, read_table, run

    if source is not None:
        table = read_table(session, source, Shape(("userId",), {"userId": fault_of_id}, instead={"id": "userId"}))
    else:
        ids = Counter(which)
        if more := [key for key, times in ids.items() if times > 1]:
            session.note(f"given more than once, read once: {', '.join(first(more))}")
        table = Table.of((("userId", key) for key in ids), "userId")
    begun = planned(session, table, USER_GET.name, resumable=False)

    def job(row: Row) -> Job:
        return Job((row,), lambda: [Outcome(id=row.key, reply=_user(session, row.key))])

    answer = run(session, begun, [*map(job, begun.rows)], "read", "users", resource="UserResult")
    return answer._replace(done="")  # what was read is the result, on a terminal too


def _user(session: Session, key: str) -> JSON:
    return session.read(USER_GET, path={"userId": key}, what=f"show user {key}")
