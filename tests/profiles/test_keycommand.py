"""A command that prints a key: no shell, 10 s, bounded, and never a word of what it printed (R9)."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from roomctl.errors import NotAllowed
from roomctl.profiles import Environment, keycommand
from roomctl.profiles.keycommand import from_command

SOURCE = "the key command of profile prod"


def asked(folder: Path, *command: str, **variables: str) -> str:
    environment = Environment({"PATH": os.environ["PATH"], **variables})
    return from_command(command, SOURCE, environment=environment, folder=folder)


def python(folder: Path, program: str, *args: str, **variables: str) -> str:
    return asked(folder, sys.executable, "-c", program, *args, **variables)


def refused(folder: Path, program: str) -> NotAllowed:
    with pytest.raises(NotAllowed) as raised:
        python(folder, program)
    assert "canary" not in f"{raised.value.message}{raised.value.hint}{raised.value.details}{raised.value!r}"
    return raised.value


def test_r9_a_command_is_run_without_a_shell(tmp_path: Path, key: str) -> None:
    program = f"import sys; print({key!r}); open('argv', 'w').write(sys.argv[1])"
    assert python(tmp_path, program, "$HOME; `id` && *") == key
    assert (tmp_path / "argv").read_text() == "$HOME; `id` && *"


def test_it_runs_where_the_config_file_is_with_an_empty_stdin_and_the_given_environment(tmp_path: Path) -> None:
    program = "import os, sys; print(os.path.basename(os.getcwd()), sys.stdin.read(), os.environ['MINE'], sep='-')"
    (tmp_path / "config-folder").mkdir()
    assert python(tmp_path / "config-folder", program, MINE="my-value") == "config-folder--my-value"


def test_a_relative_program_stands_beside_the_config_file(tmp_path: Path, key: str) -> None:
    program = tmp_path / "print-key"
    program.write_text(f"#!/bin/sh\nprintf {key}\n")
    program.chmod(0o700)
    assert asked(tmp_path, "./print-key") == key


def test_only_stdout_counts_and_stderr_is_not_passed_on(
    tmp_path: Path, key: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert python(tmp_path, f"import sys; print('canary-noise', file=sys.stderr); print({key!r}, end='\\r\\n')") == key
    assert tuple(capfd.readouterr()) == ("", "")


def test_r9_a_command_that_fails_shows_nothing_of_its_output(tmp_path: Path) -> None:
    error = refused(tmp_path, "import sys; print('canary'); print('canary', file=sys.stderr); sys.exit(3)")
    assert (error.message, error.hint) == (f"{SOURCE} failed with status 3", f"run it by hand: {sys.executable}")


@pytest.mark.parametrize(
    "program",
    ["", "print('canary with blanks')", "print('canary\\ncanary')", "print('\\u00e9' * 9)", "print('canary' * 5000)"],
)
def test_what_is_printed_has_to_be_a_key(tmp_path: Path, program: str) -> None:
    assert refused(tmp_path, program).message.startswith(f"the key from {SOURCE} ")


def test_a_command_that_cannot_be_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed) as raised:
        asked(tmp_path, "no-such-command", "canary-argument")
    assert raised.value.message == f"{SOURCE} cannot be run: no-such-command: no such file or directory"
    with pytest.raises(NotAllowed, match="cannot be run: pass: not a command"):
        from_command(["pass", "a\0b"], SOURCE, environment=Environment(), folder=tmp_path)


def test_a_command_that_prints_for_ever_is_stopped_at_once(tmp_path: Path) -> None:
    started = time.monotonic()
    error = refused(tmp_path, "import sys\nwhile True: sys.stdout.write('canary')")
    assert error.message.startswith(f"the key from {SOURCE} cannot be a key")
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    "program",
    [
        "import time; print('canary-key-0123456789', flush=True); time.sleep(60)",
        "import os, time; print('canary-key-0123456789', flush=True); os.close(1); time.sleep(60)",
        "import subprocess, sys; print('canary-key', flush=True); subprocess.Popen(['sleep', '30'])",
    ],
    ids=["hangs", "hangs with stdout closed", "leaves a child that holds stdout"],
)
def test_r9_a_command_that_takes_too_long_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(keycommand, "SECONDS", 0.7)
    started = time.monotonic()
    assert refused(tmp_path, program).message == f"{SOURCE} did not answer within 0.7 s"
    assert time.monotonic() - started < 20


def test_r9_it_has_ten_seconds() -> None:
    assert keycommand.SECONDS == 10


def test_what_a_child_of_the_command_prints_afterwards_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keycommand, "SECONDS", 0.4)
    before = set(threading.enumerate())
    late = "sleep 0.8; echo canary; sleep 0.2; echo canary"
    refused(tmp_path, f"import subprocess; subprocess.Popen(['sh', '-c', {late!r}])")
    for reader in set(threading.enumerate()) - before:
        reader.join(10)
        assert not reader.is_alive()
