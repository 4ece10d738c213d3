"""What is known of each row of a table before it is sent: from its result columns, a `.part`, and the journal.

Done is done, whoever says so; else the later word counts. A refusal in another run does not undo what may be done.
"""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

from roomctl.bulk.table import STOPPED, Mark, Table, missing_guards

Known = dict[int, Mark]


def resumed(table: Table, part: Mapping[int, Mark], journal: Mapping[int, Any]) -> Known:
    """What is known, by line, of the rows of a run that is resumed; `journal` has the states of its rows."""
    known = _written(table) | {**part}
    for line, state in journal.items():
        _learn(known, line, state)
    return known


def known_rows(table: Table, book: Any, job: str, profile: str) -> tuple[Known, Known]:
    """What is known of rows by their result columns and by later requests, and which others are lost: both by line.

    Rows without results are to be sent, whatever became of them before, but those that the last request left unknown.
    """
    known, lost = _written(table), Known()
    for line, state, own in _states(table, book, job, profile):
        if line not in known and state.status != "failed":
            lost[line] = lost[line] if line in lost and not state.detail else _mark(state)
        elif line in known and (own or (known[line].at and state.status != "failed")):
            _learn(known, line, state)
    return known, {line: mark for line, mark in lost.items() if mark.status == "unknown"}


def _states(table: Table, book: Any, job: str, profile: str) -> Iterator[tuple[int, Any, bool]]:
    """The states of rows in all runs over the table's input, or over that of the run that wrote it (its own)."""
    runs = [run for run in book.runs.values() if run.profile == profile and missing_guards(job, run.target) is not None]
    written = [row.line for row in sorted((*table.rows, *table.bad), key=attrgetter("line"))]
    for run in runs:
        for origin in (each for each in runs if each.results == (table.written or table.sha256)):
            if origin.sha256 == run.sha256:
                places = dict(zip(origin.lines or range(2, len(written) + 2), written, strict=False))
                found = book.rows.get(run.id, {}).items()
                yield from ((places[line], state, run is origin) for line, state in found if line in places)
        if run.sha256 == table.sha256:
            yield from ((line, state, False) for line, state in book.rows.get(run.id, {}).items())


def _written(table: Table) -> Known:
    return {row.line: row.before for row in (*table.rows, *table.bad) if row.before}


def _learn(known: Known, line: int, state: Any) -> None:
    old = known.get(line)
    if old is None or (old.status not in ("ok", state.status) and state.at >= old.at):
        known[line] = _mark(state, old.id if old else "")


def _mark(state: Any, made: str = "") -> Mark:
    why = f"sent before, outcome unknown: {state.detail}" if state.detail else STOPPED
    told = {"ok": "", "failed": state.detail or "failed in an earlier run"}
    return Mark(state.status, told.get(state.status, why), made, state.at)
