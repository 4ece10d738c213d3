"""Files that must survive."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from roomctl import files
from tests.conftest import Patch


def replace(path: Path, *pieces: bytes) -> None:
    files.replace(path, pieces, by=path.with_name(f"{path.name}.new"))


def test_a_file_is_replaced_and_private(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o644)
    replace(path, b"ne", b"w")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)
    assert list(tmp_path.iterdir()) == [path]


def test_few_bytes_at_a_time_are_written_whole_and_none_is_a_full_disk(tmp_path: Path, monkeypatch: Patch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, bytes(data)[:3]))
    replace(tmp_path / "x", b"0123456789")
    monkeypatch.setattr(os, "write", lambda descriptor, data: 0)
    with pytest.raises(OSError, match="No space left"):
        replace(tmp_path / "y", b"0123456789")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": b"0123456789"}


@pytest.mark.parametrize("broken", ["write", "fsync", "close", "replace"])
def test_a_replacement_that_fails_leaves_the_old_file_alone(broken: str, tmp_path: Path, monkeypatch: Patch) -> None:
    real = getattr(os, broken)

    def fails(*args: Any) -> None:
        if broken == "close":
            real(*args)
        raise OSError(errno.EIO, "Input/output error")

    (tmp_path / "x").write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, broken, fails)
        with pytest.raises(OSError, match="Input/output error"):
            replace(tmp_path / "x", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": b"old"}


def test_r36_what_is_there_is_not_created_anew_and_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(FileExistsError):
        files.create_new(tmp_path / "link")
    with pytest.raises(OSError, match="symbolic links"):
        files.open_own(tmp_path / "link")
    assert not (tmp_path / "file").exists()


def test_a_lock_is_let_go_of_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(KeyError), files.locked(tmp_path / "lock"):
        raise KeyError
    with files.locked(tmp_path / "lock"):
        assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600


def test_a_lock_is_held_by_one_or_shared_by_readers(tmp_path: Path) -> None:
    first, second = (files.open_own(tmp_path / "lock") for _ in range(2))
    files.lock(first, shared=True, wait=False)
    files.lock(second, shared=True, wait=False)
    with pytest.raises(BlockingIOError):
        files.lock(first, wait=False)
    os.close(second)
    files.lock(first, wait=False)
    os.close(first)


def test_bytes_are_read_at_a_place(tmp_path: Path) -> None:
    file = files.create_new(tmp_path / "x")
    files.write(file, b"0123456789")
    assert (files.read_at(file, 4, 2), files.read_at(file, 9, 8)) == (b"2345", b"89")
    os.close(file)


def test_a_folder_that_cannot_be_synced_is_forgiven_only_for_named_reasons(tmp_path: Path, monkeypatch: Patch) -> None:
    def fails(_file: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    files.sync_folder(tmp_path)
    monkeypatch.setattr(os, "fsync", fails)
    files.sync_folder(tmp_path, forgive=(errno.EINVAL,))
    with pytest.raises(OSError, match="Invalid argument"):
        files.sync_folder(tmp_path, forgive=(errno.EACCES,))
