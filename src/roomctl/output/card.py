"""One record as a card: its fields beside their values, what stands inside it indented; and findings as a list."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import NamedTuple

from rich.console import RenderableType

from roomctl.output.columns import FILE_ONLY, resource_of
from roomctl.output.console import UNLIMITED, Cells, copyable, grid, span
from roomctl.output.fields import select, shorten_bytes, size
from roomctl.output.look import Look, Shown, fold_prose, width
from roomctl.output.table import label_value
from roomctl.output.values import Cell, cell, plain, summary
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.safe import safe
from roomctl.text.times import looks_like_a_time

_LONGEST = 5000
_DEEPEST = 4
_LEAST = 38
_FINDINGS = {"ok": "good", "warn": "wait", "fail": "bad"}


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
    record = shown.value
    if shown.resource == "Explanation":
        record = {name.replace("_", " "): value for name, value in record.items()}
    if look.fields:
        record = select(record, look.fields)
    else:
        columns = [column for column in resource_of(shown.resource).columns if column.path and column.rank < FILE_ONLY]
        heads = [column.path.partition(".")[0] for column in columns]
        record = {**{head: record[head] for head in heads if head in record}, **record}
    return _card(record, look)


def cards(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw each row as a card, with a blank line between two: a table would give each text a narrow column."""
    for number, row in enumerate(shown.value):
        if number:
            yield ""
        yield from _card(row, look)


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
    if value is None or value == []:
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
