"""Lists taken to a file that proves that it is whole: what `registration export` and `--to` of the lists share."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from roomctl.cli.options import About
from roomctl.cli.progress import progress
from roomctl.cli.session import Answer, Query, Session
from roomctl.cli.times import zone_named
from roomctl.contract.operations import Operation
from roomctl.errors import BadInput, WrongCall
from roomctl.output.values import numbered
from roomctl.output.writers import ENDINGS as FILE_ENDINGS

PLAIN = frozenset((".txt", ".log", ".sh", ".bash", ".zsh", ".fish", ".ps1"))
"""The ends of a name that promise no form."""
PAGE_SIZE = 500


def endings(*, binary: bool = False) -> frozenset[str]:
    """The ends of a name that say the form of an export; of `binary` forms only."""
    from roomctl.exports.formats import FORMATS

    return frozenset(ending for one in FORMATS if one.binary or not binary for ending in one.endings)


def check_ending(to: str, about: About) -> None:
    """Refuse a name that promises a form which its file would not have. Raises WrongCall."""
    ending, lists = Path(to).suffix.lower(), any(takes.exports for takes in about.takes)
    if about.endings:
        if ending not in about.endings:
            raise WrongCall(f"`{to}` does not end in {' or '.join(about.endings)}: nothing was sent")
        return
    known = endings() if about.exports else endings().union(FILE_ENDINGS) if lists else frozenset(FILE_ENDINGS)
    if ending[1:2].isalpha() and ending not in known | PLAIN:
        raise WrongCall(
            f"roomctl does not write {ending} files here, such as `{to}`: nothing was sent",
            hint=f"use one of {', '.join(sorted(known))}, .txt, or no extension",
        )


def export_target(session: Session) -> Path | None:
    """The file of `--to` where it asks for an export: its name says its form, and nothing shapes the result."""
    given = session.given
    if given.to is None or Path(given.to).suffix.lower() not in endings():
        return None
    cut = given.limit is not None or given.page is not None
    if not (cut or given.output or shaping(session)):
        return Path(given.to)
    if Path(given.to).suffix.lower() in endings(binary=True):
        raise WrongCall(
            f"only a whole list, unchanged, can be written in the format of `{given.to}`",
            hint="leave out options that shape or limit it, or name a text file and a format: `--to list.csv -o csv`",
        )
    return None


def shaping(session: Session) -> list[str]:
    """The options given that shape a result; an export is not a result, its file has columns of its own."""
    given = session.given
    options = {
        "--fields": bool(given.fields),
        "--query": given.expression is not None,
        "--sort-by": given.sort_by is not None,
        "--no-header": given.no_header,
    }
    return [name for name, is_given in options.items() if is_given]


def form_of(
    session: Session,
    to: Path,
    form: str | None,
    *,
    columns: Sequence[str] | None,
    rename: Iterable[tuple[str, str]] | None,
    tz: str | None,
    view: str | None,
    guard: bool,
) -> dict[str, Any]:
    """The options of the engine that say how the file is to look, those of `view` too, where no option says it.

    Headings of both count, of one column the option's. Raises BadValue for what the format cannot honour.
    """
    from roomctl.cli.fieldnames import full_path
    from roomctl.exports.formats import check_form, format_named

    headings = dict(rename or ())
    if view is not None:
        from roomctl.profiles.views import view as view_named

        saved = view_named(session.environment, view)
        columns, headings, tz = columns or saved.columns, {**saved.rename, **headings}, tz or saved.tz
    columns = tuple(full_path("Registration", name) for name in columns or ())
    headings = {full_path("Registration", name): heading for name, heading in headings.items()}
    asked: dict[str, Any] = {"columns": columns, "rename": headings, "zone": zone_named(tz), "guard": guard}
    check_form(format_named(form, to), **asked)
    return {"format": form, **asked}


def check_columns(
    form: Mapping[str, Any], rename: Iterable[tuple[str, str]], *, attended: bool, attendance: bool
) -> None:
    """Refuse columns that a file of registrations cannot have, and headings of such. Raises WrongCall."""
    from roomctl.cli.fieldnames import check_columns as check_names
    from roomctl.cli.fieldnames import full_path, is_field

    columns, renamed = form["columns"], [full_path("Registration", column) for column, _ in rename]
    if not (columns or renamed):
        return
    from roomctl.exports.attendance import COLUMNS
    from roomctl.exports.columns import REGISTRATION

    added = COLUMNS if attended else ()
    check_names("Registration", [*columns, *renamed], added)
    if attendance and columns and not {*COLUMNS} & {*columns}:
        hint = f"name some of {', '.join(COLUMNS)}, or leave out one of the two"
        raise WrongCall("`--attendance` adds columns, but `--columns` names none of them", hint=hint)
    for name in renamed:
        default = name in (*REGISTRATION, *added) or not is_field("Registration", name)  # the name of an answer
        if not (name in columns if columns else default):
            raise WrongCall(f"`--rename` names a column that is not in the file: {name}")


def export(
    session: Session,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Query = (),
    to: Path,
    noun: str = "rows",
    **options: Any,
) -> Answer:
    """Export a list, or go on with an export of it; `options` are those of the engine."""
    from roomctl.exports.export import export as run

    settings, path = session.settings, path or {}
    expected = session.given.expect or _expected(to, operation, [*path.items(), *query], settings.base_url)
    with progress(session, noun, expected, resume="run the same command again to resume") as counted:
        facts = run(
            session.client,
            operation,
            path=path,
            query=query,
            to=to,
            size=settings.page_size or PAGE_SIZE,
            concurrency=settings.concurrency,
            force=session.given.force,
            profile_host=settings.base_url,
            note=session.note,
            on_page=lambda _, rows: counted.update(rows),
            **options,
        )
    found = f"{numbered(facts.rows, noun)} in {numbered(facts.pages, 'pages')}"
    session.note(f"exported: {found} to {to}; complete: {facts.why}")
    if facts.duplicates_dropped:
        session.note(f"{numbered(facts.duplicates_dropped, noun)} came more than once, and were written once")
    if facts.drift_seen:
        further = (
            "`--force` exports it anew" if options.get("verify") else "`--verify` reads it until nothing new comes"
        )
        session.note(f"the list changed while it was read: {further}")
    return Answer()


def _expected(to: Path, operation: Operation, filters: Query, host: str) -> int | None:
    """How many rows an earlier export of the same list to the same file received; None where there is none."""
    from roomctl.exports import manifest

    try:
        earlier = manifest.read(manifest.path_of(to))
    except BadInput:
        return None
    same = (earlier.asked, earlier.profile_host) == (manifest.list_asked(operation.name, filters), host)
    return earlier.received // earlier.passes if same else None
