"""The unfinished export: rows in `FILE.part`, facts about each page in `FILE.part.facts`, held by one process.

Rows are kept as their format writes them; for some formats the part is what the file will be, but for its end.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from roomctl import files
from roomctl.errors import BadInput, LocalFailure
from roomctl.exports import disk
from roomctl.exports.encoding import decode, encode
from roomctl.exports.formats import Kept
from roomctl.exports.tail import Damaged, Mark, Tail

JSON = Any


class Part:
    """The two files, opened and locked; `created` says that there were no rows before, not even none."""

    def __init__(self, rows: Tail, facts: Tail, *, created: bool) -> None:
        self.rows = rows
        self.created = created
        self._facts = facts

    @classmethod
    def open(cls, path: Path) -> "Part":
        """Open or create the files and lock them. Raises LocalFailure where another process holds them."""
        rows, created = _locked(path)
        facts = disk.beside(path, ".facts")
        try:
            with disk.doing("open", facts):
                return cls(Tail(path, rows), Tail(facts, _open(facts)[0]), created=created)
        except BaseException:
            os.close(rows)
            raise

    @property
    def marks(self) -> tuple[Mark, Mark]:
        """Where the rows and the facts end."""
        return self.rows.mark, self._facts.mark

    @property
    def empty(self) -> bool:
        """Whether nothing was kept."""
        return self.rows.empty and self._facts.empty

    def append(self, facts: dict[str, JSON], body: bytes) -> None:
        """Keep a page: its encoded rows, and facts about it (JSON; the number of its bytes is added as `bytes`)."""
        self.rows.append(body)
        self._facts.append(encode({**facts, "bytes": len(body)}) + b"\n")

    def sync(self) -> None:
        """Make what was kept durable."""
        self.rows.sync()
        self._facts.sync()

    def rewind(self, rows: Mark, facts: Mark) -> None:
        """Cut off what lies beyond the marks; raise LocalFailure where the rest is not what they say (R33)."""
        try:
            self.rows.rewind(rows)
            self._facts.rewind(facts)
        except Damaged:
            raise LocalFailure(
                f"`{self.rows.path}` is not what its checkpoint says: it was changed or damaged",
                hint=f"remove `{self.rows.path}` and run the command again: it starts anew",
            ) from None

    def facts(self) -> Iterator[dict[str, JSON]]:
        """Read the facts of the kept pages, in their order."""
        path = self._facts.path
        left = self._facts.mark.offset
        with disk.doing("read", path), path.open("rb") as file:
            while left > 0:
                line = file.readline()
                left -= len(line)
                yield decode(line)

    def pages(self) -> Iterator[Kept]:
        """Read the kept pages that have rows."""
        path = self.rows.path
        with disk.doing("read", path), path.open("rb") as file:
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
        with disk.doing("remove", self.rows.path):
            for path in (self.rows.path, self._facts.path, checkpoint):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the files and the lock."""
        self._facts.close()
        self.rows.close()


def _locked(path: Path) -> tuple[int, bool]:
    with disk.doing("open", path):
        while True:
            fd, created = _open(path)
            if _hold(fd, path):
                return fd, created
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


def _hold(fd: int, path: Path) -> bool:
    """Lock the file; say whether it is still the one at `path`: who held it before may have removed it."""
    try:
        files.lock(fd, wait=False)
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
