"""Exports that are not text: xlsx, sqlite and parquet. Pages are kept as JSON and packed into the file at the end."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from roomctl.exports.cells import text
from roomctl.exports.encoding import decode, encode
from roomctl.exports.formats import Format, Kept, Sheet, Table

JSON = Any
XLSX_LONGEST = 32_767
_SIMPLE = frozenset({str, bool, type(None)})
_LARGEST = 2**63


def keep(table: Table, _: Sheet) -> bytes:
    """Encode a page, column by column; what is no text, number or truth becomes its text."""
    return encode([column if _SIMPLE.issuperset(map(type, column)) else _simple(column) for column in table])


def _simple(column: Sequence[JSON]) -> list[JSON]:
    return [cell if type(cell) in _SIMPLE or _is_small(cell) else text(cell) for cell in column]


def _is_small(cell: JSON) -> bool:
    """Whether it is a number that every format can hold."""
    return type(cell) is float or (type(cell) is int and -_LARGEST <= cell < _LARGEST)


def tables(pages: Iterable[Kept], width: int) -> Iterator[list[list[JSON]]]:
    """Give each kept page as columns, filled up with nulls to the number of columns that there were in the end."""
    for page in pages:
        yield _filled_up(page, width)


def _filled_up(page: Kept, width: int) -> list[list[JSON]]:
    table: list[list[JSON]] = decode(page.body)
    return table + [[None] * len(table[0])] * (width - page.width)


def distinct_headings(headings: Sequence[str]) -> list[str]:
    """Number the headings that differ from an earlier one only in case, where a format cannot tell those apart."""
    taken: set[str] = set()
    names = []
    for heading in headings:
        name, number = heading or "column", 1
        while name.casefold() in taken:
            number += 1
            name = f"{heading} ({number})"
        taken.add(name.casefold())
        names.append(name)
    return names


def _xlsx(pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
    from roomctl.exports.xlsx import finish, is_simple

    finish(((_filled_up(page, len(sheet.headings)), is_simple(page.body)) for page in pages), sheet, fd)


def _sqlite(pages: Iterable[Kept], sheet: Sheet, _: int, path: Path) -> None:
    from roomctl.exports.database import finish

    names = distinct_headings(sheet.headings)
    finish(tables(pages, len(names)), sheet.title.lower(), names, path)


def _parquet(pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
    from roomctl.exports.parquet import finish

    names = distinct_headings(sheet.headings)
    finish(lambda: tables(pages, len(names)), names, fd)


FORMATS = (
    Format("xlsx", (".xlsx",), True, keep, _xlsx, spreadsheet=True, longest=XLSX_LONGEST),
    Format("sqlite", (".sqlite", ".sqlite3", ".db"), True, keep, _sqlite),
    Format("parquet", (".parquet",), True, keep, _parquet, needs="pyarrow"),
)
