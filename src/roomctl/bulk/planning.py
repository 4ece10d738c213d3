"""Which rows of a table are sent, and which are carried into the report as they are.

Only rows that failed or were never sent are sent. What is done stays done; what is unknown is sent again only on
request, because it may have taken effect (promise R40).
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from roomctl.bulk.rows import Mark, Result, Row, Status, Table

NOTHING: Mapping[int, Mark] = {}


class Plan(NamedTuple):
    """Rows to send, and results that stand already."""

    send: tuple[Row, ...]
    carried: tuple[Result, ...]


class Known(Protocol):
    """What the journal knows of a row of an unfinished run."""

    @property
    def status(self) -> Status: ...
    @property
    def at(self) -> str: ...
    @property
    def detail(self) -> str: ...


def plan(
    table: Table, *, skip_bad: bool = False, retry_unknown: bool = False, known: Mapping[int, Mark] = NOTHING
) -> Plan:
    """Divide a table; `known` says what became of lines in a run that did not finish. Raises BadInput."""
    if refusal := table.refusal(skip_bad=skip_bad):
        raise refusal
    marks = {row.line: mark for row in table.rows if (mark := known.get(row.line, row.before))}
    taken = {row.key.casefold() for row in table.rows if row.line in marks and marks[row.line].status == "ok"}
    send: list[Row] = []
    carried = table.refused()
    for row in table.rows:
        mark = marks.get(row.line)
        again = retry_unknown and row.key.casefold() not in taken
        if mark and (mark.status == "ok" or (mark.status == "unknown" and not again)):
            carried.append(Result.of(row, mark))
        else:
            send.append(row)
            taken.add(row.key.casefold())
    return Plan(tuple(send), tuple(carried))


def recovered(part: Mapping[int, Mark], journal: Mapping[int, Known]) -> dict[int, Mark]:
    """Put together what an unfinished result file and the journal know of a run, by line.

    Done is done, whoever says so. Else the journal is right where it has something to say: it is written first, so a
    row that was tried once more, and of which the file knows only the first time, counts as the journal says.
    """
    marks = dict(part)
    for line, state in journal.items():
        old = marks.get(line)
        if old is None or old.status not in ("ok", state.status):
            marks[line] = Mark(state.status, "" if state.status == "ok" else state.detail, "", state.at)
    return marks
