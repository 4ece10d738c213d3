"""Text in terminal cells."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import hanging, typed

TEXTS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from("a b大👩\u200d👧"))


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


def test_a_long_command_line_is_broken_between_words_and_a_shell_reads_it_the_same() -> None:
    line = """roomctl social list --query "[?name=='Main Stage']" --fields name --room-set 'Autumn Summit' -o json"""
    told = typed(line, 36, "  ")
    assert told == (
        "  roomctl social list \\\n"
        """    --query "[?name=='Main Stage']" \\\n"""
        "    --fields name \\\n"
        "    --room-set 'Autumn Summit' \\\n"
        "    -o json"
    )
    assert shlex.split(told.replace("\\\n", "")) == shlex.split(line)


@given(TEXTS, st.integers(2, 30))
def test_prose_loses_nothing_but_blanks(text: str, space: int) -> None:
    assert hanging(text, space).replace("\n", "").replace(" ", "") == text.replace(" ", "")
