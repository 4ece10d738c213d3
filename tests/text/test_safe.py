"""Untrusted text: what is escape, what is broken, and what the wall lets through."""

import io
import json
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.text.safe import Wall, break_commands, json_escape, safe, unsafe
from tests.conftest import Cases

INVISIBLE = {"Cc", "Cs", "Zl", "Zp", "Cf"}
JOINERS = "\u200c\u200d"
ANY_TEXT = st.text(st.characters())


def test_every_character_that_would_not_show_is_escaped_and_no_other_r21() -> None:
    everything = map(chr, range(sys.maxunicode + 1))
    wrong = []
    for each in filter(lambda each: unicodedata.category(each) != "Cn", everything):
        invisible = unicodedata.category(each) in INVISIBLE and each not in JOINERS
        wrong += [hex(ord(each))] * (invisible != bool(unsafe("").match(each)))
    assert wrong == []


def test_an_escape_shows_the_character_that_stood_there_r21(cases: Cases) -> None:
    cases("escapes.txt", lambda text: json.dumps(safe(text), ensure_ascii=False))


def test_a_command_to_a_ci_is_broken_r24(cases: Cases) -> None:
    def says(text: str) -> str:
        assert safe(text) == break_commands(text)
        return json.dumps(safe(text), ensure_ascii=False)

    cases("commands.txt", says)


@given(ANY_TEXT)
def test_safe_text_holds_nothing_that_a_terminal_acts_on_r21(text: str) -> None:
    assert {unicodedata.category(each) for each in safe(text) if each not in JOINERS + "\n\t"} & INVISIBLE == set()
    assert {unicodedata.category(each) for each in safe(text, cell=True) if each not in JOINERS} & INVISIBLE == set()


@given(ANY_TEXT)
def test_safe_text_is_safe_and_nothing_is_dropped_r21(text: str) -> None:
    shown = safe(text)
    assert safe(shown) == shown
    assert len(shown) >= len(text)
    kept = [each for each in text if not each.isascii() and not unsafe("").match(each)]
    assert [each for each in shown if not each.isascii()] == kept


def walled(text: str, **how: Any) -> str:
    out = io.StringIO()
    wall = Wall(out, **how)
    wall.write(text)
    wall.flush()
    return out.getvalue()


def test_the_wall_lets_text_through_and_colours_and_commands_only_where_they_belong_r20_r24(cases: Cases) -> None:
    cases("wall.txt", lambda text, how: json.dumps(walled(text, **how)))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_the_wall_never_dies_of_an_encoding_r27(encoding: str) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding, newline="")
    Wall(out).write("plain\n")
    Wall(out).write("a 大 👩\n")
    Wall(out, escape=json_escape).write('"大👩"\n')
    out.flush()
    assert raw.getvalue() == b'plain\na \\u5927 \\U0001f469\n"\\u5927\\ud83d\\udc69"\n'
