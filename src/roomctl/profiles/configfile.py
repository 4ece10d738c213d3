"""The config file: read with tomllib, edited with tomlkit so that comments stay, replaced whole or not at all."""

import os
import stat
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from roomctl.errors import BadConfig, LocalFailure

Table = dict[str, Any]
LARGEST = 1024 * 1024


def read(path: Path) -> Table:
    """Read the config file; a missing one is empty. Raises BadConfig, without quoting what it holds."""
    text = _text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = str(error).rpartition("(")[2].rstrip(")") if "(at " in str(error) else "at an unknown place"
        raise BadConfig(
            f"{path} is not TOML: {where}", hint="mend the line; `roomctl help files` names the file"
        ) from None


def _text(path: Path) -> str:
    try:
        _check_mode(path)
        data = path.read_bytes()
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a path"
        raise BadConfig(f"cannot read {path}: {reason.lower()}") from None
    if len(data) > LARGEST:
        raise BadConfig(f"{path} is larger than 1 MiB")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path} is not UTF-8: byte {error.start}") from None


def _check_mode(path: Path) -> None:
    """Refuse a file that others can read or write: it holds keys."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise BadConfig(f"{path} is not a file")
    if sys.platform != "win32" and mode & 0o077:
        raise BadConfig(f"{path} holds keys, and others can read or write it", hint=f"`chmod 600 {path}`")


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Change the config file: lock, read again, change, replace. Raises BadConfig, LocalFailure.

    The new file is written beside the old one, synced and renamed over it, so that a reader sees the old file or the
    new one and never half of it; a symlink keeps its link. `change` gets a tomlkit document.
    """
    import tomlkit

    real = Path(os.path.realpath(path))
    try:
        real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _locked(real):
            read(real)
            document = tomlkit.parse(_text(real))
            change(document)
            _replace(real, tomlkit.dumps(document).encode("utf-8"))
    except OSError as error:
        raise LocalFailure(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


def _replace(path: Path, data: bytes) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(partial, flags, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)  # noqa: PTH105  (one call, one failure to test)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a config file: one process at a time edits it."""
    descriptor = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
