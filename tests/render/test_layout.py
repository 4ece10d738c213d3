"""Text in terminal cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.render.layout import fold, hanging, pad, paint, width

TEXTS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from("a b大👩\u200d👧"))


def test_a_wide_character_takes_two_cells_and_a_joined_emoji_too() -> None:
    assert [width(each) for each in ("abc", "大会", "👩\u200d👩\u200d👧", "e\u0301", "")] == [3, 4, 2, 1, 0]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("two words and more", ["two words", "and more"]),
        ("大会議室の名前", ["大会議室の", "名前"]),
        ("0123456789abcdef", ["0123456789", "abcdef"]),
        ("a 0123456789abcdef b", ["a", "0123456789", "abcdef b"]),
        ("a" + "\u0301" * 1000, ["a" + "\u0301" * 1000]),
    ],
)
def test_text_is_folded_between_words_and_long_words_inside(text: str, lines: list[str]) -> None:
    assert fold(text, 10) == lines


@given(TEXTS, st.integers(2, 30))
def test_folding_leaves_nothing_but_blanks_out_and_fits(text: str, space: int) -> None:
    lines = fold(text, space)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max(map(width, lines)) <= space


def test_padding_counts_cells() -> None:
    assert [pad("大", 4), pad("12", 4, right=True), pad("long", 2)] == ["大  ", "  12", "long"]


def test_colour_leaves_the_blanks_around_out() -> None:
    assert paint("  ok ", "good", True) == "  \x1b[32mok\x1b[0m "
    assert [paint("ok", "good", False), paint("ok", "", True), paint("   ", "good", True)] == ["ok", "ok", "   "]


def test_a_long_word_is_broken_before_an_at_and_after_a_mark_else_where_the_line_ends() -> None:
    assert fold("ada.lovelace@example.org", 17) == ["ada.lovelace", "@example.org"]
    assert fold("https://example.org/a/long/path", 14) == ["https://", "example.org/a/", "long/path"]
    assert fold("x" * 9 + "@" + "y" * 9, 8) == ["x" * 8, "x@" + "y" * 6, "yyy"]
    assert fold("a b", -7) == ["a", "b"]
    assert fold("大会議室の名前", 5) == ["大会", "議室", "の名", "前"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("roomctl: error[x]: too many words for a line", ["roomctl: error[x]: too", "  many words for a line"]),
        ("  try: `roomctl social list`, then look", ["  try: `roomctl social list`,", "       then look"]),
        ("    set Autumn Summit, host Ada Lovelace", ["    set Autumn Summit,", "      host Ada Lovelace"]),
        ("one\ntwo words that do not fit in it", ["one", "two words that do not fit", "  in it"]),
        ("see `a command longer than the line` there", ["see", "  `a command longer than the line`", "  there"]),
        ('  service: {"message":"no room is so"}', ['  service: {"message":"no', '    room is so"}']),
    ],
)
def test_prose_hangs_below_what_it_belongs_to_and_nothing_that_can_be_typed_is_broken(
    text: str, lines: list[str]
) -> None:
    assert hanging(text, 26).split("\n") == lines


@given(TEXTS, st.integers(2, 30))
def test_prose_loses_nothing_but_blanks(text: str, space: int) -> None:
    assert hanging(text, space).replace("\n", "").replace(" ", "") == text.replace(" ", "")
