"""What holds for the completion scripts of all shells."""

import shutil
import subprocess
from pathlib import Path

import pytest

from roomctl.manual.files import SCRIPTS
from roomctl.manual.tree import Node

CHECKS = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "--no-execute"]}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_knows_every_command_option_and_word(shell: str, commands: Node) -> None:
    text = SCRIPTS[shell][1](commands)
    for node, option in commands.every_option():
        for name in (*option.names, *option.off):
            assert name in text or f" -{'l' if name[1] == '-' else 's'} {name.strip('-')}" in text, (node.path, name)
        assert all(word in text for word in option.value.words), (node.path, option)
    for node in commands.walk():
        assert all(child.path[-1] in text for child in node.children)


@pytest.mark.parametrize("shell", CHECKS)
def test_the_shell_can_read_its_script(shell: str, commands: Node, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / SCRIPTS[shell][0]
    path.write_text(SCRIPTS[shell][1](commands), encoding="utf-8")
    done = subprocess.run([*CHECKS[shell], path], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_is_ascii(shell: str, commands: Node) -> None:
    assert SCRIPTS[shell][1](commands).isascii()


FOLDER = {
    "bash": ["bash", "--norc", "-c", 'source "$0"; _roomctl_folder; echo "$folder"'],
    "zsh": ["zsh", "-f", "-c", 'compdef() {}; source "$0"; _roomctl_folder; echo "$folder"'],
    "fish": ["fish", "-N", "-c", "source $argv[1]; __roomctl_folder"],
}
SURROUNDINGS: list[dict[str, str]] = [
    {},
    {"XDG_CACHE_HOME": "/var/xdg cache"},
    {"XDG_CACHE_HOME": "relative"},
    {"XDG_CACHE_HOME": "/var/xdg", "ROOMCTL_CACHE": "/var/own cache"},
]


@pytest.mark.parametrize("surrounding", SURROUNDINGS, ids=str)
@pytest.mark.parametrize("shell", FOLDER)
def test_the_shell_looks_where_roomctl_keeps_its_cache(
    shell: str, surrounding: dict[str, str], commands: Node, tmp_path: Path
) -> None:
    from roomctl.profiles import Environment, cache_folder

    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / SCRIPTS[shell][0]
    path.write_text(SCRIPTS[shell][1](commands), encoding="utf-8")
    variables = {"HOME": str(tmp_path), "PATH": "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin", **surrounding}
    done = subprocess.run([*FOLDER[shell], path], env=variables, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{cache_folder(Environment(variables))}/completion\n", "")
