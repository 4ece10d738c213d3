"""Exports as text: csv, excel-csv, tsv, ndjson and json. Pages are kept as the text that they will be.

No cell holds a line break (R21), so a line is a row: the end of a line is where later columns are added.
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.exports.cells import guard, shows, text, visible
from roomctl.exports.disk import write
from roomctl.exports.encoding import lines
from roomctl.exports.formats import Format, Kept, Sheet, Table
from roomctl.exports.moments import in_zone

JSON = Any
Row = Sequence[str | None]
_BOM = b"\xef\xbb\xbf"
_TEXT = frozenset({str, type(None)})


class _Dialect(NamedTuple):
    """How rows become lines, what a cell's text becomes before, and how the file begins and its lines end."""

    join: Callable[[Iterable[Row]], str]
    shown: Callable[[str], str]
    comma: bytes
    begin: bytes = b""
    end: bytes = b"\n"
    guard: bool = False

    def keep(self, table: Table, sheet: Sheet) -> bytes:
        """Encode a page. A look at its whole text is cheaper than one at each cell, and most pages need no escapes."""
        columns = [_texts(in_zone(column, name, sheet.zone)) for column, name in zip(table, sheet.names, strict=True)]
        guarded = self.guard or sheet.guard
        if not guarded and (quick := self._plain(columns)) is not None:
            return quick
        shown = [[self.shown(cell or "") for cell in column] for column in columns]
        if guarded:
            shown = [_guarded(cells, source) for cells, source in zip(shown, table, strict=True)]
        return self.join(zip(*shown, strict=True)).encode()

    def finish(self, pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
        """Write the heading, then each page with its lines filled up to the columns that were found in the end."""
        whole = sheet._replace(names=sheet.headings, zone=None)
        write(fd, self.begin + self.keep([[heading] for heading in sheet.headings], whole).replace(b"\n", self.end))
        for page in pages:
            filling = self.comma * (len(sheet.headings) - page.width) + self.end
            write(fd, page.body if filling == b"\n" else page.body.replace(b"\n", filling))

    def _plain(self, columns: Sequence[Sequence[str | None]]) -> bytes | None:
        try:
            data = self.join(zip(*columns, strict=True)).encode()
        except UnicodeEncodeError:  # a lone surrogate
            return None
        rows = len(columns[0])
        bare = data
        if self.comma == b"\t":
            if b"\\" in data or data.count(b"\t") != rows * (len(columns) - 1):
                return None
            bare = data.replace(b"\t", b"")
        return data if data.count(b"\n") == rows and shows(bare) else None


def _comma(rows: Iterable[Row]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _tab(rows: Iterable[Row]) -> str:
    return "".join(["\t".join([cell or "" for cell in row]) + "\n" for row in rows])


def _backslashed(cell: str) -> str:
    return visible(cell.replace("\\", "\\\\"))


def _texts(column: Sequence[JSON]) -> Sequence[str | None]:
    return column if _TEXT.issuperset(map(type, column)) else [text(cell) for cell in column]


def _guarded(cells: Sequence[str], source: Sequence[JSON]) -> list[str]:
    """Guard what was a string; a number is left alone, a spreadsheet reads it as what it is."""
    return [guard(cell) if type(value) is str else cell for cell, value in zip(cells, source, strict=True)]


def _keep_lines(rows: Sequence[JSON], _: Sheet) -> bytes:
    return lines(rows)


def _finish_ndjson(pages: Iterable[Kept], _: Sheet, fd: int, __: Path) -> None:
    for page in pages:
        write(fd, page.body)


def _finish_json(pages: Iterable[Kept], _: Sheet, fd: int, __: Path) -> None:
    """Write one array, a row to a line."""
    between = b"[\n"
    for page in pages:
        write(fd, between + page.body[:-1].replace(b"\n", b",\n"))
        between = b",\n"
    write(fd, b"[]\n" if between == b"[\n" else b"\n]\n")


_CSV = _Dialect(_comma, visible, b",")
_EXCEL = _CSV._replace(begin=_BOM, end=b"\r\n", guard=True)
_TSV = _Dialect(_tab, _backslashed, b"\t")

FORMATS = (
    Format("csv", (".csv",), True, _CSV.keep, _CSV.finish),
    Format("excel-csv", (), True, _EXCEL.keep, _EXCEL.finish),
    Format("tsv", (".tsv",), True, _TSV.keep, _TSV.finish),
    Format("ndjson", (".ndjson", ".jsonl"), False, _keep_lines, _finish_ndjson),
    Format("json", (".json",), False, _keep_lines, _finish_json),
)
