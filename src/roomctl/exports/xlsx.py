"""An export as an Excel workbook, written as it goes: memory does not grow with rows.

Texts are inline text cells, so that ids and phone numbers stay what they are; moments are real dates in one zone,
which the heading names. The first row is frozen and has a filter. A full sheet is followed by another.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta, tzinfo
from html import unescape
from pathlib import Path
from types import NoneType
from typing import IO, TYPE_CHECKING, Any

from roomctl.errors import LocalFailure
from roomctl.exports.cells import is_moment
from roomctl.exports.formats import Kept, Sheet
from roomctl.exports.packed import Packed, unpack
from roomctl.text import JSON
from roomctl.text.safe import escape, unsafe
from roomctl.text.times import local

if TYPE_CHECKING:
    from zipfile import ZipFile

_OTHERS = ("docProps/", "xl/sharedStrings", "xl/theme/")
"""Parts that other programs give a workbook: they round its times, and keep its texts elsewhere."""
_SHEETS = "xl/worksheets/sheet"
MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
MOST_BYTES = 1_900_000_000  # a part of 2 GiB would need ZIP64, for which Excel asks to repair the file
_EXACT = 2**53
_EPOCH = datetime(1899, 12, 30)
_FIRST = datetime(1900, 3, 1)  # before it Excel counts a day that never was
_DAY = timedelta(days=1)
_TEXT = 't="inlineStr"><is><t xml:space="preserve">'
_LOOKS_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # Excel reads `_x0041_` as `A`
_CHUNK = 1 << 20
_CELL = re.compile(r'<c r="([A-Z]+)\d+"[^>]*>(?:<is><t[^>]*>([^<]*)</t></is>|<v>([^<]*)</v>)</c>', re.ASCII)


class _Xlsx(Packed):
    def finish(self, pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
        from zipfile import ZIP_DEFLATED, ZipFile

        if len(sheet.headings) > MOST_COLUMNS:
            raise LocalFailure(f"a sheet holds {MOST_COLUMNS} columns, and there are {len(sheet.headings)}")
        with open(fd, "r+b", closefd=False) as out, ZipFile(out, "w", ZIP_DEFLATED, compresslevel=2) as archive:
            book = _Book(archive, sheet)
            try:
                book.open()
                for page in pages:
                    book.add(unpack(page, len(sheet.headings)))
                book.close()
            except BaseException:
                book.abandon()
                raise

    def read(self, path: Path) -> Iterator[JSON]:
        """Read the sheets that we write, whose texts stand in their cells; every cell is text, a date its number."""
        from zipfile import BadZipFile, ZipFile

        try:
            with ZipFile(path) as archive:
                if any(name.startswith(_OTHERS) for name in archive.namelist()):
                    raise ValueError("another program saved this workbook")
                for name in archive.namelist():
                    if name.startswith(_SHEETS):
                        yield from _rows(archive.open(name).read)
        except BadZipFile as error:
            raise ValueError(str(error).lower()) from error


XLSX = _Xlsx()


def date_of(cell: str | None) -> str | None:
    """Give the number of a date in a workbook as `2026-12-01 18:30:00`; any other cell as it is."""
    try:
        return str(_EPOCH + timedelta(seconds=round(float(cell or "") * 86400)))
    except (ValueError, OverflowError):
        return cell


class _Book:
    def __init__(self, archive: "ZipFile", sheet: Sheet) -> None:
        self._archive = archive
        zone = sheet.zone or UTC
        self._zones = [zone if is_moment(name) else None for name in sheet.names]
        self._letters = [_letters(number) for number in range(len(sheet.headings))]
        self._title = sheet.title
        self._headings = [
            f"{heading} ({zone})" if dated else heading
            for heading, dated in zip(sheet.headings, self._zones, strict=True)
        ]
        self._template = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        self._sheets: list[dict[str, JSON]] = []
        self._held = ExitStack()

    def add(self, table: Sequence[Sequence[JSON]]) -> None:
        rows = len(table[0])
        if self._row + rows > MOST_ROWS or self._bytes > MOST_BYTES:
            self._shut()
            self.open()
        self._write(table, self._zones)

    def close(self) -> None:
        self._shut()
        lists = {name: "".join(map(text.format_map, self._sheets)) for name, text in self._template["sheet"].items()}
        for name, text in self._template["part"].items():
            with self._archive.open(name, "w") as part:
                part.write(text.format_map(lists).encode())

    def abandon(self) -> None:
        """Let go of the sheet that is open: an archive cannot be closed over it, and would hide what went wrong."""
        with suppress(OSError):
            self._held.close()

    def open(self) -> None:
        part = self._archive.open(f"{_SHEETS}{len(self._sheets) + 1}.xml", "w")
        self._part: IO[bytes] = self._held.enter_context(part)
        self._presser = _thread(self._held)
        self._pressed: Future[int] | None = None
        self._row = self._bytes = 0
        self._press(self._template["head"].format(columns=len(self._headings)).encode())
        self._write([[heading] for heading in self._headings], [None] * len(self._headings))

    def _shut(self) -> None:
        area = f"A1:{self._letters[-1]}{self._row}"
        self._press(f'</sheetData><autoFilter ref="{area}"/></worksheet>'.encode())
        self._wait()
        self._held.close()
        place = len(self._sheets)
        title = f"{self._title} {place + 1}" if place else self._title
        facts = {"title": title, "place": place, "number": place + 1, "column": self._letters[-1], "row": self._row}
        self._sheets.append(facts)

    def _write(self, table: Sequence[Sequence[JSON]], zones: Sequence[tzinfo | None]) -> None:
        numbers = [*map(str, range(self._row + 1, self._row + 1 + len(table[0])))]
        shape = '<row r="%s">'
        parts: list[Sequence[str]] = [numbers]
        for column, letters, zone in zip(table, self._letters, zones, strict=True):
            cell, texts = _column(_dated(column, zone) if zone else column, letters, numbers)
            shape += cell
            parts += texts
        shape += "</row>"
        data = "".join(map(shape.__mod__, zip(*parts, strict=True))).encode("latin-1")
        self._row += len(numbers)
        self._bytes += len(data)
        self._press(data)

    def _press(self, data: bytes) -> None:
        """Compress and write, in a thread, while the next page is made ready. Raises what the last page raised."""
        self._wait()
        if self._presser:
            self._pressed = self._presser.submit(self._part.write, data)
        else:
            self._part.write(data)

    def _wait(self) -> None:
        if self._pressed:
            self._pressed.result()


def _thread(held: ExitStack) -> ThreadPoolExecutor | None:
    one = held.enter_context(ThreadPoolExecutor(1, "roomctl-xlsx"))
    try:
        one.submit(len, b"")
    except RuntimeError:
        return None
    return one


def _column(cells: Sequence[JSON], letters: str, numbers: list[str]) -> tuple[str, list[Sequence[str]]]:
    start = f'<c r="{letters}%s" '
    try:
        whole = "".join(cells)
    except TypeError:
        return _typed(cells, start, numbers)
    plain = whole.isprintable() and not any(mark in whole for mark in ("&", "<", ">", "_x"))
    lines = "\n".join(cells) if " " in whole else ""  # a space at the beginning or end of a text would be lost
    if plain and not (" \n" in lines or "\n " in lines or lines != lines.strip(" ")):
        return f'{start}t="inlineStr"><is><t>%s</t></is></c>', [numbers, cells if whole.isascii() else _bytewise(cells)]
    return f"{start}{_TEXT}%s</t></is></c>", [numbers, _bytewise([_xml(cell) for cell in cells])]


def _typed(cells: Sequence[JSON], start: str, numbers: list[str]) -> tuple[str, list[Sequence[str]]]:
    """Give shape and contents of cells that bring their own types; where there is nothing, there is no cell."""
    kinds = set(map(type, cells))
    if kinds == {NoneType}:
        return "", []
    if len(kinds - {NoneType}) > 1:  # true and 1 are one key
        ends = [_end(cell) for cell in cells]
    else:
        each = {cell: _end(cell) for cell in set(cells)}
        ends = [each[cell] for cell in cells]
    if str in kinds:
        ends = _bytewise(ends)
    if NoneType not in kinds:
        return f"{start}%s", [numbers, ends]
    return "%s", [[end and start % number + end for end, number in zip(ends, numbers, strict=True)]]


def _bytewise(texts: Sequence[str]) -> list[str]:
    """Write texts, which hold no NUL, as UTF-8, a character for each byte: then a whole page is quickly encoded."""
    return "\0".join(texts).encode().decode("latin-1").split("\0")


def _xml(text: str) -> str:
    shown = unsafe("\n\t").sub(escape, text)
    return _LOOKS_ESCAPED.sub("_x005F_", shown).replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


def _dated(column: Sequence[JSON], zone: tzinfo) -> list[JSON]:
    """Give moments as the date on the wall in `zone`; what is none, or is older than Excel's days, as it is."""
    texts = {cell for cell in column if type(cell) is str}
    walls = {text: at.replace(tzinfo=None) for text in texts if (at := local(text, zone))}
    dates = {text: wall for text, wall in walls.items() if wall >= _FIRST}
    return [dates.get(cell, cell) if type(cell) is str else cell for cell in column]


def _end(cell: JSON) -> str:
    if type(cell) is str:
        return f"{_TEXT}{_xml(cell)}</t></is></c>"
    if cell is None:
        return ""
    if type(cell) is datetime:
        return f's="1"><v>{(cell - _EPOCH) / _DAY!r}</v></c>'
    if type(cell) is bool:
        return f't="b"><v>{cell:d}</v></c>'
    if abs(cell) < _EXACT:
        return f"><v>{cell!r}</v></c>"
    return f"{_TEXT}{cell!r}</t></is></c>"


def _letters(number: int) -> str:
    name = ""
    number += 1
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
                letters: unescape(words or number).replace("_x005F_", "_")
                for letters, words, number in _CELL.findall(row.decode())
            }
            if headings:
                yield {heading: cells.get(letters) for letters, heading in headings.items()}
            else:
                headings = cells
