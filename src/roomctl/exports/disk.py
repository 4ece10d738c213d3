"""The files of an export: their names, put in place durably, and what to say when that fails."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from roomctl import files
from roomctl.errors import LocalFailure

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


def sync_folder(path: Path) -> None:
    """Make the names in the folder of `path` durable."""
    files.sync_folder(path.parent)


def replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Put `pieces` in place of the file at `path`, durably."""
    files.replace(path, pieces, by=beside(path, ".new"))
    sync_folder(path)
