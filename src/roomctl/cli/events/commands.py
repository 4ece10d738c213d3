"""The commands of event files: what is typed; what they do is loaded when it is asked for."""

from roomctl.cli.command_tree import Commands
from roomctl.cli.options import GUARDS, WRITING, argument, flag, option
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import BY_NAME, ROOMSET_LIST, RULES_GET

commands = Commands()
WRITES = "roomset.create roomset.update social.create theme.save rules.save playlist.create invite.send"
EVENT_FILE = argument("FILE|-", "an event file, YAML or JSON")
ZONE = option("--tz", "the zone of times without one; default: the file's, or the profile's", "ZONE")
SEND_UNSEEN = flag("--send-unseen", "send what the service does not show, although it may exist already")
RETRY_UNKNOWN = flag("--retry-unknown", "send steps again whose outcome is unknown; they may take effect twice")
RESULTS = option("--results", "write the result of each step; the results of an earlier run are read first", "FILE")


@commands.verb("export", calls=[ROOMSET_LIST, RULES_GET])
def export(
    session: Session,
    which: str = argument("SET", "a room set's id, or its exact name"),
    tz: str | None = option("--tz", "the time zone of the file; default: the profile's, or UTC", "ZONE"),
    shift: str | None = option("--shift", "move every time, keeping local hours", "52w|364d"),
    first_day: str | None = option("--first-day", "move every time, so that the first room starts on this day", "DATE"),
    ids: bool = flag("--ids", "write ids, which belong to this set only"),
) -> Answer:
    """Write a room set to a file: its settings, entry rules, themes and rooms, as YAML or JSON.

    `roomset plan` and `roomset apply` read this file. The same state gives the same bytes: rooms are ordered by start,
    name and id. Closed rooms, and what the interface does not show, appear as comments. A moved time
    that the clocks skip is written an hour later, and the first is used of one that occurs twice; a comment says so.
    """
    from roomctl.cli.events.export import export_set

    return export_set(session, which, tz=tz, shift=shift, first_day=first_day, ids=ids)


@commands.verb("schema")
def schema(session: Session) -> Answer:
    """Print the JSON Schema of event files, for editors that complete and check them.

    An editor with a YAML language server finds it by the first line of the file: `# yaml-language-server:
    $schema=evening.schema.json`.
    """
    from roomctl.cli.events.export import schema_of_files

    return schema_of_files(session)


@commands.verb("plan", shows=["PlanStep"], calls=[ROOMSET_LIST, RULES_GET], exits=[7, 8])
def plan(
    session: Session,
    file: str = EVENT_FILE,
    check: bool = flag("--check", "exit 8 if anything differs"),
    tz: str | None = ZONE,
    results: str | None = RESULTS,
    send_unseen: bool = SEND_UNSEEN,
    retry_unknown: bool = RETRY_UNKNOWN,
) -> Answer:
    """Show what `roomset apply` would do to make a room set match a file. Only reads are sent.

    `+` would be created, `~` changed, `=` is the same; `!` cannot be done, because the service has no operation that
    changes a room; `?` is not shown by the service: invitations, playlists, themes that no room uses, entry rules that
    no room names, images. `?` counts for --check only for a room that does not show a field of the file.

    `--to plan.json` saves the plan: `roomset apply --plan plan.json` does exactly that and nothing else.
    """
    from roomctl.cli.events.plan import plan_of
    from roomctl.events.plan import Choices

    return plan_of(session, file, tz, results, Choices(send_unseen, retry_unknown), check=check)


@commands.verb(
    "apply",
    shows=["Result"],
    calls=[ROOMSET_LIST, RULES_GET, *(BY_NAME[name] for name in WRITES.split())],
    takes=[WRITING, GUARDS],
    exits=[6],
)
def apply(
    session: Session,
    file: str | None = argument("[FILE|-]", "an event file, YAML or JSON", default=None),
    plan: str | None = option("--plan", "do exactly what this saved plan says, or exit 8", "FILE"),
    tz: str | None = ZONE,
    results: str | None = RESULTS,
    send_unseen: bool = SEND_UNSEEN,
    retry_unknown: bool = RETRY_UNKNOWN,
    keep_going: bool = flag("--keep-going", "do not stop after many failures"),
) -> Answer:
    """Make a room set match a file: do what `roomset plan` shows, after one question.

    Applies the set, its settings, themes, rooms, entry rules, playlists and invitations, one at a time; what exists but
    is not in the file stays. Each step is checked against the service before it is sent, and recorded in the journal
    before and after.

    It can be run again at any time, after Ctrl-C, a crash or a lost answer: no room set or room of the same name is
    created twice, and no invitation or playlist is sent twice. A step whose outcome cannot be verified is unknown: exit
    7, and it is sent again only with --retry-unknown. If it is unknown whether the room set was created, the run ends
    there until the file has its `id`. This relies on the journal of this machine, or on the file of --results: without
    either it cannot be guaranteed, and what the service does not show is sent only with --send-unseen.

    Guards apply to the set's open rooms, as they are before the run.
    """
    from roomctl.cli.events.apply import apply_file
    from roomctl.events.plan import Choices

    session.given.results, session.given.keep_going = results, keep_going
    return apply_file(session, file, plan, tz, Choices(send_unseen, retry_unknown))


@commands.verb("lint", shows=["Finding"], calls=[ROOMSET_LIST, RULES_GET], exits=[8])
def lint(
    session: Session,
    which: list[str] = argument("FILE|SET...", "event files, or room sets by id or exact name"),
    severity: str = option(
        "--severity",
        "exit 8 for findings of this severity or worse",
        default="error",
        values=("error", "warning", "note"),
    ),
    tz: str | None = ZONE,
) -> Answer:
    """Check an event file, or a room set as it is now, for errors and likely mistakes.

    `roomset plan` and `roomset apply` refuse files with errors, but not with warnings, such as a room that starts in
    the past. Each finding has a code: `roomctl help lint CODE` explains it. With errors in GitHub's format, a workflow
    marks the lines of the file.
    """
    from roomctl.cli.events.lint import lint_all

    return lint_all(session, which, tz, severity)
