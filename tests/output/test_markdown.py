"""Markdown: a table that GitHub draws, in which nothing that others wrote is more than text."""

import io
import re
from typing import Any

import pytest

from roomctl.output.look import Look, Shown
from roomctl.output.writers import write

NASTY = ["a|b", "[x](http://e)", "![x](http://e/t.png)", "<script>alert(1)</script>", "&amp;", "`id`", "**b** _i_ ~s~"]
CELL = re.compile(r"(?<!\\)\|")


def lines(value: Any, resource: str = "", fields: tuple[str, ...] = (), **more: Any) -> list[str]:
    out = io.StringIO()
    write(Shown(value, resource), Look("md", fields, **more), out)
    return out.getvalue().splitlines()


def test_a_list_is_a_table_with_the_tables_headings() -> None:
    rows = [{"userId": "u1", "name": "Ada", "active": True}, {"userId": "u2", "name": None}]
    assert lines(rows, "User", ("name", "active", "userId")) == [
        "| name | active | userId |",
        "| --- | --- | --- |",
        "| Ada | yes | u1 |",
        "|  |  | u2 |",
    ]


def test_numbers_stand_right() -> None:
    rows = [{"name": "Rain", "qty": 3}]
    assert lines(rows) == ["| name | qty |", "| --- | ---: |", "| Rain | 3 |"]


def test_one_record_is_a_table_of_its_fields() -> None:
    assert lines({"name": "Ada", "user": {"x": 1}}) == [
        "| field | value |",
        "| --- | --- |",
        "| name | Ada |",
        '| user | {"x":1} |',
    ]


def test_scalars_stand_in_one_column_and_without_a_heading_only_rows_are_written() -> None:
    assert lines(["a", 1], header=False) == ["| a |", "| 1 |"]
    assert lines([], "User", ("name",)) == ["| name |", "| --- |"]


@pytest.mark.parametrize("text", NASTY)
def test_what_others_wrote_stays_in_its_cell_and_text(text: str) -> None:
    (row,) = lines([{"name": text}], header=False)
    assert len(CELL.findall(row)) == 2
    assert re.sub(r"\\(.)", r"\1", row) == f"| {text} |"
    assert not re.search(r"(?<!\\)[\[<`*_~&]", row)


def test_a_new_line_is_an_escape_that_shows() -> None:
    assert lines(["a\nb\x1b[2J"], header=False) == ["| a\\\\nb\\\\x1b\\[2J |"]


def test_nobody_is_called_by_a_name_in_a_cell() -> None:
    assert lines(["@admin", "ada@example.org", "http://e/x"], header=False) == [
        *("| &#64;<!-- -->admin |", "| ada@example.org |", "| http:\\//e/x |"),
    ]
