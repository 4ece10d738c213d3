"""What Tab does in fish."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.manual import fish
from roomctl.manual.tree import Node

SETUP = r"""
function fish_title; end; set -g fish_autosuggestion_enabled 0; function fish_prompt; printf '$ '; end
function print_line; printf '\n<<%s>>\n' (commandline -b); commandline ''; commandline -f repaint; end
bind \co print_line; source {script}; {more} printf '\nready\n'"""
Started = Callable[..., Any]


@pytest.fixture
def start(tmp_path: Path, commands: Node, shell: Started) -> Started:
    def begin(more: str = "") -> Any:
        script = tmp_path / "roomctl.fish"
        script.write_text(fish.script(commands), encoding="utf-8")
        return shell("fish", ["-N", "-i"], SETUP.format(script=script, more=more))

    return begin


def test_a_line_is_completed(start: Started) -> None:
    fish = start()
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
        "roomctl social create --platform PLATFORM_B --permission-type PU": (
            "roomctl social create --platform PLATFORM_B --permission-type PUBLIC "
        ),
        "roomctl -qo json --profile prod social end Lob": "roomctl -qo json --profile prod social end Lobby ",
        "roomctl social end Lobby -- Lob": "roomctl social end Lobby -- Lobby ",
        "roomctl unknown e": "roomctl unknown e",
    }
    assert {line: fish.tab(line).line for line in lines} == lines


def test_a_name_is_quoted_as_the_line_needs_it(start: Started) -> None:
    fish = start()
    lines = {
        "roomctl social end Main\\ S": "roomctl social end Main\\ Stage ",
        'roomctl social end "Main S': 'roomctl social end "Main Stage" ',
        "roomctl social end 'Main S": "roomctl social end 'Main Stage' ",
        "roomctl social end Main\\ H": "roomctl social end Main\\ Hall:\\ \\\"A\\\"\\ \\&\\ \\'B\\' ",
        "roomctl social list --room-set=Au": "roomctl social list --room-set=Autumn\\ Summit ",
    }
    assert {line: fish.tab(line).line for line in lines} == lines


def test_a_file_is_completed_where_a_file_stands(start: Started, tmp_path: Path) -> None:
    (tmp_path / "my file.csv").touch()
    fish = start()
    lines = {
        "roomctl --to my": "roomctl --to my\\ file.csv ",
        "roomctl --to=my": "roomctl --to=my\\ file.csv ",
        "roomctl --timeout my": "roomctl --timeout my",
    }
    assert {line: fish.tab(line).line for line in lines} == lines


def test_a_list_says_what_each_word_means(start: Started) -> None:
    fish = start()
    assert "(end rooms: close them to new participants)" in fish.tab("roomctl social ").shown
    assert "Main Stage  (11111111-1111-4111-8111-000000000001)" in fish.tab("roomctl social end ").shown


def test_a_missing_cache_is_silent(start: Started) -> None:
    fish = start("set -gx ROOMCTL_CACHE /nowhere;")
    assert fish.tab("roomctl social end L").line == "roomctl social end L"


def test_tab_starts_no_program(start: Started, tmp_path: Path) -> None:
    fish = start("set -gx PATH {programs};".format(programs=tmp_path / "programs"))
    for line in (
        "roomctl ",
        "roomctl social end ",
        "roomctl --profile ",
        "roomctl -",
        "roomctl social end --room-set ",
    ):
        assert "Unknown command" not in fish.tab(line).shown
    assert not (tmp_path / "started").exists()
    fish.send("roomctl\n")
    fish.read_until(r"\$ ")
    assert (tmp_path / "started").exists()
