"""Files that must survive: not reached by a link, private, durable, held by one process. Failures are OSError."""

import errno
import math
import os
import sys
import time
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from shlex import quote

from roomctl.errors import BadInput
from roomctl.text.suggest import did_you_mean

_OWN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
RENAMED_OPEN = sys.platform != "win32"
"""Whether the name of an open file can be changed or removed."""
_FAR = 1 << 42
"""Where Windows locks: beyond the end of any file, for it lets nobody else read what is locked."""


def open_own(path: Path, flags: int = os.O_RDWR | os.O_CREAT) -> int:
    """Open a file of ours, private where that makes it: a link is not followed, a named pipe not waited for."""
    return os.open(path, flags | _OWN, 0o600)


def create_new(path: Path, flags: int = 0) -> int:
    """Create a file that only its owner can read, and open it; FileExistsError where something has its name (R36)."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | flags | _OWN, 0o600)


def unreadable(path: Path, error: OSError | None = None, hint: str = "") -> BadInput:
    """Make the failure to read an input, which says why."""
    why = (error and error.strerror) or ("it is a folder" if path.is_dir() else "no such file or directory")
    if not hint and not path.exists():
        with suppress(OSError):
            hint = did_you_mean(path.name, [each.name for each in islice(path.parent.iterdir(), 1000)], "")
        there = path.parent if path.parent.is_dir() else "."
        shown = (
            "`ls` lists the files in this folder"
            if str(there) == "."
            else f"`ls {quote(str(there))}` lists the files there"
        )
        hint = hint or shown
    return BadInput(f"cannot read {path}: {why.lower()}", hint=hint)


def lock(file: int, *, shared: bool = False, wait: float = math.inf) -> None:
    """Lock an open file until it is closed, or share it. Raises BlockingIOError where it is held for `wait` seconds."""
    deadline = time.monotonic() + wait
    while True:
        try:
            if sys.platform == "win32":  # pragma: no cover  (another system's)
                _lock_byte(file)
            else:
                import fcntl

                fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() >= deadline:
                raise BlockingIOError(error.errno, "another process holds its lock") from None
        time.sleep(0.002)


def _lock_byte(file: int) -> None:  # pragma: no cover  (another system's)
    if sys.platform == "win32":
        import msvcrt

        place = os.lseek(file, 0, os.SEEK_CUR)
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
        finally:
            os.lseek(file, place, os.SEEK_SET)


@contextmanager
def locked(path: Path, *, shared: bool = False, wait: float = math.inf) -> Iterator[None]:
    """Hold the lock that a file stands for, as `lock` does; the file stays. What is not shared makes it."""
    file = open_own(path, os.O_RDONLY) if shared else open_own(path)
    try:
        lock(file, shared=shared, wait=wait)
        yield
    finally:
        os.close(file)


def remove_held(path: Path, file: int) -> None:
    """Remove a file that is locked, then close it, removed or not; Windows removes only what is closed."""
    if sys.platform == "win32":  # pragma: no cover  (another system's)
        os.close(file)
        path.unlink(missing_ok=True)
        return
    try:
        path.unlink(missing_ok=True)
    finally:
        os.close(file)


def read_at(file: int, size: int, place: int) -> bytes:
    """Read up to so many bytes at a place; where the file was read or written last is lost on Windows."""
    if sys.platform == "win32":  # pragma: no cover  (another system's)
        os.lseek(file, place, os.SEEK_SET)
        return os.read(file, size)
    return os.pread(file, size, place)


def write(file: int, data: bytes) -> None:
    """Write all of `data`, however little the system takes at a time."""
    rest = memoryview(data)
    while rest:
        taken = os.write(file, rest)
        if not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        rest = rest[taken:]


def sync_folder(folder: Path, *, forgive: Container[int | None] = ()) -> None:
    """Make the names in a folder durable, but for failures of these numbers; Windows does that by itself."""
    if sys.platform == "win32":  # pragma: no cover  (another system's)
        return
    try:
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        if error.errno not in forgive:
            raise


@contextmanager
def anew(path: Path) -> Iterator[int]:
    """Open a new file at `path`, in place of what an earlier run left there; durable when done, removed on failure."""
    try:
        file = create_new(path)
    except FileExistsError:
        path.unlink()
        file = create_new(path)
    try:
        try:
            yield file
            os.fsync(file)
        finally:
            os.close(file)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def replace(path: Path, pieces: Iterable[bytes], *, by: Path) -> None:
    """Put `pieces` in place of a file, by way of another beside it: a reader sees the old or the new, never both."""
    with anew(by) as file:
        for piece in pieces:
            write(file, piece)
    try:
        os.replace(by, path)  # noqa: PTH105  once a page of an export: by a path object it costs more
    except BaseException:
        with suppress(OSError):
            by.unlink()
        raise
