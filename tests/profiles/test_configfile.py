"""The config file, read: private, bounded, UTF-8, TOML, and never quoted (R51)."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles import configfile
from tests.conftest import Cases, error_of

Write = Callable[[str | bytes], Path]


def refused(path: Path) -> BadConfig:
    error = error_of(BadConfig, configfile.read, path)
    assert "canary" not in f"{error.message}{error.hint}{error.details}{error!r}"
    return error


def test_a_missing_file_and_the_null_device_are_empty(tmp_path: Path) -> None:
    assert configfile.read(tmp_path / "none.toml") == {}
    assert configfile.read(Path(os.devnull)) == {}


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o602, 0o644, 0o666])
def test_r51_a_file_that_others_can_read_or_write_is_refused_with_what_mends_it(config: Path, mode: int) -> None:
    config.chmod(mode)
    error = refused(config)
    assert error.message == f"others can read or write {config}, which may hold keys"
    assert error.hint == f"`chmod 600 {config}`"
    os.system(error.hint.strip("`"))
    assert configfile.read(config)["default_profile"] == "staging"


def test_r51_what_counts_is_the_file_behind_a_link(config: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(config)
    assert configfile.read(link) == configfile.read(config)
    config.chmod(0o644)
    assert refused(link).hint == f"`chmod 600 {link}`"


def test_what_is_not_toml_is_named_by_its_place_and_never_quoted(written: Write, cases: Cases) -> None:
    def says(text: str) -> str:
        path = written(text.encode("latin-1"))
        return refused(path).message.removeprefix(f"{path} ")

    cases("no-toml.txt", says)
    for long in ("x = " + "[" * 100_000, "x = " + "1" * 5_000):
        assert says(long) == "is not valid TOML: nested too deeply, or a number too long"
    assert says("#" * 1024 * 1024) == "is larger than a config file can be: 1 MiB"


def test_a_file_cut_off_anywhere_is_read_or_refused_but_never_a_crash(config: Path, written: Write) -> None:
    whole = config.read_bytes()
    for size in range(len(whole)):
        try:
            configfile.read(written(whole[:size]))
        except BadConfig as error:
            assert "canary" not in error.message + error.hint


def test_a_folder_a_pipe_and_what_is_no_path_are_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert refused(tmp_path).message == f"{tmp_path} is not a file"
    assert refused(tmp_path / "pipe").message == f"{tmp_path}/pipe is not a file"
    assert refused(tmp_path / "loop").message == f"cannot read {tmp_path}/loop: too many levels of symbolic links"
    assert refused(tmp_path / "a\0b").message == f"cannot read {tmp_path}/a\0b: not a path"
