"""A wrong command line names what was probably meant."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("socail list", "no such command: roomctl socail", "did you mean `roomctl social`?"),
        ("social lst", "no such command: roomctl social lst", "did you mean `roomctl social list`?"),
        ("end X", "no such command: roomctl end", "did you mean `roomctl social end`?"),
        ("social export", "no such command: roomctl social export", "did you mean `roomctl registration export`?"),
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
