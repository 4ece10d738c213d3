"""A file that is replaced whole or not at all, by one process at a time (R50)."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that belongs to a file; wait for it. The system lets go of it when a process dies."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path.with_name(f".{path.name}.lock"), flags, 0o600)
    try:
        if sys.platform == "win32":  # pragma: no cover
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def replace(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file: written beside it, private, synced, renamed. Call it with the lock held.

    A reader sees the old file or the new one. What a killed process left beside it is removed first. Raises OSError.
    """
    for left in path.parent.glob(f".{path.name}.*.new"):
        left.unlink(missing_ok=True)
    fresh = path.with_name(f".{path.name}.{os.urandom(6).hex()}.new")
    try:
        _write(fresh, data)
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Raises OSError."""
    if sys.platform == "win32":  # pragma: no cover
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
