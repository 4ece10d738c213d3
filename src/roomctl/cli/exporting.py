"""Lists taken to a file that proves that it is whole: what `registration export` and `--to` of the lists share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roomctl.cli.session import Answer, Query, Session
from roomctl.contract.operations import Operation
from roomctl.render.words import numbered

ENDINGS = frozenset(
    (".csv", ".tsv", ".ndjson", ".jsonl", ".json", ".xlsx", ".sqlite", ".sqlite3", ".db", ".parquet"),
)
PAGE_SIZE = 500


def export_target(session: Session) -> Path | None:
    """The file of `--to` where it asks for an export: its name says its form, and nothing shapes the result."""
    given = session.given
    if given.to is None or Path(given.to).suffix.lower() not in ENDINGS:
        return None
    shaped = any((given.output, given.json, given.fields, given.sort_by, given.no_header))
    return None if shaped or given.limit is not None or given.page is not None else Path(given.to)


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
        session.note("the list changed while it was read: `--verify` reads it until nothing is new")
    return Answer()
