"""One record as a card: its fields beside their values, what stands inside it indented; and findings as a list.

A command that is to be copied is never broken: it has a line of its own where it does not fit beside its label.
"""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from itertools import groupby
from typing import Any, NamedTuple

from rich.console import RenderableType

from roomctl.output.columns import COLUMNS, FILE_ONLY
from roomctl.output.console import UNLIMITED, Cells, copyable, grid, span
from roomctl.output.fields import select, shorten_bytes, size
from roomctl.output.look import Look, Shown, hanging, width
from roomctl.output.table import label_value
from roomctl.output.values import Cell, cell, plain, summary
from roomctl.text.jsontext import compact
from roomctl.text.safe import safe
from roomctl.text.times import looks_like_a_time

JSON = Any
_LONGEST = 5000
_DEEPEST = 3
_LEAST = 38
_STATES = ("status", "state")
_COPIED = "curl"
_FINDINGS = {"ok": "good", "warn": "wait", "fail": "bad"}


class Line(NamedTuple):
    """A line of a card: the path to the field, and its value; None where only what stands inside has one."""

    path: tuple[str, ...]
    value: Cell | None

    @property
    def label(self) -> str:
        """The name of the field, indented as deep as it stands."""
        return "  " * (len(self.path) - 1) + self.path[-1]

    @property
    def cell(self) -> Cell:
        """Its value, an empty one where it has none."""
        return self.value or Cell("")


def card(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw a record; for accessibility as lines of `field.field: value`."""
    record = shown.value
    record = select(record, look.fields) if look.fields else _with_columns_first(record, shown.resource)
    return _card(list(_lines(record, (), look.zone)), look)


def cards(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw each row as a card, with a blank line between two: a table would give each text a narrow column."""
    for number, row in enumerate(shown.value):
        if number:
            yield ""
        yield from _card(list(_lines(row, (), look.zone)), look)


def _with_columns_first(record: dict[str, JSON], resource: str) -> dict[str, JSON]:
    """Put the fields that a table shows before the others: the name and the id first, whatever the service's order."""
    columns = [column for column in COLUMNS.get(resource, ()) if column.path and column.rank < FILE_ONLY]
    heads = [column.path.partition(".")[0] for column in columns]
    return {**{head: record[head] for head in heads if head in record}, **record}


def _card(lines: Sequence[Line], look: Look) -> Iterator[RenderableType]:
    labels = max((width(line.label) for line in lines), default=0)
    space = look.width - labels - 2
    if look.accessible:
        told = [line for line in lines if line.value is not None]
        yield from (part for line in told for part in label_value(".".join(line.path), line.cell, UNLIMITED))
        return
    for whole, some in groupby(lines, lambda line: line.path[-1] == _COPIED and width(line.cell.text) > space):
        if whole:
            yield from (part for line in some for part in (span(line.label, "head") + ":", copyable(line.cell.text)))
        elif space >= _LEAST:
            cells = ((span(line.label, "head"), span(*line.cell[:2])) for line in some)
            yield grid([Cells(labels), Cells(space)], cells)
        else:
            for line in some:
                yield from label_value(line.path[-1], line.cell, look.width, 2 * len(line.path) - 2)


def _lines(record: dict[str, JSON], path: tuple[str, ...], zone: tzinfo | None) -> Iterator[Line]:
    for key, value in record.items():
        yield from _line(value, (*path, safe(str(key), cell=True)), zone)


def _line(value: JSON, path: tuple[str, ...], zone: tzinfo | None) -> Iterator[Line]:
    if isinstance(value, dict) and value and not summary(value) and len(path) < _DEEPEST:
        yield Line(path, None)
        yield from _lines(value, path, zone)
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        yield from _items(value, path, zone)
    else:
        yield Line(path, _value(value, path[-1], zone))


def _items(values: Sequence[JSON], path: tuple[str, ...], zone: tzinfo | None) -> Iterator[Line]:
    """Draw the items of an array: `name` and `value` as a line of that name, anything else numbered from 0."""
    yield Line(path, None)
    for number, each in enumerate(values):
        if isinstance(each, dict) and each.keys() == {"name", "value"} and isinstance(each["name"], str):
            yield from _line(each["value"], (*path, safe(each["name"], cell=True)), zone)
        elif isinstance(each, dict | list) and len(path) >= _DEEPEST:
            yield Line((*path, str(number)), _value(each, "", zone))
        else:
            yield from _line(each, (*path, str(number)), zone)


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
    return cell(value, "state" if key in _STATES else "text", limit=_LONGEST)


class Finding(NamedTuple):
    """A finding in words that can be shown."""

    check: str
    state: str
    what: str
    next: str


def checklist(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the findings; for accessibility as sentences."""
    rows = [Finding(*(safe(plain(row.get(field)), cell=True) for field in Finding._fields)) for row in shown.value]
    margin = max((width(row.state) for row in rows), default=0) + 2
    for row in rows:
        if look.accessible:
            yield f"{row.check}: {row.state}, {row.what}"
            yield from [f"  try: {row.next}"] if row.next else []
            continue
        state = span(row.state, _FINDINGS.get(row.state, ""))
        what = span(row.check, "head").append(f": {row.what}", "")
        yield grid([Cells(margin - 2), Cells(max(look.width - margin, 1))], [[state, what]])
        if row.next:
            yield copyable(hanging(f"{' ' * margin}try: {row.next}", look.width))
