"""Exports read back, row by row, whatever their format: for checking, comparing and going on from."""

import csv
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from roomctl.contract.operations import BY_NAME
from roomctl.errors import BadInput, BadValue
from roomctl.exports import manifest
from roomctl.exports.exact import DECODER, loads
from roomctl.exports.formats import format_named
from roomctl.exports.manifest import Manifest
from roomctl.exports.moments import is_moment

JSON = Any
Row = dict[str, JSON]
_CHUNK = 1 << 20
_NESTED = frozenset({dict, list})


class Exported:
    """An export on disk: its manifest where it has one, its format, and the field that identifies a row."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise BadInput(f"no such file: `{path}`")
        self.path = path
        self.manifest = self._manifest()
        self.format = self.manifest.format if self.manifest else _format(path)

    @cached_property
    def tabular(self) -> bool:
        """Whether its rows are cells under headings, rather than the objects that the service sent.

        What the service sends holds objects and arrays: rows of JSON without any were made of columns.
        """
        if self.format not in ("ndjson", "json"):
            return True
        if self.manifest:
            return self.manifest.columns is not None
        first = next(self.rows(), None)
        return type(first) is dict and _NESTED.isdisjoint(map(type, first.values()))

    def row_id(self, row: Row) -> str | None:
        """Name the field that identifies a row: the operation's, under the heading that it has in the file.

        Without a manifest it is the first that ends in `Id`.
        """
        known = BY_NAME.get(self.manifest.operation) if self.manifest else None
        if known:
            return next((heading for heading, name in self._names.items() if name == known.row_id), known.row_id)
        return next((name for name in row if name.endswith("Id")), None)

    def named(self, row: Row) -> Row:
        """Give a row under the names that its columns have for the service, whatever their headings are."""
        names = self._names
        return {names.get(heading, heading): cell for heading, cell in row.items()} if names else row

    @cached_property
    def _names(self) -> dict[str, str]:
        """The headings in the file and the columns that they stand for, as far as they differ."""
        facts = self.manifest
        if not facts or not facts.columns:
            return {}
        columns = {heading: column for column, heading in (facts.renamed or {}).items()}
        zone = f" ({facts.time_zone or 'UTC'})" if facts.format == "xlsx" else ""
        named = ((heading, columns.get(heading, heading)) for heading in facts.columns)
        names = {heading + zone * is_moment(column): column for heading, column in named}
        return {heading: column for heading, column in names.items() if heading != column}

    def rows(self) -> Iterator[JSON]:
        """Read the rows. Raises BadInput where the file is not what its name or manifest says."""
        try:
            yield from _READERS[self.format](self.path, self.format)
        except (OSError, ValueError, csv.Error, RecursionError) as error:
            raise BadInput(f"cannot read `{self.path}` as {self.format}: {error}") from error

    def _manifest(self) -> Manifest | None:
        path = manifest.path_of(self.path)
        return manifest.read(path) if path.is_file() else None


def _format(path: Path) -> str:
    try:
        return format_named(None, path).name
    except BadValue:
        raise BadInput(
            f"neither the name of the file nor a manifest beside it says what format it has: `{path}`",
            hint="give it the ending of its format, such as .csv, .ndjson or .xlsx",
        ) from None


def _lines(path: Path, _: str) -> Iterator[JSON]:
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                yield loads(line.decode())


def _array(path: Path, _: str) -> Iterator[JSON]:
    """Read one array of any layout without holding it: more text is read whenever an element is not yet whole."""
    read = DECODER.raw_decode
    with path.open(encoding="utf-8-sig") as file:
        text = file.read(_CHUNK).lstrip()
        if not text.startswith("["):
            raise ValueError("not an array")
        at = 1
        while (at := _skip(text, at)) == len(text) or text[at] != "]":
            try:
                value, end = read(text, at)
            except ValueError:
                end = len(text)
            if end == len(text):  # cut off, or a number that could go on
                text, at = text[at:] + _more(file), 0
                continue
            yield value
            at = end


_BETWEEN = re.compile(r"[ \t\r\n,]*")


def _skip(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return match.end() if match else at


def _more(file: IO[str]) -> str:
    more = file.read(_CHUNK)
    if not more:
        raise ValueError("the array has no end")
    return more


def _csv(path: Path, _: str) -> Iterator[JSON]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            if None in row or None in row.values():
                raise ValueError("a line has more or fewer cells than the heading")
            yield row


def _tsv(path: Path, _: str) -> Iterator[JSON]:
    with path.open(encoding="utf-8", newline="\n") as file:
        names = next(file, "").rstrip("\n").split("\t")
        for line in file:
            yield dict(zip(names, line.rstrip("\n").split("\t"), strict=True))


def _packed(path: Path, form: str) -> Iterator[JSON]:
    from roomctl.exports import unpacking

    yield from unpacking.READERS[form](path)


_READERS = {
    "ndjson": _lines,
    "json": _array,
    "csv": _csv,
    "excel-csv": _csv,
    "tsv": _tsv,
    "xlsx": _packed,
    "sqlite": _packed,
    "parquet": _packed,
}
