"""Every way to fail, met on the whole tool: what a person reads, what a program reads, what a workflow shows."""

import io
import os
import re
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TextIO

import pytest

from roomctl.cli.main import run
from roomctl.errors import every_failure
from roomctl.profiles import Environment
from tests.conftest import Env, Golden, Run, Terminal

Failed = Callable[[str, str], tuple[int, str]]
STAGE = "Main Stage"
GONE = "99999999-9999-4999-8999-999999999999"
ADA = "a2b7faa7-549d-4d69-8a65-825f3dafca2e"


class Odd(io.StringIO):
    """A stream that fails as no stream does."""

    def write(self, text: str) -> int:
        raise RuntimeError("secret")


def unread() -> TextIO:
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "w")


def full() -> TextIO:
    return Path("/dev/full").open("w")


class Stopped(Terminal):
    """A terminal on which somebody stops the tool instead of answering."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__()
        self._number = number

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override] # as io.StringIO does
        signal.raise_signal(self._number)
        return ""


class Case(NamedTuple):
    """A command that fails, the commands before it, and what is odd about its surroundings."""

    words: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()
    variables: Mapping[str, str] = MappingProxyType({})
    stdin: Callable[[], io.StringIO] = io.StringIO
    stdout: Callable[[], TextIO] = io.StringIO


END = ("social", "end", STAGE)
TWIN = ("social", "create", "--name", "Twin")
CASES = {
    "unexpected": Case(("roomset", "list"), stdout=Odd),
    "declined": Case(END, stdin=lambda: Terminal("no\n")),
    "usage": Case(("social", "end")),
    "value": Case((*END, "--leave-open-until", "yesterday")),
    "input": Case(("social", "create", "--input", "none.yaml")),
    "config": Case(("roomset", "list"), variables={"ROOMCTL_OUTPUT": "xml"}),
    "ambiguous": Case(("social", "end", "Twin", "--yes"), before=(TWIN, TWIN)),
    "confirmation": Case(END),
    "key": Case(("roomset", "list", "--fault", "status=401:roomset.list")),
    "refused": Case((*TWIN, "--fault", "status=422:social.create")),
    "unintelligible": Case(("user", "get", ADA, "--fault", "html:user.get")),
    "not-found": Case(("user", "get", GONE)),
    "temporary": Case(("roomset", "list", "--retries", "0", "--fault", "status=503:roomset.list")),
    "partial": Case(("invite", "send", STAGE, "--email", "no@a.invalid", "--yes")),
    "unknown": Case((*TWIN, "--room-set", "Onboarding", "--fault", "drop-after-commit:social.create")),
    "not-yet": Case(("transcription", "wait", "SPEECH", "--max-wait", "1s", "-q")),
    "expectation": Case((*END, "--only-if-empty", "--yes")),
    "local": Case(("roomset", "list"), stdout=full),
    "interrupted": Case(END, stdin=lambda: Stopped(signal.SIGINT)),
    "pipe": Case(("roomset", "list"), stdout=unread),
    "terminated": Case(END, stdin=lambda: Stopped(signal.SIGTERM)),
}


@pytest.fixture
def failed(sandbox: Run, variables: Env) -> Failed:
    made = sandbox("transcription", "process", "--room-set", "Onboarding", "--name", "Speech", "--yes", "-o", "ids")
    assert made.status == 0, made.stderr

    def call(code: str, form: str) -> tuple[int, str]:
        case = CASES[code]
        for words in case.before:
            assert sandbox(*words).status == 0
        words = tuple(made.stdout.strip() if word == "SPEECH" else word for word in case.words)
        err = io.StringIO()
        environment = Environment({**variables, **case.variables})
        with case.stdout() as out, case.stdin() as source:
            arguments = ("--sandbox", *words, "--error-format", form)
            status = run(arguments, environment=environment, stdin=source, stdout=out, stderr=err)
        said = err.getvalue().replace("SANDBOX: nothing leaves this machine\n", "")
        said = re.sub(r'("journal":"|  journal: |journal verify )\w+', r"\1ENTRY", said)
        return status, re.sub(r'("sent_at":"|  sent: )[^", ]*', r"\1NOW", said)

    return call


def test_every_class_of_failure_is_met() -> None:
    assert sorted(CASES) == sorted(kind.code for kind in every_failure())


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_each_failure_says_what_to_do_next(form: str, failed: Failed, golden: Golden) -> None:
    exits = {kind.code: kind.exit for kind in every_failure()}
    parts = []
    for code in CASES:
        status, said = failed(code, form)
        assert status == exits[code], f"{code}: {said}"
        parts.append(f"{code}\n{said}")
    golden(f"failures/{form}.txt", "\n".join(parts))


def test_no_failure_shows_what_an_exception_says_or_where_the_code_stands(failed: Failed) -> None:
    said = failed("unexpected", "text")[1]
    assert "secret" not in said
    assert "Traceback" not in said
    assert str(Path(__file__).parent) not in said
