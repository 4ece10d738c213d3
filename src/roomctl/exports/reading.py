"""Reading a list into a part file: page after page, pass after pass, with a checkpoint after each."""

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b, sha256
from itertools import compress
from typing import Any

from roomctl.errors import LocalFailure, Partial
from roomctl.exports.checkpoint import Progress
from roomctl.exports.distinct import Distinct, keys_of
from roomctl.exports.intake import Intake
from roomctl.exports.job import Job
from roomctl.exports.keeping import Keeper
from roomctl.exports.listing import Batch, Listing
from roomctl.exports.pages import Pages
from roomctl.exports.part import Part
from roomctl.exports.quick import decoder, event_of, hold_memory

JSON = Any
MOST_PASSES = 5
_MODULUS = 2**128


class Reading:
    """One export being read. `progress` is what is certain: it changes once a page, after the page is written."""

    def __init__(
        self,
        client: Pages,
        job: Job,
        part: Part,
        progress: Progress,
        on_page: Callable[[int, int], None],
        note: Callable[[str], None],
    ) -> None:
        self._client = client
        self._job = job
        self._part = part
        self._on_page = on_page
        self._note = note
        self._intake = Intake(job, progress.found)
        self._known = Distinct()
        self.progress = progress

    def run(self) -> Progress:
        """Read until the list is proven whole. However it ends, the checkpoint says how far it came."""
        hold_memory()
        for facts in self._part.facts():
            self._known.fresh(facts["keys"])
        keeper = Keeper(self._part, self._job.checkpoint)
        try:
            self._go_on()
            while not self.progress.ended:
                self._pass(keeper)
        except BaseException:
            with suppress(LocalFailure):  # the checkpoint before still holds
                keeper.keep(self.progress)
                keeper.finish()
            raise
        keeper.finish()
        return self.progress

    def _go_on(self) -> None:
        """Take up what an earlier run left: a later pass starts again, the first goes on where it was."""
        progress = self.progress
        if progress.turn > 1:
            self.progress = progress._replace(page=0, total=0, order="", ended=progress.ended or not self._job.verify)
        elif progress.page and not progress.ended:
            if self._job.verify and not progress.order:  # it was begun without `verify`
                self.progress = progress._replace(total=-1)
            self._look_back()

    def _look_back(self) -> None:
        """Read the last page again: whether the list changed while nobody read can be seen at the seam."""
        page = self.progress.page - 1
        job = self._job
        rows = self._client.page(job.operation, path=job.path, query=job.query, page=page, size=self.progress.size)
        keys = keys_of(rows, job.operation.row_id)
        if _mark(keys) == self.progress.mark:
            return
        self._note("the list changed while the export was interrupted")
        fresh = self._known.fresh(keys)
        new = list(compress(keys, fresh))
        taken = self._take(list(compress(rows, fresh)), new)
        self.progress = taken._replace(drift=True, received=taken.received + len(new))

    def _pass(self, keeper: Keeper) -> None:
        progress, job = self.progress, self._job
        listing = Listing(
            self._client,
            job.operation,
            path=job.path,
            query=job.query,
            size=progress.size,
            start=progress.page,
            concurrency=job.concurrency,
            seen=self._known if progress.turn == 1 else None,
            decode=decoder(job),
            note=self._note,
        )
        for batch in listing.batches():
            self._absorb(batch, listing)
            keeper.keep(self.progress)
            self._on_page(self.progress.pages, self.progress.rows)
        if listing.doubt is not None and not self.progress.page:  # nothing came at all
            raise listing.doubt
        self.progress = self.progress._replace(doubt=self._doubt(listing), end=listing.why)
        self._settle(listing.drift)
        keeper.keep(self.progress)

    def _doubt(self, listing: Listing) -> str:
        """Say why the list is not proven complete: a hole that an earlier run has passed in the first pass stays."""
        passed = self.progress.doubt if self.progress.turn == 1 else ""
        return passed or (listing.why if listing.doubt is not None else "")

    def _absorb(self, batch: Batch, listing: Listing) -> None:
        rows, keys = batch.rows, batch.keys
        if self.progress.turn > 1:
            fresh = self._known.fresh(keys)
            rows, keys = list(compress(rows, fresh)), list(compress(keys, fresh))
        taken, mark = self._take(rows, keys), _mark(batch.sighted)
        self.progress = taken._replace(
            size=listing.size,
            page=batch.page + 1,
            pages=taken.pages + 1,
            received=taken.received + len(batch.sighted),
            duplicates=taken.duplicates + len(batch.sighted) - len(batch.keys),
            repeats=taken.repeats + len(batch.keys) - len(keys),
            drift=taken.drift or listing.drift,
            doubt=self._doubt(listing) if taken.turn == 1 else taken.doubt,
            mark=mark,
            order=_mark([taken.order, mark]) if self._job.verify else "",
            total=_added_up(taken.total, batch.sighted) if self._job.verify else 0,
            added=taken.added + len(keys),
        )

    def _take(self, rows: list[JSON], keys: list[str]) -> Progress:
        """Write what is new of a page; give the progress that this makes."""
        progress = self.progress
        if not rows:
            return progress
        taken = self._intake.take(rows, keys, begun=progress.rows > 0)
        self._part.append(taken.facts, taken.body)
        rows_mark, facts_mark = self._part.marks
        return progress._replace(
            rows_mark=rows_mark,
            facts_mark=facts_mark,
            rows=progress.rows + len(taken.written),
            flagged=progress.flagged + taken.flagged,
            left_out=progress.left_out + taken.left_out,
            found=self._intake.found,
            first=progress.first or next(iter(taken.written), None),
            last=taken.written[-1] if taken.written else progress.last,
            event=progress.event or event_of(rows[0]),
        )

    def _settle(self, drift: bool) -> None:
        """End the export, or begin the next pass: `verify` wants one that adds nothing and sees what the last saw.

        In a pass that saw a row on two pages the list changed, unless it always has that row twice: in its old places.
        """
        progress = self.progress
        still = not drift or progress.order == progress.order_before
        calm = progress.added == 0 and progress.total == progress.before and still
        again = progress._replace(turn=progress.turn + 1, page=0, added=0, total=0, before=progress.total, mark="")
        again = again._replace(order="", order_before=progress.order)
        if not self._job.verify or calm:
            self.progress = progress._replace(ended=True)
            return
        changed = progress.turn > 1 and (progress.added > 0 or progress.before >= 0)
        self.progress = again._replace(drift=progress.drift or changed)
        if progress.turn >= MOST_PASSES:
            self.progress = self.progress._replace(turn=2)
            raise Partial(
                f"the list is not proven complete: after {progress.turn} passes it still changes",
                hint="run the same command again when it is quieter: it goes on; without `--verify` it takes one pass",
            )


def _mark(keys: list[str]) -> str:
    return sha256("\n".join(keys).encode("utf-8", "surrogatepass")).hexdigest()


def _added_up(total: int, keys: list[str]) -> int:
    """Add keys to those of the pages before; where those were not counted, the sum stays unknown."""
    if total < 0:
        return total
    digests = (blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest() for key in keys)
    return (total + sum(int.from_bytes(each) for each in digests)) % _MODULUS
