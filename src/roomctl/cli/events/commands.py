"""The commands of event files: what is typed; what they do is loaded when it is asked for."""

from typing import Annotated

from roomctl.cli.lazy import Context
from roomctl.cli.options import argument, option
from roomctl.cli.session import Answer, Session

EventFile = Annotated[str, argument("FILE", "an event file, YAML or JSON")]
Zone = Annotated[str | None, option("--tz", "the zone of times without one; else the file's, or the profile's", "ZONE")]
Unseen = Annotated[bool, option("--send-unseen", "send what the service does not show, though it may be there already")]
RetryUnknown = Annotated[
    bool, option("--retry-unknown", "send steps again whose outcome is unknown; they may take effect twice")
]
Results = Annotated[
    str | None, option("--results", "what became of each step; what an earlier run left there is read first", "FILE")
]


def export(
    ctx: Context,
    which: Annotated[str, argument("SET", "a room set's id, or its exact name")],
    tz: Annotated[str | None, option("--tz", "the clock of the times; else the profile's zone, or UTC", "ZONE")] = None,
    shift: Annotated[
        str | None, option("--shift", "move every time, and keep the hours of the clock", "52w|364d")
    ] = None,
    first_day: Annotated[
        str | None, option("--first-day", "move every time: the first room starts that day", "DATE")
    ] = None,
    ids: Annotated[bool, option("--ids", "write ids, which are of this set alone")] = False,
) -> Answer:
    """Write a room set as a file: its settings, entry rules, themes and rooms, as YAML or JSON.

    The file is what `roomset plan` and `roomset apply` read. The same state makes the same bytes. Closed rooms, and
    what the interface does not show, stand in comments.
    """
    from roomctl.cli.events.export import export_set

    return export_set(ctx.obj, which, tz=tz, shift=shift, first_day=first_day, ids=ids)


def schema(ctx: Context) -> Answer:
    """Print the JSON Schema of an event file, by which editors complete and check it.

    An editor with a YAML language server finds it by the first line of the file: `# yaml-language-server:
    $schema=evening.schema.json`.
    """
    from roomctl.cli.events.export import schema_of_files

    return schema_of_files(ctx.obj)


def plan(
    ctx: Context,
    file: EventFile,
    check: Annotated[bool, option("--check", "exit 8 where anything differs")] = False,
    tz: Zone = None,
    results: Results = None,
    send_unseen: Unseen = False,
    retry_unknown: RetryUnknown = False,
) -> Answer:
    """Show what `roomset apply` would do to bring a room set to what a file says. Nothing is sent but reads.

    `+` is created, `~` changed, `=` the same; `!` cannot be done, for the service has no operation that changes a room;
    `?` is not shown by the service: invitations, playlists, themes that no room wears, entry rules that no room names,
    images. These do not count for --check.

    `--to plan.json` keeps the plan: `roomset apply --plan plan.json` does that and nothing else.
    """
    from roomctl.cli.events.plan import plan_of
    from roomctl.events.plan import Choices

    return plan_of(ctx.obj, file, tz, results, Choices(send_unseen, retry_unknown), check=check)


def apply(
    ctx: Context,
    file: Annotated[str | None, argument("[FILE]", "an event file, YAML or JSON")] = None,
    plan: Annotated[str | None, option("--plan", "do what this kept plan says, else exit 8", "FILE")] = None,
    tz: Zone = None,
    results: Results = None,
    send_unseen: Unseen = False,
    retry_unknown: RetryUnknown = False,
    keep_going: Annotated[bool, option("--keep-going", "do not stop after many failures")] = False,
) -> Answer:
    """Bring a room set to what a file says: what `roomset plan` shows, after one question.

    The set, its settings, themes, rooms, entry rules, playlists and invitations, one after the other; what is there and
    not in the file stays. Each step is looked for before it is sent, and stands in the journal before and after.

    It may be run again at any moment, after Ctrl-C, a crash or a lost answer: no room set or room of one name is made
    twice, and no invitation or playlist is sent twice. A step whose outcome cannot be seen is unknown: exit 7, and it
    is sent again only with --retry-unknown. A room set whose creation is not known ends the run, until its `id` stands
    in the file. This rests on the journal of this machine, or on what --results has kept: without either it cannot be
    promised, and what the service does not show is not sent, unless with --send-unseen.
    """
    from roomctl.cli.events.apply import apply_file
    from roomctl.events.plan import Choices

    session: Session = ctx.obj
    session.given.results, session.given.keep_going = results, keep_going
    return apply_file(session, file, plan, tz, Choices(send_unseen, retry_unknown))


def lint(
    ctx: Context,
    which: Annotated[list[str], argument("FILE|SET...", "event files, or room sets by id or exact name")],
    severity: Annotated[
        str, option("--severity", "exit 8 for findings as bad as this, or worse", values=("error", "warning", "note"))
    ] = "error",
    tz: Zone = None,
) -> Answer:
    """Look for what is wrong with an evening, or looks as if it were: in a file, or in a room set as it stands.

    An error is what `roomset plan` and `roomset apply` refuse; a warning, such as a room that starts in the past, is
    none. Each finding has a code: `roomctl help lint CODE` explains it. In a workflow, errors in GitHub's form mark the
    lines of the file.
    """
    from roomctl.cli.events.lint import lint_all

    return lint_all(ctx.obj, which, tz, severity)
