"""New rows of a page made ready to be kept: the wanted ones, as cells or as they are, and those that do not fit."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from roomctl.exports.cells import in_zone
from roomctl.exports.columns import Registrations
from roomctl.exports.job import Job
from roomctl.exports.jsonrows import lines
from roomctl.exports.quick import is_quick, table
from roomctl.service.distinct import fingerprint
from roomctl.service.paginator import KeyedRows

JSON = Any
_OBJECTS = (dict, bytes)


class Encoded(NamedTuple):
    """A page's new rows: facts and encoded rows for the part file, and how many went which way."""

    facts: dict[str, JSON]
    body: bytes
    written: list[str]
    flagged: int
    left_out: int


class Encoder:
    """Makes rows ready to be kept: the wanted ones, as cells or as they are, and those that do not fit."""

    def __init__(self, job: Job, found: Sequence[str]) -> None:
        self._job = job
        self._layout = job.layout(found)

    @property
    def found(self) -> tuple[str, ...]:
        """The columns found so far, beside the fixed ones."""
        return self._layout.found

    def encode(self, rows: list[JSON], keys: list[str], *, begun: bool) -> Encoded:
        """Encode rows, each with its key; `begun`: some were before. One that does not fit is kept raw (R29)."""
        facts: dict[str, JSON] = {"keys": keys}
        if self._job.hashed:
            facts["hashes"] = [fingerprint(row) for row in rows]
        places, wanted = self._wanted(rows, facts)
        fitting, misfits = self._fitting(wanted)
        shown = isinstance(rows, KeyedRows) and rows.shown
        sheet = self._job.sheet(self._layout.names)._replace(begun=begun, shown=shown)
        body = self._job.format.codec.keep(fitting, sheet) if fitting else b""
        written = keys if len(places) == len(keys) else [keys[at] for at in places]
        if misfits:
            written = [key for place, key in enumerate(written) if place not in misfits]
            facts["flagged"] = [
                lines([{"why": why, "row": rows[places[place]]}]).decode() for place, why in misfits.items()
            ]
        facts["width"] = len(self._layout.names)
        return Encoded(facts, body, written, len(misfits), len(rows) - len(wanted))

    def _wanted(self, rows: list[JSON], facts: dict[str, JSON]) -> tuple[Sequence[int], Sequence[JSON]]:
        """Give the rows that are not left out: their places on the page, and the rows."""
        if not (self._job.since or self._job.enrich):
            return range(len(rows)), rows
        wanted = list(enumerate(rows))
        if since := self._job.since:
            keys, hashes = facts["keys"], facts["hashes"]
            wanted = [(at, row) for at, row in wanted if not since.has(keys[at], hashes[at])]
        if enrich := self._job.enrich:
            richer = ((at, enrich.apply(row) if type(row) is dict else row) for at, row in wanted)
            wanted = [(at, row) for at, row in richer if row is not None]
        return [at for at, _ in wanted], [row for _, row in wanted]

    def _fitting(self, rows: Sequence[JSON]) -> tuple[Sequence[JSON], dict[int, str]]:
        """Give the rows that fit, or their table, and why the others do not, by their position."""
        if not rows:
            return rows, {}
        if not self._job.tabular:
            misfits = {at: "not an object" for at, row in enumerate(rows) if type(row) not in _OBJECTS}
            return [row for row in rows if type(row) in _OBJECTS] if misfits else rows, misfits
        table, misfits = self._table(rows)
        names, zone = self._layout.names, self._job.zone
        if zone and table:
            table = [in_zone(column, name, zone) for column, name in zip(table, names, strict=True)]
        if self._job.format.tabular:
            return table, misfits
        headings = self._job.sheet(names).headings
        return [dict(zip(headings, cells, strict=True)) for cells in zip(*table, strict=True)], misfits

    def _table(self, rows: Sequence[JSON]) -> tuple[Sequence[Sequence[JSON]], dict[int, str]]:
        if isinstance(self._layout, Registrations) and is_quick(rows[0]):
            return table(self._layout, rows), {}
        return self._layout.table(rows, self._job.format.longest)
