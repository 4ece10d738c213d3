"""`roomctl help TOPIC`: options, exit codes, environment, output, files, errors, gaps; made from tables."""

from collections.abc import Callable
from typing import Annotated, Any

from typer import Argument

from roomctl.cli.given import LAST_WINS, REPEATABLE
from roomctl.cli.lazy import Commands, Context
from roomctl.cli.options import COMMON, OneOf
from roomctl.cli.session import Answer, Session, Text
from roomctl.errors import RoomctlError, every_failure, exit_meanings

commands = Commands()


def exit_codes(_: Session) -> Answer:
    """One exit code for each thing that a script would do next."""
    return Answer([{"exit": code, "meaning": meaning} for code, meaning in exit_meanings().items()], "ExitCode")


def errors(_: Session) -> Answer:
    """Every kind of failure: its code, its exit status, what it means, whether running again is safe."""
    rows = [
        {"code": kind.code, "exit": kind.exit, "meaning": _first_line(kind), "retryable": kind.retryable}
        for kind in every_failure()
    ]
    return Answer(sorted(rows, key=lambda row: (row["exit"], row["code"])), "ErrorCode")


def _first_line(kind: type[RoomctlError]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0].rstrip(".")


def environment(_: Session) -> Answer:
    """The environment variables that roomctl reads."""
    from roomctl.profiles.profile import ENVIRONMENT

    return Answer([row._asdict() for row in ENVIRONMENT], "Variable")


def files(session: Session) -> Answer:
    """The files and folders that roomctl keeps."""
    from roomctl import profiles

    where = session.environment
    rows = [
        ("config", profiles.config_file(where), "profiles and their keys; readable by you only"),
        ("data", profiles.data_folder(where), "the sandbox"),
        ("state", profiles.state_folder(where), "the journal: what was sent, and what became of it"),
        ("cache", profiles.cache_folder(where), "profile names and ids for the shell's completion"),
    ]
    return Answer([{"what": what, "path": str(path), "holds": holds} for what, path, holds in rows], "FilePlace")


def gaps(_: Session) -> Answer:
    """What the interface does not show, what the sandbox does there (also --strict and --hostile), and why."""
    from roomctl.sandbox.gaps import GAPS

    rows = [
        {"id": gap.id, "quote": gap.quote, "lenient": gap.lenient}
        | {name: getattr(gap, name) or "the same" for name in ("strict", "hostile")}
        | {"why": gap.why}
        for gap in GAPS
    ]
    return Answer(rows, "Gap", picture="cards")


OUTPUT_TEXT = """\
stdout carries the result and nothing else; questions, progress, notes and
errors go to stderr.

-o table   on a terminal a table; through a pipe, tab-separated full values
           with a heading
-o json    one object for one record, one array for a list, [] when it is
           empty; nothing is lost
-o ndjson  one object a line, as they arrive
-o csv     the table's columns under the service's own names; nested values as
           compact JSON
-o tsv     the same; tab, newline, return and backslash as \\t \\n \\r \\\\
-o yaml    the same values as json
-o ids     the ids, one a line
-o md      a GitHub-flavoured table, for an issue or a chat

--fields a,b.c   only these fields, in every form
--query EXPR     a JMESPath expression, applied to the whole result before
                 --fields; it is checked before anything is sent. Where a
                 command takes query parameters (`roomset create`,
                 `social create`, `social copy`, `api`), `--query key=value`
                 is one of those, and anything else an expression
--to FILE        into a new file that only you can read; --force replaces an
                 existing one.
                 A whole list under a name that says its form (sets.csv, .tsv,
                 .ndjson, .json, .xlsx, .sqlite, .parquet) is exported:
                 FILE.manifest.json says what was seen, and after an
                 interruption the same command goes on. With -o, --fields,
                 --query, --sort-by, --no-header, --limit or --page, or under
                 another name, the file holds what would be shown, in the form
                 of -o, or else of its name (.csv, .tsv, .json, .ndjson, .yaml,
                 .md), and there is no manifest. A name that says a form which
                 is not written, such as rooms.xls, is refused.
--results FILE   of a run over many rows: the columns of the input, then status
                 (ok, failed, unknown, skipped), error, id (the new one), at
                 and job (what was done to what, and where). It is the next
                 input: only what failed or was never sent is sent, and it
                 counts for that job alone
--sort-by FIELD  sort what arrived; FIELD,desc the other way round
ROOMCTL_OUTPUT   the form where no option says one

Keys are the service's own names. guestBearer and refreshBearer are removed
from every reply and cannot be shown; *Bytes fields print as <48213 bytes>."""


def output(_: Session) -> Answer:
    """Where results go and which forms they take."""
    return Answer(Text(OUTPUT_TEXT))


def options(_: Session) -> Answer:
    """The options that every command takes, before it or after it; and what becomes of any that is repeated."""
    from roomctl.cli.lazy import options_of

    common = [option for bundle in COMMON for option in options_of(bundle)]
    rows = [(", ".join(each.opts), each.metavar or "", each.help, _repeated(each)) for each in common]
    known = [name for each in common for name in each.opts if name != "--query"]
    rows += [
        (name, "key=value" if key else "", "where a command takes several", KEYS if key else ALL)
        for name, key in REPEATABLE.items()
        if name not in known
    ]
    rows.append(("any other option", "", "of a single command", REFUSED))
    names = ("option", "takes", "meaning", "repeated")
    return Answer([dict(zip(names, row, strict=True)) for row in rows], "CommonOption")


LAST, REFUSED = "the last value counts", "two different values are refused"
ALL, KEYS = "all values count", "all values count, one for each key"


def _repeated(option: Any) -> str:
    """What becomes of a common option that is repeated; nothing of one that takes no value."""
    if LAST_WINS.intersection(option.opts):
        return LAST
    return ALL if option.multiple else "" if option.is_flag else REFUSED


TOPICS: dict[str, Callable[[Session], Answer]] = {
    "options": options,
    "exit-codes": exit_codes,
    "environment": environment,
    "output": output,
    "files": files,
    "errors": errors,
    "gaps": gaps,
}


@commands.verb("help", examples=["help exit-codes", "help gaps -o json"])
def topic(
    ctx: Context,
    name: Annotated[
        str | None, Argument(parser=OneOf(tuple(TOPICS)), metavar="[TOPIC]", help=", ".join(TOPICS))
    ] = None,
) -> Answer:
    """Explain a topic; without one, list the topics."""
    if name is None:
        rows = [{"topic": each, "about": (make.__doc__ or "").rstrip(".")} for each, make in TOPICS.items()]
        return Answer(rows, "Topic")
    return TOPICS[name](ctx.obj)
