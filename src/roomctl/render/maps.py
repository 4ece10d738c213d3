"""Call-to-action items where they are placed: a map of characters with a legend.

The interface gives `x` and `y` without a unit, an origin or a direction: the map shows how items lie to each other,
with x to the right and y downwards, and says so.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TextIO

from roomctl.render.layout import fold, pad, paint, width
from roomctl.render.safe import Wall, expresses
from roomctl.render.words import plain, short
from roomctl.render.writers import Look, Shown

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


def cta_map(shown: Shown, look: Look, out: TextIO) -> None:
    """Draw the items of a room; for accessibility as sentences."""
    wall = Wall(out, color=look.color, human=True)
    items = _items(shown.value)
    for line in _told(items) if look.accessible else _drawn(items, look, getattr(out, "encoding", None)):
        wall.write(line + "\n")


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


def _framed(places: Sequence[tuple[float, float]], space: int) -> Frame:
    """Choose the frame: what is between the items, both ways to the same scale where that has a place."""
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


def _drawn(items: Sequence[Item], look: Look, encoding: str | None) -> Iterator[str]:
    placed = [item for item in items if item.place is not None]
    shared: set[str] = set()
    if placed:
        frame = _framed([item.place for item in placed if item.place], look.width)
        cells: dict[tuple[int, int], list[Item]] = {}
        for item in placed:
            cells.setdefault(frame.cell(item.place or (0, 0)), []).append(item)
        shared = {item.sign for each in cells.values() if len(each) > 1 for item in each}
        yield from _plane(frame, cells, look.color, _FINE if expresses(encoding, _FINE) else _PLAIN)
        yield ""
    yield from _legend(items, look)
    yield from (paint(line, "dim", look.color) for text in _notes(items, shared) for line in fold(text, look.width))


def _plane(frame: Frame, cells: dict[tuple[int, int], list[Item]], color: bool, border: str) -> Iterator[str]:
    corner, across, other, down, below, last = tuple(border)
    start, end = f"x {_number(frame.left)}", _number(frame.right)
    yield f" {start}{end:>{max(frame.columns - len(start), 0)}}" if frame.right > frame.left else f" {start}"
    yield corner + across * frame.columns + other
    named = {frame.cell((0, y))[0]: _row_label(y) for y in (frame.top, frame.bottom)}
    for line in range(frame.lines):
        signs = (_sign(cells.get((line, column), [])) for column in range(frame.columns))
        row = "".join(paint("".join(run), "head", color) for _, run in groupby(signs, str.isspace))
        yield f"{down}{row}{down}{named.get(line, '')}"
    yield below + across * frame.columns + last


def _sign(items: Sequence[Item]) -> str:
    return " " if not items else items[0].sign if len(items) == 1 else _SHARED


def _row_label(y: float) -> str:
    return f" y {_number(y)}"


def _legend(items: Sequence[Item], look: Look) -> Iterator[str]:
    columns = [_facts(item) for item in items]
    spaces = [max((width(row[index]) for row in columns), default=0) for index in range(len(_FACTS) + 1)]
    for item, facts in zip(items, columns, strict=True):
        beside = "  ".join(pad(fact, space) for fact, space in zip(facts, spaces, strict=True) if space).rstrip(" ")
        sign = paint(item.sign, "head", look.color)
        first, *rest = fold(
            beside if width(beside) + 3 <= look.width else ", ".join(filter(None, facts)), look.width - 3
        )
        yield f"{sign}  {first}"
        yield from (f"   {line}" for line in rest)


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


def _told(items: Sequence[Item]) -> Iterator[str]:
    yield f"{len(items)} call-to-action {'item' if len(items) == 1 else 'items'}"
    yield from (f"  {', '.join(filter(None, _facts(item)))}" for item in items)
    yield from _notes(items, set())


def _notes(items: Sequence[Item], shared: set[str]) -> Iterator[str]:
    if shared:
        signs = [item.sign for item in items if item.sign in shared]
        yield f"{_SHARED} more than one at this place: {', '.join(signs)}"
    yield _SAID


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
