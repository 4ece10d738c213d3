"""Lists taken to a file that proves that it is whole: what `registration export` and `--to` of the lists share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roomctl.cli.session import Answer, Query, Session
from roomctl.contract.operations import Operation
from roomctl.errors import WrongCall
from roomctl.output.values import numbered

ENDINGS = frozenset(
    (".csv", ".tsv", ".ndjson", ".jsonl", ".json", ".xlsx", ".sqlite", ".sqlite3", ".db", ".parquet"),
)
PACKED = frozenset((".xlsx", ".sqlite", ".sqlite3", ".db", ".parquet"))
PAGE_SIZE = 500


def export_target(session: Session) -> Path | None:
    """The file of `--to` where it asks for an export: its name says its form, and nothing shapes the result."""
    given = session.given
    if given.to is None or Path(given.to).suffix.lower() not in ENDINGS:
        return None
    cut = given.limit is not None or given.page is not None
    if not (cut or given.output or given.json or shaping(session)):
        return Path(given.to)
    if Path(given.to).suffix.lower() in PACKED:
        raise WrongCall(
            f"only a whole list, as it came, is written in the form of `{given.to}`",
            hint="leave out what shapes or limits the result, or name a text file and its form: `--to list.csv -o csv`",
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
    from roomctl.exports.engine import export as run

    settings, tell = session.settings, session.progress()
    facts = run(
        session.client,
        operation,
        path=path or {},
        query=query,
        to=to,
        size=settings.page_size or PAGE_SIZE,
        concurrency=settings.concurrency,
        force=session.given.force,
        profile_host=settings.base_url,
        note=session.note,
        on_page=lambda pages, rows: tell(f"{numbered(rows, noun)}, {numbered(pages, 'pages')}"),
        **options,
    )
    found = f"{numbered(facts.rows, noun)} in {numbered(facts.pages, 'pages')}"
    session.note(f"exported: {found} to {to}; complete: {facts.why}")
    if facts.duplicates_dropped:
        session.note(f"{numbered(facts.duplicates_dropped, noun)} came more than once, written once")
    if facts.drift_seen:
        further = "" if options.get("verify") else ": `--verify` reads it until nothing is new"
        session.note(f"the list changed while it was read{further}")
    return Answer()
