"""Exports read back, row by row, whatever their format: checked against their manifests, compared, gone on from."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from roomctl.contract.operations import BY_NAME
from roomctl.contract.paging import Decode
from roomctl.contract.records import event_id, folded
from roomctl.errors import BadInput
from roomctl.exports import manifest
from roomctl.exports.cells import NESTED, is_moment
from roomctl.exports.formats import NAMES, format_named, format_of
from roomctl.exports.jsonrows import loads
from roomctl.exports.manifest import id_of
from roomctl.exports.part import beside, sha256_of
from roomctl.files import unreadable
from roomctl.service.distinct import Distinct, fingerprint, folded_keys, key_of
from roomctl.text import JSON
from roomctl.text.safe import visible

Row = dict[str, JSON]
READABLE = f"give a file as `registration export` wrote it, in one of {', '.join(NAMES)}; or export it again"


class Exported:
    """An export on disk: its manifest where it has one, its format, and the field that identifies a row."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise unreadable(path)
        self.path = path
        beside_it = manifest.path_of(path)
        self.manifest = manifest.read(beside_it) if beside_it.is_file() else None
        self.format = format_named(self.manifest.format, path) if self.manifest else format_of(path)

    @cached_property
    def tabular(self) -> bool:
        """Whether its rows are cells under headings, rather than the objects that the service sent.

        What the service sends holds objects and arrays: rows of JSON without any were made of columns.
        """
        if self.format.tabular:
            return True
        if self.manifest:
            return self.manifest.columns is not None
        first = next(self.rows(), None)
        return type(first) is dict and NESTED.isdisjoint(map(type, first.values()))

    def row_id(self, row: Row) -> str | None:
        """Name the field that identifies a row; without a manifest the first that ends in `Id`."""
        known = BY_NAME.get(self.manifest.operation) if self.manifest else None
        return known.row_id if known else next((name for name in row if name.endswith("Id")), None)

    @cached_property
    def columns(self) -> dict[str, str]:
        """The headings in the file, as far as a manifest names them, and the columns that they stand for."""
        facts = self.manifest
        if not facts or not facts.columns:
            return {}
        columns = {heading: column for column, heading in (facts.renamed or {}).items()}
        zone = f" ({facts.time_zone or 'UTC'})" if self.format.dates else ""
        named = {heading: columns.get(heading, heading) for heading in facts.columns}
        return named | {heading + zone: column for heading, column in named.items() if is_moment(column)}

    def event(self, row: Row) -> str:
        return folded(row.get("event.socialEventId")) if self.tabular else event_id(row)

    def verify(self) -> str:
        """Give the file's sha256. Raises BadInput where its manifest says another."""
        digest = sha256_of(self.path)
        if self.manifest and self.manifest.sha256 != digest:
            hint = f"`roomctl registration check {self.path}` shows what differs"
            raise BadInput(f"{self.path} does not match its manifest", hint=hint)
        return digest

    def rows(self) -> Iterator[JSON]:
        """Read the rows, as they were before they were written, under the service's names. Raises BadInput."""
        columns, guarded = self.columns, self.manifest is not None and self.manifest.guard
        codec = self.format.codec
        restore = getattr(codec, "restore", None)
        with self._readable():
            for row in codec.read(self.path):
                cells = (
                    {restore(name, guarded): restore(cell, guarded) for name, cell in row.items()} if restore else row
                )
                yield {columns.get(name, name): cell for name, cell in cells.items()} if columns else cells

    def pages(self, size: int, decode: Decode) -> Iterator[list[JSON]]:
        """Read the rows, so many at a time; lines of JSON as `decode` gives them, where it does. Raises BadInput."""
        if self.tabular or self.format.name != "ndjson":
            rows = self.rows()
            while page := [*islice(rows, size)]:
                yield page
            return
        with self._readable(), self.path.open("rb") as file:
            lines = filter(bytes.strip, file)
            while some := [*islice(lines, size)]:
                body = b"[" + b",".join(some) + b"]"
                yield decode(body, body) or [loads(line.decode()) for line in some]

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError, RecursionError) as error:
            raise BadInput(f"cannot read {self.path} as {self.format.name}: {error}", hint=READABLE) from error


class Earlier(NamedTuple):
    """The rows of an earlier export, by key, in about 250 bytes each; `basis` tells one file from another."""

    hashes: dict[str, bytes]
    basis: str

    def has(self, key: str, content: str) -> bool:
        return self.hashes.get(*folded_keys([key])) == bytes.fromhex(content)


def earlier(path: Path, row_id: str | None, query: Sequence[tuple[str, str]] = (), host: str = "") -> Earlier:
    """Read an ndjson export, or the ids that an export of any format kept; `path` is the export or its manifest.

    Raises BadInput, also where its manifest is missing, incomplete, or of another list than `query` asks for at `host`.
    """
    if not path.is_file():
        raise unreadable(path, hint="`--since` takes the file of an earlier export")
    file = path.with_name(path.name.removesuffix(manifest.ENDING))
    facts = manifest.required(file)
    facts.require_complete(path)
    wanted = manifest.list_asked(facts.operation, query)
    if query and facts.asked != wanted:
        raise BadInput(f"{path} is an export of another list: {facts.asked}, not {wanted}")
    if host and facts.profile_host != host:
        raise BadInput(f"{path} is an export from another service: {facts.profile_host}, not {host}")
    exported = Exported(file) if file.is_file() else None
    content = exported.verify() if exported else ""
    is_ndjson = exported is not None and exported.format.name == "ndjson"
    if exported and is_ndjson and not (exported.tabular or facts.left_out or facts.label):
        pairs = ((key_of(row, row_id), fingerprint(row)) for row in exported.rows())
        return _earlier(pairs, content)
    ids, again = beside(file, manifest.IDS), "export once more with `--keep-ids`"
    if not ids.is_file():
        why = f"the earlier export has no ids file beside it ({ids})"
        raise BadInput(why, hint=f"use an ndjson export of all rows and columns, or {again}")
    if facts.ids_sha256 != sha256_of(ids):
        raise BadInput(f"{ids} does not match the manifest of {file}", hint=again)
    with ids.open("rb") as lines:
        return _earlier(map(json.loads, lines), facts.ids_sha256)


def _earlier(pairs: Iterable[Sequence[str]], basis: str) -> Earlier:
    return Earlier({folded_keys([key])[0]: bytes.fromhex(content) for key, content in pairs}, basis)


class Difference(NamedTuple):
    what: str
    expected: JSON
    found: JSON


def check(path: Path) -> list[Difference]:
    """Compare an export with its manifest, which must say that it is complete. Raises BadInput without a manifest.

    Distinct ids are not compared where the file has no column for them.
    """
    name, dot, _ = path.name.partition(".part")
    work = path.parent / f"{name}.part"
    if work.is_file() and (dot or not path.exists()):
        raise BadInput(f"`{work}` is an unfinished export", hint="to resume, run the command that began it")
    if not path.is_file():
        raise unreadable(path)
    facts, exported = manifest.required(path), Exported(path)
    expected: dict[str, JSON] = {"complete": True, "sha256": facts.sha256}
    found: dict[str, JSON] = {"complete": facts.complete, "sha256": sha256_of(path)}
    if facts.ids_sha256:
        ids = beside(path, manifest.IDS)
        expected[ids.name], found[ids.name] = facts.ids_sha256, sha256_of(ids) if ids.is_file() else "missing"
    try:
        found |= _count(exported)
        expected |= {"rows": facts.rows, "distinct ids": facts.distinct_ids, "first id": facts.first_id}
        expected |= {"last id": facts.last_id, "columns": _plain(exported.columns.values())}
        expected |= {"events": [folded(each) for each in facts.filters.get("socialEventId", ())]}
    except BadInput as error:
        expected["readable"], found["readable"] = True, error.message
    return [Difference(what, value, found[what]) for what, value in expected.items() if found.get(what, value) != value]


def _count(exported: Exported) -> dict[str, JSON]:
    rows, events, distinct = 0, set[str](), Distinct()
    first = last = row_id = None
    columns: Iterable[str] | None = None
    for row in exported.rows():
        if not rows:
            row_id = exported.row_id(row)
            first = key_of(row, row_id)
            columns = row if exported.tabular and not exported.format.binary else None
        last = key_of(row, row_id)
        distinct.fresh([last] if id_of(last) else [])
        events.add(exported.event(row))
        rows += 1
    shown: dict[str, JSON] = {"rows": rows} | ({"events": found} if (found := sorted(filter(None, events))) else {})
    if id_of(first) or not exported.tabular:
        shown |= {"distinct ids": distinct.count, "first id": id_of(first), "last id": id_of(last)}
    return shown if columns is None else {**shown, "columns": _plain(columns)}


def _plain(columns: Iterable[str]) -> list[str]:
    """Give headings without what a format does to them: escapes and the guard against formulas."""
    return [visible(name).replace("\\", "").lstrip("'") for name in columns]
