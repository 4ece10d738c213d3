"""The registrations that a report rests on, page by page, and their proof: as the service lists them, or exported."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.outcome import differing
from roomctl.contract.records import folded
from roomctl.errors import BadInput, Partial
from roomctl.exports.attendance import COLUMNS as ATTENDED
from roomctl.exports.attendance import fullest
from roomctl.exports.cells import written
from roomctl.exports.columns import REGISTRATION
from roomctl.exports.exported import Exported
from roomctl.exports.quick import registration_decoder
from roomctl.exports.stats import OWN, Page, of_cells, of_decoded, of_rows
from roomctl.service.distinct import Distinct, KeyedRows, keys_of
from roomctl.service.paginator import DRIFTED, Pages, Paginator
from roomctl.text import JSON
from roomctl.text.counted import numbered

_PAGE = 500  # rows of an export
_OF_EVENT = ("name", "startDateTime", "endDateTime")


class Listing(ABC):
    """Registrations that can be read once. What is known of their `event` is there with the first page that shows it.

    Afterwards `rows` is their number, `doubts` say why they may not be all, and `proof` is what a report shows of that.
    """

    def __init__(self, event: str) -> None:
        self.event: dict[str, JSON] = {"socialEventId": event}
        self.rows = 0
        self.doubts: list[str] = []
        self.proof: dict[str, JSON] = {}

    def pages(self) -> Iterator[Page]:
        """Read them, some at a time. Raises BadInput for a file that is not what it says, and what a client raises."""
        strange, unlike = 0, dict[str, None]()
        for page in self._read():
            self.rows += page.size
            strange += page.strange
            events = [*{id(each): each for each in page.columns["event"] if each}.values()]
            if len(self.event) == 1 and events:
                self.event = {**fullest(events), **self.event}
            own = {name: value for name in _OF_EVENT if (value := self.event.get(name)) is not None}
            for each in events:
                if any(each.get(name) != value for name, value in own.items()):
                    unlike.update(dict.fromkeys(differing(each, own)))
            yield page
        self.doubts += [f"{strange} of the rows are not registrations"] if strange else []
        self.doubts += [f"registrations disagree about the event's {', '.join(unlike)}"] if unlike else []
        self.proof = {"complete": not self.doubts, "why": "; ".join(self.doubts), "rows": self.rows, **self._proof()}

    @abstractmethod
    def _read(self) -> Iterator[Page]: ...

    @abstractmethod
    def _proof(self) -> dict[str, JSON]: ...


class Served(Listing):
    """The registrations of an event as the service lists them. Raises Partial where it may have some, and gave none."""

    def __init__(
        self,
        client: Pages,
        event: str,
        *,
        host: str,
        at: datetime,
        on_page: Callable[[int], object] = lambda _: None,
        **asked: Any,
    ) -> None:
        super().__init__(event)
        self._on_page = on_page
        self._shown = {"service": host, "read": written(at), "sha256": None, "export": None}
        query, decode = [("socialEventId", event)], registration_decoder(folded(event))
        self._list = Paginator(client, REGISTRATION_LIST, path={}, query=query, check=False, decode=decode, **asked)

    def _read(self) -> Iterator[Page]:
        proof = self._list.proof
        try:
            for batch in self._list.batches():
                yield of_decoded(batch.rows) if isinstance(batch.rows, KeyedRows) else of_rows(batch.rows)
                self._on_page(self._list.rows)
        except Partial as doubt:
            proof.doubt = doubt
        if proof.doubt and not self.rows:
            raise proof.doubt
        self.doubts += [each.message for each in (proof.doubt or proof.stale,) if each]
        self.doubts += [f"the {DRIFTED}"] * (self._list.drift and not self.doubts)

    def _proof(self) -> dict[str, JSON]:
        why = "; ".join(self.doubts) or f"the list {self._list.proof.why}"
        return {"why": why, "pages": self._list.pages, **self._shown}


class Kept(Listing):
    """The registrations of an export. Raises BadInput for one that is damaged, or of another list."""

    def __init__(self, path: Path, event: str) -> None:
        super().__init__(event)
        self._exported = exported = Exported(path)
        if exported.format.dates:
            hint = "export it as ndjson, csv, sqlite or parquet"
            why = "a report cannot be made from a workbook, because its times are rounded"
            raise BadInput(f"{why}: {path}", hint=hint)
        facts = exported.manifest
        if not (facts or path.stat().st_size):
            raise BadInput(f"{path} is empty, and there is no manifest beside it")
        if facts and facts.operation != REGISTRATION_LIST.name:
            raise BadInput(f"not an export of registrations, according to its manifest: {path}")
        self._digest = exported.verify()
        self._known = Distinct()
        if facts is None:
            self.doubts.append(f"there is no manifest beside {path.name}, so it may be incomplete")
            return
        self._check({*map(folded, facts.filters.get("socialEventId", ()))})
        left_out = f"the export left out {numbered(facts.left_out, 'registrations')}, as requested"
        found = "the export was made with a search text, so it holds only what the service found for that"
        self.doubts += [] if facts.complete else [facts.why]
        self.doubts += [left_out] * bool(facts.left_out) + [found] * bool(facts.filters.get("text"))
        self.doubts += [f"the {DRIFTED}"] * facts.drifted

    def _read(self) -> Iterator[Page]:
        exported, facts = self._exported, self._exported.manifest
        quick = registration_decoder(folded(self.event["socialEventId"]))
        marks = facts.not_valid if facts else {}  # tables have no column of these
        for rows in exported.pages(_PAGE, quick if facts else lambda *_: None):
            if exported.tabular:
                self._require(rows[0])
                page = of_cells(self._once(rows), () if facts and not facts.label else ATTENDED)
                page, marks = replace(page, not_valid=marks), {}
            else:
                page = of_decoded(rows) if isinstance(rows, KeyedRows) else of_rows(self._once(rows))
            self._check({folded(each.get("socialEventId")) for each in page.columns["event"] if each})
            yield page

    def _once(self, rows: list[JSON]) -> list[JSON]:
        """Drop rows that came before; with a manifest there are none. Raises BadInput for those of another event."""
        if self._exported.manifest:
            return rows
        self._check({self._exported.event(row) for row in rows if type(row) is dict})
        keys = keys_of(rows, REGISTRATION_LIST.row_id)
        fresh = zip(rows, keys, self._known.fresh(keys), strict=True)
        return [row for row, key, is_new in fresh if is_new or key[0] == "#"]

    def _require(self, row: Mapping[str, JSON]) -> None:
        """Raise BadInput where a table has no column of something that a report needs."""
        facts = self._exported.manifest
        if missing := [name for name in (*OWN, *(() if facts else REGISTRATION)) if name not in row]:
            hint = "export it without `--columns`" + " and `--rename`, or keep its manifest beside it" * (facts is None)
            raise BadInput(f"{self._exported.path} has no column {missing[0]}, which the report needs", hint=hint)

    def _check(self, events: set[str]) -> None:
        if others := events - {"", folded(self.event["socialEventId"])}:
            raise BadInput(f"{self._exported.path} holds registrations of another event: {min(others)}")

    def _proof(self) -> dict[str, JSON]:
        facts = self._exported.manifest
        return {
            "why": "; ".join(self.doubts) or (facts.why if facts else ""),
            "service": facts and facts.profile_host,
            "read": facts and facts.finished,
            "pages": facts and facts.pages,
            "sha256": self._digest,
            "export": self._exported.path.name,
        }
