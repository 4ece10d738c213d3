"""Exports read back."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import BadInput
from roomctl.exports.exported import Exported
from tests.exports.paged import PARQUET, PagedService, exported, registration
from tests.values import values

ROWS = [registration(number) for number in range(3)]
NAMES = st.text(max_size=2)
VALUES = st.lists(values(st.text(max_size=5), 4), max_size=6)


@given(VALUES, st.sampled_from([None, 0, 1]))
def test_any_array_is_read(tmp_path_factory: pytest.TempPathFactory, values: list[object], indent: int | None) -> None:
    path = tmp_path_factory.mktemp("array") / "x.json"
    path.write_text(json.dumps(values, indent=indent))
    assert list(Exported(path).rows()) == values


NO_EXPORTS = [
    *(("json", text) for text in ("", "{}", "[", "[1", "[1,", '[{"a"', "[x]", '["a" 1', '[\n{"a":1},\n', "\ufeff1")),
    *(("csv", text) for text in ("a,b\n1\n", "a\n1,2\n", 'a\n"1')),
    *(("tsv", "a\tb\n1\n"), ("xlsx", "no"), ("sqlite", "no"), ("sqlite", "")),
    pytest.param("parquet", "no", marks=PARQUET.marks),
]


@pytest.mark.parametrize(("name", "text"), NO_EXPORTS)
def test_what_is_not_what_its_name_says_is_refused(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{name}"
    path.write_text(text)
    with pytest.raises(BadInput, match=f"cannot read {path} as {name}"):
        list(Exported(path).rows())


def test_lines_may_be_blank(tmp_path: Path) -> None:
    (tmp_path / "x.ndjson").write_text('{"a":1}\n\n{"a":2}')
    assert list(Exported(tmp_path / "x.ndjson").rows()) == [{"a": 1}, {"a": 2}]


def test_long_cells_are_read(tmp_path: Path) -> None:
    exported(PagedService([registration(0, source="x" * 300_000)]), tmp_path / "x.csv")
    assert [len(row["source"]) for row in Exported(tmp_path / "x.csv").rows()] == [300_000]


def test_a_file_that_is_missing_or_does_not_say_its_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        Exported(tmp_path / "x.csv")
    (tmp_path / "x").write_text("registrationId\n1\n")
    with pytest.raises(BadInput, match="names its format") as caught:
        Exported(tmp_path / "x")
    assert caught.value.hint == "give the file the extension of its format, such as .csv, .ndjson or .xlsx"


def test_the_id_of_a_row_is_known_from_the_manifest_or_guessed_from_the_heading(tmp_path: Path) -> None:
    exported(PagedService(ROWS), tmp_path / "x.csv")
    assert Exported(tmp_path / "x.csv").row_id({}) == "registrationId"
    (tmp_path / "x.csv.manifest.json").unlink()
    assert Exported(tmp_path / "x.csv").row_id({"source": 1, "someId": 2, "otherId": 3}) == "someId"
    assert Exported(tmp_path / "x.csv").row_id({"source": 1}) is None


def test_a_workbook_of_ours_comes_back_as_text(tmp_path: Path) -> None:
    row = registration(0, source="a & <b> _x0041_", values=None)
    exported(PagedService([row]), tmp_path / "x.xlsx", columns=["registrationId", "source", "confirmed", "nothing"])
    assert list(Exported(tmp_path / "x.xlsx").rows()) == [
        {"registrationId": row["registrationId"], "source": "a & <b> _x0041_", "confirmed": "true", "nothing": None}
    ]
