"""What Tab does in bash."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.manual import bash
from roomctl.manual.tree import Node

SETUP = r"""
PS1='$ '; bind 'set completion-query-items 0' 'set page-completions off' 'set bell-style none'
bind 'set show-all-if-ambiguous on'; bind 'set enable-bracketed-paste off'; source {script}
bind -x '"\C-o": printf "\n<<%s>>\n" "$READLINE_LINE"; READLINE_LINE='; {more} printf '\n%s\n' ready"""
Started = Callable[..., Any]


@pytest.fixture
def start(tmp_path: Path, commands: Node, shell: Started) -> Started:
    def begin(more: str = "") -> Any:
        script = tmp_path / "roomctl.bash"
        script.write_text(bash.script(commands), encoding="utf-8")
        return shell("bash", ["--norc", "--noprofile", "-i"], SETUP.format(script=script, more=more))

    return begin


def test_a_line_is_completed(start: Started) -> None:
    bash = start()
    lines = {
        "roomctl soc": "roomctl social ",
        "roomctl sandbox fa": "roomctl sandbox faults ",
        "roomctl sandbox faults a": "roomctl sandbox faults add ",
        "roomctl sandbox faults list -o nd": "roomctl sandbox faults list -o ndjson ",
        "roomctl rehe": "roomctl rehearse ",
        "roomctl explain": "roomctl explain ",
        "roomctl help exit": "roomctl help exit-codes ",
        "roomctl doctor --pro": "roomctl doctor --pro",
        "roomctl social e": "roomctl social end ",
        "roomctl -o js": "roomctl -o json ",
        "roomctl -qo js": "roomctl -qo json ",
        "roomctl --output=js": "roomctl --output=json ",
        "roomctl social end --leave": "roomctl social end --leave-open-until ",
        "roomctl --profile pr": "roomctl --profile prod ",
        "roomctl social create --platform PLATFORM_B --permission-type P": (
            "roomctl social create --platform PLATFORM_B --permission-type PUBLIC "
        ),
        "roomctl -o json --profile prod social end Lob": "roomctl -o json --profile prod social end Lobby ",
        "roomctl social end Lobby -- Lob": "roomctl social end Lobby -- Lobby ",
        "roomctl social -- --prof": "roomctl social -- --prof",
        "roomctl unknown e": "roomctl unknown e",
        "true; roomctl soc": "true; roomctl social ",
    }
    assert {line: bash.tab(line).line for line in lines} == lines


def test_a_name_is_quoted_as_the_line_needs_it(start: Started) -> None:
    bash = start()
    lines = {
        "roomctl social end Main\\ S": "roomctl social end Main\\ Stage ",
        'roomctl social end "Main S': 'roomctl social end "Main Stage" ',
        "roomctl social end 'Main S": "roomctl social end 'Main Stage' ",
        "roomctl social end Main\\ H": "roomctl social end Main\\ Hall:\\ \\\"A\\\"\\ \\&\\ \\'B\\' ",
        "roomctl social end Main\\ Hall:": "roomctl social end Main\\ Hall:\\ \\\"A\\\"\\ \\&\\ \\'B\\' ",
        'roomctl social end "Main H': 'roomctl social end "Main Hall: \\"A\\" & \'B\'" ',
        "roomctl social end 'Main H": "roomctl social end 'Main Hall: \"A\" & '\\''B'\\''' ",
        "roomctl social list --room-set=Au": "roomctl social list --room-set=Autumn\\ Summit ",
    }
    assert {line: bash.tab(line).line for line in lines} == lines


def test_a_file_is_completed_where_a_file_stands(start: Started, tmp_path: Path) -> None:
    (tmp_path / "my file.csv").touch()
    bash = start()
    lines = {
        "roomctl --to my": "roomctl --to my\\ file.csv ",
        "roomctl --to=my": "roomctl --to=my\\ file.csv ",
        "roomctl invite send Lobby --from my": "roomctl invite send Lobby --from my\\ file.csv ",
        "roomctl --timeout my": "roomctl --timeout my",
    }
    assert {line: bash.tab(line).line for line in lines} == lines


def test_a_file_is_completed_without_compopt_too(start: Started, tmp_path: Path) -> None:
    """bash 3.2 has no compopt."""
    (tmp_path / "my file.csv").touch()
    bash = start("enable -n compopt;")
    assert bash.tab("roomctl --to=my").line == "roomctl --to=my\\ file.csv "


def test_a_list_shows_what_can_stand_there(start: Started) -> None:
    bash = start()
    assert "copy    create  cta     end     get     list" in bash.tab("roomctl social ").shown
    shown = bash.tab("roomctl social end 1").shown
    assert "11111111-1111-4111-8111-000000000001  (Main Stage)" in shown
    assert "11111111-1111-4111-8111-000000000002  (Main Hall: \"A\" & 'B')" in shown


def test_a_missing_cache_is_silent(start: Started) -> None:
    bash = start("ROOMCTL_CACHE=/nowhere;")
    assert bash.tab("roomctl social end L") == ("roomctl social end L", "roomctl social end L\n")


def test_tab_starts_no_program(start: Started, tmp_path: Path) -> None:
    bash = start("PATH={programs};".format(programs=tmp_path / "programs"))
    for line in (
        "roomctl ",
        "roomctl social end ",
        "roomctl --profile ",
        "roomctl -",
        "roomctl social end --room-set ",
    ):
        assert "not found" not in bash.tab(line).shown
    assert not (tmp_path / "started").exists()
    bash.send("roomctl\n")
    bash.read_until(r"\$ ")
    assert (tmp_path / "started").exists()
