"""Call-to-action items where they are placed: a map of characters with a legend.

The interface gives `x` and `y` without a unit, an origin or a direction: the map shows how items lie to each other,
with x to the right and y downwards, and says so.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from roomctl.output.console import Cells, grid, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import numbered, plain, short
from roomctl.text.safe import expresses

JSON = Any
_SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MORE, _SHARED = "*", "&"
_WIDEST, _HIGHEST = 72, 20
_TALL = 2.0  # a character is about twice as high as it is wide
_SAID = "units, origin and direction of x and y are not documented: drawn with x to the right, y downwards"
_FINE, _PLAIN = "┌─┐│└┘", "+-+|++"


class Item(NamedTuple):
    """An item with the sign that stands for it, and its place; None where none is shown."""

    sign: str
    record: dict[str, JSON]
    place: tuple[float, float] | None


class Frame(NamedTuple):
    """The part of the plane that is drawn, on so many columns and lines."""

    left: float
    top: float
    right: float
    bottom: float
    columns: int
    lines: int

    def cell(self, place: tuple[float, float]) -> tuple[int, int]:
        """Say in which line and column a place lies."""
        return (
            _scaled(place[1] - self.top, self.bottom - self.top, self.lines),
            _scaled(place[0] - self.left, self.right - self.left, self.columns),
        )


def cta_map(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the items of a room; for accessibility as sentences."""
    items = _items(shown.value)
    if look.accessible:
        yield numbered(len(items), "call-to-action items")
        yield from (f"  {', '.join(filter(None, _facts(item)))}" for item in items)
        yield _SAID
        return
    cells = _cells(items, frame := _framed(items, look.width))
    if frame is not None:
        yield from _plane(frame, cells, _FINE if expresses(look.encoding, _FINE) else _PLAIN)
        yield ""
    yield _legend(items, look)
    shared = {item.sign for each in cells.values() if len(each) > 1 for item in each}
    if shared:
        signs = [item.sign for item in items if item.sign in shared]
        yield span(f"{_SHARED} more than one at this place: {', '.join(signs)}", "dim")
    yield span(_SAID, "dim")


def _items(rows: Sequence[JSON]) -> list[Item]:
    records = [row for row in rows if isinstance(row, dict)]
    signs = [*_SIGNS[: len(records)], *_MORE * (len(records) - len(_SIGNS))]
    return [Item(sign, record, _place(record)) for sign, record in zip(signs, records, strict=True)]


def _place(record: dict[str, JSON]) -> tuple[float, float] | None:
    x, y = _coordinate(record.get("x")), _coordinate(record.get("y"))
    return None if x is None or y is None else (x, y)


def _coordinate(value: JSON) -> float | None:
    """Take a number that can be drawn."""
    if value is None or isinstance(value, bool | str | list | dict):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and abs(number) < 1e15 else None


def _scaled(part: float, whole: float, cells: int) -> int:
    return round(part / whole * (cells - 1)) if whole else (cells - 1) // 2


def _framed(items: Sequence[Item], space: int) -> Frame | None:
    """Choose the frame: what is between the items, both ways to the same scale where that has a place."""
    places = [item.place for item in items if item.place is not None]
    if not places:
        return None
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    beside = max(width(_row_label(top)), width(_row_label(bottom)))
    columns = max(min(space - 2 - beside, _WIDEST), 3)
    wide, high = right - left, bottom - top
    if high and wide / high * _HIGHEST * _TALL < columns:
        lines, columns = _HIGHEST, max(round(wide / high * _HIGHEST * _TALL), 3)
    else:
        lines = max(round(high / wide * columns / _TALL), 3) if wide else 3
    return Frame(left, top, right, bottom, columns, lines)


def _cells(items: Sequence[Item], frame: Frame | None) -> dict[tuple[int, int], list[Item]]:
    """Put each item that has a place into its cell."""
    cells: dict[tuple[int, int], list[Item]] = {}
    for item in items:
        if frame is not None and item.place is not None:
            cells.setdefault(frame.cell(item.place), []).append(item)
    return cells


def _plane(frame: Frame, cells: dict[tuple[int, int], list[Item]], border: str) -> Iterator[Text]:
    corner, across, other, down, below, last = tuple(border)
    start, end = f"x {_number(frame.left)}", _number(frame.right)
    yield _whole(f" {start}{end:>{max(frame.columns - len(start), 0)}}" if frame.right > frame.left else f" {start}")
    yield _whole(corner + across * frame.columns + other)
    named = {frame.cell((0, y))[0]: _row_label(y) for y in (frame.top, frame.bottom)}
    for line in range(frame.lines):
        signs = (_sign(cells.get((line, column), [])) for column in range(frame.columns))
        runs = (("".join(run), "" if blank else "head") for blank, run in groupby(signs, str.isspace))
        yield _whole(down).append_text(Text.assemble(*runs)).append(down + named.get(line, ""), "")
    yield _whole(below + across * frame.columns + last)


def _whole(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ignore")


def _sign(items: Sequence[Item]) -> str:
    return " " if not items else items[0].sign if len(items) == 1 else _SHARED


def _row_label(y: float) -> str:
    return f" y {_number(y)}"


def _legend(items: Sequence[Item], look: Look) -> Table:
    """Say what each sign stands for: facts in columns where all have a place, else folded below each other."""
    facts = [_facts(item) for item in items]
    widths = [max((width(row[index]) for row in facts), default=0) for index in range(len(_FACTS) + 1)]
    shown = [index for index, each in enumerate(widths) if each]
    signs = [span(item.sign, "head") for item in items]
    if look.terminal and sum(widths[index] + 2 for index in shown) + 1 > look.width:
        rows = ((sign, span(", ".join(filter(None, row)))) for sign, row in zip(signs, facts, strict=True))
        return grid([Cells(1), Cells(max(look.width - 3, 1))], rows)
    beside = ((sign, *(span(row[index]) for index in shown)) for sign, row in zip(signs, facts, strict=True))
    return grid([Cells(1), *(Cells(widths[index]) for index in shown)], beside)


_FACTS = ("name", "type", "text", "buttonSize", "url")


def _facts(item: Item) -> list[str]:
    record = item.record
    name, *others = (short(plain(record.get(key)), 200) for key in _FACTS)
    return [name or "(without a name)", _where(item), *others]


def _where(item: Item) -> str:
    if item.place is None:
        return "place not shown"
    hidden = ", not visible" if item.record.get("buttonVisible") is False else ""
    return f"at {short(plain(item.record['x']), 30)}, {short(plain(item.record['y']), 30)}{hidden}"


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
