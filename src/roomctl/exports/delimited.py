"""Exports as delimited text: csv, csv for Excel, tsv. Pages are kept as the text that they will be.

No cell holds a line break (R21), so a line is a row: the end of a line is where later columns are added. Escapes can
be told from what stood there: csv doubles a backslash before what looks like one, tsv each; JSON in a csv cell stays.
"""

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from roomctl.exports.cells import guard_column, texts, unguard
from roomctl.exports.formats import Kept, Sheet, Table
from roomctl.files import write
from roomctl.text import JSON
from roomctl.text.safe import escape_csv, unescape, unsafe, visible


class Dialect(NamedTuple):
    """What stands between cells, how they are escaped and for which marks, which marks are quoted, how a file begins
    and how its lines end. `texts_quoted`: LibreOffice keeps the leading zero of what is quoted ("Format quoted field as
    text"); Excel heeds no quotes, and its own format is xlsx.

    A page is encoded column by column: one look at a column's whole text is cheaper than one at each of its cells.
    """

    comma: str
    escape: Callable[[str, JSON], str]
    escaped: str
    quoted: str
    begin: bytes = b""
    end: str = "\n"
    guard: bool = False
    texts_quoted: bool = False

    def keep(self, page: Table, sheet: Sheet) -> bytes:
        columns = [self._column(column, sheet) for column in page]
        if len(columns) == 1 and self.quoted:  # a csv reader takes an empty line for no row
            columns = [[cell or '""' for cell in columns[0]]]
        lines = self.end.join([*map(self.comma.join, zip(*columns, strict=True)), ""]).encode()
        return self.ending(sheet) + lines

    def ending(self, sheet: Sheet) -> bytes:
        if sheet.begun:
            return b""
        heading = sheet._replace(begun=True, shown=False)
        return self.begin + self.keep([[cell] for cell in sheet.headings], heading)

    def read(self, path: Path) -> Iterator[JSON]:
        if not self.quoted:
            with path.open(encoding="utf-8", newline="\n") as file:
                names = next(file, "").rstrip("\n").split(self.comma)
                for line in file:
                    yield dict(zip(names, line.rstrip("\n").split(self.comma), strict=True))
            return
        csv.field_size_limit(sys.maxsize)
        with path.open(encoding="utf-8-sig", newline="") as file:
            try:
                for row in csv.DictReader(file, strict=True):
                    if None in row or None in row.values():
                        raise ValueError("a line has more or fewer cells than the header")
                    yield row
            except csv.Error as error:
                raise ValueError(str(error)) from error

    def restore(self, cell: str, guarded: bool) -> str:
        """Give what was in a cell, before it was escaped and guarded."""
        return unescape(unguard(cell) if guarded else cell, doubled=not self.quoted)

    def finish(self, pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
        """Write the heading anew, then each page with its lines filled up to the columns that were found in the end."""
        end = self.end.encode()
        write(fd, self.ending(sheet._replace(begun=False)))
        for at, page in enumerate(pages):
            lines = page.body if at else page.body.partition(end)[2]
            write(fd, lines.replace(end, self.comma.encode() * (len(sheet.headings) - page.width) + end))

    def _column(self, column: Sequence[JSON], sheet: Sheet) -> Sequence[str]:
        cells, whole = texts(column)
        shown = sheet.shown or whole.isprintable() or not unsafe("").search(whole)
        if not shown or any(mark in whole for mark in self.escaped):
            cells = list(map(self.escape, cells, column))
        if self.guard or sheet.guard:
            cells = guard_column(cells, column)
        if self.texts_quoted:
            pairs = zip(cells, column, strict=True)
            quoted = (cell and (type(value) is str or "," in cell or '"' in cell) for cell, value in pairs)
            return [_quoted(cell) if is_quoted else cell for cell, is_quoted in zip(cells, quoted, strict=True)]
        if not any(mark in whole for mark in self.quoted):
            return cells
        if '"' not in whole:
            return [f'"{cell}"' if "," in cell else cell for cell in cells]
        return [_quoted(cell) if "," in cell or '"' in cell else cell for cell in cells]


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


CSV = Dialect(",", escape_csv, "\\", ',"')
EXCEL_CSV = CSV._replace(begin=b"\xef\xbb\xbf", end="\r\n", guard=True, texts_quoted=True)
TSV = Dialect("\t", lambda cell, _: visible(cell.replace("\\", "\\\\")), "\\", "")
