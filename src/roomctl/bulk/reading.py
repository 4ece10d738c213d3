"""An input file → a table: CSV, a plain list of ids, or an earlier result file, with all that is wrong with it."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from roomctl.bulk.problems import Problem, brief
from roomctl.bulk.table import RESULT_COLUMNS, STATUSES, Mark, Row, RowIndex, Table, seal_of_unread
from roomctl.errors import BadInput
from roomctl.files import unreadable
from roomctl.text import Note
from roomctl.text.counted import numbered
from roomctl.text.suggest import nearest

LIMIT: Final = 64 * 1024 * 1024
"""Bytes that an input may have."""
DELIMITERS: Final = (",", ";", "\t")
BOM: Final = b"\xef\xbb\xbf"
FOREIGN: Final = {
    b"\xff\xfe": "the file is UTF-16; save it as UTF-8",
    b"\xfe\xff": "the file is UTF-16; save it as UTF-8",
    **dict.fromkeys((b"PK\x03\x04", b"\xd0\xcf"), "the file is a spreadsheet or an archive; save it as CSV in UTF-8"),
    **dict.fromkeys((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF"), "not a text file; choose a CSV file"),
}
NOT_UTF8: Final = "the file is not UTF-8 (perhaps Windows-1252); save it as UTF-8"
RECORD_LINES: Final = 200
"""Lines that one quoted row may run over; an open quote costs no more than this."""
_HEADING: Final = re.compile(r"[^\d@.]+")
"""What names a column rather than being an id or an address with a mistake in it."""
_SEALED: Final = re.compile(r"[a-z]+\.[a-z]+ .+ #[0-9a-f]{12}")
"""The job in a result file, with the seal of its row."""
_NOT_CSV: Final = {
    "unexpected end": "a quotation mark is not closed",
    "expected after": 'text follows a closing quotation mark; inside a cell, write "" for "',
    "field larger": "a cell is too long",
}
"""What the reader of CSV says, and what it means."""
RESTORE: Final = f"restore them, or remove all of {', '.join(RESULT_COLUMNS)} to send every row again"


class Shape(NamedTuple):
    """What rows must have: `columns` of which one must be filled, and `checks` of values.

    A check says what is wrong with a value, or nothing. A plain list holds values of the column that its first good
    value fits, else of the first. Rows are the same when the first filled one of `columns` is the same, whatever its
    case, and where there is a column `room`, that too; `alias` is the column that names the same as a key of another
    one. `plain` takes what counts out of a value as people write it; `headings` are other names of columns; where none
    of `columns` is there, the first column named in `instead` is the one that it gives; one that has a `likely` word in
    its heading is only asked about.
    """

    columns: tuple[str, ...]
    checks: Mapping[str, Callable[[str], str]] = {}
    plain: Callable[[str], str] = str.strip
    headings: Mapping[str, str] = {}
    room: str = ""
    alias: str = ""
    instead: Mapping[str, str] = {}
    likely: tuple[str, ...] = ()

    @property
    def no_column(self) -> str:
        return f"there is no column {' or '.join(self.columns)}"

    def named(self, header: str) -> str:
        """Give a column the service's spelling: `E-mail address`, `email_address`, or `E-Mail` is `emailAddress`."""
        plain, taken = _bare(header.rpartition(".")[2]), self.headings.values()  # an export has `user.emailAddress`
        same = (name for name in (*self.columns, *self.checks) if _bare(name) == plain)
        short = (name for name in self.columns if name not in taken and _bare(name) == f"{plain}address")
        return self.headings.get(header.strip()) or next(same, "") or next(short, header.strip())

    def names(self, headers: Iterable[str]) -> list[str]:
        """Give the columns of a header as `named` does."""
        names = [*map(self.named, headers)]
        if self.alias in names and self.alias not in self.headings.values():  # two addresses are refused
            names = [self.alias if self.instead.get(_bare(name)) == self.alias else name for name in names]
        places = (place for place, name in enumerate(names) if _bare(name) in self.instead)
        if not {*names} & {*self.columns} and (place := next(places, None)) is not None:
            names[place] = self.instead[_bare(names[place])]
        return names

    def value(self, name: str, cell: str) -> str:
        return self.plain(cell) if name in self.columns else cell.strip()

    def faults(self, columns: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Say what is wrong with a row, each fault with its column; with none where all of `columns` are empty."""
        if not any(columns.get(name) for name in self.columns):
            own = [name for name in self.columns if name in columns]
            yield ("no value", own[0]) if len(own) == 1 else (f"no value in {' or '.join(self.columns)}", "")
        for name, check in self.checks.items():
            if (value := columns.get(name)) and (fault := check(value)):
                yield fault, name

    def holding(self, value: str) -> str:
        """Name the first of `columns` whose check a value passes; empty where there is none."""
        return next((name for name in self.columns if name in self.checks and not self.checks[name](value)), "")

    def like(self, headers: Iterable[str]) -> str:
        """Guess by its name which column is one of `columns`, as `Mail of guest=emailAddress`; empty where none is."""
        words = {_bare(name): name for name in self.columns} | {**self.instead}
        words |= dict.fromkeys(self.likely, self.columns[0])
        pairs = ((name.strip(), _bare(name), word) for name in headers for word in words if len(word) > 3)
        near = ((name, words[word]) for name, it, word in pairs if word in it or nearest(it, [word], least=0.8))
        return next((f"{name}={field}" for name, field in near), "")

    def key(self, columns: Mapping[str, str]) -> str:
        return next((value for name in self.columns if (value := columns.get(name))), "")


class Record(NamedTuple):
    """One row of CSV, the lines that it stands on, and what is wrong with its form: then it is one cell, its text."""

    line: int
    end: int
    cells: tuple[str, ...]
    fault: str = ""


def read_input(path: Path, shape: Shape) -> Table:
    """Read and check a file. Raises BadInput when it cannot be read; what is wrong in it stands in the table."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    return parse(data, str(path), shape)._replace(path=path)


def results_over(table: Table, path: Path, shape: Shape, note: Note) -> Table | None:
    """Give a table with what the result file of an earlier run knows of its rows; that file itself for the same rows.

    None where it is no result file, or has rows that were sent and that the table does not name. Raises BadInput.
    """
    earlier = read_input(path, shape)
    known = [*earlier.rows, *earlier.bad]
    if not known or not all(row.before for row in known):
        return None
    if earlier.header == table.header and _cells(earlier) == _cells(table):
        return earlier._replace(name=table.name, problems=table.problems)  # which the person corrects
    old, names = RowIndex(earlier.rows), {row.line: row for row in earlier.rows}
    pairs = [(row, names[line]) for row in table.rows if (line := old.line(row))]
    lost = {row.line for row in known if row.sent} - {other.line for _, other in pairs}
    if lost or any(row.name.casefold() != other.name.casefold() for row, other in pairs):
        return None
    named = RowIndex((*table.rows, *table.bad))
    if dropped := sum(not named.line(row) for row in earlier.rows):
        note(f"{numbered(dropped, 'rows')} of {path} no longer in {table.name}: old results dropped")
    return table.knowing({row.line: other.before for row, other in pairs if other.before})._replace(earlier=path)


def _cells(table: Table) -> list[tuple[str, ...]]:
    rows = sorted((*table.rows, *table.bad), key=lambda row: row.line)
    return [row.cells + ("",) * (len(table.header) - len(row.cells)) for row in rows]


def parse(data: bytes, name: str, shape: Shape) -> Table:
    """Check the bytes of an input; `name` stands for it in messages. Raises BadInput for what is no input at all."""
    if len(data) > LIMIT:
        raise BadInput(f"{name} is larger than {LIMIT // 1024 // 1024} MiB")
    table = Table(name, sha256=sha256(data).hexdigest(), bom=data.startswith(BOM))
    if fault := next((fault for magic, fault in FOREIGN.items() if data.startswith(magic)), ""):
        return _unusable(table, Problem(1, fault))
    raw = data.removeprefix(BOM).split(b"\n" if b"\n" in data else b"\r")
    lines = [line.decode("utf-8", "backslashreplace") for line in raw]
    foreign = {number for number, line in enumerate(raw, 1) if line.decode("utf-8", "ignore").encode() != line}
    first = next((number for number, line in enumerate(lines, 1) if line.strip()), 0)
    if not first:
        return table if name.endswith(".ids") else _unusable(table, Problem(1, "the file is empty"))
    known = {  # how many known columns each delimiter finds in the header
        each: sum(name in shape.columns for name in shape.names(_record(lines, first, each).cells))
        for each in DELIMITERS
    }
    delimiter = max(DELIMITERS, key=lambda each: (known[each], lines[first - 1].count(each)))
    if known[delimiter] or delimiter in lines[first - 1]:
        return _csv(table._replace(delimiter=delimiter), lines, foreign, shape, first)
    return _plain_list(table, lines, foreign, shape)


def _unusable(table: Table, problem: Problem) -> Table:
    return table._replace(problems=(problem,), unusable=True)


def _plain_list(table: Table, lines: list[str], foreign: set[int], shape: Shape) -> Table:
    values = [(number, shape.plain(value)) for number, line in enumerate(lines, 1) if (value := line.strip())]
    column = next((name for _, value in values if (name := shape.holding(value))), shape.columns[0])
    line, first = values[0]
    if len(values) > 1 and _HEADING.fullmatch(first) and not shape.holding(first):
        meant = next((f"{first}={name}" for _, value in values if (name := shape.holding(value))), "")
        return _unusable(table._replace(meant=meant), Problem(line, shape.no_column))
    checked = [
        _checked(Record(number, number, (value,)), {column: value}, None, foreign, shape) for number, value in values
    ]
    return _sorted(table._replace(header=(column,), headings={column: ""}), checked)


def _csv(table: Table, lines: list[str], foreign: set[int], shape: Shape, first: int) -> Table:
    top = _record(lines, first, table.delimiter)
    names = shape.names(top.cells)
    results = _result_columns(names)
    own = [place for place in range(len(names)) if place not in results.values()]
    table = table._replace(
        header=tuple(top.cells[place].strip() for place in own),
        headings={names[place]: brief(top.cells[place].strip()) for place in own},
    )
    if fault := _header_fault(top, [names[place] for place in own], foreign, shape):
        meant = _meant(top, lines, table.delimiter, shape) or shape.like(table.header)
        return _unusable(table._replace(meant=meant), Problem(top.line, fault))
    checked = []
    for record in _records(lines, top.end + 1, table.delimiter, len(names)):
        if not any(map(str.strip, record.cells)):
            table = table._replace(empty=table.empty + 1)
            continue
        cells, result = record.cells, dict[str, str]()
        if not record.fault:
            result = {name: cells[place] for name, place in results.items()}
            cells = tuple(cells[place] for place in own)
        columns = {
            name: shape.value(name, cell) for place, cell in zip(own, cells, strict=False) if (name := names[place])
        }
        row = record._replace(cells=cells)
        checked.append(_checked(row, columns, result if results else None, foreign, shape))
    if not results:
        _refuse_incomplete_results(table, names, [row for row, _ in checked])
    return _sorted(table, checked)


def _records(lines: list[str], line: int, delimiter: str, width: int) -> Iterator[Record]:
    """Read the rows from a line on, each with as many cells as the header, or a fault; blank lines are none."""
    while line <= len(lines):
        record = _record(lines, line, delimiter, width)
        line = record.end + 1
        if len(record.cells) == 1 and not record.cells[0].strip():
            continue
        if not record.fault and len(record.cells) != width:
            text = "\n".join(lines[record.line - 1 : record.end]).rstrip("\r")
            fault = f"{numbered(len(record.cells), 'cells')}, but the header has {numbered(width, 'columns')}"
            record = record._replace(cells=(text,), fault=fault)
        yield record


def _record(lines: list[str], line: int, delimiter: str, width: int = 0) -> Record:
    text = lines[line - 1].rstrip("\r")
    if '"' not in text:
        return Record(line, line, tuple(text.split(delimiter)))
    following = (each + "\n" for each in lines[line - 1 : line - 1 + RECORD_LINES])
    reader = csv.reader(following, delimiter=delimiter, strict=True)
    try:
        cells = next(reader)
    except csv.Error as error:
        cells = text.split(delimiter)
        if delimiter == "\t" and len(cells) == width:  # written by a tool that quotes nothing, as ours does
            return Record(line, line, tuple(cells))
        why = next((why for said, why in _NOT_CSV.items() if said in str(error)), "not CSV")
        return Record(line, line, (text,), why)
    return Record(line, line + reader.line_num - 1, tuple(cells))


def _result_columns(names: list[str]) -> dict[str, int]:
    """Where the columns of a result file stand, wherever people moved them; the job may be missing."""
    places = {name.casefold(): place for place, name in enumerate(names)}  # the last: one before it is the input's
    if not places.keys() >= set(RESULT_COLUMNS[:-1]):
        return {}
    return {name: places[name] for name in RESULT_COLUMNS if name in places}


def _header_fault(top: Record, names: list[str], foreign: set[int], shape: Shape) -> str:
    if foreign.intersection(range(top.line, top.end + 1)):
        return NOT_UTF8
    if top.fault:
        return top.fault
    if not any(name in names for name in shape.columns):
        return shape.no_column
    first: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        if name and first.setdefault(name, place) != place:
            same = f"are both {name}" if name in shape.columns else "have the same name"
            return f"columns {first[name]} and {place} {same}"
    return ""


def _meant(top: Record, lines: list[str], delimiter: str, shape: Shape) -> str:
    """Guess by the first row which column holds what is wanted: `E-Mail=emailAddress`. A heading that does is none."""
    row = next(_records(lines, top.end + 1, delimiter, len(top.cells)), top)
    pairs = [(name.strip(), shape.holding(shape.plain(cell))) for name, cell in zip(top.cells, row.cells, strict=False)]
    return next((f"{name}={field}" for name, field in pairs if field and not shape.holding(shape.plain(name))), "")


def _refuse_incomplete_results(table: Table, names: list[str], rows: Iterable[Row]) -> None:
    """Refuse a result file of which some result columns were removed. Raises BadInput."""
    rows = list(rows)
    statuses = {row.columns.get("status", "") for row in rows} - {""}
    sealed = any(_SEALED.fullmatch(cell) for row in rows for cell in row.cells)
    if sealed or (statuses and statuses <= {*STATUSES}):
        kept = {each.casefold() for each in names}
        lost = ", ".join(name for name in RESULT_COLUMNS if name not in kept)
        raise BadInput(f"{table.name} was edited: its result columns lack {lost}", hint=RESTORE)


def _checked(
    record: Record, columns: Mapping[str, str], result: Mapping[str, str] | None, foreign: set[int], shape: Shape
) -> tuple[Row, list[Problem]]:
    """Check a row by itself; `result` holds the result columns of an earlier file."""
    line, before, found = record.line, None, list[Problem]()
    if result is not None and record.fault:  # its cells may have moved: what it says of itself proves nothing
        before = Mark("unknown")
    elif result is not None:
        word = result["status"].strip().casefold() or "skipped"
        status = next((each for each in STATUSES if each == word), None)
        if status is None:
            found.append(Problem(line, f"not one of {', '.join(STATUSES)}", "status"))
        before = Mark(status or "unknown", *(result.get(name, "") for name in RESULT_COLUMNS[1:]))
    if foreign.intersection(range(line, record.end + 1)):
        found.append(Problem(line, NOT_UTF8))
    if record.fault:
        found.append(Problem(line, record.fault))
    if before and before.status == "failed" and before.job == seal_of_unread(record.cells):
        found.append(Problem(line, before.error))  # an earlier run could not read it, and it has not changed since
    malformed = bool(found)
    if not found and (before is None or before.status != "ok"):  # what is done is carried along as it stands
        found += [Problem(line, fault, name) for fault, name in shape.faults(columns)]
    room = columns.get(shape.room, "").casefold()
    key, alias = shape.key(columns), columns.get(shape.alias, "")
    alias = "" if alias == key else alias
    return Row(line, columns, key, record.cells, before, room=room, unread=malformed, alias=alias), found


def _sorted(table: Table, checked: list[tuple[Row, list[Problem]]]) -> Table:
    """Sort rows into good and bad; of rows that are the same, one is good: the one already done, else the first."""
    problems = [table.problem(*problem) for _, found in checked for problem in found]
    bad = {problem.line for problem in problems}
    first = RowIndex()
    for row in sorted((row for row, _ in checked), key=lambda row: (not row.sent, row.status == "unknown")):
        if row.key and (row.sent or row.line not in bad):
            if not (line := first.line(row)):
                first.add(row)
            elif row.status != "unknown":
                problems.append(Problem(row.line, f"duplicate of line {line}"))
    bad = {problem.line for problem in problems}
    return table._replace(
        rows=tuple(row for row, _ in checked if row.line not in bad),
        bad=tuple(row for row, _ in checked if row.line in bad),
        problems=tuple(sorted(problems, key=lambda each: each.line)),
    )


def _bare(name: str) -> str:
    return "".join(name.split()).replace("_", "").replace("-", "").casefold()
