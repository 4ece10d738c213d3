"""Rows as a table for a terminal of a certain width; an id that is shown is whole.

Columns that have no place are counted below it, those of the highest rank first; where even those of rank 0 have none,
each row becomes some lines of `heading: value`.
"""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from roomctl.output.columns import FOUND_BY_NAME, resource_of
from roomctl.output.console import UNLIMITED, indent, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import BREAKS, Cell, Filled, filled_columns
from roomctl.text.counted import numbered
from roomctl.text.safe import expresses

_GAP = 2
_TELLING = 1
_ID_RANK = 4
_WHOLE_NAME = 30
_BLOCK = 50
_RULES = {line: box.Box(str(box.SIMPLE_HEAD).replace("─", line), ascii=True) for line in "─-"}
"""A line below the headings; `ascii` keeps rich from choosing another one by itself."""
Fitted = Sequence[tuple[Filled, int]]


def table(shown: Shown, look: Look, *, hint: bool = True) -> Iterator[RenderableType]:
    """Draw rows as a table, in blocks, with a `hint` of columns that have no place; for accessibility as lines."""
    rows = shown.value
    columns = filled_columns(shown, look)
    if not look.fields and shown.resource in FOUND_BY_NAME:
        names = {each.text for each in columns[0].cells} - {""}
        own = len(names) == len(rows) and not columns[0].column.rank
        for index, each in enumerate(columns[1:], 1):  # where each row has a name of its own, the id makes room
            if own and each.column.path == resource_of(shown.resource).id:
                columns[index] = each._replace(column=each.column._replace(rank=_ID_RANK))
    kept = [] if look.accessible else _fit(columns, look.width)
    if not kept:
        space = UNLIMITED if look.accessible else look.width
        for number in range(len(rows)):
            yield from [""] if number else []
            for each in columns:
                if each.cells[number].text:
                    yield from label_value(each.heading, each.cells[number], space)
        return
    for start in range(0, len(rows), _BLOCK):
        yield _block(kept, slice(start, start + _BLOCK), look, header=look.header and not start)
    hidden = [each.column.short_name for each in columns if not each.empty and all(each is not one for one, _ in kept)]
    if hidden and look.header and hint:
        line = f"{numbered(len(hidden), 'columns')} hidden: {', '.join(hidden)}; to choose columns: --fields a,b,c"
        yield _text(Cell(line, "dim"), "prose", look.width)


def _fit(columns: Sequence[Filled], space: int) -> Fitted:
    """Choose the columns that have a place in `space` cells, and their widths; none where not even rank 0 has.

    Those of a lower rank come first; those without any value only where all others have a place. Names are squeezed
    only for what tells most, such as whether a room is open. What is left is shared among those that want more.
    """
    kept: list[int] = []
    ranks = [(each.empty, each.column.rank, each.column.kind == "id") for each in columns]
    for number, index in enumerate(sorted(range(len(columns)), key=ranks.__getitem__)):
        each = columns[index]
        if each.empty and len(kept) < number:
            break
        leasts = [_space(columns[one], each.column.rank) for one in [*kept, index]]
        if sum(leasts) + _GAP * len(kept) <= space:
            kept.append(index)
        elif not each.column.rank and not each.empty:
            return []
    chosen = [columns[index] for index in sorted(kept)]
    space -= _GAP * (len(chosen) - 1)
    squeezed = sum(each.usual for each in chosen) > space
    widths = [each.least if squeezed else each.usual for each in chosen]
    wanting = sorted(range(len(chosen)), key=lambda index: chosen[index].natural - widths[index])
    for left, index in zip(range(len(wanting), 0, -1), wanting, strict=True):
        widths[index] += min(chosen[index].natural - widths[index], (space - sum(widths)) // left)
    return list(zip(chosen, widths, strict=True))


def _space(column: Filled, rank: int) -> int:
    """Say how much space a column keeps from one of a `rank`: a name is broken only for what tells something."""
    if rank > _ID_RANK and not column.column.rank and column.column.kind == "text":
        return max(column.usual, min(column.natural, _WHOLE_NAME))
    return column.least if rank <= _TELLING else column.usual


def _block(columns: Fitted, rows: slice, look: Look, *, header: bool) -> Table:
    rule = _RULES["─" if expresses(look.encoding, "─") else "-"]
    drawn = Table(box=rule, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), show_header=header, header_style="")
    for each, space in columns:
        right = each.column.kind in ("number", "count", "size")
        drawn.add_column(span(each.heading, "head"), width=space, justify="right" if right else "left", overflow="fold")
    for cells in zip(*(each.cells[rows] for each, _ in columns), strict=True):
        drawn.add_row(*(_text(cell, one.column.kind, space) for cell, (one, space) in zip(cells, columns, strict=True)))
    return drawn


def _text(cell: Cell, kind: str, space: int) -> Text:
    lines = [""]
    for part in BREAKS[kind].split(cell.text) if kind in BREAKS else [cell.text]:
        if lines[-1] and width(lines[-1] + part.rstrip()) > space:
            lines.append("")
        lines[-1] += part
    return span("\n".join(lines), cell.style)


def label_value(label: str, cell: Cell, space: int, margin: int = 0) -> Iterator[RenderableType]:
    """Draw `label: value`, the value on lines of its own where it does not fit beside the label."""
    line = Text(" " * margin + f"{label}: ").append(cell.text, cell.style)
    if line.cell_len <= space:
        yield line
    else:
        yield indent(f"{label}:", margin)
        yield indent(span(cell.text, cell.style), max(min(margin + 2, space - 2), 0))
