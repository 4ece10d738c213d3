"""What Tab does in zsh."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.manual import zsh
from roomctl.manual.tree import Node

SETUP = r"""
PS1='$ '; PROMPT_EOL_MARK=; unset zle_bracketed_paste; LISTMAX=10000; autoload -Uz compinit; {load}
print-line() {{ print -r -- $'\n'"<<$BUFFER>>"; BUFFER=; zle -I }}; zle -N print-line; bindkey '^O' print-line
{more} print $'\n'ready"""
Started = Callable[..., Any]


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What zsh found in its folders of functions, kept from one start to the next."""
    return tmp_path_factory.mktemp("zsh") / "dump"


@pytest.fixture
def start(tmp_path: Path, commands: Node, shell: Started, dump: Path) -> Started:
    def begin(more: str = "", load: str = "compinit -C -d {dump}; source {folder}/_roomctl") -> Any:
        folder = tmp_path / "functions"
        folder.mkdir()
        (folder / "_roomctl").write_text(zsh.script(commands), encoding="utf-8")
        return shell("zsh", ["-f", "-i"], SETUP.format(load=load.format(folder=folder, dump=dump), more=more))

    return begin


def test_a_line_is_completed(start: Started) -> None:
    zsh = start()
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
        "roomctl social end --leave": "roomctl social end --leave-open-until=",
        "roomctl --profile pr": "roomctl --profile prod ",
        "roomctl social create --platform PLATFORM_B --permission-type P": (
            "roomctl social create --platform PLATFORM_B --permission-type PUBLIC "
        ),
        "roomctl -o json --profile prod social end Lob": "roomctl -o json --profile prod social end Lobby ",
        "roomctl social end Lobby -- Main\\ S": "roomctl social end Lobby -- Main\\ Stage ",
        "roomctl unknown e": "roomctl unknown e",
    }
    assert {line: zsh.tab(line).line for line in lines} == lines


def test_a_name_is_quoted_as_the_line_needs_it(start: Started) -> None:
    zsh = start()
    lines = {
        "roomctl social end Main\\ S": "roomctl social end Main\\ Stage ",
        'roomctl social end "Main S': 'roomctl social end "Main Stage" ',
        "roomctl social end 'Main S": "roomctl social end 'Main Stage' ",
        "roomctl social end Main\\ H": "roomctl social end Main\\ Hall:\\ \\\"A\\\"\\ \\&\\ \\'B\\' ",
        "roomctl social end 'Main H": "roomctl social end 'Main Hall: \"A\" & '\\''B'\\''' ",
        "roomctl social list --room-set=Au": "roomctl social list --room-set=Autumn\\ Summit ",
    }
    assert {line: zsh.tab(line).line for line in lines} == lines


def test_a_file_is_completed_where_a_file_stands(start: Started, tmp_path: Path) -> None:
    (tmp_path / "my file.csv").touch()
    zsh = start()
    lines = {
        "roomctl --to my": "roomctl --to my\\ file.csv ",
        "roomctl --to=my": "roomctl --to=my\\ file.csv ",
        "roomctl --timeout my": "roomctl --timeout my",
    }
    assert {line: zsh.tab(line).line for line in lines} == lines


def test_a_list_says_what_each_word_means(start: Started) -> None:
    zsh = start()
    assert "end     -- end rooms: close them to new participants" in zsh.tab("roomctl social ").shown
    assert "Main Stage  -- 11111111-1111-4111-8111-000000000001" in zsh.tab("roomctl social end ").shown
    assert "11111111-1111-4111-8111-000000000002  -- Main Hall" in zsh.tab("roomctl social end 1", 2).shown
    assert "--leave-open-until" in zsh.tab("roomctl social end --", 2).shown


def test_an_option_is_offered_once(start: Started) -> None:
    zsh = start()
    assert zsh.tab("roomctl -o json --outp").line == "roomctl -o json --outp"
    assert zsh.tab("roomctl social create --set a=b --se").line == "roomctl social create --set a=b --set="


def test_it_is_found_in_a_folder_of_functions(start: Started) -> None:
    zsh = start(load="fpath=({folder} $fpath); compinit -D")
    assert zsh.tab("roomctl social end Lob").line == "roomctl social end Lobby "
    assert zsh.tab("roomctl social end Lob").line == "roomctl social end Lobby "


def test_a_missing_cache_is_silent(start: Started) -> None:
    zsh = start("ROOMCTL_CACHE=/nowhere;")
    assert zsh.tab("roomctl social end L") == ("roomctl social end L", "roomctl social end L\n")


def test_tab_starts_no_program(start: Started, tmp_path: Path) -> None:
    zsh = start("PATH={programs};".format(programs=tmp_path / "programs"))
    for line in (
        "roomctl ",
        "roomctl social end ",
        "roomctl --profile ",
        "roomctl -",
        "roomctl social end --room-set ",
    ):
        assert "not found" not in zsh.tab(line).shown
    assert not (tmp_path / "started").exists()
    zsh.send("roomctl\n")
    zsh.read_until(r"\$ ")
    assert (tmp_path / "started").exists()
