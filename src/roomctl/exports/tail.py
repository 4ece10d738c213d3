"""A file that only grows at its end, and can be cut back to where it was known to be right."""

import os
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from roomctl import files
from roomctl.exports import disk

_CHUNK = 1 << 20


class Mark(NamedTuple):
    """A place in a file: how many bytes are before it, and their sha256 in hex."""

    offset: int = 0
    digest: str = sha256(b"").hexdigest()


class Damaged(Exception):
    """The bytes before a mark are not those that were there."""


class Tail:
    """An open file that is written at its end; `mark` is where that is."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd
        self._hash = sha256()
        self._offset = 0

    @property
    def mark(self) -> Mark:
        """Where the next bytes go, and what the bytes before are."""
        return Mark(self._offset, self._hash.hexdigest())

    @property
    def empty(self) -> bool:
        """Whether the file on disk has no bytes."""
        return not self._offset if self._fd < 0 else os.fstat(self._fd).st_size == 0

    def append(self, data: bytes) -> None:
        """Write bytes; the mark moves once they are written whole. Until `sync` they may be lost."""
        with disk.doing("write", self.path):
            files.write(self._fd, data)
        self._hash.update(data)
        self._offset += len(data)

    def sync(self) -> None:
        """Make what was written durable."""
        with disk.doing("write", self.path):
            os.fsync(self._fd)

    def rewind(self, mark: Mark) -> None:
        """Cut off what lies beyond a mark; raise Damaged where what lies before is not what it says (R33)."""
        self._hash = sha256()
        with disk.doing("read", self.path):
            for start in range(0, mark.offset, _CHUNK):
                self._hash.update(files.read_at(self._fd, min(_CHUNK, mark.offset - start), start))
            if self._hash.hexdigest() != mark.digest:
                raise Damaged
            os.ftruncate(self._fd, mark.offset)
            os.lseek(self._fd, mark.offset, os.SEEK_SET)
        self._offset = mark.offset

    def close(self) -> None:
        """Let go of the file."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1
