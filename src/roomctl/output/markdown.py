"""Rows and records as a GitHub-flavoured table, to be pasted where people write to each other.

What others wrote stays text: each character that Markdown or HTML could take for more than itself is escaped.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any

from roomctl.output.cells import fill, table_columns
from roomctl.output.values import cell
from roomctl.text.safe import safe

JSON = Any
_LONGEST = 5000
_MEANS_SOMETHING = re.compile(r"[\\`*_\[\]<>|~#&$]|(?<=:)/(?=/)|(?<![^\W_])@(?=\w)|!(?=\[)")
_NUMBERS = ("number", "count")


def markdown(
    resource: str, value: JSON, fields: Sequence[str], zone: tzinfo | None, *, header: bool = True
) -> Iterator[str]:
    """Write the lines of a table: of a list its columns, of one record `field` and `value`; without `header`, rows."""
    if isinstance(value, dict):
        rows = [[literal(safe(str(key), cell=True)), _cell(each, zone)] for key, each in value.items()]
        yield from _table(["field", "value"], [False, False], rows, header)
        return
    records = value if isinstance(value, list) else [value]
    if not any(isinstance(record, dict) for record in records) and records:
        yield from _table(["value"], [False], [[_cell(record, zone)] for record in records], header)
        return
    columns = fill(table_columns(resource, records, fields), records, zone)
    headings = [literal(column.heading) for column in columns]
    cells = [[literal(column.cells[index].text) for column in columns] for index in range(len(records))]
    yield from _table(headings, [column.column.kind in _NUMBERS for column in columns], cells, header)


def literal(text: str) -> str:
    """Write text so that Markdown shows it as it is: no link, no image, no HTML, no mention, no new cell."""
    return _MEANS_SOMETHING.sub(lambda match: "&#64;<!-- -->" if match[0] == "@" else "\\" + match[0], text)


def _cell(value: JSON, zone: tzinfo | None) -> str:
    told = cell(value, "text", zone, limit=_LONGEST)
    return literal(told.text)


def _table(
    headings: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]], header: bool
) -> Iterator[str]:
    if header:
        yield _line(headings)
        yield "|" + "|".join(" ---: " if each else " --- " for each in right) + "|"
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
