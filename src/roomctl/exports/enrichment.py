"""What `--attendance`, `--absent` and `--stayed` add to an export: the lists they need, and what becomes of a row."""

from collections.abc import Iterator
from functools import partial

from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST
from roomctl.contract.outcome import shown
from roomctl.contract.records import event_id, folded
from roomctl.errors import Partial
from roomctl.exports.attendance import COLUMNS, LABEL, Attendance, attendance_of
from roomctl.exports.job import Enrichment
from roomctl.service.distinct import digest
from roomctl.service.paginator import Pages, Paginator
from roomctl.text import JSON, Note


def enrichment(
    client: Pages, event: str, *, absent: bool = False, stayed: float | None = None, note: Note = lambda _: None
) -> Enrichment:
    """Read what attendance needs and give what adds it to each registration of the event.

    `absent` keeps only who was not seen, `stayed` (0 to 1) who was there for that share of the event; of whom neither
    is shown, the row is left out and counted. Raises BadInput where the event lacks what that needs, Partial where a
    list is not proven whole.
    """
    query = [("socialEventId", event)]
    some = next(Paginator(client, REGISTRATION_LIST, path={}, query=query, size=20, page=0).batches()).rows
    first = next((row for row in some if event_id(row) == folded(event)), some[0] if some else None)
    own = shown(first, "event")
    (sets, unproven), (recordings, unread) = sets_and_recordings(client, 500, note)
    if doubt := unproven or unread:
        raise doubt
    attendance = attendance_of(own or {}, sets, recordings, note) if some else Attendance((), {}, None)
    if stayed is not None and some:
        attendance.stayed({}, stayed)

    def apply(row: JSON) -> tuple[JSON, bool]:
        there = attendance.of(row)
        verdict: bool | None = True
        if stayed is not None:
            verdict = attendance.stayed(row, stayed)
        elif absent:
            verdict = None if there["seen"] is None else not there["seen"]
        return {**row, **there} if verdict else None, None not in (verdict, there["seen"])

    basis = digest([sets, recordings, absent, stayed])
    resumed = partial(setattr, attendance, "resumed")
    return Enrichment(LABEL, COLUMNS, basis, apply, lambda: attendance.doubt, resumed, lambda: attendance.remark)


def sets_and_recordings(client: Pages, size: int, note: Note) -> Iterator[tuple[list[JSON], Partial | None]]:
    """Read what attendance rests on, my room sets and my recordings, and why each list is not proven to be all.

    Each record counts as it came, also where two are of one id; `attendance_of` judges them.
    """
    for each in (ROOMSET_LIST, RECORDING_LIST):
        listing = Paginator(client, each._replace(row_id=None), path={}, query=(), size=size, check=False, note=note)
        yield listing.whole(), listing.proof.doubt or listing.proof.stale
