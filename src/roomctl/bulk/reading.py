"""An input file → a table: CSV, a plain list of ids, or an earlier result file, with all that is wrong with it."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from roomctl.bulk.table import RAW, RESULT_COLUMNS, STATUSES, Mark, Problem, Row, Table
from roomctl.errors import BadInput
from roomctl.files import unreadable
from roomctl.text.counted import numbered

LIMIT: Final = 64 * 1024 * 1024
"""Bytes that an input may have."""
MISSING: Final = 1 << 22
"""Cells that the rows of an input may lack; they are filled up, which is work that no byte of the input pays for."""
DELIMITERS: Final = (",", ";", "\t")
BOM: Final = b"\xef\xbb\xbf"
FOREIGN: Final = (
    (b"\xff\xfe", "the file is UTF-16; save it as UTF-8"),
    (b"\xfe\xff", "the file is UTF-16; save it as UTF-8"),
    (b"PK\x03\x04", "the file is a spreadsheet or an archive; save it as CSV in UTF-8"),
)
RECORD_LINES: Final = 200
"""Lines that one quoted row may run over; an open quote costs no more than this."""
_HEADING: Final = re.compile(r"[^\d@.]+")
"""What names a column rather than being an id or an address with a mistake in it."""
_SEALED: Final = re.compile(r"[a-z]+\.[a-z]+ .+ #[0-9a-f]{12}")
"""The job in a result file, with the seal of its row."""
RESTORE: Final = f"restore them, or remove all of {', '.join(RESULT_COLUMNS)} to send every row again"


class Text(NamedTuple):
    """A file's lines, and what is wrong with some of them as text, by number from 1."""

    lines: list[str]
    faults: dict[int, str]


class Record(NamedTuple):
    """One row of CSV, the lines that it stands on, and what is wrong with its form."""

    line: int
    end: int
    cells: tuple[str, ...]
    fault: str = ""


def lines_of(data: bytes) -> Text:
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


def record_at(lines: list[str], line: int, delimiter: str, header: int = 0) -> Record:
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
    """Read the rows from a line on; blank lines are none. `header`: how many cells the first row of the file has."""
    while line <= len(lines):
        record = record_at(lines, line, delimiter, header)
        line = record.end + 1
        if len(record.cells) > 1 or record.cells[0].strip():
            yield record


class Shape(NamedTuple):
    """What rows must have: `columns` of which one must be filled, and `checks` of values.

    A check says what is wrong with a value, or nothing. A plain list holds values of the column that its first good
    value fits, else of the first. Rows are the same when the first filled one of `columns` is the same, whatever its
    case, and where there is a column `room`, that too. `plain` takes what counts out of a value as people write it;
    `headings` are other names of columns.
    """

    columns: tuple[str, ...]
    checks: Mapping[str, Callable[[str], str]] = {}
    plain: Callable[[str], str] = str.strip
    headings: Mapping[str, str] = {}
    room: str = ""

    def named(self, header: str) -> str:
        """Give a column the service's spelling: `E-mail address` or `email_address` is `emailAddress`."""
        if known := self.headings.get(header.strip()):
            return known
        plain = _plain(header)
        for name in (*self.columns, *self.checks):
            if _plain(name) == plain:
                return name
        return header.strip()

    def faults(self, columns: Mapping[str, str], line: int) -> Iterator[Problem]:
        if not any(columns.get(name) for name in self.columns):
            yield Problem(line, f"no value in {' or '.join(self.columns)}")
        for name, check in self.checks.items():
            if (value := columns.get(name)) and (fault := check(value)):
                yield Problem(line, fault, name)

    def holding(self, value: str) -> str:
        """Name the first of `columns` that a value can stand in by its check; empty where it can in none."""
        return next((name for name in self.columns if name in self.checks and not self.checks[name](value)), "")

    def key(self, columns: Mapping[str, str]) -> str:
        return next((value for name in self.columns if (value := columns.get(name))), "")


def read_input(path: Path, shape: Shape) -> Table:
    """Read and check a file. Raises BadInput when it cannot be read; what is wrong in it stands in the table."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    return parse(data, str(path), shape)._replace(path=path)


def parse(data: bytes, name: str, shape: Shape) -> Table:
    """Check the bytes of an input; `name` stands for it in messages. Raises BadInput when there are too many."""
    if len(data) > LIMIT:
        raise BadInput(f"{name} is larger than {LIMIT // 1024 // 1024} MiB")
    table = Table(name, sha256=sha256(data).hexdigest(), bom=data.startswith(BOM))
    for magic, fault in FOREIGN:
        if data.startswith(magic):
            return _unusable(table, Problem(1, fault))
    text = lines_of(data.removeprefix(BOM))
    first = next((number for number, line in enumerate(text.lines, 1) if line.strip()), 0)
    if not first:
        return _unusable(table, Problem(1, "the file is empty"))
    separator = re.fullmatch(r'"?sep=([,;\t])"?', text.lines[first - 1].rstrip("\r"))  # as spreadsheets name it
    if separator and first < len(text.lines):
        return _csv(table, text, shape, first + 1, separator[1])
    known = {  # how many columns of the header each delimiter gives that are known
        each: sum(shape.named(cell) in shape.columns for cell in record_at(text.lines, first, each).cells)
        for each in DELIMITERS
    }
    line = text.lines[first - 1]
    delimiter = max(DELIMITERS, key=lambda each: (known[each], line.count(each)))
    if not (known[delimiter] or delimiter in line):
        return _plain_list(table, text, shape)
    return _csv(table, text, shape, first, delimiter)


def _unusable(table: Table, *problems: Problem) -> Table:
    return table._replace(problems=problems, unusable=True)


def _plain_list(table: Table, text: Text, shape: Shape) -> Table:
    values = [(number, shape.plain(value)) for number, line in enumerate(text.lines, 1) if (value := line.strip())]
    column = next((name for _, value in values if (name := shape.holding(value))), shape.columns[0])
    line, first = values[0]
    if len(values) > 1 and _HEADING.fullmatch(first) and not shape.holding(first):
        return _unusable(table, Problem(line, f"there is no column {' or '.join(shape.columns)}"))
    sorter = _Sorter(shape, text.faults)
    for number, value in values:
        sorter.take(Record(number, number, (value,)), {column: value}, None)
    return sorter.sorted(table._replace(header=(column,)))


def _csv(table: Table, text: Text, shape: Shape, first: int, delimiter: str) -> Table:
    top = record_at(text.lines, first, delimiter)
    names = [shape.named(cell) for cell in top.cells]
    ours = _result_columns(names)
    width = min(ours.values(), default=len(names))
    own = [place for place in range(len(names)) if place not in ours.values()]
    table = table._replace(header=tuple(top.cells[place].strip() for place in own), delimiter=delimiter)
    if faults := list(_header_faults(top, [names[place] for place in own], shape, text)):
        return _unusable(table, *faults)
    sorter = _Sorter(shape, text.faults)
    missing = empty = 0
    words, sealed = {""}, False
    for record in records(text.lines, top.end + 1, delimiter, len(names)):
        if not any(map(str.strip, record.cells)):
            empty += 1
            continue
        missing += max(0, len(names) - len(record.cells))
        if missing > MISSING:
            fault = f"the header has {numbered(len(names), 'cells')}, and too many rows have fewer"
            return _unusable(table, Problem(record.line, fault))
        cells = _fitted(record.cells, len(names))
        ragged = "" if record.fault else _ragged(record.cells, len(names))
        columns = {
            name: shape.plain(cells[place]) if name in shape.columns else cells[place].strip()
            for place in own
            if (name := names[place])
        }
        fitted = record._replace(cells=tuple(cells[place] for place in own), fault=record.fault or ragged)
        result = {name: cells[place] for name, place in ours.items()} if ours else None
        words.add("" if result or "status" not in columns else columns["status"])
        sealed = sealed or (result is None and any(map(_SEALED.fullmatch, cells)))
        raw = record.cells if ragged else ()
        if not ragged and RAW in ours and cells[ours[RAW]]:  # it may still be as an earlier run cut it or filled it up
            raw = record_at(cells[ours[RAW]].split("\n"), 1, delimiter).cells
            raw = raw if _fitted(raw, width) == cells[:width] else ()
        sorter.take(fitted, columns, result, raw)
    if sealed or {""} < words <= {"", *STATUSES}:
        lost = ", ".join(name for name in RESULT_COLUMNS if name not in {each.casefold() for each in names})
        raise BadInput(f"{table.name} was edited: its result columns lack {lost}", hint=RESTORE)
    return sorter.sorted(table._replace(empty=empty))


def _result_columns(names: list[str]) -> dict[str, int]:
    """Where the columns of a result file stand, wherever people moved them; the job may be left out in their own."""
    places = {name.casefold(): place for place, name in enumerate(names)}  # the last: one before it is the input's
    if not places.keys() >= set(RESULT_COLUMNS[:-1]):
        return {}
    ours = {name: places[name] for name in RESULT_COLUMNS if name in places}
    raw = places.get(RAW, 0)
    return ours | ({RAW: raw} if raw - 1 in ours.values() else {})


def _fitted(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    return (*cells, *("" for _ in range(width)))[:width]


def _header_faults(top: Record, names: list[str], shape: Shape, text: Text) -> Iterator[Problem]:
    for number in range(top.line, top.end + 1):
        if number in text.faults:
            yield Problem(number, text.faults[number])
    if top.fault:
        yield Problem(top.line, top.fault)
    elif not any(name in names for name in shape.columns):
        yield Problem(top.line, f"there is no column {' or '.join(shape.columns)}")
    first: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        if name and first.setdefault(name, place) != place:
            yield Problem(top.line, f"columns {first[name]} and {place} have the same name")
            break


def _ragged(cells: tuple[str, ...], width: int) -> str:
    return "" if len(cells) == width else f"{numbered(len(cells), 'cells')}, but the header has {width}"


@dataclass(eq=False)
class _Sorter:
    """Sorts rows into good and bad; of rows that are the same, one is good: the one already done, else the first."""

    shape: Shape
    faults: Mapping[int, str]
    problems: list[Problem] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    bad: set[int] = field(default_factory=set)

    def take(
        self, record: Record, columns: Mapping[str, str], result: Mapping[str, str] | None, raw: tuple[str, ...] = ()
    ) -> None:
        """Check a row by itself: `result` holds the result columns of an earlier file, `raw` too many or few cells."""
        line = record.line
        found = [Problem(line, self.faults[each]) for each in range(line, record.end + 1) if each in self.faults]
        before, fault = _before(result)
        if record.fault:
            found.append(Problem(line, record.fault))
            before = before and Mark("unknown")  # its cells may have moved: what it says of itself proves nothing
        elif raw:
            found.append(Problem(line, _ragged(raw, len(record.cells))))
        elif fault:
            found.append(Problem(line, fault, "status"))
        elif before is None or before.status != "ok":  # what is done is carried along as it stands
            found += self.shape.faults(columns, line)
        room = columns.get(self.shape.room, "").casefold()
        self.rows.append(Row(line, columns, self.shape.key(columns), record.cells, before, raw, room=room))
        self._blame(found)

    def sorted(self, table: Table) -> Table:
        first: dict[str, int] = {}
        for row in sorted(self.rows, key=lambda row: (not row.sent, _status(row) == "unknown")):
            if row.key and (row.sent or row.line not in self.bad):
                line = first.setdefault(row.name.casefold(), row.line)
                if line != row.line and _status(row) != "unknown":
                    self._blame([Problem(row.line, f"duplicate of line {line}")])
        rows = tuple(row for row in self.rows if row.line not in self.bad)
        bad = tuple(row for row in self.rows if row.line in self.bad)
        return table._replace(rows=rows, bad=bad, problems=tuple(sorted(self.problems, key=lambda each: each.line)))

    def _blame(self, problems: list[Problem]) -> None:
        self.problems += problems
        self.bad.update(problem.line for problem in problems)


def _status(row: Row) -> str:
    return row.before.status if row.before else ""


def _before(result: Mapping[str, str] | None) -> tuple[Mark | None, str]:
    if result is None:
        return None, ""
    word = result["status"].strip().casefold() or "skipped"
    rest = [result.get(column, "") for column in RESULT_COLUMNS[1:]]
    for known in STATUSES:
        if word == known:
            return Mark(known, *rest), ""
    return Mark("unknown", *rest), f"not one of {', '.join(STATUSES)}"


def _plain(name: str) -> str:
    return "".join(name.split()).replace("_", "").replace("-", "").casefold()
