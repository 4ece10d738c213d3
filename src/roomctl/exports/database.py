"""An export as an SQLite database: one table, one row for each row."""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from roomctl.errors import LocalFailure
from roomctl.exports.cells import visible

JSON = Any


def finish(tables: Iterable[list[list[JSON]]], title: str, names: Sequence[str], path: Path) -> None:
    """Write a table `title` into the empty file at `path`. Columns have no type: a value stays what it was.

    True and false are 1 and 0.
    """
    import sqlite3

    try:
        database = sqlite3.connect(path, isolation_level=None)
        try:
            database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN")
            database.execute(f"CREATE TABLE {_quoted(title)} ({', '.join(map(_quoted, names))})")
            rows = chain.from_iterable(zip(*map(_storable, table), strict=True) for table in tables)
            marks = ", ".join(repeat("?", len(names)))
            database.executemany(f"INSERT INTO {_quoted(title)} VALUES ({marks})", rows)  # noqa: S608  the name is quoted
            database.execute("COMMIT")
        finally:
            database.close()
    except sqlite3.Error as error:
        raise LocalFailure(f"cannot write the database `{path}`: {error}") from error


def _quoted(name: str) -> str:
    return '"' + visible(name).replace('"', '""') + '"'


def _storable(column: Sequence[JSON]) -> Sequence[JSON]:
    try:
        "".join(filter(None, column)).encode()
    except (TypeError, UnicodeEncodeError):  # not only texts, or one with a lone surrogate
        return [cell.encode("utf-8", "backslashreplace").decode() if type(cell) is str else cell for cell in column]
    return column
