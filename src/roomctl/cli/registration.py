"""`roomctl registration`: registrations of an event (operation 18)."""

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, BadParameter, Option

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.lists import gathered, listed, query_of
from roomctl.cli.options import LISTING, TEXT, choice
from roomctl.cli.parsers import id_from, names_of
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST
from roomctl.errors import Partial, WrongCall
from roomctl.exports.formats import NAMES
from roomctl.output.values import numbered

JSON = Any
commands = Commands(
    "Registrations of an event. The service has no operation that lists events: an event's id comes from elsewhere."
)
WHOLE = "what is called gone may only be missing there; keep FILE.manifest.json beside FILE"
Event = Annotated[
    str,
    Argument(
        parser=id_from("the service has no list of events, so none is found by its name"),
        metavar="EVENT",
        help="the event's id, socialEventId; the service has no list of events",
    ),
]


def renaming(text: str) -> tuple[str, str]:
    """Take `column=heading`."""
    column, equals, heading = text.partition("=")
    if not (column and equals and heading):
        raise BadParameter(f"{text!r} is not of the form column=heading")
    return column, heading


def share(given: str | float) -> float:
    """Take a share: `85%`, or a number from 0 to 1."""
    text = str(given)
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise BadParameter(f"{text!r} is not a share such as 85%")
    return value


@commands.verb(
    "list",
    shows=["Registration"],
    calls=[REGISTRATION_LIST],
    takes=[LISTING, TEXT],
    examples=["registration list EVENT --limit 10", "registration list EVENT --text example.org -o json"],
)
def list_(ctx: Context, event: Event) -> Answer:
    """List the registrations of an event."""
    return listed(ctx.obj, REGISTRATION_LIST, query=[("socialEventId", event)])


@commands.verb(
    "export",
    exports=True,
    calls=[REGISTRATION_LIST, ROOMSET_LIST, RECORDING_LIST],
    takes=[LISTING, TEXT],
    examples=[
        "registration export EVENT --to regs.csv",
        "registration export EVENT --to absent.csv --absent --force",
        "registration export EVENT --to regs.xlsx",
        "registration export EVENT --to addresses.csv --verify --columns registrationId,user.emailAddress",
        "registration export EVENT --to badges.csv --view badges",
    ],
    exits=[130, 143],
)
def export(
    ctx: Context,
    event: Event,
    form: Annotated[
        str | None,
        choice(
            "--format",
            values=NAMES,
            text="the form of the file, else told by the end of its name",
        ),
    ] = None,
    verify: Annotated[
        bool, Option("--verify", help="read the list again until a whole pass brings nothing new")
    ] = False,
    columns: Annotated[
        str | None,
        Option("--columns", parser=names_of("column"), metavar="a,b.c", help="only these columns, in this order"),
    ] = None,
    rename: Annotated[
        list[Any] | None,
        Option("--rename", parser=renaming, metavar="COLUMN=HEADING", help="another heading; may be repeated"),
    ] = None,
    tz: Annotated[str | None, Option("--tz", metavar="ZONE", help="put times on the clock of this zone")] = None,
    view: Annotated[
        str | None,
        Option(
            "--view",
            metavar="NAME",
            help="columns, headings and zone of `[views.NAME]` in the config file; options win",
        ),
    ] = None,
    guard: Annotated[
        bool, Option("--guard", help="keep spreadsheets from taking cells of csv and tsv for formulas")
    ] = False,
    keep_ids: Annotated[
        bool, Option("--keep-ids", help="leave FILE.ids beside the file, for a later --since of any format")
    ] = False,
    attendance: Annotated[
        bool, Option("--attendance", help="add who was seen when; from recordings: rooms not recorded cannot be seen")
    ] = False,
    absent: Annotated[bool, Option("--absent", help="only who was not seen in any recording")] = False,
    stayed: Annotated[
        float | None,
        Option("--stayed", parser=share, metavar="85%", help="only who was seen for this share of the event"),
    ] = None,
    since: Annotated[
        str | None, Option("--since", metavar="FILE", help="an earlier export: write only what is new or changed")
    ] = None,
) -> Answer:
    """Export the registrations of an event to a file that proves that it is whole.

    `--to FILE` names the file. The work goes to FILE.part, with a checkpoint after each page: run the same command
    again after an interruption, and it goes on. The file gets its name only when the list was read to its end;
    FILE.manifest.json says what was seen, and `registration check FILE` checks it again, years later.

    json and ndjson keep rows as they came; with --columns they hold objects of just these columns, and --rename and
    --tz count there too. A column is a field such as user.emailAddress, or the name of an answer; `values.NAME` is the
    answer where a field is named so.

    Somebody counts as absent only when every recording of the event is COMPLETE and shows its room and participants,
    by a kind of name that the registration has too: user id or address. Otherwise they are undecided: `seen` is empty,
    --absent and --stayed leave the row out, and the exit code is 6. A participant without an end stayed to the end of
    the recording.
    """
    from roomctl.cli.exporting import check_columns, form_of
    from roomctl.cli.exporting import export as run
    from roomctl.exports.exported import earlier

    session: Session = ctx.obj
    attended = attendance or absent or stayed is not None
    target = _target(session)
    looks = form_of(session, target, form, columns=columns, rename=rename, tz=tz, view=view, guard=guard)
    check_columns(looks, rename or (), attended=attended, attendance=attendance)
    query = [("socialEventId", event), *query_of(session)]
    return run(
        session,
        REGISTRATION_LIST,
        query=query,
        to=target,
        noun="registrations",
        verify=verify,
        keep_ids=keep_ids,
        since=earlier(Path(since), REGISTRATION_LIST.row_id, query) if since else None,
        enrich=_attendance(session, event, absent, stayed) if attended else None,
        **looks,
    )


def _attendance(session: Session, event: str, absent: bool, stayed: float | None) -> Any:
    """What adds to each registration who was seen when, from operations 18, 3 and 13."""
    from roomctl.exports.attendance import LABEL, enrichment

    session.note(f"attendance: {LABEL}")
    return enrichment(session.client, event, absent=absent, stayed=stayed, note=session.note)


def _target(session: Session) -> Path:
    """The file of `--to`, which this command writes itself."""
    from roomctl.cli.exporting import shaping

    given = session.given
    if given.limit is not None or given.page is not None:
        raise WrongCall("an export is whole: `--limit` and `--page` are for `registration list`")
    if shaped := shaping(session):
        raise WrongCall(
            f"an export is not shaped by {' and '.join(f'`{name}`' for name in shaped)}",
            hint="`--columns a,b.c` chooses its columns; `registration list` takes what shapes a result",
        )
    if given.to is None:
        raise WrongCall("an export needs a file", hint="add `--to registrations.csv`")
    return Path(given.to)


@commands.verb(
    "check",
    examples=["registration check registrations.csv", "registration check registrations.csv -o json"],
    exits=[6],
)
def check(ctx: Context, file: Annotated[str, Argument(metavar="FILE", help="an export")]) -> Answer:
    """Check an export against its manifest: hash, rows, distinct ids, columns; exit 6 says what differs."""
    from roomctl.exports.check import check as differences

    session: Session = ctx.obj
    found = [difference._asdict() for difference in differences(Path(file))]
    if not found:
        session.note(f"{file} is what its manifest says")
        return Answer([], "Difference")
    return Answer(
        found, "Difference", Partial(f"{file} is not what its manifest says: {numbered(len(found), 'differences')}")
    )


@commands.verb(
    "diff",
    examples=["registration diff monday.ndjson tuesday.ndjson", "registration diff monday.csv tuesday.csv -o json"],
    exits=[6],
)
def diff(
    ctx: Context,
    old: Annotated[str, Argument(metavar="OLD", help="the earlier export")],
    new: Annotated[str, Argument(metavar="NEW", help="the later export")],
) -> Answer:
    """Compare two exports: which registrations are new, changed and in which fields, gone.

    Of tables, and where --columns made one of them, the columns that both have are compared; the others are named.
    Both must be of the whole list of one event: what --since, --absent or --stayed left out is not gone. Without a
    manifest beside it, nothing shows that a file is whole: exit 6.
    """
    from roomctl.exports.diff import diff as compare

    rows, left_out, unproven = compare(Path(old), Path(new))
    session: Session = ctx.obj
    for why in dict.fromkeys(left_out.values()):
        names = [name for name, each in left_out.items() if each == why]
        session.note(f"not compared, {why}: {', '.join(names)}")
    counts = {kind: sum(row["change"] == kind for row in rows) for kind in ("new", "changed", "gone")}
    session.note(", ".join(f"{number} {kind}" for kind, number in counts.items()))
    return Answer(rows, "RegistrationChange", Partial(unproven, hint=WHOLE) if unproven else None)


@commands.verb(
    "stats",
    calls=[REGISTRATION_LIST],
    takes=[TEXT],
    examples=["registration stats EVENT", "registration stats EVENT --tz Europe/Berlin -o json"],
)
def stats(
    ctx: Context,
    event: Event,
    tz: Annotated[str, Option("--tz", metavar="ZONE", help="whose days are counted")] = "UTC",
) -> Answer:
    """Count the registrations of an event: by day, by source, the confirmed share, how long before the event.

    A terminal shows a chart; csv and tsv, and a pipe, have a row for each count: by, value, registrations, share.
    """
    from roomctl.cli.times import zone_named
    from roomctl.exports.stats import statistics

    session: Session = ctx.obj
    rows, session.doubt = gathered(session, REGISTRATION_LIST, [("socialEventId", event), *query_of(session)])
    return Answer(statistics(rows, zone_named(tz)), "RegistrationStats", picture="registrations")


@commands.verb(
    "report",
    calls=[REGISTRATION_LIST, ROOMSET_LIST, RECORDING_LIST],
    endings=[".html", ".md", ".json"],
    examples=[
        "registration report EVENT --to report.html",
        "registration report EVENT --to report.md --tz Europe/Berlin",
    ],
)
def report(
    ctx: Context,
    event: Event,
    kept: Annotated[
        str | None, Option("--from", metavar="EXPORT", help="an export that was kept: the service is not asked")
    ] = None,
    room_set: Annotated[
        str | None,
        Option("--room-set", metavar="SET", help="where the event took place, if its registrations do not say it"),
    ] = None,
    tz: Annotated[
        str | None, Option("--tz", metavar="ZONE", help="whose times; else the profile's, the event's owner's, or UTC")
    ] = None,
    with_people: Annotated[
        bool, Option("--with-people", help="name people: tables of all who registered, at the end")
    ] = False,
) -> Answer:
    """Report how an event went: one page of numbers and charts, for its organisers.

    `--to report.html` is a page that needs nothing but itself, for a browser, a phone or paper; report.md is for a
    chat, report.json for a machine. It shows registrations as `registration stats` counts them, and who was there as
    `registration export --attendance` does, from recordings: rooms not recorded cannot be seen. It names nobody, unless
    --with-people is given, and says what it rests on, and whether that is complete.
    """
    from roomctl.cli.reporting import report as run

    return run(ctx.obj, event, kept=kept, room_set=room_set, tz=tz, with_people=with_people)
