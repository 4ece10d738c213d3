"""Reading a list into a part file: page after page, pass after pass, with a checkpoint after each."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from itertools import compress
from typing import Any

from roomctl.contract.evidence import not_valid, told_not_valid
from roomctl.contract.paging import is_record
from roomctl.errors import LocalFailure, Partial, Stopped
from roomctl.exports.cells import NESTED, in_zone, is_moment, text
from roomctl.exports.columns import Layout, Misfit, Registrations
from roomctl.exports.job import Job
from roomctl.exports.jsonrows import lines
from roomctl.exports.part import Part, Progress
from roomctl.exports.quick import event_of, quick_decoder, table
from roomctl.service.distinct import Distinct, KeyedRows, digest, fingerprint, folded_keys, keys_of
from roomctl.service.paginator import Batch, Pages, Paginator, not_sorted
from roomctl.service.proof import UNPROVEN
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered
from roomctl.text.times import moment

MOST_PASSES = 5
CHANGED = "the list changed while the export was interrupted"
_PASS: dict[str, Any] = {
    "page": 0,
    "order": "",
    "mark": "",
    "first_rows": 0,
    "short": (0, 0),
    "total": None,
    "total_pages": 0,
}
"""Progress at the beginning of a pass."""


@dataclass(eq=False)
class Encoder:
    """Makes rows ready to be kept: the wanted ones, as cells or as they are, and those that do not fit."""

    job: Job
    layout: Layout
    unsorted: bool = False  # whether rows came in another order than was asked for
    unread: Counter[str] = field(default_factory=Counter)  # moments that could not be put into the zone, by column

    def encode(
        self, rows: list[JSON], keys: list[str], *, begun: bool
    ) -> tuple[dict[str, JSON], bytes, list[str], dict[str, int]]:
        """Encode rows, each with its key; `begun`: some were before. One that does not fit is kept raw (R29).

        Gives facts and encoded rows for the part, the keys of these, and how many rows went which way.
        """
        facts: dict[str, JSON] = {"keys": keys}
        if self.job.hashed:
            facts["hashes"] = [fingerprint(row) for row in rows]
        places: Sequence[int] = range(len(rows))
        wanted, unshown = rows, 0
        if self.job.since or self.job.enrich:
            places, wanted, unshown = self._wanted(rows, facts)
        fitting, misfits = self._fitting(wanted)
        shown = isinstance(rows, KeyedRows) and rows.shown
        sheet = self.job.sheet(self.layout.names)._replace(begun=begun, shown=shown)
        body = self.job.format.codec.keep(fitting, sheet) if fitting else b""
        written = keys if len(places) == len(keys) else [keys[at] for at in places]
        if misfits:
            written = [key for place, key in enumerate(written) if place not in misfits]
            facts["flagged"] = [
                lines([{"why": why, "row": rows[places[place]]}]).decode() for place, why in misfits.items()
            ]
        facts["width"] = len(self.layout.names)
        counts = {"flagged": len(misfits), "left_out": len(rows) - len(wanted), "unshown": unshown}
        counts["unnamed"] = sum(key[0] == "#" for key in written)
        return facts, body, written, {"rows": len(written), **counts}

    def _wanted(self, rows: list[JSON], facts: dict[str, JSON]) -> tuple[list[int], list[JSON], int]:
        """Give the rows that are not left out: their places on the page, and the rows; of how many it is not shown."""
        wanted, unshown = list(enumerate(rows)), 0
        if since := self.job.since:
            keys, hashes = facts["keys"], facts["hashes"]
            wanted = [(at, row) for at, row in wanted if not since.has(keys[at], hashes[at])]
        if enrich := self.job.enrich:
            richer = [(at, *(enrich.apply(row) if type(row) is dict else (row, True))) for at, row in wanted]
            unshown = sum(not shown for *_, shown in richer)
            facts["attendance"] = enrich.attendance.kept()
            wanted = [(at, row) for at, row, _ in richer if row is not None or rows[at] is None]
        return [at for at, _ in wanted], [row for _, row in wanted], unshown

    def _fitting(self, rows: Sequence[JSON]) -> tuple[Sequence[JSON], dict[int, str]]:
        misfits: dict[int, str] = {}
        if not rows or (isinstance(rows, KeyedRows) and not self.job.tabular):
            return rows, misfits
        if isinstance(self.layout, Registrations) and hasattr(rows[0], "__struct_fields__"):
            columns = table(self.layout, rows)
        else:
            made = []
            for at, row in enumerate(rows):
                try:
                    made.append(self._checked(row))
                except Misfit as misfit:
                    misfits[at] = str(misfit)
            if not self.job.tabular:
                return made, misfits
            columns = self.layout.columns(made)
        names, zone = self.layout.names, self.job.zone
        dated = zone or self.job.format.dates
        if (sort := dict(self.job.query).get("sort", "")) and columns:
            column = dict(zip(names, columns, strict=True)).get(sort.partition(",")[0], ())
            self.unsorted |= not_sorted([each for each in column if type(each) is str], sort)
        if dated and columns:
            for name, column in zip(names, columns, strict=True):
                if is_moment(name):
                    plain = [cell for cell in column if cell not in (None, "") and type(cell) not in NESTED]
                    unread = {cell for cell in {*plain} if not moment(cell)}
                    self.unread[name] += sum(cell in unread for cell in plain) if unread else 0
        if zone and columns:
            columns = [in_zone(column, name, zone) for column, name in zip(columns, names, strict=True)]
        if self.job.format.tabular:
            return columns, misfits
        headings = self.job.sheet(names).headings
        return [dict(zip(headings, cells, strict=True)) for cells in zip(*columns, strict=True)], misfits

    def _checked(self, row: JSON) -> JSON:
        if type(row) is not dict:
            raise Misfit("not an object")
        if not is_record(row, self.job.operation):
            raise Misfit("an error, not a record")
        if not self.job.tabular:
            return row
        cells, longest = self.layout.cells(row), self.job.format.longest
        if longest is not None and any(len(text(cell)) > longest for cell in cells):
            raise Misfit(f"a cell is longer than {longest} characters")
        return cells


@dataclass(eq=False)
class Reading:
    """One export being read. `progress` is what is certain: it changes once a page, after the page is written."""

    client: Pages
    job: Job
    part: Part
    progress: Progress
    on_page: Callable[[int], object]
    note: Note
    encoder: Encoder
    known: Distinct = field(default_factory=Distinct)
    seam: Sequence[JSON] = ()  # the page before the first that is read, of an export that goes on
    outdated: int = 0  # pages that were saved before the list changed
    hint: str = ""  # what may be done about the doubt

    def run(self) -> Progress:
        """Read until the list is proven whole. However it ends, the checkpoint says how far it came."""
        for facts in self.part.facts():
            self.known.fresh(facts["keys"])
            if self.job.enrich:
                self.job.enrich.attendance.recall(facts["attendance"])
        try:
            if self.progress.passes > 1:  # a later pass starts again
                ended = self.progress.ended or not self.job.verify
                self.progress = self.progress._replace(**_PASS, ended=ended)
            elif self.progress.page and not self.progress.ended:
                self._look_back()
            while not self.progress.ended:
                self._pass()
        except BaseException as error:
            if isinstance(error, Stopped):
                error.message += f"; {numbered(self.progress.rows, 'rows')} saved"
            with suppress(LocalFailure):  # the checkpoint before still holds
                self.part.checkpoint(self.progress, last=True)
            raise
        self.part.checkpoint(self.progress, last=True)
        if self.encoder.unsorted:
            name = dict(self.job.query)["sort"].partition(",")[0]
            self.note(f"the service did not sort by {name}: rows are in the order received")
        for name, number in self.encoder.unread.items():
            if number:
                self.note(f"left as received, because they are no times with a zone: {number:,} in `{name}`")
        if marked := self.progress.not_valid:
            self.note(*told_not_valid(marked, "registrations" if self.job.event else "rows"))
        since, is_whole = self.job.since, not self.progress.doubt
        if since and is_whole and (gone := sum(self.known.fresh([*since.hashes]))):
            self.note(f"the list no longer shows {numbered(gone, 'rows')} of the earlier export")
        return self.progress

    def _look_back(self) -> None:
        """Read the first page again and the last: where one shows other rows, the list changed.

        Where that is the last one, it is read on from there.
        """
        page = self.progress.page - 1
        moved = page > 0 and self._page_again(0)[1] != self.progress.first_mark
        rows, mark = self._page_again(page)
        if mark == self.progress.mark:
            self.seam = rows
            if moved:
                self.note(CHANGED)
                self.progress = self.progress._replace(drift_seen=True)
            return
        self.note(CHANGED)
        self.outdated = page + 1
        empty = "" if rows else f"page {page}, which had rows, is empty now"
        doubt = self.progress.doubt or empty
        self.progress = self.progress._replace(page=page, order=None, drift_seen=True, doubt=doubt)

    def _page_again(self, page: int) -> tuple[list[JSON], str]:
        job = self.job
        asked = {"path": job.path, "query": job.query, "page": page, "size": self.progress.size}
        rows = self.client.page(job.operation, **asked, decode=quick_decoder(job))
        return rows, digest(keys_of(rows, job.operation.row_id))

    def _pass(self) -> None:
        progress, job = self.progress, self.job
        paginator = Paginator(
            self.client,
            job.operation,
            path=job.path,
            query=job.query,
            size=progress.size,
            start=progress.page,
            concurrency=job.concurrency,
            seen=self.known if progress.passes == 1 else None,
            first_rows=progress.first_rows,
            short=progress.short,
            before=self.seam if progress.page else (),
            outdated=self.outdated,
            check=False,
            decode=quick_decoder(job),
            note=self.note,
        )
        paginator.proof.total, paginator.proof.pages = progress.total, progress.total_pages
        for batch in paginator.batches():
            self._absorb(batch, paginator)
            self.part.checkpoint(self.progress)
            self.on_page(self.progress.received)
        if paginator.proof.doubt is not None and not self.progress.page:  # nothing came at all
            raise paginator.proof.doubt
        self._settle(paginator)

    def _absorb(self, batch: Batch, paginator: Paginator) -> None:
        rows, keys, order, proof = batch.rows, batch.keys, self.progress.order, paginator.proof
        if self.progress.passes > 1:
            fresh = self.known.fresh(keys)
            rows[:], keys = compress(rows, fresh), list(compress(keys, fresh))  # what kind of rows they are stays
        if not self.job.verify:
            order = None
        elif order is not None:  # the same for the same rows, whatever the size of their pages
            order = reduce(lambda before, key: digest([before, key]), folded_keys(batch.sighted), order)
        mark = digest(batch.sighted)
        written = self._append(rows, keys)
        added = written.added + len(keys)
        self.progress = written._replace(
            size=paginator.size,
            page=batch.page + 1,
            pages=written.pages + 1,
            received=written.received + len(batch.sighted),
            duplicates_dropped=written.duplicates_dropped + len(batch.sighted) - len(batch.keys),
            repeated=written.repeated + len(batch.keys) - len(keys),
            drift_seen=written.drift_seen or paginator.drift,
            doubt=written.doubt or (proof.why if added and proof.doubt is not None else ""),
            added=added,
            first_rows=paginator.first_rows,
            short=paginator.short,
            total=proof.total,
            total_pages=proof.pages,
            mark=mark,
            first_mark=self.progress.first_mark if batch.page else mark,
            order=order,
        )

    def _append(self, rows: list[JSON], keys: list[str]) -> Progress:
        progress = self.progress
        if not rows:
            return progress
        facts, body, written, counts = self.encoder.encode(rows, keys, begun=progress.rows > 0)
        marked = Counter(progress.not_valid)
        if not isinstance(rows, KeyedRows):  # the quick decoder leaves marked rows to the strict one
            marked += not_valid(rows, self.job.operation.resource or "")
        rows_mark, facts_mark = self.part.append(facts, body)
        return progress._replace(
            rows_mark=rows_mark,
            facts_mark=facts_mark,
            **{name: getattr(progress, name) + count for name, count in counts.items()},
            found=tuple(self.encoder.layout.found),
            first=progress.first or next(iter(written), None),
            last=written[-1] if written else progress.last,
            event=progress.event or event_of(rows[0]),
            not_valid=dict(marked),
        )

    def _settle(self, paginator: Paginator) -> None:
        """End the export, or begin the next pass: `verify` wants two that show the same rows in the same order.

        A later pass asks for pages as long as the first page was, for a service may cut a page short and count on from
        its whole size; where a row came twice, for shorter ones, which show whether the list always has it twice.

        What made the first pass doubtful stays so, unless a later one brings rows and shows all that are in the file.
        """
        proof = paginator.proof
        self.hint = proof.doubt.hint if proof.doubt is not None else ""
        progress = self.progress._replace(end=proof.why)
        is_later = progress.passes > 1
        gone = self.known.count - paginator.rows if is_later else 0
        doubt = "" if is_later and progress.added and not gone else progress.doubt
        doubt = doubt or (proof.why if proof.doubt is not None else "")
        is_same = is_later and not progress.added and progress.order == progress.order_before
        if not self.job.verify or is_same:
            if gone and gone == self.known.count:
                doubt = doubt or "later passes showed none of the rows of the first pass"
            if is_later and paginator.drift and paginator.first_rows > progress.size:
                doubt = doubt or "rows came twice in each pass, in pages of a size that was not asked for"
            if is_later and proof.stored:
                doubt = doubt or f"the last pass may have read a copy of an earlier one: {proof.stored}"
            self.progress = progress._replace(ended=True, gone=gone, doubt=doubt)
            return
        changed = is_later and (progress.added > 0 or progress.order_before is not None)
        size = min(progress.size, paginator.first_rows or progress.size)
        self.progress = progress._replace(
            **_PASS,
            passes=progress.passes + 1,
            size=max(1, size * 2 // 3) if paginator.drift else size,
            added=0,
            order_before=progress.order,
            doubt=doubt if progress.added else progress.doubt,
            drift_seen=progress.drift_seen or changed,
        )
        if progress.passes >= MOST_PASSES:
            self.progress = self.progress._replace(passes=2)
            hint = "run the same command again at a quieter time to resume"
            raise Partial(f"{UNPROVEN}: it still changes after {progress.passes} passes", hint=hint)
