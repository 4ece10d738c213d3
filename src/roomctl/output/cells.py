"""The columns of a table, chosen and filled: what stands in each cell, and how narrow each column may be made."""

import re
from collections.abc import Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from roomctl.contract.operations import UUID
from roomctl.output.columns import COLUMNS, FILE_ONLY, Column, seen_keys
from roomctl.output.fields import at
from roomctl.output.values import Cell, called, cell, plain
from roomctl.output.wrap import width
from roomctl.text.safe import safe
from roomctl.text.times import looks_like_a_time

JSON = Any
_LEAST_NAME, _LEAST_TEXT, _LEAST_PROSE = 20, 14, 30
_LEAST_SQUEEZED = 10
_LONGEST_FIXED, _LONGEST_WHOLE = 40, 80


class Filled(NamedTuple):
    """A column with its cells: the widest one, the least width that reads well, and the least there may be."""

    column: Column
    heading: str
    cells: list[Cell]
    natural: int
    usual: int
    least: int

    @property
    def empty(self) -> bool:
        """Whether no row has a value here."""
        return not any(each.text for each in self.cells)


def table_columns(resource: str, rows: Sequence[JSON], fields: Sequence[str] = ()) -> tuple[Column, ...]:
    """Choose the columns of a table: those asked for, those of the resource, or all keys of the rows."""
    known = {column.path: column for column in COLUMNS.get(resource, ()) if column.of is None}
    if fields:
        return tuple(Column(path, path, _kind(path, rows, known), rank=0) for path in fields)
    if resource in COLUMNS:
        return tuple(column for column in COLUMNS[resource] if column.rank < FILE_ONLY)
    names = seen_keys(rows) or ("value",)
    return tuple(Column(name, name, _kind(name, rows, known), rank=rank) for rank, name in enumerate(names))


def _kind(path: str, rows: Sequence[JSON], known: dict[str, Column]) -> str:
    if path in known and known[path].heading:
        return known[path].kind
    values = [value for row in rows if (value := at(row, path)) is not None]
    if not values:
        return "text"
    if not any(isinstance(value, str | bool | dict | list) for value in values):
        return "number"
    if all(isinstance(value, str) and UUID.fullmatch(value) for value in values):
        return "id"
    if all(isinstance(value, str) and looks_like_a_time(value) for value in values):
        return "time"
    return "state" if path in ("status", "state") else "text"


def fill(columns: Sequence[Column], rows: Sequence[JSON], zone: tzinfo | None) -> list[Filled]:
    """Write the cells of columns; the heading of a time names its zone where all its cells share one."""
    return [_filled(column, rows, zone, index == 0) for index, column in enumerate(columns)]


def _filled(column: Column, rows: Sequence[JSON], zone: tzinfo | None, first: bool) -> Filled:
    cells = [cell(_value(column, row, first), column.kind, zone) for row in rows]
    heading = safe(column.heading, cell=True)
    zones = {each.zone for each in cells if each.text}
    if len(zones) == 1 and (zone_name := zones.pop()):
        heading += f" ({zone_name})"
    else:
        cells = [Cell(f"{each.text} {each.zone}") if each.zone else each for each in cells]
    natural = max([width(heading), *(width(each.text) for each in cells)])
    usual, least = (max(width(heading), min(natural, each)) for each in _widths(column, cells, natural))
    return Filled(column, heading, cells, natural, usual, least)


def _widths(column: Column, cells: Sequence[Cell], natural: int) -> tuple[int, int]:
    """Say how narrow a column may be made: an address is folded before its `@` only, what is no text not at all."""
    if column.kind == "mail":
        longest = max((width(part) for each in cells for part in re.split("(?=@)", each.text)), default=0)
        return (min(longest, _LONGEST_FIXED),) * 2
    if column.kind in ("pairs", "rules"):
        return _LEAST_PROSE, _LEAST_PROSE
    if column.kind != "text" and natural <= (_LONGEST_WHOLE if column.kind == "whole" else _LONGEST_FIXED):
        return natural, natural
    least = _LEAST_TEXT if column.rank else _LEAST_NAME
    return least, _LEAST_SQUEEZED if column.kind == "text" and not column.rank else least


def _value(column: Column, row: JSON, first: bool) -> JSON:
    if not isinstance(row, dict):
        return plain(row) if first else None
    if column.of:
        return column.of(row)
    found = at(row, column.path)
    return found if found is not None else _person(column.path, row)


def _person(path: str, row: dict[str, JSON]) -> str | None:
    """What a person without a `name` is called, where a column is for that name."""
    if path != "name" and not path.endswith(("user.name", "User.name")):
        return None
    who = at(row, path.rpartition(".")[0]) if "." in path else row
    return called(who) or None if isinstance(who, dict) else None
