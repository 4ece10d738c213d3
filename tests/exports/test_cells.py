"""Text cells: nothing hidden, nothing run, nothing lost (R21, R26)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.cells import UNSAFE, guard, shows, text, visible

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


def test_every_character_that_does_not_show_is_unsafe_but_joiners_r21() -> None:
    missed = [
        hex(code)
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in ("Cc", "Cs", "Zl", "Zp", "Cf")
        and chr(code) not in "\u200c\u200d"
        and not UNSAFE.fullmatch(chr(code))
    ]
    assert missed == []
    assert not UNSAFE.search("\u200c\u200d é 日本 👩\u200d👩")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\u202e\u2028\ufeff", "\\u202e\\u2028\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("plain é", "plain é"),
    ],
)
def test_escapes_are_visible_r21(raw: str, shown: str) -> None:
    assert visible(raw) == shown


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_the_look_at_the_whole_text_finds_what_a_look_at_each_character_finds(raw: str) -> None:
    line = raw.replace("\n", "")
    assert shows(line.encode()) == (UNSAFE.search(line) is None)


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
