"""What Tab does in bash, zsh and fish, typed on a terminal; and what holds for the scripts of all of them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.cli.completion import SHELLS
from roomctl.docs.completions import script
from roomctl.docs.tree import Row
from tests.conftest import Cases
from tests.docs.conftest import ScriptFile

Start = Callable[..., Any]
each_shell = pytest.mark.parametrize("shell", SHELLS)


@each_shell
def test_a_line_is_completed(start: Start, shell: str, cases: Cases, tmp_path: Path) -> None:
    (tmp_path / "my file.csv").touch()
    running = start(shell)
    for name in ("tabs.txt", f"tabs-{shell}.txt"):
        cases(name, lambda line: json.dumps(running.tab(line).line))
    # another name may follow: zsh sets a comma, the others a blank
    cases("tabs-fields.txt", lambda line: json.dumps(running.tab(line).line.rstrip(" ,")))


def test_bash_completes_a_file_without_compopt_too(start: Start, tmp_path: Path) -> None:
    """bash 3.2 has no compopt."""
    (tmp_path / "my file.csv").touch()
    assert start("bash", "enable -n compopt;").tab("roomctl --to=my").line == "roomctl --to=my\\ file.csv "


MEANT = {
    "bash": [
        ("roomctl social ", 1, "copy    create  cta     end     get     list"),
        ("roomctl social end 1", 1, "11111111-1111-4111-8111-000000000001  (Main Stage)"),
        ("roomctl social end 1", 1, "11111111-1111-4111-8111-000000000002  (Main Hall: \"A\" & 'B')"),
    ],
    "zsh": [
        ("roomctl social ", 1, "end     -- end rooms: close them to new participants"),
        ("roomctl social end ", 1, "Main Stage  -- 11111111-1111-4111-8111-000000000001"),
        ("roomctl social end 1", 2, "11111111-1111-4111-8111-000000000002  -- Main Hall"),
        ("roomctl social end --", 2, "--leave-open-until"),
    ],
    "fish": [
        ("roomctl social ", 1, "(end rooms: close them to new participants)"),
        ("roomctl social end ", 1, "Main Stage  (11111111-1111-4111-8111-000000000001)"),
    ],
}


@each_shell
def test_a_list_shows_what_can_stand_there_and_says_what_it_means(start: Start, shell: str) -> None:
    running = start(shell)
    for line, times, text in MEANT[shell]:
        assert text in running.tab(line, times).shown


def test_zsh_offers_an_option_once(start: Start) -> None:
    zsh = start("zsh")
    assert zsh.tab("roomctl -o json --outp").line == "roomctl -o json --outp"
    assert zsh.tab("roomctl social create --set a=b --se").line == "roomctl social create --set a=b --set="


def test_zsh_finds_the_script_in_a_folder_of_functions(start: Start) -> None:
    zsh = start("zsh", load="fpath=({folder} $fpath); compinit -D")
    assert zsh.tab("roomctl social end Lob").line == "roomctl social end Lobby "
    assert zsh.tab("roomctl social end Lob").line == "roomctl social end Lobby "


@each_shell
def test_a_missing_cache_is_silent(start: Start, shell: str) -> None:
    running = start(shell, "set -gx ROOMCTL_CACHE /nowhere;" if shell == "fish" else "ROOMCTL_CACHE=/nowhere;")
    line, shown = running.tab("roomctl social end L")
    assert line == "roomctl social end L"
    assert shell == "fish" or shown == "roomctl social end L\n"


@each_shell
def test_tab_starts_no_program(start: Start, shell: str, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    running = start(shell, f"set -gx PATH {programs};" if shell == "fish" else f"PATH={programs};")
    for line in ("", "social end ", "--profile ", "-", "social end --room-set "):
        shown = running.tab(f"roomctl {line}").shown
        assert "not found" not in shown
        assert "Unknown command" not in shown
    assert not (tmp_path / "started").exists()
    running.send("roomctl\n")
    running.read_until(r"\$ ")
    assert (tmp_path / "started").exists()


@each_shell
def test_a_script_is_ascii_and_knows_every_command_option_and_word(shell: str, commands: list[Row]) -> None:
    text = script(shell, commands)
    assert text.isascii()
    for row in commands:
        assert all(name in text for name, _ in row.below)
        for option in row.options:
            for name in (*option.names, *option.off):
                assert name in text or f" -{'l' if name[1] == '-' else 's'} {name.strip('-')}" in text, (row.path, name)
            assert all(word in text for word in option.value.words), (row.path, option)


FOLDER = {
    "bash": ["bash", "--norc", "-c", 'source "$0"; _roomctl_folder; echo "$folder"'],
    "zsh": ["zsh", "-f", "-c", 'compdef() {}; source "$0"; _roomctl_folder; echo "$folder"'],
    "fish": ["fish", "-N", "-c", "source $argv[1]; __roomctl_folder"],
}
SURROUNDINGS = [{}, *({"XDG_CACHE_HOME": folder} for folder in ("/var/xdg cache", "relative", "/var/xdg"))]
SURROUNDINGS[-1]["ROOMCTL_CACHE"] = "/var/own cache"


@pytest.mark.parametrize("surrounding", SURROUNDINGS, ids=str)
@each_shell
def test_a_shell_finds_the_cache(shell: str, surrounding: Any, tmp_path: Path, script_file: ScriptFile) -> None:
    from roomctl.profiles import Environment

    variables = {"HOME": str(tmp_path), "PATH": "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin", **surrounding}
    command = [*FOLDER[shell], str(script_file(shell))]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{Environment(variables).folder('cache')}/completion\n", "")
