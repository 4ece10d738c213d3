"""The unfinished export: rows in `FILE.part`, facts about each page in `FILE.part.facts`, held by one process.

Rows are kept as their format writes them; for some formats the part is what the file will be, but for its end.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, NamedTuple

from roomctl import files
from roomctl.errors import BadInput, LocalFailure
from roomctl.exports.formats import Kept
from roomctl.exports.jsonrows import decode, encode

JSON = Any
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CHUNK = 1 << 20


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


def replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Put `pieces` in place of the file at `path`, durably."""
    with doing("write", path):
        files.replace(path, pieces, by=beside(path, ".new"))
        files.sync_folder(path.parent)


def sha256_of(path: Path) -> str:
    """Give the sha256 of a file, in hex."""
    with doing("read", path), path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


class Mark(NamedTuple):
    """A place in a file: how many bytes are before it, and their sha256 in hex."""

    offset: int = 0
    digest: str = sha256(b"").hexdigest()


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
        with doing("write", self.path):
            files.write(self._fd, data)
        self._hash.update(data)
        self._offset += len(data)

    def sync(self) -> None:
        """Make what was written durable."""
        with doing("write", self.path):
            os.fsync(self._fd)

    def rewind(self, mark: Mark) -> bool:
        """Cut off what lies beyond a mark; False where what lies before is not what it says (R33)."""
        self._hash = sha256()
        with doing("read", self.path):
            for start in range(0, mark.offset, _CHUNK):
                self._hash.update(files.read_at(self._fd, min(_CHUNK, mark.offset - start), start))
            if self._hash.hexdigest() != mark.digest:
                return False
            os.ftruncate(self._fd, mark.offset)
            os.lseek(self._fd, mark.offset, os.SEEK_SET)
        self._offset = mark.offset
        return True

    def close(self) -> None:
        """Let go of the file."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1


class Part:
    """The two files, opened and locked; `created` says that there were no rows before, not even none."""

    def __init__(self, rows: Tail, facts: Tail, *, created: bool) -> None:
        self.rows = rows
        self.created = created
        self._facts = facts

    @classmethod
    def open(cls, path: Path) -> "Part":
        """Open or create the files and lock them. Raises LocalFailure where another process holds them."""
        rows, created = _open_locked(path)
        facts = beside(path, ".facts")
        try:
            with doing("open", facts):
                return cls(Tail(path, rows), Tail(facts, _open(facts)[0]), created=created)
        except BaseException:
            os.close(rows)
            raise

    @property
    def empty(self) -> bool:
        """Whether nothing was kept."""
        return self.rows.empty and self._facts.empty

    def append(self, facts: dict[str, JSON], body: bytes) -> tuple[Mark, Mark]:
        """Keep a page: its encoded rows, and facts about it (JSON; the number of its bytes is added as `bytes`).

        Gives where the rows and the facts end now.
        """
        self.rows.append(body)
        self._facts.append(encode({**facts, "bytes": len(body)}) + b"\n")
        return self.rows.mark, self._facts.mark

    def sync(self) -> None:
        """Make what was kept durable."""
        self.rows.sync()
        self._facts.sync()

    def rewind(self, rows: Mark, facts: Mark) -> None:
        """Cut off what lies beyond the marks; raise LocalFailure where the rest is not what they say (R33)."""
        if not (self.rows.rewind(rows) and self._facts.rewind(facts)):
            raise LocalFailure(
                f"`{self.rows.path}` is not what its checkpoint says: it was changed or damaged",
                hint=f"remove `{self.rows.path}` and run the command again: it starts anew",
            )

    def facts(self) -> Iterator[dict[str, JSON]]:
        """Read the facts of the kept pages, in their order."""
        path = self._facts.path
        left = self._facts.mark.offset
        with doing("read", path), path.open("rb") as file:
            while left > 0:
                line = file.readline()
                left -= len(line)
                yield decode(line)

    def __iter__(self) -> Iterator[Kept]:
        """Read the kept pages that have rows; may be begun more than once."""
        path = self.rows.path
        with doing("read", path), path.open("rb") as file:
            for facts in self.facts():
                if facts["bytes"]:
                    yield Kept(facts["width"], file.read(facts["bytes"]))

    def free_names(self) -> None:
        """Let the names of the files be changed; where that cannot be while they are open, they are closed."""
        if not files.RENAMED_OPEN:
            self.close()

    def remove(self, checkpoint: Path) -> None:
        """Remove the files, where they still have their names, and at last the checkpoint."""
        self.free_names()
        with doing("remove", self.rows.path):
            for path in (self.rows.path, self._facts.path, checkpoint):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the files and the lock."""
        self._facts.close()
        self.rows.close()


def _open_locked(path: Path) -> tuple[int, bool]:
    """Open or create a file and lock it; who held it before may have removed it: then it is made anew."""
    with doing("open", path):
        while True:
            fd, created = _open(path)
            try:
                files.lock(fd, wait=False)
                if os.path.samestat(os.fstat(fd), os.lstat(path)):
                    return fd, created
            except FileNotFoundError:
                pass
            except BlockingIOError:
                os.close(fd)
                raise LocalFailure(
                    f"another roomctl is exporting to this file: `{path.with_suffix('')}`",
                    hint="wait for it, or choose another file",
                ) from None
            os.close(fd)


def _open(path: Path) -> tuple[int, bool]:
    try:
        return files.create_new(path), True
    except FileExistsError:
        fd = files.open_own(path, os.O_RDWR)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise BadInput(f"not a file: `{path}`")
    return fd, False
