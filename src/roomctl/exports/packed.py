"""Exports that are not text: their pages are kept as JSON, and packed into an SQLite database or a Parquet file."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from roomctl.errors import LocalFailure
from roomctl.exports.cells import text
from roomctl.exports.formats import Kept, Sheet, Table
from roomctl.exports.jsonrows import decode, encode
from roomctl.text import JSON
from roomctl.text.safe import visible

_SIMPLE = frozenset({str, bool, type(None)})
_LARGEST = 2**63


class Packed:
    """Keeps pages as JSON, column by column; what is no text, number or truth becomes its text."""

    def keep(self, page: Table, _: Sheet) -> bytes:

        def simple(cell: JSON) -> JSON:
            is_small = type(cell) is float or (type(cell) is int and -_LARGEST <= cell < _LARGEST)
            return cell if is_small or type(cell) in _SIMPLE else text(cell)

        return encode([column if _SIMPLE.issuperset(map(type, column)) else [*map(simple, column)] for column in page])


def unpack(page: Kept, width: int) -> list[list[JSON]]:
    """Give a kept page as columns, filled up with nulls to the number of columns that there were in the end."""
    table: list[list[JSON]] = decode(page.body)
    return table + [[None] * len(table[0])] * (width - page.width)


def distinct_headings(headings: Sequence[str]) -> list[str]:
    """Number the headings that differ from an earlier one only in case, or in how what does not show is written."""
    names: dict[str, str] = {}
    for heading in headings:
        name, number = heading or "column", 1
        while visible(name).casefold() in names:
            number += 1
            name = f"{heading} ({number})"
        names[visible(name).casefold()] = name
    return [*names.values()]


class _SQLite(Packed):
    """One table, one row for each row. Columns have no type: a value stays what it was; true and false are 1 and 0."""

    def finish(self, pages: Iterable[Kept], sheet: Sheet, _: int, path: Path) -> None:
        import sqlite3

        names = distinct_headings(sheet.headings)
        title = _quoted(sheet.title.lower())
        tables = (unpack(page, len(names)) for page in pages)
        rows = chain.from_iterable(zip(*map(_storable, table), strict=True) for table in tables)
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as database:
                database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN")
                database.execute(f"CREATE TABLE {title} ({', '.join(map(_quoted, names))})")
                marks = ", ".join("?" * len(names))
                database.executemany(f"INSERT INTO {title} VALUES ({marks})", rows)  # noqa: S608  the name is quoted
                database.execute("COMMIT")
        except sqlite3.Error as error:
            raise LocalFailure(f"cannot write the database {path}: {error}") from error

    def read(self, path: Path) -> Iterator[JSON]:
        import sqlite3

        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
                (table,) = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchone()
                quoted = table.replace('"', '""')
                found = database.execute(f'SELECT * FROM "{quoted}"')  # noqa: S608  the table is the file's own
                names = [column[0] for column in found.description]
                for row in found:
                    yield dict(zip(names, row, strict=True))
        except (sqlite3.Error, TypeError) as error:
            raise ValueError(str(error)) from error


def _quoted(name: str) -> str:
    return '"' + visible(name).replace('"', '""') + '"'


def _storable(column: Sequence[JSON]) -> Sequence[JSON]:
    try:
        "".join(filter(None, column)).encode()
    except (TypeError, UnicodeEncodeError):  # not only texts, or one with a lone surrogate
        return [_expressible(cell) if type(cell) is str else cell for cell in column]
    return column


def _expressible(cell: str) -> str:
    return cell.encode("utf-8", "backslashreplace").decode()


class _Parquet(Packed):
    """One row group for each page. Texts stay texts; only true/false and integers get a type.

    pyarrow is an extra, imported by name: the type checker is not to depend on it.
    """

    def finish(self, pages: Iterable[Kept], sheet: Sheet, fd: int, _: Path) -> None:
        """Write the columns; pages are read twice, first to see of which type each column is."""
        pyarrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        names = distinct_headings([*map(_expressible, sheet.headings)])
        kinds: list[set[type]] = [set() for _ in names]
        for page in pages:
            for seen, column in zip(kinds, unpack(page, len(names)), strict=True):
                seen.update(map(type, column))
        known = {bool: pyarrow.bool_(), int: pyarrow.int64()}
        only = [seen - {type(None)} for seen in kinds]
        types = [known.get(each.pop()) if len(each) == 1 else None for each in only]
        schema = pyarrow.schema([(name, kind or pyarrow.string()) for name, kind in zip(names, types, strict=True)])
        with open(fd, "r+b", closefd=False) as out, parquet.ParquetWriter(out, schema) as writer:
            for page in pages:
                table = zip(unpack(page, len(names)), types, strict=True)
                columns = [
                    column if kind else [None if cell is None else _expressible(text(cell)) for cell in column]
                    for column, kind in table
                ]
                writer.write_table(pyarrow.table(columns, schema=schema))

    def read(self, path: Path) -> Iterator[JSON]:
        pyarrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        try:
            with parquet.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=1_000):
                    yield from batch.to_pylist()
        except pyarrow.ArrowException as error:
            raise ValueError(str(error)) from error


SQLITE = _SQLite()
PARQUET = _Parquet()
