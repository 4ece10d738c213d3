"""Call-to-action items where they are placed: a map of characters with a legend."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

from roomctl.output.console import Cells, grid, span
from roomctl.output.look import Look, Shown
from roomctl.output.values import plain, short
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.safe import expresses

_SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MORE, _SHARED = "*", "&"
_WIDEST, _HIGHEST = 72, 20
_TALL = 2.0  # a character is about twice as high as it is wide
_UNDOCUMENTED = "units, origin and direction of x and y are not documented: drawn with x to the right, y downwards"


class Item(NamedTuple):
    """An item: the sign that stands for it, what is said of it, and its place; None where none can be drawn."""

    sign: str
    facts: str
    place: tuple[float, float] | None


def cta_map(shown: Shown, look: Look) -> Iterator[RenderableType]:
    records = [row for row in shown.value if isinstance(row, dict)]
    items = [_item(record, number) for number, record in enumerate(records)]
    placed = [item for item in items if item.place]
    if look.accessible:
        yield numbered(len(items), "call-to-action items")
        yield from (f"  {item.facts}" for item in items)
        yield _UNDOCUMENTED
        return
    plane = _plane(placed, look) if placed else Text()
    if placed:
        border = box.SQUARE if expresses(look.encoding, "┌─┐│└┘") else box.ASCII
        yield from (Panel(plane, border, padding=0, expand=False, style="none", safe_box=False), "")
    columns = [Cells(1), Cells(max(look.width - 3, 1))]
    yield grid(columns, [[span(item.sign, "head"), span(item.facts)] for item in items])
    if _SHARED in plane.plain:
        yield span(f"{_SHARED} more than one at this place", "dim")
    yield span(_UNDOCUMENTED, "dim")


def _item(record: dict[str, JSON], number: int) -> Item:
    x, y = _coordinate(record.get("x")), _coordinate(record.get("y"))
    shown = [(name, value) for name in "xy" if (value := record.get(name)) is not None]
    bad = [f"{name} {short(compact(value), 30)}" for name, value in shown if _coordinate(value) is None]
    place, where = None, f"place not usable: {', '.join(bad)}" if bad else "place not shown"
    if x is not None and y is not None:
        hidden = ", not visible" if record.get("buttonVisible") is False else ""
        place, where = (x, y), f"at ({short(plain(record['x']), 30)}, {short(plain(record['y']), 30)}){hidden}"
    name, *others = (short(plain(record.get(key)), 200) for key in ("name", "type", "text", "buttonSize", "url"))
    facts = filter(None, [name or "(without a name)", where, *others])
    return Item(_SIGNS[number : number + 1] or _MORE, ", ".join(facts), place)


def _coordinate(value: JSON) -> float | None:
    if value is None or isinstance(value, bool | str | list | dict):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and abs(number) < 1e15 else None


def _plane(items: Sequence[Item], look: Look) -> Text:
    """Draw the signs of items, which lie to each other as their numbers do."""
    across, down = zip(*(item.place for item in items if item.place), strict=True)
    wide, high = max(across) - min(across), max(down) - min(down)
    columns = max(min(look.width - 2, _WIDEST), 1)
    lines = min(max(round(high / wide * columns / _TALL), 3), _HIGHEST) if wide else _HIGHEST if high else 3
    if high and lines == _HIGHEST:
        columns = min(columns, max(round(wide / high * lines * _TALL), 3))
    cells = [[" "] * columns for _ in range(lines)]
    for item, x, y in zip(items, across, down, strict=True):
        column = round((x - min(across)) / wide * (columns - 1)) if wide else (columns - 1) // 2
        line = round((y - min(down)) / high * (lines - 1)) if high else (lines - 1) // 2
        cells[line][column] = item.sign if cells[line][column] == " " else _SHARED
    return Text("\n".join(map("".join, cells)), "head", no_wrap=True, overflow="ignore")
