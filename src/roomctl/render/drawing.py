"""Rows as a table for a terminal of a certain width.

An id is never cut: where the columns do not fit, those of the highest rank go first, then text is folded, and where
even name and id have no place side by side, each row becomes some lines of `heading: value`.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from roomctl.contract.operations import UUID
from roomctl.render.layout import fold, pad, paint, width
from roomctl.render.safe import safe
from roomctl.render.selecting import at
from roomctl.render.tables import COLUMNS, FILE_ONLY, Column, seen_keys
from roomctl.render.times import looks_like_a_time
from roomctl.render.words import Words, called, plain, words

JSON = Any
_GAP = 2
_TELLING = 1
_LEAST = 14
_LEAST_NAME = 16
_LEAST_NAME_TELLING = 10
_LEAST_PROSE = 30
_LONGEST_FIXED = 40
_LONGEST_WHOLE = 80


class Drawn(NamedTuple):
    """A column with its cells: the widest cell, and the least width that it can be given."""

    column: Column
    heading: str
    cells: list[Words]
    natural: int
    least: int


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


def drawn(columns: Sequence[Column], rows: Sequence[JSON], zone: tzinfo | None) -> list[Drawn]:
    """Write the cells of columns; the heading of a time names its zone where all its cells share one."""
    return [_column(column, rows, zone, index == 0) for index, column in enumerate(columns)]


def _column(column: Column, rows: Sequence[JSON], zone: tzinfo | None, first: bool) -> Drawn:
    cells = [words(_value(column, row, first), column.kind, zone) for row in rows]
    heading = safe(column.heading, cell=True)
    zones = {cell.zone for cell in cells if cell.text}
    if len(zones) == 1 and (zone_name := zones.pop()):
        heading += f" ({zone_name})"
    else:
        cells = [Words(f"{cell.text} {cell.zone}") if cell.zone else cell for cell in cells]
    natural = max([width(heading), *(width(cell.text) for cell in cells)])
    return Drawn(column, heading, cells, natural, max(width(heading), _least(column, cells, natural)))


def _least(column: Column, cells: Sequence[Words], natural: int) -> int:
    """Say how narrow a column may be made: an address is folded before its `@` only, what is no text not at all."""
    if column.kind == "mail":
        parts = (part for cell in cells for part in re.split("(?=@)", cell.text))
        return min(max(map(width, parts), default=0), _LONGEST_FIXED)
    if column.kind in ("pairs", "rules"):
        return min(natural, _LEAST_PROSE)
    if column.kind != "text" and natural <= (_LONGEST_WHOLE if column.kind == "whole" else _LONGEST_FIXED):
        return natural
    return min(natural, _LEAST if column.rank else _LEAST_NAME)


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


def fitted(columns: Sequence[Drawn], space: int) -> list[tuple[Drawn, int]]:
    """Choose the columns that have a place in `space` cells, and their widths; none where not even rank 0 has.

    Those without any value go first, then those of the highest rank; one that has a place beside the others comes back,
    but not in place of what tells most, such as whether a room is open. Where that has no place, names are folded more.
    """
    columns = _narrowed(columns, space)
    empty = {id(each) for each in columns if not any(cell.text for cell in each.cells)}
    kept = list(columns)
    while _taken(kept) > space:
        droppable = [each for each in kept if each.column.rank or (id(each) in empty and each is not columns[0])]
        if not droppable:
            return []
        kept.remove(max(droppable, key=lambda each: (id(each) in empty, each.column.rank)))
    filled = [each for each in sorted(columns, key=lambda each: each.column.rank) if id(each) not in empty]
    for each in filled:
        if each.column.rank > _TELLING and any(one.column.rank <= _TELLING and one not in kept for one in filled):
            break
        if each not in kept and sum(one.natural + _GAP for one in [*kept, each]) <= space + _GAP:
            kept.append(each)
    kept.sort(key=columns.index)
    widths = {id(each): each.least for each in kept}
    spare = space - sum(each.least + _GAP for each in kept) + _GAP
    wanting = sorted((each for each in kept if each.natural > each.least), key=lambda each: each.natural - each.least)
    for left, each in zip(range(len(wanting), 0, -1), wanting, strict=True):
        more = min(each.natural - each.least, spare // left)
        widths[id(each)] += more
        spare -= more
    return [(each, widths[id(each)]) for each in kept]


def _narrowed(columns: Sequence[Drawn], space: int) -> Sequence[Drawn]:
    """Let names be narrower where only so what tells most, such as a status, has a place beside name and id."""
    narrow = [
        each._replace(least=min(each.least, max(width(each.heading), _LEAST_NAME_TELLING)))
        if each.column.kind == "text" and not each.column.rank
        else each
        for each in columns
    ]
    wide, less = ([each for each in some if each.column.rank <= _TELLING] for some in (columns, narrow))
    return narrow if _taken(wide) > space >= _taken(less) else columns


def _taken(columns: Sequence[Drawn]) -> int:
    return sum(each.least + _GAP for each in columns) - _GAP


def table(columns: Sequence[tuple[Drawn, int]], *, header: bool, color: bool, rule: str) -> Iterator[str]:
    """Draw the lines of a table whose columns fit."""
    if header:
        headings = [Words(each.heading, "head") for each, _ in columns]
        yield from _row(columns, headings, color)
        yield (" " * _GAP).join(rule * space for _, space in columns)
    for cells in zip(*(each.cells for each, _ in columns), strict=True):
        yield from _row(columns, cells, color)


def _row(columns: Sequence[tuple[Drawn, int]], cells: Sequence[Words], color: bool) -> Iterator[str]:
    folded = [fold(cell.text, space) for cell, (_, space) in zip(cells, columns, strict=True)]
    for number in range(max(map(len, folded))):
        parts = [
            paint(pad(lines[number] if number < len(lines) else "", space, right=_right(each)), cell.style, color)
            for lines, cell, (each, space) in zip(folded, cells, columns, strict=True)
        ]
        yield (" " * _GAP).join(parts).rstrip(" ")


def _right(each: Drawn) -> bool:
    return each.column.kind in ("number", "count")


def stacked(columns: Sequence[Drawn], rows: int, *, space: int | None, color: bool) -> Iterator[str]:
    """Draw each row as lines of `heading: value`; values are folded to `space` cells, or not at all."""
    for number in range(rows):
        if number:
            yield ""
        for each in columns:
            cell = each.cells[number]
            if cell.text:
                yield from labelled(each.heading, cell, space=space, color=color)


def labelled(label: str, cell: Words, *, space: int | None, color: bool, margin: str = "") -> Iterator[str]:
    """Draw `label: value`, the value on lines of its own where it does not fit beside the label."""
    if space is None or width(f"{margin}{label}: {cell.text}") <= space:
        yield f"{margin}{label}: {paint(cell.text, cell.style, color)}".rstrip(" ")
        return
    yield f"{margin}{label}:"
    for line in fold(cell.text, max(space - len(margin) - 2, 2)):
        yield f"{margin}  {paint(line, cell.style, color)}"
