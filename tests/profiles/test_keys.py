"""Keys: what they may look like, and the files and commands that they come from (R2, R9, R51)."""

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import NotAllowed
from roomctl.profiles import Environment, keys
from roomctl.profiles.keys import check_key, from_command, from_file, mask
from tests.conftest import Cases, Patch, error_of


def test_r2_what_cannot_be_a_key_is_refused_by_its_source_and_never_shown(cases: Cases) -> None:
    def says(text: str) -> str:
        error = error_of(NotAllowed, check_key, text, "PROD_KEY")
        assert (error.exit, "canary" in f"{error.message}{error.hint}{error.details}{error!r}") == (3, False)
        return error.message

    cases("no-keys.txt", says)
    for size in (513, 100_000):
        assert says("canary-" + "x" * (size - 7)).startswith("the key from PROD_KEY is not valid: ")


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("size", [8, 512])
def test_r2_one_trailing_newline_is_taken_off(size: int, end: str) -> None:
    assert check_key("k" * size + end, "x") == "k" * size


@given(st.text(max_size=40))
def test_r2_only_visible_ascii_is_ever_a_key(text: str) -> None:
    try:
        key = check_key(text, "x")
    except NotAllowed:
        return
    assert text in (key, key + "\n", key + "\r\n")
    assert len(key) >= 8 and all("!" <= character <= "~" for character in key)


def test_a_mask_key_shows_four_characters_at_most_and_of_a_long_key_only() -> None:
    assert mask("canary-key-0123456789abcdef") == "••••cdef"
    assert mask("canary-key-0123456789ab") == "••••"
    assert mask("shortkey") == "••••"


@pytest.fixture
def key_file(tmp_path: Path, key: str) -> Path:
    """A private file with a key in it, in a folder with a blank in its name."""
    path = tmp_path / "my keys" / "prod"
    path.parent.mkdir()
    path.write_text(key + "\n")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("mode", [0o444, 0o640, 0o604])
def test_r51_a_key_file_that_others_can_read_is_noted(key_file: Path, key: str, mode: int) -> None:
    key_file.chmod(mode)
    notes: list[str] = []
    assert from_file(key_file, notes.append) == key
    assert notes == [f"others can read the key file {key_file}: `chmod 600 '{key_file}'`"]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_r51_a_key_file_that_others_can_write_is_refused(key_file: Path, mode: int) -> None:
    key_file.chmod(mode)
    raised = error_of(NotAllowed, from_file, key_file, print)
    assert raised.message == f"others can write the key file {key_file}"
    assert raised.hint == f"`chmod go-w '{key_file}'`"


def test_a_missing_file_a_folder_a_pipe_and_what_is_no_path_are_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    unread = {"none": "no such file or directory", "a\0b": "not a path"}
    expected = {name: f"cannot read the key file {tmp_path}/{name}: {why}" for name, why in unread.items()}
    expected |= {".": f"the key file {tmp_path} is not a file", "pipe": f"the key file {tmp_path}/pipe is not a file"}
    for name, message in expected.items():
        assert error_of(NotAllowed, from_file, tmp_path / name, print).message == message


SOURCE = "the key command of profile prod"


def asked(folder: Path, *command: str, **variables: str) -> str:
    environment = Environment({"PATH": os.environ["PATH"], **variables})
    return from_command(command, SOURCE, environment, folder)


def python(folder: Path, program: str, *args: str, **variables: str) -> str:
    return asked(folder, sys.executable, "-c", program, *args, **variables)


def refused(folder: Path, program: str) -> NotAllowed:
    raised = error_of(NotAllowed, python, folder, program)
    assert "canary" not in f"{raised.message}{raised.hint}{raised.details}{raised!r}"
    return raised


def test_r9_a_command_is_run_without_a_shell(tmp_path: Path, key: str) -> None:
    program = f"import sys; print({key!r}); open('argv', 'w').write(sys.argv[1])"
    assert python(tmp_path, program, "$HOME; `id` && *") == key
    assert (tmp_path / "argv").read_text() == "$HOME; `id` && *"


def test_it_runs_beside_the_config_file_with_an_empty_stdin_and_the_given_environment(tmp_path: Path) -> None:
    program = tmp_path / "print-key"
    program.write_text('#!/bin/sh\necho "$(basename "$PWD")-$(cat)-$MINE"\n')
    program.chmod(0o700)
    assert asked(tmp_path, "./print-key", MINE="my-value") == f"{tmp_path.name}--my-value"


def test_only_stdout_counts_and_stderr_is_not_passed_on(tmp_path: Path, key: str, capfd: Any) -> None:
    assert python(tmp_path, f"import sys; print('canary-noise', file=sys.stderr); print({key!r}, end='\\r\\n')") == key
    assert tuple(capfd.readouterr()) == ("", "")


def test_r9_a_command_that_fails_shows_nothing_of_its_output(tmp_path: Path) -> None:
    error = refused(tmp_path, "import sys; print('canary'); print('canary', file=sys.stderr); sys.exit(3)")
    hint = f"run it by hand ({sys.executable} with its arguments) in {tmp_path}, where roomctl runs it"
    assert (error.message, error.hint) == (f"{SOURCE} failed with status 3", hint)


def test_a_command_that_cannot_be_run_is_named(tmp_path: Path) -> None:
    raised = error_of(NotAllowed, asked, tmp_path, "no-such-command", "canary-argument")
    assert raised.message == f"{SOURCE} cannot be run: no-such-command: no such file or directory"
    with pytest.raises(NotAllowed, match="cannot be run: pass: not a command"):
        from_command(["pass", "a\0b"], SOURCE, Environment(), tmp_path)


def test_a_command_that_prints_for_ever_is_stopped_at_once(tmp_path: Path) -> None:
    started = time.monotonic()
    error = refused(tmp_path, "import sys\nwhile True: sys.stdout.write('canary')")
    assert error.message.startswith(f"the key from {SOURCE} is not valid: ")
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
def test_r9_a_command_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: Patch, program: str) -> None:
    assert keys.COMMAND_SECONDS == 10
    monkeypatch.setattr(keys, "COMMAND_SECONDS", 0.7)
    started = time.monotonic()
    assert refused(tmp_path, program).message == f"{SOURCE} did not answer within 0.7 s"
    assert time.monotonic() - started < 20


def test_what_a_child_of_the_command_prints_afterwards_is_ignored(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(keys, "COMMAND_SECONDS", 0.4)
    before = set(threading.enumerate())
    late = "sleep 0.8; echo canary; sleep 0.2; echo canary"
    refused(tmp_path, f"import subprocess; subprocess.Popen(['sh', '-c', {late!r}])")
    for reader in set(threading.enumerate()) - before:
        reader.join(10)
        assert not reader.is_alive()
