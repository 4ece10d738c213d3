"""An export as an Excel workbook, written as it goes: memory does not grow with rows.

Texts are inline text cells, so that ids and phone numbers stay what they are; moments are real dates in one zone,
which the heading names; times without a zone stay the texts that came. The first row is frozen and has a filter.
Escapes can be told from what stood there, as in csv.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from html import unescape as plain
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from roomctl.errors import LocalFailure
from roomctl.exports.cells import is_moment, text
from roomctl.exports.formats import Kept, Sheet, Table
from roomctl.exports.packed import Packed, unpack
from roomctl.text import JSON
from roomctl.text.safe import escape, exact, unescape, unsafe
from roomctl.text.times import local, moment

_OTHERS = ("docProps/", "xl/sharedStrings", "xl/theme/")
"""Parts that other programs give a workbook: they round its times, and keep its texts elsewhere."""
_SHEET = "xl/worksheets/sheet1.xml"
MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
MOST_BYTES = 1_900_000_000  # a part of 2 GiB would need ZIP64, for which Excel asks to repair the file
_EXACT = 2**53
_EPOCH = datetime(1899, 12, 30)
_FIRST = datetime(1900, 3, 1)  # before it Excel counts a day that never was
_DAY = timedelta(days=1)
_TEXT, _END = 't="inlineStr"><is><t xml:space="preserve">', "</t></is></c>"
_LOOKS_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # Excel reads `_x0041_` as `A`
_CHUNK = 1 << 20
_CELL = re.compile(
    r'<c r="([A-Z]+)\d+" ?(s="1"|t="b")?[^>]*>(?:<is><t[^>]*>([^<]*)</t></is>|<v>([^<]*)</v>)</c>', re.ASCII
)


class _Xlsx(Packed):
    def keep(self, page: Table, sheet: Sheet) -> bytes:
        return super().keep(page if sheet.shown else [*map(_escaped, page)], sheet)

    def finish(self, pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
        from zipfile import ZIP_DEFLATED, ZipFile

        if len(sheet.headings) > MOST_COLUMNS:
            raise LocalFailure(f"a sheet holds {MOST_COLUMNS} columns, and there are {len(sheet.headings)}")
        template = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        with open(fd, "r+b", closefd=False) as out, ZipFile(out, "w", ZIP_DEFLATED, compresslevel=2) as archive:
            with archive.open(_SHEET, "w") as part:
                part.write(template["head"].format(columns=len(sheet.headings)).encode())
                rows = _write_rows(part, pages, sheet)
                last = _letters(len(sheet.headings))
                part.write(f'</sheetData><autoFilter ref="A1:{last}{rows}"/></worksheet>'.encode())
            for name, text in template["part"].items():
                with archive.open(name, "w") as part:
                    part.write(text.format(title=sheet.title, column=last, row=rows).encode())

    def read(self, path: Path) -> Iterator[JSON]:
        """Read the sheet that we write, whose texts stand in their cells; every cell is text."""
        from zipfile import BadZipFile, ZipFile

        try:
            with ZipFile(path) as archive:
                if any(name.startswith(_OTHERS) for name in archive.namelist()):
                    raise ValueError("another program saved this workbook")
                yield from _rows(archive.open(_SHEET).read)
        except (BadZipFile, KeyError) as error:
            raise ValueError(str(error).lower()) from error


XLSX = _Xlsx()


def _write_rows(part: IO[bytes], pages: Iterable[Kept], sheet: Sheet) -> int:
    """Write the headings and all rows, a page at a time; give their number. Raises LocalFailure for too many."""
    zone = sheet.zone or UTC
    pages = iter(pages)
    start = [*islice(pages, 1)]
    table = unpack(start[0], len(sheet.names)) if start else [()] * len(sheet.names)
    zones = [
        zone if is_moment(name) and _dates(cells) else None for name, cells in zip(sheet.names, table, strict=True)
    ]
    letters = [*map(_letters, range(1, len(zones) + 1))]
    named = zip(sheet.headings, zones, strict=True)
    part.write(_page([[f"{heading} ({zone})" if dated else heading] for heading, dated in named], letters, 1))
    rows, written = 1, 0
    for page in chain(start, pages):
        table = unpack(page, len(letters))
        dated = [_dated(column, zone) if zone else column for column, zone in zip(table, zones, strict=True)]
        written += part.write(_page(dated, letters, rows + 1))
        rows += len(table[0])
        if rows > MOST_ROWS or written > MOST_BYTES:
            raise LocalFailure("there are more rows than a workbook holds", hint="export them as csv or sqlite")
    return rows


def _page(table: Sequence[Sequence[JSON]], letters: Sequence[str], first: int) -> bytes:
    """Write rows as XML: one shape for all, filled in with what the cells of each column hold."""
    numbers = [*map(str, range(first, first + len(table[0])))]
    shape, parts = '<row r="%s">', [numbers]
    for column, letter in zip(table, letters, strict=True):
        start = f'<c r="{letter}%s" '
        if set(map(type, column)) == {str}:
            shape += f"{start}{_TEXT}%s{_END}"
            parts += [numbers, _texts(column)]
        else:  # where there is nothing, there is no cell
            shape += "%s"
            pairs = zip(numbers, column, strict=True)
            parts += [["" if cell is None else start % number + _cell(cell) for number, cell in pairs]]
    return "".join(map(f"{shape}</row>".__mod__, zip(*parts, strict=True))).encode()


def _escaped(column: Sequence[JSON]) -> Sequence[JSON]:
    """Escape what would not show in texts; JSON stays as it is."""
    whole = "".join(cell for cell in column if type(cell) is str)
    if whole.isprintable() and "\\" not in whole:
        return column
    return [exact(cell, "\n\t") if type(cell) is str else cell for cell in column]


def _texts(column: Sequence[str]) -> list[str]:
    whole = "".join(column)
    plain = whole.isprintable() and not any(mark in whole for mark in ("&", "<", ">", "_x"))
    return [*(column if plain else map(_xml, column))]


@lru_cache(1_000, typed=True)
def _cell(cell: JSON) -> str:
    if type(cell) is datetime:
        return f's="1"><v>{(cell - _EPOCH) / _DAY!r}</v></c>'
    if type(cell) is bool:
        return f't="b"><v>{cell:d}</v></c>'
    if type(cell) is str or abs(cell) >= _EXACT:
        return f"{_TEXT}{_xml(str(cell))}{_END}"
    return f"><v>{cell!r}</v></c>"


def _xml(cell: str) -> str:
    shown = unsafe("\n\t").sub(escape, cell)
    return _LOOKS_ESCAPED.sub("_x005F_", shown).replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def _dated(column: Sequence[JSON], zone: tzinfo) -> list[JSON]:
    """Give moments as the date on the wall in `zone`; what is none, or is older than Excel's days, as it is."""
    texts = {cell for cell in column if type(cell) is str}
    walls = {text: at.replace(tzinfo=None) for text in texts if (at := local(text, zone))}
    dates = {text: wall for text, wall in walls.items() if wall >= _FIRST}
    return [dates.get(cell, cell) if type(cell) is str else cell for cell in column]


def _dates(column: Sequence[JSON]) -> bool:
    """Whether some of the times in a column of the first page say their zone; else its heading names none."""
    times = [cell for cell in column if cell not in (None, "")]
    return not times or any(map(moment, times))


def _letters(number: int) -> str:
    """Name a column: 1 is A, 27 is AA."""
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def _rows(read: Callable[[int], bytes]) -> Iterator[dict[str, Any]]:
    headings: dict[str, str] = {}
    rest = b""
    while chunk := read(_CHUNK):
        *found, rest = (rest + chunk).split(b"</row>")
        for row in found:
            cells = {
                letters: _cell_read(kind, words, number) for letters, kind, words, number in _CELL.findall(row.decode())
            }
            if headings:
                yield {heading: cells.get(letters) for letters, heading in headings.items()}
            else:
                headings = cells


def _cell_read(kind: str, words: str, number: str) -> str:
    if kind == 's="1"':
        return str(_EPOCH + timedelta(seconds=round(float(number) * 86400)))
    if kind:
        return text(number == "1")
    return unescape(plain(words or number).replace("_x005F_", "_"))
