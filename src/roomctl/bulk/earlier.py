"""What the journal knows of the rows of a table from earlier runs; it is read only where there were any."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from roomctl.bulk.table import STOPPED, Mark, Table, lacking


def settled_since(table: Table, book: Callable[[], Any]) -> dict[int, Mark]:
    """Say what has become known of rows since their result file was written, by line.

    They were looked up, a person said so, they were sent again, or another run over the same input has sent them.
    """
    rows = sorted((*table.rows, *table.bad), key=attrgetter("line"))
    if not any(row.before and row.before.status in ("unknown", "failed") for row in rows):
        return {}
    found, known = dict[int, Mark](), book()
    for made in [each for each in known.runs.values() if each.results == (table.written or table.sha256)]:
        later = _later(made, known)
        for row, line in zip(rows, made.lines or range(2, len(rows) + 2), strict=False):
            if row.before and row.before.status in ("unknown", "failed") and (state := later.get(line)):
                found[row.line] = Mark(state.status, state.detail, row.before.id, state.at)
    return found


def _later(made: Any, known: Any) -> dict[int, Any]:
    """The states of a run's rows that are newer than its result file: done is done, and what may be done stays so."""
    alike = [made, *(each for each in known.runs.values() if each.sha256 == made.sha256 and each.begun > made.finished)]
    alike = [each for each in alike if lacking(made.target, each.target) is not None]
    states = ((each, *state) for each in alike for state in known.rows.get(each.id, {}).items())
    newer = [
        (line, state)
        for each, line, state in states
        if state.at > made.finished and (each is made or state.status != "failed")
    ]
    return dict(sorted(newer, key=lambda each: each[1].status == "ok"))


def lost_rows(runs: Sequence[Any], book: Callable[[], Any]) -> Mapping[int, Mark]:
    """The rows that runs over one input, newest first, have left unknown, by line; a later run may have done them."""
    if not runs:
        return {}
    known = book()
    states = [state for each in reversed(runs) for state in known.rows.get(each.id, {}).items()]
    lost = {line: state for line, state in states if state.status != "failed"}
    why = {each.id: each.detail for each in known.entries.values()}
    return {
        line: Mark("unknown", state.detail or why.get(state.entry) or STOPPED, "", state.at)
        for line, state in lost.items()
        if state.status == "unknown"
    }
