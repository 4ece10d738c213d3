"""sqlite, parquet and xlsx, read back by libraries that others wrote."""

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest

from roomctl.contract.operations import RECORDING_LIST
from roomctl.errors import LocalFailure, Partial
from roomctl.exports import xlsx
from roomctl.exports.exported import Exported
from roomctl.exports.formats import Kept, Sheet
from roomctl.exports.packed import distinct_headings
from tests.conftest import Patch
from tests.exports.paged import PARQUET, PagedService, exported, fails, registration

TWO = [{"name": "N", "value": 2**70}, {"name": "n", "value": {"a": 1}}]
FLOAT = [{"name": "F", "value": 1.5}, {"name": "N", "value": True}]
ODD = [
    registration(0, source="=1+1 & <b>\u202e\x1b\ufffe _x0041_ \n x\r", values=[{"name": "N", "value": 1}]),
    registration(1, source=" lead ", confirmed=None, values=TWO),
    registration(2, source="", registeredDateTime="not a date", values=FLOAT),
    registration(3, source="\ud800", registeredDateTime="1850-01-01T00:00:00Z", values=None),
]


def sheet(path: Path) -> list[list[Any]]:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(path)
    return [list(row) for one in book.worksheets for row in one.iter_rows(values_only=True)]


def test_xlsx_has_text_cells_real_dates_a_frozen_heading_and_a_filter(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    exported(PagedService([registration(0), registration(1)]), tmp_path / "r.xlsx", zone=ZoneInfo("Europe/Berlin"))
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert book.sheetnames == ["Registrations"]
    page = book["Registrations"]
    assert (page.freeze_panes, page.auto_filter.ref) == ("A2", "A1:S3")
    heading, first, _ = page.iter_rows(values_only=True)
    row = dict(zip(heading, first, strict=True))
    assert row["registeredDateTime (Europe/Berlin)"] == datetime(2026, 10, 1, 14)
    assert row["event.startDateTime (Europe/Berlin)"] == datetime(2026, 12, 1, 13)
    assert row["registrationId"] == "00000000-0000-4000-8000-000000000000"
    assert row["user.mobilePhone"] == "+49 30 1234"
    assert row["confirmed"] is True
    assert page["B2"].number_format == "yyyy\\-mm\\-dd hh:mm:ss"


def test_xlsx_holds_odd_cells_and_runs_none(tmp_path: Path) -> None:
    columns = ["source", "registeredDateTime", "confirmed", "N", "n", "F"]
    exported(PagedService(ODD), tmp_path / "r.xlsx", columns=columns)
    assert sheet(tmp_path / "r.xlsx") == [
        ["source", "registeredDateTime (UTC)", "confirmed", "N", "n", "F"],
        ["=1+1 & <b>\\u202e\\x1b\\ufffe _x005F_x0041_ \n x\\r", datetime(2026, 10, 1, 12), True, 1, None, None],
        [" lead ", datetime(2026, 10, 1, 12), None, "1180591620717411303424", '{"a":1}', None],
        ["", "not a date", True, True, None, 1.5],
        ["\\ud800", "1850-01-01T00:00:00Z", False, None, None, None],
    ]
    with ZipFile(tmp_path / "r.xlsx") as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("other", ["web", "plain", "<", "&", True])
def test_the_end_of_a_cdata_section_is_text_in_a_workbook(other: Any, tmp_path: Path) -> None:
    """XML has no `]]>` in a text, and Excel no way around a file that is not XML."""
    rows = [registration(0, source="a]]>b", values=[{"name": "]]>", "value": other}]), registration(1, source=other)]
    exported(PagedService(rows), tmp_path / "r.xlsx", columns=["source", "]]>"], rename={"source": "x]]>"})
    assert sheet(tmp_path / "r.xlsx") == [["x]]>", "]]>"], ["a]]>b", other], [other, None]]


def test_integers_beyond_what_excel_holds_exactly_are_text(tmp_path: Path) -> None:
    rows = [{"socialRecordingId": "r", "recordingSize": 2**53}, {"socialRecordingId": "s", "recordingSize": 2**53 - 1}]
    exported(PagedService(rows), tmp_path / "r.xlsx", RECORDING_LIST, query=[])
    assert [row[1] for row in sheet(tmp_path / "r.xlsx")[1:]] == ["9007199254740992", 9007199254740991]


@pytest.mark.parametrize(("most", "number"), [("MOST_ROWS", 11), ("MOST_BYTES", 10_000)])
def test_more_rows_than_a_sheet_has_is_said(most: str, number: int, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(xlsx, most, number)
    rows = [registration(number) for number in range(25)]
    fails(LocalFailure, "there are more rows than a workbook holds", PagedService(rows), tmp_path / "r.xlsx", size=5)


def test_more_columns_than_a_sheet_has_is_said(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(xlsx, "MOST_COLUMNS", 18)
    with pytest.raises(LocalFailure, match="a sheet holds 18 columns, and there are 19"):
        exported(PagedService([registration(0)]), tmp_path / "r.xlsx")


def test_what_stops_a_workbook_in_mid_sheet_is_what_is_said(tmp_path: Path) -> None:
    """An archive that is closed over an open sheet would complain of that instead."""

    def pages() -> Iterator[Kept]:
        yield Kept(1, b'[["a","b"]]')
        raise LocalFailure("the part file cannot be read")

    with (tmp_path / "r.xlsx").open("w+b") as file, pytest.raises(LocalFailure, match="the part file cannot be read"):
        xlsx.XLSX.finish(pages(), Sheet("List", ("name",), ("name",)), file.fileno(), tmp_path)


def test_a_cell_longer_than_excel_takes_is_kept_raw_r29(tmp_path: Path) -> None:
    rows = [registration(0), registration(1, source="x" * 32_768)]
    fails(Partial, None, PagedService(rows), tmp_path / "r.xlsx")
    assert len(sheet(tmp_path / "r.xlsx")) == 2


def test_the_same_rows_make_the_same_workbook_and_database(tmp_path: Path) -> None:
    for name in ("r.xlsx", "r.sqlite"):
        first = exported(PagedService(ODD), tmp_path / name)
        assert exported(PagedService(ODD), tmp_path / name, force=True).sha256 == first.sha256


def test_sqlite_has_a_table_whose_values_stay_what_they_were(tmp_path: Path) -> None:
    exported(PagedService(ODD), tmp_path / "r.sqlite", columns=["registrationId", "confirmed", "source", "N", "n", "F"])
    database = sqlite3.connect(tmp_path / "r.sqlite")
    found = list(database.execute('SELECT confirmed, source, N, "n (2)", F FROM registrations'))
    database.close()
    lead = (None, " lead ", "1180591620717411303424", '{"a":1}', None)
    first, last = (1, "=1+1 & <b>\u202e\x1b\ufffe _x0041_ \n x\r", 1, None, None), (0, "\\ud800", None, None, None)
    assert found == [first, lead, (1, "", 1, None, 1.5), last]


def test_sqlite_with_too_many_columns_is_a_failure_that_says_so(tmp_path: Path) -> None:
    row = registration(0, values=[{"name": f"n{number}", "value": ""} for number in range(3_000)])
    fails(LocalFailure, "too many columns", PagedService([row]), tmp_path / "r.sqlite")


def test_headings_that_differ_only_in_case_are_numbered() -> None:
    found = distinct_headings(["a", "A", "a", "", "", "b\n", r"b\n"])
    assert found == ["a", "A (2)", "a (3)", "column", " (2)", "b\n", r"b\n (2)"]


def test_parquet_types_only_what_is_of_one_type(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = ["registrationId", "confirmed", "source", "N", "F"]
    exported(PagedService(ODD), tmp_path / "r.parquet", size=2, columns=columns)
    table = parquet.read_table(tmp_path / "r.parquet")
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {"registrationId": "string", "confirmed": "bool", "source": "string", "N": "string", "F": "string"}
    assert table.column("N").to_pylist() == ["1", "1180591620717411303424", "true", None]
    assert table.column("source").to_pylist()[3] == "\\ud800"


def test_parquet_knows_integers(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"socialRecordingId": str(number), "recordingSize": number or None} for number in range(3)]
    exported(PagedService(rows), tmp_path / "r.parquet", RECORDING_LIST, query=[])
    assert str(parquet.read_table(tmp_path / "r.parquet").schema.field("recordingSize").type) == "int64"


@pytest.mark.parametrize("name", ["xlsx", "sqlite", PARQUET, "csv"])
def test_numbers_that_no_float_gives_back_are_text(name: str, tmp_path: Path) -> None:
    row = registration(0, values=[{"name": "n", "value": Decimal("0.10")}, {"name": "m", "value": 10**5_000}])
    service = PagedService([])
    service.copy = lambda rows: rows
    service.rows = [row]
    exported(service, tmp_path / f"r.{name}")
    (found,) = Exported(tmp_path / f"r.{name}").rows()
    assert (found["n"], found["m"]) == ("0.10", "1" + "0" * 5_000)


@pytest.mark.parametrize("name", ["xlsx", "sqlite", PARQUET])
def test_columns_found_late_are_empty_before(name: str, tmp_path: Path) -> None:
    rows = [registration(0, values=None), registration(1, values=[{"name": "late", "value": "x"}])]
    exported(PagedService(rows), tmp_path / f"r.{name}", size=1)
    assert [row["late"] for row in Exported(tmp_path / f"r.{name}").rows()] == [None, "x"]
