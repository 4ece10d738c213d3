"""Exports as text: csv, excel-csv, tsv, ndjson and json. Pages are kept as the text that they will be.

No cell holds a line break (R21), so a line is a row: the end of a line is where later columns are added.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.exports.cells import guarded, plain, text, visible
from roomctl.exports.disk import write
from roomctl.exports.encoding import lines
from roomctl.exports.formats import Format, Kept, Sheet, Table
from roomctl.exports.moments import in_zone

JSON = Any
Cells = list[str]
_BOM = b"\xef\xbb\xbf"


class _Dialect(NamedTuple):
    """What stands between cells, how texts are escaped and quoted, how the file begins and its lines end.

    A page is encoded column by column: one look at a column's whole text is cheaper than one at each of its cells.
    """

    comma: str
    escape: Callable[[Cells], Cells]
    quote: Callable[[Cells], Cells]
    begin: bytes = b""
    end: bytes = b"\n"
    guard: bool = False

    def keep(self, table: Table, sheet: Sheet) -> bytes:
        """Encode a page."""
        guard = self.guard or sheet.guard
        columns = [
            self._column(column, in_zone(column, name, sheet.zone), guard)
            for column, name in zip(table, sheet.names, strict=True)
        ]
        if len(columns) == 1 and self.comma == ",":  # a csv reader takes an empty line for no row
            columns = [[cell or '""' for cell in columns[0]]]
        rows = map(self.comma.join, zip(*columns, strict=True))
        return "".join([f"{row}\n" for row in rows]).encode()

    def finish(self, pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
        """Write the heading, then each page with its lines filled up to the columns that were found in the end."""
        whole = sheet._replace(names=sheet.headings, zone=None)
        write(fd, self.begin + self.keep([[heading] for heading in sheet.headings], whole).replace(b"\n", self.end))
        for page in pages:
            filling = self.comma.encode() * (len(sheet.headings) - page.width) + self.end
            write(fd, page.body if filling == b"\n" else page.body.replace(b"\n", filling))

    def _column(self, source: Sequence[JSON], shown: Sequence[JSON], guard: bool) -> Cells:
        cells = self.escape([cell if type(cell) is str else text(cell) for cell in shown])
        return self.quote(guarded(cells, source) if guard else cells)


def _visible(cells: Cells) -> Cells:
    return cells if plain("".join(cells)) else [visible(cell) for cell in cells]


def _backslashed(cells: Cells) -> Cells:
    doubled = [cell.replace("\\", "\\\\") for cell in cells] if "\\" in "".join(cells) else cells
    return _visible(doubled)


def _quoted(cells: Cells) -> Cells:
    whole = "".join(cells)
    if "," not in whole and '"' not in whole:
        return cells
    return ['"' + cell.replace('"', '""') + '"' if "," in cell or '"' in cell else cell for cell in cells]


def _unquoted(cells: Cells) -> Cells:
    return cells


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


_CSV = _Dialect(",", _visible, _quoted)
_EXCEL = _CSV._replace(begin=_BOM, end=b"\r\n", guard=True)
_TSV = _Dialect("\t", _backslashed, _unquoted)

FORMATS = (
    Format("csv", (".csv",), True, _CSV.keep, _CSV.finish),
    Format("excel-csv", (), True, _EXCEL.keep, _EXCEL.finish),
    Format("tsv", (".tsv",), True, _TSV.keep, _TSV.finish),
    Format("ndjson", (".ndjson", ".jsonl"), False, _keep_lines, _finish_ndjson),
    Format("json", (".json",), False, _keep_lines, _finish_json),
)
