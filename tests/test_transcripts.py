"""What the commands say, as transcripts: each section of `golden/transcripts` in a seeded sandbox of its own."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from roomctl.cli.main import root
from tests.conftest import Patch, Run
from tests.transcripts import GOLDEN, Shell, section, sections


@pytest.mark.parametrize(("name", "title"), [*sections()])
def test_a_transcript(name: str, title: str, roomctl: Run, request: Any, monkeypatch: Patch, update: bool) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.05)
    file = GOLDEN / "transcripts" / f"{name}.txt"
    text = file.read_text(encoding="utf-8")
    before, wanted = text[: text.index("## ")], section(text, title)
    if "sandbox" in wanted:
        request.getfixturevalue("seeded")
    shell = Shell(roomctl, request.getfixturevalue("variables"), request.getfixturevalue("tmp_path"))
    found = shell.replay(before), shell.replay(wanted)
    if update:
        text = found[0] + text.removeprefix(before).replace(f"## {title}\n{wanted}", f"## {title}\n{found[1]}")
        file.write_text(text, encoding="utf-8")
    else:
        assert found == (before, wanted), "differs: look, then run `pytest --update`"


def hints() -> Iterator[tuple[str, str]]:
    """The commands that fail in a transcript, each with what its hint recommends between backticks."""
    for path in [*GOLDEN.glob("transcripts/*.txt"), *GOLDEN.glob("world/*.txt")]:
        command = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("$ "):
                command = re.sub(r'^([A-Z_]+=("(\\.|[^"\\])*"|\S+) |tty )*(sandbox|roomctl) ', "", line[2:])
            if line.startswith(("!   try: ", "!   note: ")):
                yield from ((command, text) for text in re.findall("`([^`]+)`", line))


def test_no_hint_recommends_what_has_just_failed_or_an_option_that_the_command_does_not_have() -> None:
    wrong, recommended = [], list(hints())
    for command, text in recommended:
        found: Any = root()
        for word in shlex.split(command):
            found = found.get_command(None, word) if word in getattr(found, "members", ()) else found
        known = {name for param in getattr(found, "params", ()) for name in (*param.opts, *param.secondary_opts)}
        option = re.match(r"--[\w-]+(?![\w…-])", text)
        if text == f"roomctl {command}" or (option and option[0] not in known):
            wrong.append((command, text))
    assert len(recommended) > 100
    assert wrong == []
