"""A wrong command line names what was probably meant."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import roomctl as package
from roomctl.cli.main import root
from tests.conftest import Cases, Run


def commands_in_texts() -> Iterator[str]:
    """The command lines in backticks in the texts of the package; what is filled in is `X`."""
    for path in Path(package.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts]
            yield from re.findall(r"`roomctl ([^`]+)`", "".join(texts))
    yield from re.findall(r"`roomctl ([^`]+)`", Path(package.__path__[0], "cli", "synonyms.txt").read_text("utf-8"))


def test_every_command_that_a_text_names_is_one_with_these_options() -> None:
    lines = set(commands_in_texts())
    assert len(lines) > 50
    for line in lines:
        command: Any = root()
        words = line.split()
        while words and words[0] in getattr(command, "members", ()):
            command = command.get_command(None, words.pop(0))
        known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}
        wrong = [each for each in words if each.startswith("--") and each.partition("=")[0] not in known]
        assert not wrong, f"`roomctl {line}`: no option {wrong}"
        assert not hasattr(command, "members") or not words or words[0][0] in "-…X", f"`roomctl {line}`: no command"


def test_commands_of_a_hint_ask_what_the_command_line_was_told_to_ask(roomctl: Run, cases: Cases) -> None:
    def says(line: str) -> str:
        ways = ("--sandbox", "--profile sandbox", "--profile=sandbox")
        hints = {roomctl(*line.split(), *way.split()).stderr.splitlines()[-1].replace(way, "HERE") for way in ways}
        return " or ".join(hints).strip()

    cases("hints.txt", says)
