"""`roomctl registration`: registrations of an event (operation 18)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from typer import BadParameter

from roomctl.cli.lists import export as export_list
from roomctl.cli.lists import file_of, gathered, listed, query_of
from roomctl.cli.options import LISTING, TEXT, WHOLE, Commands, Entry, argument, flag, option
from roomctl.cli.parsers import id_from, in_form, names_of
from roomctl.cli.session import Answer, Session
from roomctl.cli.time_values import zone_named
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST
from roomctl.errors import Partial, WrongCall
from roomctl.exports.formats import NAMES, check_form, format_named
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact

commands = Commands(
    "Event registrations. The service cannot list events, so get the event's id from whoever runs the event."
)
KEEP = (
    "keep FILE.manifest.json beside FILE: without it, a row that seems new or gone may only mean that one export is "
    "incomplete"
)
EVENT = argument("EVENT", id_from("the service has no list of events, so events cannot be found by name"))
RENAMING = in_form("column=heading", "([^=]+)=(.+)")


def share(given: str | float) -> float:
    """Take a share: `85%`, or a number from 0 to 1."""
    text = str(given)
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise BadParameter(f"{compact(text)} is not a percentage from 0% to 100%, such as 85%")
    return value


@commands.verb("list", shows=["Registration"], calls=[REGISTRATION_LIST], takes=[*LISTING, TEXT])
def list_(session: Session, event: str = EVENT) -> Answer:
    """List an event's registrations."""
    return listed(session, REGISTRATION_LIST, query=[("socialEventId", event)])


@commands.verb(
    "export",
    exports=True,
    calls=[REGISTRATION_LIST, ROOMSET_LIST, RECORDING_LIST],
    takes=[WHOLE, TEXT],
    exits=[130, 143],
)
def export(
    session: Session,
    event: str = EVENT,
    form: str | None = option("--format", values=NAMES),
    verify: bool = flag("--verify"),
    columns: str | None = option("--columns", "a,b.c", names_of("column")),
    rename: list[Any] | None = option("--rename", "COLUMN=HEADING", RENAMING),
    tz: str | None = option("--tz", "ZONE"),
    view: str | None = option("--view", "NAME"),
    guard: bool = flag("--guard"),
    keep_ids: bool = flag("--keep-ids"),
    attendance: bool = flag("--attendance"),
    absent: bool = flag("--absent", "--stayed"),
    stayed: float | None = option("--stayed", "PERCENT", share),
    since: str | None = option("--since", "FILE"),
) -> Answer:
    """Export an event's registrations to a file, with a manifest to check it against."""
    from roomctl.exports.attendance import COLUMNS as ATTENDANCE
    from roomctl.exports.attendance import LABEL, enrichment
    from roomctl.exports.exported import earlier

    attended = attendance or absent or stayed is not None
    ways = "`--columns a,b.c` chooses its columns; `roomctl registration list` takes such options"
    target = file_of(session, "an export", "registrations.csv", ways)
    looks = _form(session, columns, dict(rename or ()), tz, view, ATTENDANCE if attended else ())
    if not attended and (extra := next((each for each in looks["columns"] if each in ATTENDANCE), "")):
        hint = f"add `--attendance`, or write `values.{extra}` if a question has this name"
        raise WrongCall(f"`{extra}` is a column that `--attendance` adds", hint=hint)
    if attendance and looks["columns"] and not {*ATTENDANCE} & {*looks["columns"]}:
        hint = f"name some of {', '.join(ATTENDANCE)}, or leave out `--columns`"
        raise WrongCall("`--attendance` adds columns, but `--columns` names none of them", hint=hint)
    check_form(format_named(form, target), **looks, guard=guard)
    query = [("socialEventId", event), *query_of(session)]
    before = earlier(Path(since), REGISTRATION_LIST.row_id, query, session.settings.base_url) if since else None
    enrich = None
    if attended:
        session.note(f"attendance: {LABEL}")
        enrich = enrichment(session.client, event, absent=absent, stayed=stayed, note=session.note)
    return export_list(
        session,
        REGISTRATION_LIST,
        query=query,
        to=target,
        format=form,
        guard=guard,
        noun="registrations",
        verify=verify,
        keep_ids=keep_ids,
        since=before,
        enrich=enrich,
        **looks,
    )


def _form(
    session: Session,
    columns: Sequence[str] | None,
    rename: Mapping[str, str],
    tz: str | None,
    view: str | None,
    added: Sequence[str],
) -> dict[str, Any]:
    """The columns, headings and zone of the file: what no option says is as the view says it.

    Raises BadValue, and WrongCall for a column or heading that no such file has.
    """
    from roomctl.cli.field_names import check_columns, full_path, is_field
    from roomctl.exports.columns import REGISTRATION
    from roomctl.profiles.configfile import View
    from roomctl.profiles.configfile import view as view_named

    saved = view_named(session.environment, view) if view is not None else View()
    columns = tuple(full_path("Registration", name) for name in columns or saved.columns)
    renamed = [full_path("Registration", name) for name in rename]
    headings = {full_path("Registration", name): heading for name, heading in {**saved.rename, **rename}.items()}
    check_columns("Registration", [*columns, *renamed], added)
    for name in renamed:
        default = name in (*REGISTRATION, *added) or not is_field("Registration", name)  # the name of an answer
        if not (name in columns if columns else default):
            raise WrongCall(f"`--rename` names a column that is not in the file: {name}")
    return {"columns": columns, "rename": headings, "zone": zone_named(tz or saved.tz)}


@commands.verb("check", exits=[6])
def check(session: Session, file: str = argument("FILE")) -> Answer:
    """Check an export against its manifest: hash, rows, distinct ids, columns; exit 6 if anything differs."""
    from roomctl.exports import manifest
    from roomctl.exports.exported import check as differences
    from roomctl.service.paginator import DRIFTED

    found = [difference._asdict() for difference in differences(Path(file))]
    why = f"{file} does not match its manifest: {numbered(len(found), 'differences')}"
    wrong = Partial(why, hint="export it again, or restore the file that the manifest describes") if found else None
    if [each["what"] for each in found] == ["complete"]:
        wrong = Partial(f"{file} matches its manifest, by which the list may be incomplete", hint="export it again")
    if manifest.required(Path(file)).drifted:
        session.say(f"{file}: according to its manifest, the {DRIFTED}")
        found.append({"what": "list changed", "expected": False, "found": True})
    return Answer(found, "Difference", wrong, done="" if found else f"{file} matches its manifest")


@commands.verb("diff", exits=[6])
def diff(session: Session, old: str = argument("OLD"), new: str = argument("NEW")) -> Answer:
    """Compare two exports: which registrations are new or gone, and what changed in the rest, with old and
    new values.
    """
    from roomctl.exports.diff import diff as compare
    from roomctl.exports.diff import swapped

    rows, left_out, unproven = compare(Path(old), Path(new))
    if swapped(Path(old), Path(new)):
        session.say(
            f"warning: {old} was exported after {new}, so new and gone are swapped: give the earlier file first"
        )
    for why in dict.fromkeys(left_out.values()):
        names = [name for name, each in left_out.items() if each == why]
        session.note(f"columns not compared ({why}): {', '.join(names)}")
    counts = {kind: sum(row["change"] == kind for row in rows) for kind in ("new", "changed", "gone")}
    if rows:
        session.note(", ".join(f"{number} {kind}" for kind, number in counts.items()))
    return Answer(rows, "RegistrationChange", Partial(unproven, hint=KEEP) if unproven else None)


@commands.verb("stats", calls=[REGISTRATION_LIST], takes=[TEXT])
def stats(session: Session, event: str = EVENT, tz: str = option("--tz", "ZONE", default="UTC")) -> Answer:
    """Summarise an event's registrations: counts by day and source, share confirmed, time from registration
    to event.
    """
    from roomctl.exports.stats import statistics

    if session.given.output == "ids":
        raise WrongCall("counts have no ids, so `-o ids` does not apply", hint="`registration list -o ids` prints them")
    rows, proof = gathered(session, REGISTRATION_LIST, [("socialEventId", event), *query_of(session)])
    session.doubt = proof.doubt
    counts = statistics(rows, zone_named(tz), session.note)
    if session.given.sort_by or {"by", "value", "share"} & {*session.given.fields}:
        from roomctl.output.writers import count_rows

        return Answer(count_rows(counts))
    return Answer(counts, "RegistrationStats", picture="registrations")


commands.members["report"] = Entry(
    "roomctl.cli.event_report", "report on how an event went: one page of numbers and charts, for its organisers"
)
