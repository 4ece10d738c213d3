"""A file that is replaced whole or not at all."""

import os
from pathlib import Path

import pytest

from roomctl.profiles import durable


def test_a_file_is_replaced_and_private(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o644)
    durable.replace(path, b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_a_system_that_takes_a_few_bytes_at_a_time_gets_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, bytes(data)[:3]))
    durable.replace(tmp_path / "x", b"0123456789")
    assert (tmp_path / "x").read_bytes() == b"0123456789"


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    (tmp_path / ".x.0123456789ab.new").write_bytes(b"half")
    (tmp_path / ".y.0123456789ab.new").write_bytes(b"somebody else's")
    durable.replace(path, b"new")
    assert sorted(found.name for found in tmp_path.iterdir()) == [".y.0123456789ab.new", "x"]


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".x.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), durable.locked(tmp_path / "x"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_lock_is_let_go_of_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(KeyError), durable.locked(tmp_path / "x"):
        raise KeyError
    with durable.locked(tmp_path / "x"):
        assert (tmp_path / ".x.lock").stat().st_mode & 0o777 == 0o600
