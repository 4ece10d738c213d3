"""Rooms whose outcome an earlier run left unknown: looked at before anything is sent again (R40)."""

import time
from collections.abc import Sequence
from typing import Any

from roomctl import settling
from roomctl.bulk import Result, Row
from roomctl.bulk.report import stamp
from roomctl.cli.bulking import Run
from roomctl.cli.session import Session
from roomctl.contract.operations import SOCIAL_END
from roomctl.contract.records import folded
from roomctl.contract.rooms import is_open
from roomctl.errors import RoomctlError
from roomctl.output.values import numbered

JSON = Any


def looked_at(session: Session, begun: Run, *, left_open: bool) -> Run:
    """Read the rooms of unknown rows; those that are seen closed are done and are not sent.

    Rooms to be ended again are, where none may be left open, looked at twice: the first request may only just arrive.
    Raises errors.* where that reading fails; without rooms to be ended again it is only said.
    """
    again = [row for row in begun.plan.send if begun.status(row) == "unknown"]
    rows = [*again, *(result.row for result in begun.plan.carried if result.status == "unknown")]
    if not rows or session.given.dry_run or session.given.curl:
        return begun
    try:
        closed = _closed(session, rows)
        if not left_open and any(row.line not in closed for row in again):
            time.sleep(settling.APART)
            closed = _closed(session, rows)
    except RoomctlError as error:
        if again:
            raise
        session.note(f"what became of {numbered(len(rows), 'rooms')} could not be read: {error.message}")
        return begun
    _resolve(session, {folded(row.key) for row in closed.values()})
    at = stamp(time.time())
    done = {line: Result(row, "ok", "", row.key, at) for line, row in closed.items()}
    carried = [result for result in begun.plan.carried if result.row.line not in done]
    send = [row for row in begun.plan.send if row.line not in done]
    session.note(f"{numbered(len(rows), 'rooms')} of unknown outcome, {len(done)} now {settling.READING}")
    return begun._replace(plan=begun.plan._replace(send=tuple(send), carried=(*carried, *done.values())))


def _closed(session: Session, rows: Sequence[Row]) -> dict[int, Row]:
    seen: dict[str, JSON] = settling.snapshot(session.client, SOCIAL_END)
    return {row.line: row for row in rows if is_open(seen.get(folded(row.key), {})) is False}


def _resolve(session: Session, closed: set[str]) -> None:
    """Tell the journal which of its open requests are settled by that."""
    try:
        for entry in session.journal.open_entries():
            ours = entry.operation == SOCIAL_END.name and entry.profile == session.settings.profile
            if ours and not entry.running and folded(entry.path.rpartition("/")[2]) in closed:
                session.journal.resolve(entry.id, "confirmed", settling.READING)
    except RoomctlError as error:  # they are closed, whatever the journal says
        session.note(f"the journal could not be told what was seen: {error.message}")
