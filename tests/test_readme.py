"""The README's commands run, and print what the README shows."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def ran(command: str, roomctl: Callable[..., Any], event: str) -> str:
    words = shlex.split(command)
    assert words.pop(0) == "roomctl"
    done = roomctl(*(event if word == "EVENT" else word for word in words))
    said = [line for line in done.stderr.splitlines() if not line.startswith(("SANDBOX", "profile:"))]
    return f"$ {command}\n{done.stdout}" + "".join(f"{line}\n" for line in said)


def test_every_console_example_prints_what_the_readme_shows(roomctl: Callable[..., Any], update: bool) -> None:
    seeded = roomctl("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids")
    assert seeded.status == 0, seeded.stderr
    event = seeded.stdout.splitlines()[0]

    def rerun(match: re.Match[str]) -> str:
        return "```console\n" + "".join(ran(each, roomctl, event) for each in commands(match[1])) + "```"

    text = README.read_text(encoding="utf-8")
    now = BLOCK.sub(rerun, text)
    if update:
        README.write_text(now, encoding="utf-8")
    else:
        assert text == now, "differs: look, then run `pytest --update`"


def test_the_two_commands_that_set_everything_up_are_there() -> None:
    text = README.read_text(encoding="utf-8")
    assert "pip install . && roomctl demo\n" in text
    assert 'pip install ".[test]" && pytest\n' in text
