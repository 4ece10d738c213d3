"""Workbooks, databases and Parquet files of ours, read back row by row."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from importlib import import_module
from pathlib import Path
from typing import Any

from roomctl.exports.workbook import sheet_name

JSON = Any
Row = dict[str, JSON]
_CHUNK = 1 << 20
_CELL = re.compile(r'<c r="([A-Z]+)\d+"[^>]*>(?:<is><t[^>]*>([^<]*)</t></is>|<v>([^<]*)</v>)</c>', re.ASCII)


def _xlsx(path: Path) -> Iterator[Row]:
    """Read the sheets that we write (not any workbook); every cell is text, a date the number that stands for it."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive:
            number = 1
            while sheet_name(number) in archive.namelist():
                yield from _sheet(archive.open(sheet_name(number)).read)
                number += 1
    except BadZipFile as error:
        raise ValueError(str(error).lower()) from error


def _sheet(read: Callable[[int], bytes]) -> Iterator[Row]:
    headings: dict[str, str] = {}
    rest = b""
    while chunk := read(_CHUNK):
        *rows, rest = (rest + chunk).split(b"</row>")
        for row in rows:
            cells = {letters: _text(words or number) for letters, words, number in _CELL.findall(row.decode())}
            if headings:
                yield {heading: cells.get(letters) for letters, heading in headings.items()}
            else:
                headings = cells


def _text(xml: str) -> str:
    return unescape(xml).replace("_x005F_", "_")


def _sqlite(path: Path) -> Iterator[Row]:
    import sqlite3

    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            (table,) = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchone()
            found = database.execute(f'SELECT * FROM "{table}"')  # noqa: S608  the table is the file's own
            names = [column[0] for column in found.description]
            for row in found:
                yield dict(zip(names, row, strict=True))
        finally:
            database.close()
    except (sqlite3.Error, TypeError) as error:
        raise ValueError(str(error)) from error


def _parquet(path: Path) -> Iterator[Row]:
    pyarrow: Any = import_module("pyarrow")  # an extra: the type checker is not to depend on it
    parquet: Any = import_module("pyarrow.parquet")
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches():
                yield from batch.to_pylist()
    except pyarrow.ArrowException as error:
        raise ValueError(str(error)) from error


READERS: dict[str, Callable[[Path], Iterator[Row]]] = {"xlsx": _xlsx, "sqlite": _sqlite, "parquet": _parquet}
