"""A list read to its proven end: only an empty page ends it, and no row is counted twice (R30, R31, R32).

A page that is empty while one beyond it holds rows is a hole: all rows are given, and the list may be incomplete.
The same goes for an end in words that may mean something else, unless the profile knows them, for rows that are no
records or show one record in two ways, and for a list that is said to be longer, or that may be cut short.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import compress
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

from roomctl.contract.operations import USUAL_SIZE, Operation
from roomctl.contract.outcome import Query
from roomctl.contract.paging import SAID, Blank, Decode, is_record
from roomctl.contract.records import folded
from roomctl.contract.rooms import united
from roomctl.errors import AGAIN, Partial, Refused
from roomctl.service.distinct import Distinct, folded_keys, keys_of
from roomctl.service.proof import UNPROVEN, Proof
from roomctl.service.workers import in_order
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.order import place

MOST_PAGES = 1_000_000
DRIFTED = "list changed while it was being read, so rows may be missing"
_LEAST_CAP = 10  # rows; a list of fewer, on one page, is not cut short by what a service allows in a page
_HOLE = "run the command again; if the page stays empty, rows are missing: tell the service's operator"


class Pages(Protocol):
    """A client: it gives one page of a list, as the array that the service answered. May be asked from threads.

    It is given `path`, `query`, `page` and `size`, and may be given `decode` for the bytes of the page.
    """

    def page(self, *operation: Any, **asked: Any) -> list[JSON]: ...  # pragma: no cover  (a protocol's body)


class Batch(NamedTuple):
    """The rows of one page that were not seen before, their keys, the keys of all its rows, and the rows that were."""

    page: int
    rows: list[JSON]
    keys: list[str]
    sighted: list[str]
    repeated: Sequence[JSON] = ()


def doubt_of_page(operation: Operation, query: Mapping[str, str], rows: list[JSON]) -> Partial | None:
    """Say why the rows of one page cannot be believed, as a list of that one page does."""
    came = SimpleNamespace(page=lambda *_, **__: rows)
    listing = Paginator(came, operation, path={}, query=[*query.items()], size=len(rows), page=0)
    listing.whole()
    return listing.proof.doubt


class Paginator:
    """The rows of a paged operation, each once, in the service's order.

    Iterate over it (rows) or over `batches()` (pages); afterwards `pages`, `rows`, `duplicates`, `drift` (a row came
    again on a later page), `complete` and `proof` say what is known. `limit` (rows in all) and `page` (exactly one raw
    page) claim nothing. `start`, `seen`, `first_rows` (how many page 0 had), `short` (the first later page that had
    fewer and was not the last, and how many) and `before` (the page before `start`, read again for what it says)
    continue a list that was begun before; so many of its pages may be `outdated`. `check`: rows must be records, and
    one that comes again must show what it showed.
    Raises Partial where the list cannot be proven whole, after all of its rows, and whatever the client raises;
    `batches()` leaves that to who reads them, in `proof.doubt`.
    """

    def __init__(
        self,
        client: Pages,
        operation: Operation,
        *,
        path: Mapping[str, str],
        query: Query,
        size: int,
        limit: int | None = None,
        page: int | None = None,
        start: int = 0,
        concurrency: int = 1,
        seen: Distinct | None = None,
        first_rows: int = 0,
        short: tuple[int, int] = (0, 0),
        before: Sequence[JSON] = (),
        outdated: int = 0,
        check: bool = True,
        decode: Decode | None = None,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._ask = partial(client.page, operation, path=path, query=query, decode=decode)
        self._operation = operation
        event, room = folded(dict(query).get("socialEventId")), folded(path.get("socialId"))
        self.proof = Proof(operation, event, room, Distinct() if check else None)
        self._limit = limit
        self._page = page
        self._start = start
        self._concurrency = concurrency
        self._known = Distinct() if seen is None else seen
        self._still = False  # whether drift is a doubt
        self.first_rows, self.short = first_rows, short
        self._came = len(before)  # rows of the page that was read last
        self._note = note
        self._outdated = outdated
        self._changed = outdated and f"the list has changed since its first {numbered(outdated, 'pages')} were saved"
        self._barren = 0  # pages in a row without a new id
        self.size = size if limit is None else min(size, max(limit, 1))
        self.pages = self.rows = self.duplicates = 0
        self.drift = self.complete = self.broken = False
        if before:
            self.proof.weigh(start - 1, before, begun=True)

    def __iter__(self) -> Iterator[JSON]:
        if self._limit is None:
            for batch in self.batches():
                yield from batch.rows
        else:
            yield from self._first(self._limit)
        if self.proof.doubt is not None:
            raise self.proof.doubt

    def whole(self) -> list[JSON]:
        """Read all records, those of one id united; why they may not be all is left to who asks, in `proof.doubt`.

        Rows that are not records stand among them only where nothing is to `check` that.

        Drift is a doubt here. `broken`: nothing of the list is certain.
        """
        self._still = True
        found: dict[str, list[JSON]] = {}
        try:
            for batch in self.batches():
                keys = folded_keys([*batch.keys, *keys_of(batch.repeated, self._operation.row_id)])
                for key, row in zip(keys, (*batch.rows, *batch.repeated), strict=True):
                    if self.proof.versions is None or is_record(row, self._operation):
                        found.setdefault(key, []).append(row)
        except Partial as doubt:
            self.proof.doubt, self.broken = doubt, True
        return [united(rows) if len(rows) > 1 else rows[0] for rows in found.values()]

    def batches(self) -> Generator[Batch]:
        """Read page after page; yield of each what is new. `size` is the one in use after the first page."""
        if self._page is not None:
            yield self._one(self._page)
            return
        proof = self.proof
        end: list[JSON] = []
        empty = None
        with closing(in_order(self._next, self._start, self._concurrency)) as pages:
            for number, rows in enumerate(pages, self._start):
                proof.weigh(number, rows, begun=bool(self._start or self.pages))
                self.drift = self.drift or proof.shrunk
                if rows:
                    if empty is not None:
                        proof.add(f"page {empty} was empty, but page {number} has rows", _HOLE)
                    empty = None
                    yield self._new(number, rows)
                elif empty is None:
                    empty, end = number, rows
        if empty and isinstance(end, Blank) and end.refused and end.ends:
            self._look_again(empty)
        new, came = self._known.count, self._known.count + self.duplicates
        until = self._start + self.pages
        if proof.total is not None and proof.total != until and not new <= proof.total <= came:
            proof.add(f"the service reports {numbered(proof.total, 'rows')}, but {came:,} were received", AGAIN)
        if proof.pages > until:
            proof.add(f"the service reports {numbered(proof.pages, 'pages')}, but {until:,} were received", AGAIN)
        if self.drift and self._still:
            proof.add(f"rows appeared again on later pages: the {DRIFTED}", AGAIN)
        is_short = 0 < self.first_rows < self.size
        if proof.doubt is None and is_short and (until > 1 or self.first_rows >= _LEAST_CAP):
            self._look_behind(0, self.first_rows)
        if proof.doubt is None and self.short[0]:
            self._look_behind(*self.short)
        if proof.doubt is None:
            how = f"with {SAID[end.answered]}" if isinstance(end, Blank) and end.ends else "on an empty page"
            self.complete, proof.why = True, f"ended {how}"

    def _one(self, page: int) -> Batch:
        rows = self._ask(page=page, size=self.size)
        if isinstance(rows, Blank) and rows.refused and not rows.ends:
            raise rows.error
        self.proof.weigh(page, rows, begun=False)
        keys = keys_of(rows, self._operation.row_id)
        self.proof.check(page, rows, keys, [True] * len(keys))
        self.pages, self.rows = 1, len(rows)
        self.proof.why = f"only page {page} was requested"
        return Batch(page, rows, keys, keys)

    def _first(self, limit: int) -> Iterator[JSON]:
        came = 0
        with closing(self.batches()) as batches:
            while came < limit and (batch := next(batches, None)) is not None:
                rows = batch.rows[: limit - came]
                came += len(rows)
                yield from rows
        self.rows, self.complete, self.proof.why = came, False, f"limited to {numbered(limit, 'rows')}"
        if came == limit and self.proof.doubt is not None and not self.proof.doubt.details:
            self.proof.doubt = None  # what lies behind these rows was not asked for

    def _look_behind(self, page: int, came: int) -> None:
        """Doubt a list of which a page was cut short by a service that counts on from the whole page.

        The first row that did not come is asked for; a refusal of that proves nothing, nor does a row that came.
        """
        place = page * self.size + came
        size = next(each for each in range(self.size, 0, -1) if place % each == 0)
        with suppress(Refused):
            rows = self._ask(page=place // size, size=size)
            if rows and self._known.lacks(keys_of(rows, self._operation.row_id)):
                why = f"page {page} has {came} of {self.size} rows requested, and the rows after them are missing"
                self.proof.add(self._changed or f"{why}; `--page-size {came}` may show them", "")

    def _look_again(self, end: int) -> None:
        """Doubt an end that was a refusal: the page before it must still have rows, and the refusal still stand.

        A gateway that passes nothing on for a while refuses any page, and after that none.
        """
        last, next_one = list[JSON](), list[JSON]()
        with suppress(Refused):
            last = self._ask(page=end - 1, size=self.size)
            next_one = self._ask(page=end, size=self.size)
        if not last:
            self.proof.add(f"page {end} was refused, but so is page {end - 1} now, which had rows", AGAIN)
        elif next_one:
            self.proof.add(f"page {end} was refused, but has rows now", AGAIN)

    def _next(self, number: int) -> list[JSON]:
        """Fetch a page; where the first is refused, and may be for its size, once more in the service's own default."""
        try:
            return self._ask(page=number, size=self.size)
        except Refused as refusal:
            first = refusal
        # neither a redirect nor a thing that is not there is about the size
        about_size = type(first) is Refused and (first.http is None or 400 <= first.http <= 499)
        if number or not about_size or self.size <= USUAL_SIZE:
            raise first
        self._note(f"the service refused pages of {numbered(self.size, 'rows')}: requesting {USUAL_SIZE} instead")
        self.size = USUAL_SIZE
        try:
            return self._ask(page=number, size=self.size)
        except Refused:
            raise first from None

    def _new(self, number: int, rows: list[JSON]) -> Batch:
        sighted = keys = keys_of(rows, self._operation.row_id)
        repeated: list[JSON] = []
        fresh = self._known.fresh(sighted)
        self._barren = 0 if any(fresh) else self._barren + 1
        self.proof.check(number, rows, sighted, fresh)
        if not all(fresh):
            repeated = [row for row, new in zip(rows, fresh, strict=True) if not new]
            rows[:], keys = compress(rows, fresh), list(compress(sighted, fresh))  # what kind of rows they are stays
            self.duplicates += len(sighted) - len(keys)
            self.drift = self.drift or len(keys) < len({*folded_keys(sighted)})
        if number == 0:
            self.first_rows = len(sighted)
        elif not self.short[0] and self._came < self.first_rows:
            self.short = (number - 1, self._came)
        self._came = len(sighted)
        self.pages += 1
        self.rows += len(keys)
        if self._barren == 1:  # what should have stood there did not come
            self.proof.add(self._changed or f"page {number} only repeats rows of earlier pages", AGAIN)
        if self._barren > 1 + self._outdated:
            raise Partial(
                f"{UNPROVEN}: pages {number - 1} and {number} have no new rows",
                hint="use another `--page-size` or `--sort`: "
                "the service seems to ignore `page`, or the list changes faster than it is read",
            )
        if number >= MOST_PAGES:
            raise Partial(f"{UNPROVEN}: it did not end within {MOST_PAGES} pages")
        return Batch(number, rows, keys, sighted, repeated)


def not_sorted(texts: Sequence[str], sort: str) -> bool:
    """Whether texts are in another order than `sort` (`name,desc`) asks for, as texts with and without regard to case,
    and by what they say.
    """
    descending = sort.endswith(",desc")
    return all([*texts] != sorted(texts, key=key, reverse=descending) for key in (None, str.casefold, place))
