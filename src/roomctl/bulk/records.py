"""The bytes of an input → lines of text, and rows of CSV: where each stands, and what is wrong with its form."""

import csv
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

RECORD_LINES: Final = 200
"""Lines that one quoted row may run over; an open quote costs no more than this."""


class Text(NamedTuple):
    """A file's lines as text, and what is wrong with some of them as text, by number from 1."""

    lines: list[str]
    faults: dict[int, str]


class Record(NamedTuple):
    """One row of CSV, the lines that it stands on, and what is wrong with its form."""

    line: int
    end: int
    cells: tuple[str, ...]
    fault: str = ""


def lines_of(data: bytes) -> Text:
    """Cut bytes into lines, whichever line ends they have."""
    parts = data.split(b"\n" if b"\n" in data else b"\r")
    found = Text([], {})
    for number, part in enumerate(parts, 1):
        try:
            found.lines.append(part.decode("utf-8"))
        except UnicodeDecodeError:
            found.lines.append(part.decode("utf-8", "backslashreplace"))
            found.faults[number] = "the file is not UTF-8 (perhaps Windows-1252); save it as UTF-8"
        if b"\0" in part:
            found.faults[number] = "the file has a NUL character"
    return found


def content(line: str) -> str:
    """What a line of a plain list says, without its comment."""
    return re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip()


def separator(line: str) -> str:
    """The delimiter that a spreadsheet names in a line of its own before the header: `sep=;`."""
    found = re.fullmatch(r'"?sep=([,;\t])"?', line.rstrip("\r"))
    return found[1] if found else ""


def record_at(lines: list[str], line: int, delimiter: str, header: int = 0) -> Record:
    """Read the row that begins on a line."""
    text = lines[line - 1].rstrip("\r")
    if '"' not in text:
        return Record(line, line, tuple(text.split(delimiter)))
    reader = csv.reader(
        (each + "\n" for each in lines[line - 1 : line - 1 + RECORD_LINES]), delimiter=delimiter, strict=True
    )
    try:
        cells = next(reader)
    except csv.Error:
        cells = text.split(delimiter)
        if delimiter == "\t" and len(cells) == header:  # written by a tool that quotes nothing, as ours does
            return Record(line, line, tuple(cells))
        return Record(line, line, (text,), "a quotation mark is not closed, or is inside a cell")
    return Record(line, line + reader.line_num - 1, tuple(cells))


def records(lines: list[str], line: int, delimiter: str, header: int) -> Iterator[Record]:
    """Read the rows from a line on; empty ones are none. `header`: how many cells the first row of the file has."""
    while line <= len(lines):
        record = record_at(lines, line, delimiter, header)
        line = record.end + 1
        if any(cell.strip() for cell in record.cells):
            yield record
