"""Rows as a table, one record as a card, findings as a list, for a terminal of a certain width; an id shown is whole.

Columns of a table that have no place are counted below it, those of the highest rank first; where even those of rank 0
have none, each row becomes some lines of `heading: value`.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo
from typing import NamedTuple

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from roomctl.contract.fields import INDEXED
from roomctl.output.columns import FILE_ONLY, FOUND_BY_NAME, resource_of, select, shorten_bytes, size
from roomctl.output.console import UNLIMITED, Cells, copyable, grid, indent, span
from roomctl.output.look import Look, Shown, fold_prose, width
from roomctl.output.values import BREAKS, Cell, Filled, cell, filled_columns, plain, summary
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.safe import expresses, safe
from roomctl.text.times import looks_like_a_time

_GAP = 2
_SORTED = -1
_TELLING = 1
_ID_RANK = 4
_WHOLE_NAME = 30
_BLOCK = 50
_RULES = {line: box.Box(str(box.SIMPLE_HEAD).replace("─", line), ascii=True) for line in "─-"}
"""A line below the headings; `ascii` keeps rich from choosing another one by itself."""
Fitted = Sequence[tuple[Filled, int]]
_LONGEST = 5000
_DEEPEST = 4
_LEAST = 38
_FINDINGS = {"ok": "good", "warn": "wait", "fail": "bad"}


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
    for index, each in enumerate(columns):  # what rows are sorted by is seen
        told = (each.column.path, each.column.heading, each.column.short_name)
        if look.sorted_by and look.sorted_by in told and each.column.rank:
            columns[index] = each._replace(column=each.column._replace(rank=_SORTED))
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
        line = f"{numbered(len(hidden), 'columns')} hidden: {', '.join(hidden)}; `--fields a,b,c` chooses columns"
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
    if rank > _ID_RANK and column.column.rank <= _ID_RANK and column.column.kind in ("text", "prose"):
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


class Line(NamedTuple):
    """A line of a card: the path to the field, and its value; a heading has none, for only what is inside has."""

    path: tuple[str, ...]
    cell: Cell
    heading: bool = False

    @property
    def label(self) -> str:
        return "  " * (len(self.path) - 1) + self.path[-1]


def card(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw a record, what a table shows of it first; for accessibility as lines of `field.field: value`."""
    record, resource = shown.value, resource_of(shown.resource)
    if shown.resource == "Explanation":
        record = {name.replace("_", " "): value for name, value in record.items()}
        if isinstance(calls := record.get("calls"), list):
            told = [{{"number": "operation number"}.get(name, name): each[name] for name in each} for each in calls]
            record["calls"] = told
    if look.fields:
        record = select(record, look.fields)
    else:
        columns = [column for column in resource.columns if column.path and column.rank < FILE_ONLY]
        heads = [column.path.partition(".")[0] for column in columns]
        record = {**{head: record[head] for head in heads if head in record}, **record}
        own = () if shown.resource in INDEXED else resource.columns  # what is not the service's is named for people
        headings = {each.path: each.heading for each in own if each.heading}
        record = {headings.get(name, name): value for name, value in record.items()}
    return _card(record, look)


def cards(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw each row as a card, with a blank line between two: a table would give each text a narrow column."""
    labels = {column.path: column.heading for column in resource_of(shown.resource).columns}
    for number, row in enumerate(shown.value):
        if number:
            yield ""
        yield from _card({labels.get(name, name): value for name, value in row.items()}, look)


def _card(record: dict[str, JSON], look: Look) -> Iterator[RenderableType]:
    lines = list(_lines(record.items(), (), look.zone))
    labels = max((width(line.label) for line in lines), default=0)
    space = look.width - labels - 2
    if look.accessible:
        for line in lines:
            yield from () if line.heading else label_value(".".join(line.path), line.cell, UNLIMITED)
        return
    for line in lines:
        if line.path[-1] == "curl" and width(line.cell.text) > space:
            yield from (span(line.label, "head") + ":", copyable(line.cell.text))
        elif space >= _LEAST:
            text = span(*line.cell[:2])
            columns = [Cells(labels), Cells(max(min(space, text.cell_len), 1))]
            yield grid(columns, [[span(line.label, "head"), text]])
        else:
            yield from label_value(line.path[-1], line.cell, look.width, 2 * len(line.path) - 2)


def _lines(pairs: Iterable[tuple[str, JSON]], path: tuple[str, ...], zone: tzinfo | None) -> Iterator[Line]:
    for key, value in pairs:
        at = (*path, safe(str(key), cell=True))
        if len(at) < _DEEPEST and (inside := _inside(value)):
            yield Line(at, Cell(""), heading=True)
            yield from _lines(inside, at, zone)
        else:
            yield Line(at, _value(value, at[-1], zone))


def _inside(value: JSON) -> list[tuple[str, JSON]]:
    """Give what stands inside a value on lines of its own: fields, answers by their names, other items by numbers."""
    if isinstance(value, dict):
        return [] if summary(value) else list(value.items())
    if not isinstance(value, list) or not any(isinstance(each, dict | list) for each in value):
        return []
    if all(isinstance(each, dict) and each.keys() == {"name", "value"} for each in value):
        return [(plain(each["name"]), each["value"]) for each in value]
    return [(f"#{number}", each) for number, each in enumerate(value, 1)]


def _value(value: JSON, key: str, zone: tzinfo | None) -> Cell:
    if value in (None, "", []):
        return Cell("none", "dim")
    if isinstance(value, dict) and not summary(value):
        return cell(compact(shorten_bytes(value)), limit=_LONGEST)
    if not isinstance(value, str):
        return cell(value, limit=_LONGEST)
    if key.endswith("Bytes"):
        return cell(size(value))
    if looks_like_a_time(value):
        told = cell(value, "time", zone, seconds=True)
        return Cell(f"{told.text} {told.zone}".rstrip())
    return cell(value, "state" if key in ("status", "state") else "text", limit=_LONGEST)


def checklist(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw findings: the state of each, what was found, and below it what to do next; for accessibility sentences."""
    fields = ("check", "state", "what", "next")
    rows = [[safe(plain(row.get(field)), cell=True) for field in fields] for row in shown.value]
    margin = max((width(state) for _, state, *_ in rows), default=0) + 2
    for check, state, what, advice in rows:
        if look.accessible:
            yield f"{check}: {state}, {what}"
            yield from [f"  try: {advice}"] if advice else []
            continue
        text = span(check, "head").append(f": {what}", "")
        columns = [Cells(margin - 2), Cells(max(min(look.width - margin, text.cell_len), 1))]
        yield grid(columns, [[span(state, _FINDINGS.get(state, "")), text]])
        if advice:
            yield copyable(fold_prose(f"{' ' * margin}try: {advice}", look.width))
