"""Files that must survive a crash: created anew and private, written whole, made durable, put in place by rename."""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from roomctl.errors import LocalFailure

_ANEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_PRIVATE = 0o600
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def doing(what: str, path: Path) -> Iterator[None]:
    """Turn an OSError into a LocalFailure that says what could not be done, with which file, and what to do next."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        hint = "make room, then run the same command again: it goes on where it stopped"
        raise LocalFailure(f"cannot {what} `{path}`: {why}", hint=hint if error.errno in _FULL else "") from error


def beside(path: Path, ending: str) -> Path:
    """Give the path of a file that belongs to `path`: its name with `ending` appended."""
    return path.with_name(path.name + ending)


def create(path: Path) -> int:
    """Create a file that only its owner can read, and open it; a file or link of that name is an OSError (R36)."""
    return os.open(path, _ANEW, _PRIVATE)


def write(fd: int, data: bytes) -> None:
    """Write all of `data`, however little the system takes at a time."""
    rest = memoryview(data)
    while rest:
        taken = os.write(fd, rest)
        if not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        rest = rest[taken:]


def sync_folder(path: Path) -> None:
    """Make the names in the folder of `path` durable."""
    fd = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def anew(path: Path) -> Iterator[int]:
    """Open a new file at `path`, in place of what an earlier run left there; durable when done, removed on failure."""
    try:
        fd = create(path)
    except FileExistsError:
        path.unlink()
        fd = create(path)
    try:
        yield fd
        os.fsync(fd)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise
    finally:
        os.close(fd)


def replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Put `pieces` in place of the file at `path`, durably: a reader sees the old or the new, never a mixture."""
    with anew(beside(path, ".new")) as fd:
        for piece in pieces:
            write(fd, piece)
    name = os.fspath(path)
    os.replace(f"{name}.new", name)  # noqa: PTH105  once a page: a path object costs more than the rename
    sync_folder(path)
