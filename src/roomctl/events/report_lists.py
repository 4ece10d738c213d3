"""The registrations that a report rests on, page by page, and their proof: as the service lists them, or as kept.

A page has columns of what is counted, and the answers by question. Of usual lines of JSON only that is decoded; any
other line is decoded in full: the result is the same, later.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from roomctl import __version__
from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.paging import is_record
from roomctl.contract.records import event_id, folded
from roomctl.errors import BadInput, Partial
from roomctl.exports.attendance import COLUMNS as ATTENDED
from roomctl.exports.cells import now, written
from roomctl.exports.columns import EVENT, REGISTRATION, Misfit, Registrations, join_values, named_values
from roomctl.exports.exported import Exported
from roomctl.exports.jsonrows import decode, encode_lines
from roomctl.exports.jsonrows import lines as json_lines
from roomctl.exports.quick import UNUSUAL, array, column, decode_once, line_decoder, quick_types, table
from roomctl.exports.stats import COLUMNS
from roomctl.service.distinct import Distinct, KeyedRows, keys_of
from roomctl.service.paginator import Pages, Paginator
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered

_NEEDED = ("registeredDateTime", "confirmed", "source")
_STORED: dict[JSON, bool] = {1: True, 0: False}  # as SQLite keeps them
_INNER = re.compile(r"(?:user|event)\.")
_PAGE = 500
_SAID = {"service": "profile_host", "duplicatesDropped": "duplicates_dropped", "driftSeen": "drift_seen"}
_SAID |= {"pages": "pages", "started": "started", "finished": "finished", "toolVersion": "tool_version"}
Columns = dict[str, Sequence[JSON]]
USER = ("userId", "emailAddress", "name", "firstName", "middleName", "lastName", "mobilePhone")
_COUNTED = (*COLUMNS, *(f"user.{name}" for name in USER))


class Page(NamedTuple):
    """Columns, those of the user as `user.name`, and the answers to each question; None where there is none.

    Several answers of one person to one question are one. The `values` of so many rows were `unreadable`; so many
    others were `misfits`.
    """

    columns: Columns
    answers: Columns
    unreadable: int = 0
    misfits: int = 0


def of_raw(rows: Sequence[Any]) -> Page:
    """Make a page of rows that are lines of JSON, or the texts of their members. Raises ValueError for no JSON."""
    types, layout = quick_types(), Registrations(_COUNTED)
    lines = rows if rows and type(rows[0]) is bytes else ()
    try:
        rows = [*map(types.member.decode, lines)] or rows
        ids = types.ids.decode(array(rows, REGISTRATION[0]))
        if not ids or "" in ids or not set().union(*rows).isdisjoint(UNUSUAL):
            raise ValueError("a row may be no record")
        fixed = [types.cells.decode(array(rows, name)) for name in COLUMNS if name != "event"]
        fixed.append(decode_once(column(rows, "event"), types.record.decode))
        users = [user or types.no_user for user in types.users.decode(array(rows, "user"))]
        fixed += [[*map(attrgetter(name), users)] for name in USER]
        columns = table(layout, [each or () for each in types.values.decode(array(rows, "values"))], fixed)
    except (ValueError, RecursionError):
        return of_rows([*map(decode, lines or encode_lines(rows).splitlines())])
    answers = dict(zip(layout.found, columns[len(_COUNTED) :], strict=True))
    return Page(dict(zip(_COUNTED, columns, strict=False)), answers)


def of_rows(rows: Sequence[JSON]) -> Page:
    """Make a page of rows that were decoded in full; those that are no records are left out and counted."""
    objects = [row for row in rows if is_record(row, REGISTRATION_LIST)]
    users = [user if type(user := row.get("user")) is dict else {} for row in objects]
    answers: list[dict[str, JSON]] = []
    unreadable = 0
    for row in objects:
        try:
            answers.append(join_values(named_values(row.get("values"))))
        except Misfit:
            answers.append({})
            unreadable += 1
    columns: Columns = {name: [row.get(name) for row in objects] for name in COLUMNS}
    columns |= {f"user.{name}": [user.get(name) for user in users] for name in USER}
    columns["event"] = [
        event if type(event := row.get("event")) is dict else {"socialEventId": event_id(row)} for row in objects
    ]
    questions = dict.fromkeys(chain(*answers))
    by_question: Columns = {each: [given.get(each) for given in answers] for each in questions}
    return Page(columns, by_question, unreadable, len(rows) - len(objects))


class Served:
    """The registrations of an event as its service lists them; `doubts`, once read, are those that they are all."""

    def __init__(
        self,
        client: Pages,
        event: str,
        *,
        size: int,
        concurrency: int = 1,
        host: str = "",
        note: Note = lambda _: None,
        on_page: Callable[[int, int], None] = lambda *_: None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.event: dict[str, JSON] = {"socialEventId": event}
        self.doubts: list[str] = []
        self._id, self._host, self._clock, self._on_page = event, host, clock, on_page
        self._hash, self._started = sha256(), clock()
        self._list = Paginator(
            client,
            REGISTRATION_LIST,
            path={},
            query=[("socialEventId", event)],
            size=size,
            concurrency=concurrency,
            check=False,
            decode=line_decoder(REGISTRATION_LIST.row_id or "", event),
            note=note,
        )

    def pages(self) -> Iterator[Page]:
        misfits = 0
        try:
            for batch in self._list.batches():
                quick = isinstance(batch.rows, KeyedRows)
                rows = batch.rows if quick else [row for row in batch.rows if is_record(row, REGISTRATION_LIST)]
                misfits += len(batch.rows) - len(rows)
                self._hash.update(json_lines(rows, shown=isinstance(rows, KeyedRows) and rows.shown))
                page = of_raw(rows) if quick else of_rows(rows)
                if len(self.event) == 1:
                    events = (event for event in page.columns["event"] if type(event) is dict)
                    own = min(events, key=lambda event: event_id({"event": event}) != self._id, default={})
                    self.event = {**own, "socialEventId": self._id}
                self._on_page(self._list.pages, self._list.rows)
                yield page
            doubt = self._list.proof.doubt
        except Partial as unproven:
            doubt = unproven
        if doubt is not None and not self._list.pages:
            raise doubt
        self.doubts += [doubt.message] if doubt else []
        self.doubts += [f"invalid rows left out: {misfits}"] if misfits else []

    @property
    def drifted(self) -> bool:
        return self._list.drift

    def proof(self) -> dict[str, JSON]:
        listed = self._list
        return {
            "why": "; ".join(self.doubts) or f"the list {listed.proof.why}",
            "service": self._host,
            "pages": listed.pages,
            "rows": listed.rows,
            "duplicatesDropped": listed.duplicates,
            "driftSeen": listed.drift,
            "started": written(self._started),
            "finished": written(self._clock()),
            "toolVersion": __version__,
            "sha256": self._hash.hexdigest(),
            "export": None,
        }


class Kept:
    """The registrations of an export that was kept. Raises BadInput for one that is damaged, or of another list."""

    def __init__(self, path: Path, event: str) -> None:
        self._exported = Exported(path)
        if self._exported.format.dates:
            hint = "export it as ndjson, csv, sqlite or parquet"
            raise BadInput(
                f"a report cannot be made from a workbook, because its times are rounded: `{path}`", hint=hint
            )
        if not (self._exported.manifest or path.stat().st_size):
            raise BadInput(f"`{path}` is empty, and there is no manifest beside it")
        self._digest = self._exported.verify()
        self._rows, self._ids = 0, Distinct()
        self.event: dict[str, JSON] = {"socialEventId": event}
        facts = self._exported.manifest
        self.doubts = [f"there is no manifest beside `{path.name}`, so it may be incomplete"] * (facts is None)
        if facts is None:
            return
        if facts.operation != REGISTRATION_LIST.name:
            raise BadInput(f"not an export of registrations, according to its manifest: `{path}`")
        self._know(facts.event)
        self.doubts += [] if facts.complete else [facts.why]
        left = f"the export left out {numbered(facts.left_out, 'registrations')}, as requested"
        self.doubts += [left] if facts.left_out else []
        found = "the export was made with a search text, so it holds only what the service found for that"
        self.doubts += [found] if facts.filters.get("text") else []

    def pages(self) -> Iterator[Page]:
        """Read the file, some rows at a time. Raises BadInput where it is not what its name or manifest says."""
        exported, misfits, tabular = self._exported, 0, self._exported.tabular
        is_raw = exported.format.name == "ndjson" and exported.manifest is not None and not tabular
        try:
            with exported.path.open("rb") as lines:
                rows: Iterator[JSON] = filter(bytes.strip, lines) if is_raw else exported.rows()
                while some := list(islice(rows, _PAGE)):
                    objects = (row for row in some if type(row) in (bytes, dict))
                    records = [row for row in objects if not tabular or {*row.values()} - {None, ""}]
                    page = self._page(records)
                    misfits += len(some) - len(records) + page.misfits
                    events = page.columns["event"]
                    if not self._rows and events:
                        self._know(events[0])
                    self._check({event_id({"event": event}) for event in events})
                    self._rows += len(events)
                    yield page
            self.doubts += [f"{misfits} of the rows are not registrations"] if misfits else []
        except (OSError, ValueError, RecursionError) as error:
            raise BadInput(f"cannot read `{self._exported.path}`: {error}") from error

    def _page(self, rows: Sequence[JSON]) -> Page:
        """Make a page of rows, lines or cells; without a manifest nobody has dropped those that came twice."""
        facts = self._exported.manifest
        if facts is None:
            keys = zip(keys_of(rows, REGISTRATION_LIST.row_id), map(self._exported.event, rows), strict=True)
            whole = [" ".join(each) for each in keys]
            fresh = zip(rows, whole, self._ids.fresh(whole), strict=True)
            rows = [row for row, key, is_new in fresh if is_new or key[0] == "#"]
        if rows and type(rows[0]) is bytes:
            return of_raw(rows)
        if not rows or not self._exported.tabular:
            return of_rows(rows)
        named = [*map(self._exported.named, rows)]
        if missing := [name for name in (*_NEEDED, *(REGISTRATION if facts is None else ())) if name not in named[0]]:
            hint = "export it without `--columns`" + " and `--rename`, or keep its manifest beside it" * (facts is None)
            raise BadInput(f"`{self._exported.path}` has no column {missing[0]}, which a report counts", hint=hint)
        nothing = None if self._exported.format.binary else ""
        found = {name: [None if (cell := row[name]) == nothing else cell for row in named] for name in named[0]}
        none = [None] * len(rows)
        columns: Columns = {name: found.get(name, none) for name in (*COLUMNS, *(f"user.{each}" for each in USER))}
        columns["confirmed"] = [_STORED.get(each, each) for each in columns["confirmed"]]
        events = zip(*(found.get(f"event.{name}", none) for name in EVENT), strict=True)
        columns["event"] = [dict(zip(EVENT, cells, strict=True)) for cells in events]
        fixed = {*REGISTRATION, *(ATTENDED if facts is None or facts.label else ())}
        answers = {name: column for name, column in found.items() if name not in fixed and not _INNER.match(name)}
        apart = {f"values.{name}": name for name in (*REGISTRATION, *ATTENDED)}  # questions of these names
        return Page(columns, {apart.get(name, name): column for name, column in answers.items()})

    @property
    def drifted(self) -> bool:
        return bool(self._exported.manifest and self._exported.manifest.drift_seen)

    def _know(self, event: JSON) -> None:
        shown = {name: value for name, value in event.items() if value} if type(event) is dict else {}
        self._check({folded(shown.pop("socialEventId", None))})
        self.event.update(shown)

    def _check(self, events: set[str]) -> None:
        if others := events - {"", self.event["socialEventId"]}:
            raise BadInput(f"`{self._exported.path}` holds registrations of another event: {min(others)}")

    def proof(self) -> dict[str, JSON]:
        facts = self._exported.manifest
        return {
            "why": "; ".join(self.doubts) or (facts.why if facts else ""),
            **{key: getattr(facts, name) if facts else None for key, name in _SAID.items()},
            "rows": self._rows,
            "sha256": self._digest,
            "export": self._exported.path.name,
        }


Listing = Served | Kept
