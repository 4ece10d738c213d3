"""Call-to-action items where they are placed: a map of characters with a legend.

The interface gives `x` and `y` without unit, origin or direction: they are drawn to the right and downwards.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from roomctl.output.console import Cells, copyable, grid, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import plain, short
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.safe import expresses

Place = tuple[float, float]
_SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MORE, _SHARED = "*", "&"
_WIDEST, _HIGHEST = 72, 20
_TALL = 2.0  # a character is about twice as high as it is wide
_SAID = "units, origin and direction of x and y are not documented: drawn with x to the right, y downwards"
_FINE, _PLAIN = "┌─┐│└┘", "+-+|++"


class Item(NamedTuple):
    """An item: the sign that stands for it, what is said of it, and its place; None where none is shown."""

    sign: str
    facts: Sequence[str]
    place: Place | None


class Frame(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    columns: int
    lines: int

    def cell(self, place: Place) -> tuple[int, int]:
        down = (place[1] - self.top, self.bottom - self.top, self.lines)
        across = (place[0] - self.left, self.right - self.left, self.columns)
        line, column = (round(a / b * (n - 1)) if b else (n - 1) // 2 for a, b, n in (down, across))
        return line, column


def cta_map(shown: Shown, look: Look) -> Iterator[RenderableType]:
    records = [row for row in shown.value if isinstance(row, dict)]
    items = [_item(record, number) for number, record in enumerate(records)]
    if look.accessible:
        yield numbered(len(items), "call-to-action items")
        yield from (f"  {', '.join(filter(None, item.facts))}" for item in items)
        yield _SAID
        return
    cells: dict[tuple[int, int], list[str]] = {}
    if placed := [(item.sign, item.place) for item in items if item.place is not None]:
        frame = _framed([place for _, place in placed], look.width)
        for sign, place in placed:
            cells.setdefault(frame.cell(place), []).append(sign)
        yield from _plane(frame, cells, _FINE if expresses(look.encoding, _FINE) else _PLAIN)
        yield ""
    yield _legend(items, look)
    if shared := {sign for signs in cells.values() if len(signs) > 1 for sign in signs}:
        signs = ", ".join(item.sign for item in items if item.sign in shared)
        yield span(f"{_SHARED} more than one at this place: {signs}", "dim")
    yield span(_SAID, "dim")


def _item(record: dict[str, JSON], number: int) -> Item:
    x, y = _coordinate(record.get("x")), _coordinate(record.get("y"))
    place, where = None, "place not shown"
    if x is not None and y is not None:
        hidden = ", not visible" if record.get("buttonVisible") is False else ""
        place, where = (x, y), f"at {short(plain(record['x']), 30)}, {short(plain(record['y']), 30)}{hidden}"
    name, *others = (short(plain(record.get(key)), 200) for key in ("name", "type", "text", "buttonSize", "url"))
    return Item(_SIGNS[number : number + 1] or _MORE, [name or "(without a name)", where, *others], place)


def _coordinate(value: JSON) -> float | None:
    if value is None or isinstance(value, bool | str | list | dict):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and abs(number) < 1e15 else None


def _framed(places: Sequence[Place], space: int) -> Frame:
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    columns = max(min(space - 2 - max(width(_row_label(top)), width(_row_label(bottom))), _WIDEST), 3)
    wide, high = right - left, bottom - top
    if high and wide / high * _HIGHEST * _TALL < columns:
        lines, columns = _HIGHEST, max(round(wide / high * _HIGHEST * _TALL), 3)
    else:
        lines = max(round(high / wide * columns / _TALL), 3) if wide else 3
    return Frame(left, top, right, bottom, columns, lines)


def _plane(frame: Frame, cells: dict[tuple[int, int], list[str]], border: str) -> Iterator[Text]:
    corner, across, other, down, below, last = tuple(border)
    start, end = f"x {_number(frame.left)}", _number(frame.right)
    yield copyable(f" {start}{end:>{max(frame.columns - len(start), 0)}}" if frame.right > frame.left else f" {start}")
    yield copyable(corner + across * frame.columns + other)
    named = {frame.cell((0, y))[0]: _row_label(y) for y in (frame.top, frame.bottom)}
    for line in range(frame.lines):
        signs = (cells.get((line, column), " ") for column in range(frame.columns))
        runs = groupby((each[0] if len(each) == 1 else _SHARED for each in signs), str.isspace)
        parts = [("".join(run), "" if blank else "head") for blank, run in runs]
        yield copyable(down).append_text(Text.assemble(*parts)).append(down + named.get(line, ""), "")
    yield copyable(below + across * frame.columns + last)


def _row_label(y: float) -> str:
    return f" y {_number(y)}"


def _legend(items: Sequence[Item], look: Look) -> Table:
    """Say what each sign stands for: facts in columns where all have a place, else folded below each other."""
    widths = [max(map(width, column)) for column in zip(*(item.facts for item in items), strict=True)]
    shown = [index for index, each in enumerate(widths) if each]
    if look.terminal and sum(widths[index] + 2 for index in shown) + 1 > look.width:
        rows = [[span(item.sign, "head"), span(", ".join(filter(None, item.facts)))] for item in items]
        return grid([Cells(1), Cells(max(look.width - 3, 1))], rows)
    rows = [[span(item.sign, "head"), *(span(item.facts[index]) for index in shown)] for item in items]
    return grid([Cells(1), *(Cells(widths[index]) for index in shown)], rows)


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
