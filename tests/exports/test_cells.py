"""Text cells: nothing hidden, nothing run, nothing lost (R21, R26)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.cells import guard, shows, text
from roomctl.text.safe import unsafe

RISKY = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    " =1",
    "\u00a0=1",
    "\u3000=1",
    "\uff1d1",
    "\uff0bA1",
    "+49+1",
    "+49-30-1234",
    "'=1",
    "''=1",
    "\n=1",
    "+",
    "-",
]
HARMLESS = ["", "a=1", "+49 30 1234", "+4930", "+1 (555) 0100", "+1.555.0100", "'tis", "12:30", "\\t=1", "e-mail"]


def unguard(cell: str) -> str:
    """Undo `guard`: what it has put before a cell can be told from what stood there."""
    return cell[1:] if cell[:1] == "'" and guard(cell[1:]) != cell[1:] else cell


@pytest.mark.parametrize("cell", RISKY)
def test_what_a_spreadsheet_would_run_is_guarded_r26(cell: str) -> None:
    assert guard(cell) == "'" + cell


@pytest.mark.parametrize("cell", HARMLESS)
def test_phone_numbers_and_the_rest_are_spared_r26(cell: str) -> None:
    assert guard(cell) == cell


@given(st.text(alphabet=st.one_of(st.sampled_from("'=+-@ \u00a0\t\n0159(.)\uff1d"), st.characters()), max_size=8))
def test_the_guard_can_be_undone_for_any_text_r26(cell: str) -> None:
    assert unguard(guard(cell)) == cell


@given(st.text())
def test_a_guarded_cell_begins_with_nothing_that_runs_r26(cell: str) -> None:
    start = guard(cell).lstrip("\u00a0 \t\r\n")[:1]
    assert start not in ("=", "@", "-")
    assert start != "+" or guard(cell) == cell


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_the_look_at_the_whole_text_finds_what_a_look_at_each_character_finds(raw: str) -> None:
    line = raw.replace("\n", "")
    assert shows(line.encode()) == (unsafe("").search(line) is None)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (2**63, "9223372036854775808"),
        (1.5, "1.5"),
        ("é", "é"),
        ([1, {"a": "é"}], '[1,{"a":"é"}]'),
        ({}, "{}"),
    ],
)
def test_values_become_text_as_json_writes_them(value: object, cell: str) -> None:
    assert text(value) == cell
