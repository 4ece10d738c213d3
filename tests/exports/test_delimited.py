"""csv, excel-csv, tsv, ndjson and json: literal output, and nothing lost on the way (R21, R25, R26)."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.cells import guard, text
from roomctl.exports.delimited import EXCEL_CSV, TSV
from roomctl.exports.formats import Kept, Sheet, format_named
from roomctl.text.safe import exact, visible
from tests.conftest import Cases
from tests.exports.paged import PagedService, exported, registration

HEADING = (
    "registrationId,registeredDateTime,confirmed,source,user.userId,user.name,user.firstName,user.middleName,"
    "user.lastName,user.emailAddress,user.emailVerified,user.mobilePhone,user.timeZone,event.socialEventId,event.name,"
    "event.startDateTime,event.endDateTime"
)
LINE = (
    "{id},2026-10-01T12:00:00Z,true,web,00000000-0000-4000-8000-000000500000,Jürgen Müller 0,Jürgen,,Müller 0,"
    "j0@example.org,true,+49 30 1234,Europe/Berlin,00000000-0000-4000-8000-000000999999,Fair,2026-12-01T12:00:00Z,"
    "2026-12-01T14:00:00Z"
)
ID = "00000000-0000-4000-8000-000000000000"

Pages = list[list[list[Any]]]


def written(name: str, pages: Pages, folder: Path, **sheet: Any) -> bytes:
    """Write pages of cells (rows) in a format, as an export does."""
    form, path = format_named(name, folder / "x"), folder / "out"
    assert form.codec.finish
    width = max((len(page[0]) for page in pages), default=1)
    names = tuple(f"c{number}" for number in range(width))
    kept: list[Kept] = []
    for page in pages:
        some = names[: len(page[0])]
        begun = Sheet("Rows", some, some, begun=bool(kept), **sheet)
        kept.append(Kept(len(some), form.codec.keep(list(zip(*page, strict=True)), begun)))
    with path.open("w+b") as file:
        form.codec.finish(kept, Sheet("Rows", names, names, **sheet), file.fileno(), path)
    return path.read_bytes()


def test_excel_csv_has_a_byte_order_mark_crlf_and_a_guard_that_spares_phones_r26(tmp_path: Path) -> None:
    row = registration(0, source="=1+1", values=[{"name": "=x", "value": "@y"}, {"name": "n", "value": -5}])
    exported(PagedService([row]), tmp_path / "regs.csv", format="excel-csv")
    text = (tmp_path / "regs.csv").read_bytes().decode()
    assert (text[:2], text.count("\r\n"), text.count("\n")) == ('\ufeff"', 2, 2)
    heading, line = csv.reader(io.StringIO(text[1:], newline=""))
    assert heading == [*HEADING.split(","), "'=x", "n"]
    assert line == [*LINE.format(id=ID).replace(",web,", ",'=1+1,").split(","), "'@y", "-5"]
    assert (text.endswith(',"\'@y",-5\r\n'), '"+49 30 1234"' in text) == (True, True)  # texts are quoted, numbers not


def test_csv_is_guarded_only_on_request_and_what_does_not_show_is_visible_r21_r26(tmp_path: Path, cases: Cases) -> None:
    def says(name: str, sheet: dict[str, Any], *cells: str) -> str:
        return json.dumps(written(name, [[[*cells]]], tmp_path, **sheet).decode().splitlines()[1])

    cases("texts.txt", says)


texts = st.text(max_size=6) | st.sampled_from(["=1", "a,b", 'q"', "'", "\t", "\\n", "\\\\n", "\\\n", "\\u202e"])
cells = st.none() | st.booleans() | st.integers() | texts


def pages_of(width: int) -> st.SearchStrategy[Pages]:
    rows = st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=3)
    return st.lists(rows, min_size=1, max_size=3)


pages = st.integers(1, 4).flatmap(pages_of)


@given(pages)
def test_csv_reads_back_as_what_was_written(tmp_path_factory: pytest.TempPathFactory, pages: Pages) -> None:
    folder = tmp_path_factory.mktemp("csv")
    source = [cell for page in pages for row in page for cell in row]
    rows = [[exact(text(cell)) for cell in row] for page in pages for row in page]
    plain = written("csv", pages, folder).decode()
    assert list(csv.reader(io.StringIO(plain, newline="")))[1:] == rows
    assert plain.count("\n") == len(rows) + 1
    guarded = list(csv.reader(io.StringIO(written("excel-csv", pages, folder).decode("utf-8-sig"), newline="")))[1:]
    flat = [cell for row in guarded for cell in row]
    assert flat == [guard(exact(cell)) if isinstance(cell, str) else text(cell) for cell in source]
    assert [EXCEL_CSV.restore(cell, isinstance(was, str)) for cell, was in zip(flat, source, strict=True)] == [
        text(cell) for cell in source
    ]


@given(pages)
def test_tsv_reads_back_as_what_was_written(tmp_path_factory: pytest.TempPathFactory, pages: Pages) -> None:
    lines = written("tsv", pages, tmp_path_factory.mktemp("tsv")).decode().split("\n")[1:-1]
    rows = [[visible(text(cell).replace("\\", "\\\\")) for cell in row] for page in pages for row in page]
    assert [line.split("\t") for line in lines] == rows
    source = [[text(cell) for cell in row] for page in pages for row in page]
    assert [[TSV.restore(cell, guarded=False) for cell in row] for row in rows] == source
