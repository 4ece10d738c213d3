"""An export as Parquet: one row group for each page. Texts stay texts; only true/false and integers get a type."""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

from roomctl.exports.cells import text

JSON = Any


def finish(tables: Callable[[], Iterable[list[list[JSON]]]], names: Sequence[str], fd: int) -> None:
    """Write the columns to `fd`; `tables` is read twice, first to see of which type each column is."""
    pyarrow: Any = import_module("pyarrow")  # an extra: the type checker is not to depend on it
    parquet: Any = import_module("pyarrow.parquet")
    kinds = [_kind(seen) for seen in _seen(tables(), len(names))]
    types = {"bool": pyarrow.bool_(), "int": pyarrow.int64(), "text": pyarrow.string()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in zip(names, kinds, strict=True)])
    with open(fd, "r+b", closefd=False) as out, parquet.ParquetWriter(out, schema) as writer:
        for table in tables():
            columns = [_typed(column, kind) for column, kind in zip(table, kinds, strict=True)]
            writer.write_table(pyarrow.table(columns, schema=schema))


def _seen(tables: Iterable[list[list[JSON]]], width: int) -> list[set[str]]:
    seen: list[set[str]] = [set() for _ in range(width)]
    for table in tables:
        for kinds, column in zip(seen, table, strict=True):
            kinds.update(kind.__name__ for kind in set(map(type, column)))
    return seen


def _kind(seen: set[str]) -> str:
    only = seen - {"NoneType"}
    return only.pop() if only in ({"bool"}, {"int"}) else "text"


def _typed(column: Sequence[JSON], kind: str) -> Sequence[JSON]:
    if kind != "text":
        return column
    return [None if cell is None else text(cell).encode("utf-8", "backslashreplace").decode() for cell in column]
