"""A wrong command line names what was probably meant."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import roomctl as package
from roomctl.cli.main import root

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("socail list", "no such command: roomctl socail", "did you mean `roomctl social`?"),
        ("social lst", "no such command: roomctl social lst", "did you mean `roomctl social list`?"),
        ("end X", "no such command: roomctl end", "did you mean `roomctl social end`?"),
        ("social export", "no such command: roomctl social export", "or `roomctl registration export`?"),
        ("social zzz", "no such command: roomctl social zzz", "`roomctl social --help` shows how it is called"),
        ("social list --opn", "no such option: --opn", "did you mean `--open`?"),
        ("social end --leave X", "no such option: --leave", "did you mean `--leave-open-until`?"),
        ("social list --zzzzzz", "no such option: --zzzzzz", "`roomctl social list --help` shows how it is called"),
        ("room list", "no such command: roomctl room", "did you mean `roomctl social`?"),
        ("social close X", "no such command: roomctl social close", "did you mean `roomctl social end`?"),
        ("profile delete x", "no such command: roomctl profile delete", "did you mean `roomctl profile remove`?"),
        ("social list --limit", "no such option: --limit", "`roomctl social list --help` shows how it is called"),
        ("rules", "`roomctl rules` is a group of commands", "one of save, get; `roomctl rules --help`"),
        ("rules --sandbox", "`roomctl rules` is a group of commands", "one of save, get; `roomctl rules --help`"),
        ("social get Main Stage", "more words than expected: Stage", "a name of several words needs quotes"),
        ("user get someone", "invalid value for 'ID': 'someone' is not an id", "`roomctl user get --help` shows how"),
        ("registration list Fair", "'Fair' is not an id: 36 characters", "so none is found by its name"),
        ("recording wait Talk", "'Talk' is not an id: 36 characters", "`roomctl recording list` shows the ids"),
        ("help exit", "invalid value for 'TOPIC': 'exit' is not one of", "did you mean `exit-codes`?"),
        ("rehearse", "missing argument 'SCRIPT'", "`roomctl rehearse --help` shows how it is called"),
        ("theme list", "no such command: roomctl theme list", "it has save; `roomctl theme --help` tells them apart"),
        ("recording get", "no such command: roomctl recording get", "it has list, wait, timeline; `roomctl recording"),
        ("profile edit", "no such command: roomctl profile edit", "it has add, list, show, use, remove, check; "),
        ("rules create", "no such command: roomctl rules create", "did you mean `roomctl rules save`?"),
        ("roomset update X --name", "option '--name' requires an argument", "`roomctl roomset update --help` shows"),
        ("social list --open=3", "option '--open' does not take a value", "`roomctl social list --help` shows"),
        ("help social end", "'social' is not one of options,", "`roomctl social --help` explains the command"),
        ("help theme", "'theme' is not one of options,", "`roomctl theme --help` explains the command"),
        ("help nothing", "'nothing' is not one of options,", "`roomctl help --help` shows how it is called"),
        ("version", "no such command: roomctl version", "did you mean `roomctl --version`?"),
        ("explain 7", "a number is no command: 7", "`roomctl explain api 7` explains the operation"),
        ("journal show abc", "there is no journal entry with this id: abc", "`roomctl journal list` shows the ids"),
        ("social create --permission-type compani", "not one of PUBLIC, COMPANY_AND", "did you mean `COMPANY`?"),
    ],
)
def test_a_wrong_word_brings_the_nearest_right_one(line: str, message: str, hint: str, roomctl: Run) -> None:
    done = roomctl(*line.split(" "))
    assert (done.status, done.stdout) == (2, "")
    assert message in done.stderr
    assert hint in done.stderr


def test_an_operation_is_found_by_the_number_that_it_is_listed_with(roomctl: Run) -> None:
    assert "POST /api/v1/social/end/{socialId}" in roomctl("explain", "api", "7").stdout
    assert roomctl("api", "19").status == 2


@pytest.mark.parametrize(
    ("line", "kept", "left_out"),
    [
        ("--fault status=404:roomset.list roomset tree", "", "roomset tree"),
        ("--fault status=404:roomset.list social list", "`roomctl roomset tree` shows", ""),
        ("--fault status=404:user.get user get 99999999-9999-4999-8999-999999999999", "is the id right", ""),
        ("api 19", "`roomctl api` lists the operations", ""),
        ("sandbox log --clear --judge", "`roomctl sandbox log --judge` first", ""),
        ("--fault ignore-page:roomset.list roomset tree", "", "--page-size"),
        ("--fault ignore-page:roomset.list roomset list --page-size 2", "try another `--page-size`", ""),
    ],
)
def test_a_hint_names_nothing_that_cannot_help(line: str, kept: str, left_out: str, sandbox: Run) -> None:
    """No option that the command does not have, and not the command that has just failed."""
    done = sandbox(*line.split())
    assert done.status != 0
    hint = done.stderr.partition("\n  try: ")[2]
    assert kept in hint
    assert not left_out or left_out not in hint


def commands_in_texts() -> Iterator[str]:
    """The command lines in backticks in the texts of the package; what is filled in is `X`."""
    for path in Path(package.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts]
            yield from re.findall(r"`roomctl ([^`]+)`", "".join(texts))


def test_every_command_that_a_text_names_is_one_with_these_options() -> None:
    lines = set(commands_in_texts())
    assert len(lines) > 50
    for line in lines:
        command: Any = root()
        words = line.split()
        while words and words[0] in getattr(command, "members", ()):
            command = command.get_command(None, words.pop(0))
        known = {name for param in command.every_param() for name in (*param.opts, *param.secondary_opts)} | {"--help"}
        wrong = [each for each in words if each.startswith("--") and each.partition("=")[0] not in known]
        assert not wrong, f"`roomctl {line}`: no option {wrong}"
        assert not hasattr(command, "members") or not words or words[0][0] in "-…X", f"`roomctl {line}`: no command"
