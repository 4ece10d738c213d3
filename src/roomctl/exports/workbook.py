"""The parts of an Excel workbook (ECMA-376: the fewest that Excel opens without a question), and its rows read back."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import Any

_CHUNK = 1 << 20
_CELL = re.compile(r'<c r="([A-Z]+)\d+"[^>]*>(?:<is><t[^>]*>([^<]*)</t></is>|<v>([^<]*)</v>)</c>', re.ASCII)
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/></numFmts>'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def sheet_name(number: int) -> str:
    """Name the part that holds a sheet; the first is 1."""
    return f"xl/worksheets/sheet{number}.xml"


def begin(columns: int) -> str:
    """Begin a sheet: the first row frozen, columns as wide as a moment."""
    return (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        f'<cols><col min="1" max="{columns}" width="21" customWidth="1"/></cols><sheetData>'
    )


def end(area: str) -> str:
    """End a sheet, with a filter over `area`."""
    return f'</sheetData><autoFilter ref="{area}"/></worksheet>'


def rows(read: Callable[[int], bytes]) -> Iterator[dict[str, Any]]:
    """Read the rows of a sheet of ours: every cell is text."""
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


def parts(sheets: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Give names and texts of the parts that say what the workbook holds; a sheet is its title and its area."""
    numbers = range(1, len(sheets) + 1)
    yield "[Content_Types].xml", _content_types(numbers)
    yield "_rels/.rels", _relations([("rId1", "officeDocument", "xl/workbook.xml")])
    yield "xl/workbook.xml", _workbook(sheets)
    related = [(f"rId{number}", "worksheet", f"worksheets/sheet{number}.xml") for number in numbers]
    yield "xl/_rels/workbook.xml.rels", _relations([*related, ("rIdStyles", "styles", "styles.xml")])
    yield "xl/styles.xml", _STYLES


def _content_types(numbers: Sequence[int]) -> str:
    sheets = "".join(
        f'<Override PartName="/{sheet_name(number)}" ContentType="{_KIND}.worksheet+xml"/>' for number in numbers
    )
    return (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>{sheets}'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/></Types>'
    )


def _relations(targets: Sequence[tuple[str, str, str]]) -> str:
    each = "".join(f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for name, kind, to in targets)
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


def _workbook(sheets: Sequence[tuple[str, str]]) -> str:
    listed = "".join(
        f'<sheet name="{title}" sheetId="{number}" r:id="rId{number}"/>' for number, (title, _) in enumerate(sheets, 1)
    )
    filters = "".join(
        f'<definedName name="_xlnm._FilterDatabase" localSheetId="{number}" hidden="1">{_absolute(title, area)}'
        "</definedName>"
        for number, (title, area) in enumerate(sheets)
    )
    return (
        f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><bookViews><workbookView/></bookViews>'
        f"<sheets>{listed}</sheets><definedNames>{filters}</definedNames></workbook>"
    )


def _absolute(title: str, area: str) -> str:
    """Name an area as a formula does: `'Registrations'!$A$1:$T$5`."""
    corners = (
        f"${corner.rstrip('0123456789')}${corner.lstrip('ABCDEFGHIJKLMNOPQRSTUVWXYZ')}" for corner in area.split(":")
    )
    return f"'{title}'!{':'.join(corners)}"
