"""A result as text: one function for each form of output, and FORMATS. Each writes through a `Wall`.

With `--fields`, a row of any form is the flat object of those fields, each under its path.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import NamedTuple, TextIO

from roomctl.output.columns import RESULTS, at, resource_of, seen_keys, select, shorten_bytes
from roomctl.output.look import Look, Shown
from roomctl.text import JSON
from roomctl.text.jsontext import compact, indented, number
from roomctl.text.safe import Wall, escape_csv, json_escape, markdown, safe

Writer = Callable[[Shown, Look, TextIO], int | None]
_CHUNK = 500
_LONGEST = 5000
_ALWAYS_JSON = ("Request", "Body")
_UNFOLDED = 1_000_000


def write(shown: Shown, look: Look, out: TextIO, *, picture: str = "") -> int:
    """Write a result in the form asked for (ndjson as rows come); give the number of rows that it had to leave out.

    A `picture` is seen instead of a table, where no fields were asked for, and here it can be drawn.
    """
    value, form = shown.value, look.format
    if value is None:
        return 0
    if picture in PICTURES and form == "table" and not look.fields and (look.terminal or picture in ANYWHERE):
        from roomctl.output.console import draw

        module, function = PICTURES[picture]
        draw(getattr(import_module(f"roomctl.output.{module}"), function)(shown, look), look, out)
        return 0
    if isinstance(value, Iterator) and form != "ndjson":
        value = list(value)
    if form == "table" and shown.resource in _ALWAYS_JSON:
        form = "json"
    if form == "table" and not look.terminal and shown.resource == "Explanation" and not look.fields:
        look = look._replace(terminal=True, width=_UNFOLDED)
    if form == "table" and value != [] and not (look.terminal and isinstance(value, dict | list)):
        form = "tsv"
    if shown.resource == "RegistrationStats" and not look.fields and form in ("table", "csv", "tsv", "md"):
        value = count_rows(value)
    return FORMATS[form].write(shown._replace(value=value), look, out) or 0


def write_table(shown: Shown, look: Look, out: TextIO) -> None:
    if shown.value == []:
        return
    from roomctl.output.console import draw
    from roomctl.output.table import card, table

    draw((card if isinstance(shown.value, dict) else table)(shown, look), look, out)


def write_json(shown: Shown, look: Look, out: TextIO) -> None:
    """Write one array or one object, indented by two blanks; nothing is lost, what is not printable is escaped."""
    wall = Wall(out, escape=json_escape)
    if not isinstance(shown.value, list) or not shown.value:
        wall.write(_json(indented, _chosen(shown.value, look)) + "\n")
        return
    before = "[\n  "
    for row in shown.value:
        wall.write(before + _json(indented, _chosen(row, look), "  "))
        before = ",\n  "
    wall.write("\n]\n")


def write_ndjson(shown: Shown, look: Look, out: TextIO) -> None:
    wall = Wall(out, escape=json_escape)
    coming = isinstance(shown.value, Iterator)
    for row in _rows(shown.value):
        wall.write(_json(compact, _chosen(row, look)) + "\n")
        if coming:
            wall.flush()


def write_csv(shown: Shown, look: Look, out: TextIO) -> None:
    """Write comma-separated values as RFC 4180 has them, lines ended by a newline, what does not show escaped (R21).

    A field that a CI would take for a command at the beginning of a line is quoted.
    """
    import csv
    import io

    wall = Wall(out)
    lines = _lines(shown, look, escape_csv)
    while chunk := [*islice(lines, _CHUNK)]:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows(chunk)
        text = buffer.getvalue()
        wall.write(re.sub(r'^([^\S\n]*::[^",\n]*)', r'"\1"', text, flags=re.MULTILINE) if "::" in text else text)


def write_tsv(shown: Shown, look: Look, out: TextIO) -> None:
    """Write tab-separated values; tab, newline, return and backslash as `\\t \\n \\r \\\\`, so nothing is lost."""
    wall = Wall(out, tabs=True, human=True)
    lines = _lines(shown, look, lambda cell, _: safe(cell.replace("\\", "\\\\"), cell=True))
    while chunk := [*islice(lines, _CHUNK)]:
        wall.write("".join(["\t".join(line) + "\n" for line in chunk]))


def write_yaml(shown: Shown, look: Look, out: TextIO) -> None:
    from roomctl.text.yamltext import yaml_text

    value = shown.value
    value = [_chosen(row, look) for row in value] if isinstance(value, list) else _chosen(value, look)
    Wall(out).write(yaml_text(shorten_bytes(value)))


def write_ids(shown: Shown, look: Look, out: TextIO) -> int:
    """Write the id of each row that is done, or the fields asked for; give the number of rows that lack theirs."""
    if look.fields:
        write_tsv(shown, look._replace(header=False), out)
        return 0
    wall = Wall(out, human=True)
    without, key = 0, resource_of(shown.resource).id
    for row in _rows(shown.value):
        if shown.resource in RESULTS and isinstance(row, dict) and row.get("status") != "ok":
            continue
        usual = row.get("id", row.get("name")) if isinstance(row, dict) else row
        identity = at(row, key) if key and isinstance(row, dict) else usual
        if identity not in (None, ""):
            wall.write(safe(_cell(identity).replace("\\", "\\\\"), cell=True) + "\n")
        else:
            without += 1
    return without


def write_md(shown: Shown, look: Look, out: TextIO) -> None:
    """Write a GitHub-flavoured table: of a list its columns, of one record `field` and `value`."""
    from roomctl.output.values import cell, filled_columns

    value, right = shown.value, set[int]()
    rows = value if isinstance(value, list) else [value]
    if isinstance(value, dict):
        fields = select(value, look.fields or tuple(value))
        headings = ["field", "value"]
        cells = (cell(each, zone=look.zone, limit=_LONGEST).text for each in fields.values())
        lines = [[safe(str(key), cell=True), text] for key, text in zip(fields, cells, strict=True)]
    else:
        columns = filled_columns(shown._replace(value=rows), look)
        headings = [column.heading for column in columns]
        right = {index for index, each in enumerate(columns) if each.column.kind in ("number", "count", "size")}
        lines = [[column.cells[index].text for column in columns] for index in range(len(rows))]
    wall = Wall(out, human=True)
    if look.header:
        wall.write(_md_line(headings))
        wall.write("|" + "|".join(" ---: " if index in right else " --- " for index in range(len(headings))) + "|\n")
    for line in lines:
        wall.write(_md_line(line))


PICTURES: Mapping[str, tuple[str, str]] = {
    "tree": ("tree", "tree"),
    "registrations": ("chart", "registrations"),
    "map": ("map", "cta_map"),
    "theme": ("theme", "theme"),
    "timeline": ("timeline", "timeline"),
    "checklist": ("table", "checklist"),
    "cards": ("table", "cards"),
    "plan": ("plan", "plan"),
}
"""What people see where looking is quicker than reading: the module of `output` and the function that draws each."""
ANYWHERE = ("tree", "map", "theme", "plan")  # pictures that are drawn off a terminal too


class Format(NamedTuple):
    """A form of output: the function that writes it, and the endings of a file's name that ask for it."""

    write: Writer
    endings: tuple[str, ...] = ()


FORMATS: Mapping[str, Format] = {
    "table": Format(write_table),
    "json": Format(write_json, (".json",)),
    "ndjson": Format(write_ndjson, (".ndjson", ".jsonl")),
    "csv": Format(write_csv, (".csv",)),
    "tsv": Format(write_tsv, (".tsv",)),
    "yaml": Format(write_yaml, (".yaml", ".yml")),
    "ids": Format(write_ids, (".ids",)),
    "md": Format(write_md, (".md",)),
}
"""The forms of output by name, which `-o` takes."""
ENDINGS: Mapping[str, str] = {ending: name for name, form in FORMATS.items() for ending in form.endings}
"""The form that the end of a file's name asks for, with `--to`."""


def count_rows(counts: dict[str, JSON]) -> list[dict[str, JSON]]:
    """Give the numbers of `registration stats` as rows of `by`, `value`, `registrations` and their `share` of all.

    That of `confirmed` is of those that show whether they are. A source that is not shown is null: any word may be one.
    """
    total, lead = counts["registrations"], counts["timeToEvent"]
    rows = [
        ("all", None, total),
        ("confirmed", True, counts["confirmed"]),
        ("confirmed", "not shown", counts["confirmedNotShown"]),
        *(("day", each["day"] or "not shown", each["registrations"]) for each in counts["perDay"]),
        *(("source", each["source"], each["registrations"]) for each in counts["bySource"]),
        *(("timeToEvent", each["when"], each["registrations"]) for each in lead["parts"]),
        ("timeToEvent", "unknown", lead["unknown"]),
    ]
    shares = {(by, value): round(number / total, 4) if total else None for by, value, number in rows}
    shares["confirmed", True] = counts["confirmedShare"]
    names = ("by", "value", "registrations", "share")
    return [dict(zip(names, (*row, shares[row[:2]]), strict=True)) for row in rows]


def _rows(value: JSON) -> Iterable[JSON]:
    return value if isinstance(value, list | Iterator) else [value]


def _chosen(row: JSON, look: Look) -> JSON:
    return select(row, look.fields) if look.fields and isinstance(row, dict) else row


def _json(form: Callable[..., str], value: JSON, *margin: str) -> str:
    text = form(value, *margin)
    return form(shorten_bytes(value), *margin) if 'Bytes"' in text else text  # a quick look before a slow walk


def _lines(shown: Shown, look: Look, told: Callable[[str, JSON], str]) -> Iterator[Sequence[str]]:
    """Give the heading and the rows of csv and tsv; a row that is no object stands whole in the first cell.

    `told` writes a cell, which was of a value, as the form does.
    """
    rows = shown.value if isinstance(shown.value, list) else [shown.value]
    objects = not rows or any(isinstance(row, dict) for row in rows)
    names = (look.fields or resource_of(shown.resource).paths or seen_keys(rows)) if objects else ()
    if look.header and names:
        yield [told(name, name) for name in names]
    for row in rows:
        values = [at(row, name) for name in names] if isinstance(row, dict) else [row, *[""] * (len(names) - 1)]
        yield [told(_cell(value), value) for value in values]


def _cell(value: JSON) -> str:
    if type(value) is str:
        return value
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    return _json(compact, value) if isinstance(value, dict | list | str) else number(value)


def _md_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(markdown, cells))} |\n"
