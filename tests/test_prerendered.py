"""Help that is read from a file is the help of the command tree, and is not given where it would not fit."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from roomctl.cli.main import help_of, run
from roomctl.prerendered import file_name, text_for
from tests.conftest import Patch


def test_the_file_is_what_the_live_command_prints() -> None:
    for words in ([], ["social"], ["social", "end"]):
        live = StringIO()
        assert run([*words, "--help"], stdout=live) == 0
        assert text_for([*words, "-h"], -1) == live.getvalue()
    assert text_for([], -1) == text_for(["--help"], -1)


OTHERS = ("social end", "social end ID --help", "social.end --help", ".. --help", "../help/roomctl --help", "no --help",
          "-o json --help", "sociàl --help")  # fmt: skip


@pytest.mark.parametrize("line", OTHERS)
def test_anything_but_the_help_of_a_command_is_left_to_the_command_tree(line: str) -> None:
    assert text_for(line.split(), -1) is None


def test_a_narrow_terminal_gets_a_help_of_its_width(monkeypatch: Patch) -> None:
    for columns, there in (("79", False), ("80", True), ("200", True), ("0", True), ("x", True)):
        monkeypatch.setenv("COLUMNS", columns)
        assert (text_for(["--help"], -1) is not None) is there
    assert max(map(len, help_of(["social", "end"], width=60).splitlines())) <= 60


def test_no_command_has_a_name_that_a_file_could_not_have() -> None:
    assert file_name(["social", "end"]) == "roomctl.social.end.txt"
    assert file_name([]) == "roomctl.txt"


@pytest.mark.parametrize(("target", "status"), [("/dev/full", 9), ("closed", 9), ("pipe", 141)])
def test_help_that_nobody_can_read_is_not_a_success(target: str, status: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "roomctl", "--help"]
    if target == "closed":
        done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], check=False, env=dict(os.environ))
        assert done.returncode == status
        return
    if target == "pipe":
        reader, writer = os.pipe()
        os.close(reader)
    else:
        writer = os.open(target, os.O_WRONLY)
    assert subprocess.run(command, check=False, stdout=writer).returncode == status
    os.close(writer)
