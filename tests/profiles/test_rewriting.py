"""The config file, changed: all else in it kept, one process at a time, whole or not at all (R50)."""

import errno
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadConfig, LocalFailure
from roomctl.profiles import configfile, editing
from roomctl.profiles.configfile import edit
from tests.conftest import soak
from tests.faults import Faults, killed_at

STEPS = ("open", "write", "fsync", "close", "replace", "mkdir")


def added(path: Path, key: str, name: str = "new", **more: Any) -> None:
    editing.add(path, name, {"base_url": "https://a.example", "api_key": key}, **more)


def names(path: Path) -> list[str]:
    return list(configfile.read(path)["profiles"])


def beside(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir() if found.name not in (path.name, f".{path.name}.lock"))


def test_r50_the_file_and_its_folder_are_private(tmp_path: Path, key: str) -> None:
    path = tmp_path / "a" / "roomctl" / "config.toml"
    before = os.umask(0)
    try:
        added(path, key)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert beside(path) == []


def test_r50_a_symlink_keeps_its_link(tmp_path: Path, key: str) -> None:
    real, link = tmp_path / "dotfiles" / "roomctl.toml", tmp_path / "config.toml"
    real.parent.mkdir()
    link.symlink_to("dotfiles/roomctl.toml")
    added(link, key)
    added(link, key, "second")
    assert link.readlink() == Path("dotfiles/roomctl.toml")
    assert (names(real), beside(real)) == (["new", "second"], [])
    assert not (tmp_path / ".config.toml.lock").exists()


@pytest.mark.parametrize(
    "before",
    [
        "profiles = { old = { base_url = 'https://o.example' } } # inline\n",
        "profiles.old = { base_url = 'https://o.example' } # half inline\n",
        "profiles.old.base_url = 'https://o.example' # dotted\n[views]\nx = 1\n",
        "[profiles]\nold.base_url = 'https://o.example' # dotted\n# the end\n",
    ],
)
def test_profiles_written_in_other_ways_are_changed_too(config: Path, key: str, before: str) -> None:
    new = {"base_url": "https://a.example", "api_key": key}
    old = tomllib.loads(before)
    config.write_text(before)
    added(config, key)
    assert configfile.read(config) == {**old, "profiles": {**old["profiles"], "new": new}}
    config.write_text(before)
    added(config, key, make_default=True)
    assert configfile.read(config) == {**old, "profiles": {**old["profiles"], "new": new}, "default_profile": "new"}
    assert all(comment in config.read_text() for comment in before.split("\n") if comment.startswith("#"))
    editing.remove(config, "new")
    assert configfile.read(config) == tomllib.loads(before)


def test_windows_lines_and_a_byte_order_mark_stay(config: Path, key: str) -> None:
    config.write_bytes(b"\xef\xbb\xbf# mine\r\n[profiles.old]\r\n\r\n")
    added(config, key, make_default=True)
    after = config.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf# mine\r\n")
    assert after.count(b"\n") == after.count(b"\r\n") > 5
    assert (configfile.read(config)["default_profile"], names(config)) == ("new", ["old", "new"])


def test_what_cannot_be_changed_without_a_loss_is_left_alone(config: Path) -> None:
    before = config.read_bytes()

    def forgetful(values: Any) -> None:
        if type(values) is dict:
            values["default_profile"] = "prod"

    def failing(values: Any) -> None:
        if type(values) is not dict:
            raise RuntimeError("as tomlkit does")
        values["default_profile"] = "prod"

    for change in (forgetful, failing):
        with pytest.raises(BadConfig, match="cannot change"):
            edit(config, change)
    assert config.read_bytes() == before


OLD = 'default_profile = "staging"\n[profiles.staging]\napi_key = "canary-key" # mine\n'


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("name", ["new", "staging"])
def test_r50_whichever_step_fails_the_file_is_old_or_new(tmp_path: Path, key: str, code: int, name: str) -> None:
    path = tmp_path / "config.toml"
    new = ""
    for step in range(30):
        path.write_text(OLD)
        path.chmod(0o600)
        outcome = "applied"
        with Faults(step, code) as faults:
            try:
                added(path, key, name, replace=True)
            except (LocalFailure, BadConfig) as error:
                outcome = error.outcome
                assert "canary" not in error.message + error.hint
        new = new or path.read_text()
        assert path.read_text() == (new if outcome == "applied" else OLD), (step, faults.failed)
        assert (beside(path), path.stat().st_mode & 0o777) == ([], 0o600), (step, faults.failed)
    assert new != OLD
    assert not faults.failed


@pytest.mark.parametrize("name", ["new", "staging"])
def test_r50_whenever_the_process_is_killed_the_file_is_the_old_or_the_new_one(
    tmp_path: Path, key: str, name: str, child: Callable[[Callable[[], None]], int]
) -> None:
    texts: list[str] = []
    for step in count(1):
        path = tmp_path / str(step)
        path.write_text(OLD)
        path.chmod(0o600)

        def dies(path: Path = path, step: int = step) -> None:
            killed_at(step, 0.1, STEPS)
            added(path, key, name, replace=True)

        status = child(dies)
        texts.append(path.read_text())
        if status == 0:
            break
        assert status == -signal.SIGKILL
    replaced = texts.index(texts[-1])
    assert texts == [OLD] * replaced + [texts[-1]] * (step - replaced)
    assert (step > 5, texts[-1] != OLD, list(tmp_path.glob(".*.new")) != []) == (True, True, True)
    for each in range(1, step + 1):
        added(tmp_path / str(each), key, "next")
    assert list(tmp_path.glob(".*.new")) == []


PROGRAM = """
import sys
from pathlib import Path
from roomctl.profiles import editing
path, name = Path(sys.argv[1]), f"p{sys.argv[2]}"
for number in range(20):
    editing.add(path, f"{name}-{number}", {"base_url": "https://a.example"})
    if number:
        editing.remove(path, f"{name}-{number - 1}")
"""
"""Makes 39 edits: one that finds the one before it lost fails, and so does the process."""


@pytest.mark.parametrize("turn", [0, *map(soak, range(1, 20))])
def test_r50_of_sixteen_processes_with_many_edits_each_none_is_lost(tmp_path: Path, turn: int) -> None:
    path = tmp_path / "config.toml"
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM, str(path), str(number)]) for number in range(16)]
    assert [process.wait(300) for process in running] == [0] * 16
    assert {*names(path)} == {f"p{number}-19" for number in range(16)}
    assert beside(path) == []
