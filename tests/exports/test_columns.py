"""Rows as cells (R29)."""

import json
from pathlib import Path
from typing import Any

from roomctl.errors import BadConfig, BadValue
from roomctl.exports import delimited, formats
from roomctl.exports.columns import Chosen, Layout, Misfit, Registrations
from roomctl.exports.exported import check
from roomctl.exports.formats import format_named
from tests.conftest import Cases, Patch, error_of
from tests.exports.paged import PagedService, exported, registration


def test_a_row_that_does_not_fit_says_why_r29(cases: Cases) -> None:
    layouts = {"registration": Registrations(), "other": Layout([]), "chosen": Chosen(["user.name"])}
    cases("misfits.txt", lambda layout, row: str(error_of(Misfit, layouts[layout].cells, row)))


def test_rows_become_columns(cases: Cases) -> None:
    def says(kind: str, names: list[str], *rows: Any) -> str:
        layout = Layout(names) if kind == "flat" else Chosen(names)
        table = layout.columns([layout.cells(row) for row in rows])
        return json.dumps(dict(zip(layout.names, table, strict=True)))

    cases("columns.txt", says)


NAMES = ["a.csv", "A.CSV", "a.tsv", "a.ndjson", "a.jsonl", "a.json", "a.xlsx", "a.sqlite", "a.db", "a.parquet"]


def test_the_name_of_the_file_says_the_format_unless_one_is_named() -> None:
    found = [format_named(None, Path(name)).name for name in NAMES]
    assert found == ["csv", "csv", "tsv", "ndjson", "ndjson", "json", "xlsx", "sqlite", "sqlite", "parquet"]
    assert [format_named("excel-csv", Path(name)).name for name in ("a.csv", "a.txt")] == ["excel-csv"] * 2
    assert "says tsv, and `--format` says csv" in error_of(BadValue, format_named, "csv", Path("a.tsv")).message


def test_a_format_whose_library_is_missing_says_how_to_get_it(monkeypatch: Patch) -> None:
    monkeypatch.setattr(formats, "FORMATS", [each._replace(needs="no_such_library") for each in formats.FORMATS])
    caught = error_of(BadConfig, format_named, "parquet", Path("a"))
    assert caught.message == "`parquet` needs a library that is not installed: no_such_library"
    assert "`pip install 'roomctl[parquet]'`" in caught.hint


def test_a_format_is_one_entry_and_a_codec(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(delimited, "BARRED", delimited.CSV._replace(comma="|", quoted=""), raising=False)
    barred = formats.Format("barred", (".psv",), "delimited:BARRED")
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, barred))
    facts = exported(PagedService([registration(0)]), tmp_path / "r.psv")
    assert (facts.format, check(tmp_path / "r.psv")) == ("barred", [])
    assert b"|web|" in (tmp_path / "r.psv").read_bytes()
