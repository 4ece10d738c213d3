"""The unfinished export, `FILE.part`: pages one after another, held by one process, never ahead of its checkpoint.

A page is a frame: a line with two lengths, then that many bytes of facts about the page (JSON), then its rows in the
form that the format keeps them.
"""

import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.errors import BadInput, LocalFailure
from roomctl.exports import disk
from roomctl.exports.encoding import decode, encode

JSON = Any
_CHUNK = 1 << 20


class Frame(NamedTuple):
    """A kept page: facts (`keys` of its new rows, `width`, `flagged` rows, …) and its encoded rows."""

    facts: dict[str, JSON]
    body: bytes


class Part:
    """The part file, opened and locked. `offset` is where the next frame goes; `digest` is of all bytes before it."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd
        self.offset = 0
        self._hash = sha256()

    @classmethod
    def open(cls, path: Path) -> "Part":
        """Open or create the part file and lock it. Raises LocalFailure where another process holds it."""
        with disk.doing("open", path):
            while True:
                fd = _open(path)
                if _hold(fd, path):
                    return cls(path, fd)
                os.close(fd)

    @property
    def empty(self) -> bool:
        """Whether the file has no bytes."""
        return os.fstat(self._fd).st_size == 0

    @property
    def digest(self) -> str:
        """The sha256 of the bytes before `offset`, in hex."""
        return self._hash.hexdigest()

    def append(self, facts: dict[str, JSON], body: bytes) -> None:
        """Write a page. Until `sync` it may be lost; `offset` moves once it is written whole."""
        about = encode(facts)
        frame = b"%d %d\n%b%b" % (len(about), len(body), about, body)
        with disk.doing("write", self.path):
            disk.write(self._fd, frame)
        self._hash.update(frame)
        self.offset += len(frame)

    def sync(self) -> None:
        """Make what was written durable."""
        with disk.doing("write", self.path):
            os.fsync(self._fd)

    def rewind(self, offset: int, digest: str) -> None:
        """Cut off what lies beyond `offset`; raise LocalFailure where the rest is not what `digest` says (R33)."""
        with disk.doing("read", self.path):
            for start in range(0, offset, _CHUNK):
                self._hash.update(os.pread(self._fd, min(_CHUNK, offset - start), start))
            if self.digest != digest:
                raise LocalFailure(
                    f"`{self.path}` is not what its checkpoint says: it was changed or damaged",
                    hint=f"remove `{self.path}` and run the command again: it starts anew",
                )
            os.ftruncate(self._fd, offset)
            os.lseek(self._fd, offset, os.SEEK_SET)
        self.offset = offset

    def frames(self) -> Iterator[Frame]:
        """Read the kept pages in their order."""
        with disk.doing("read", self.path), open(self._fd, "rb", closefd=False) as file:
            file.seek(0)
            while file.tell() < self.offset:
                about, body = map(int, file.readline().split())
                yield Frame(decode(file.read(about)), file.read(body))

    def remove(self, *others: Path) -> None:
        """Remove the file, emptied first: a crash in between leaves nothing that looks like work to go on with."""
        with disk.doing("remove", self.path):
            os.ftruncate(self._fd, 0)
            for path in (*others, self.path):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file and its lock."""
        os.close(self._fd)


def _open(path: Path) -> int:
    try:
        return disk.create(path)
    except FileExistsError:
        fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise BadInput(f"not a file: `{path}`")
    return fd


def _hold(fd: int, path: Path) -> bool:
    """Lock the file; say whether it is still the one at `path`: who held it before may have removed it."""
    try:
        _lock(fd)
    except BlockingIOError:
        os.close(fd)
        raise LocalFailure(
            f"another roomctl is exporting to this file: `{path.with_suffix('')}`",
            hint="wait for it, or choose another file",
        ) from None
    try:
        return os.path.samestat(os.fstat(fd), os.lstat(path))
    except FileNotFoundError:
        return False


def _lock(fd: int) -> None:
    import fcntl

    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
