"""The journal's files: JSON lines, appended under a lock, made durable before `append` returns, put aside when full.

`journal.ndjson` grows by whole lines. A process that dies in the middle of a line leaves a half-written one: the next
writer starts a line of its own after it, and readers report it. Only the holder of `journal.lock` writes or rotates.

A full file is renamed to the next number. Beyond those that are kept, the oldest is removed once it holds no request
without a known outcome, and nothing of a bulk run that did not finish.
"""

import errno
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roomctl import files
from roomctl.errors import LocalFailure
from roomctl.text.times import stamp

CURRENT, LOCK = "journal.ndjson", "journal.lock"
LIMIT = 2 * 1024 * 1024
"""Bytes after which the file is put aside and a new one begun: about 4,000 writes."""
KEEP = 4
"""Files put aside that are kept, beside those from the first one on in which something is still open."""
LOCK_WAIT = 10.0
"""Seconds to wait for other processes; each holds the lock for far less than one."""
FORGIVEN = (errno.EACCES, errno.EINVAL, errno.ENOTSUP)
"""Why a folder need not be synced: it may not be read, or its file system cannot do that."""


@dataclass(eq=False)
class Ledger:
    """The files of one journal, shared by all processes and threads that open the same folder."""

    folder: Path
    clock: Callable[[], float] = time.time
    limit: int = LIMIT
    keep: int = KEEP

    def append(self, record: Mapping[str, Any], *, synced: bool = True) -> None:
        """Append a record and its time, all or nothing; on return on disk, if `synced`. Raises LocalFailure."""
        data, file = json.dumps({**record, "at": stamp(self.clock())}, separators=(",", ":")).encode() + b"\n", -1
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with files.locked(self.folder / LOCK, wait=LOCK_WAIT):
                with suppress(OSError):  # a journal that grows too long is better than a write that is not sent
                    if (self.folder / CURRENT).lstat().st_size >= self.limit:
                        self._rotate()
                file = files.open_own(self.folder / CURRENT, os.O_RDWR | os.O_CREAT | os.O_APPEND)
                found = os.fstat(file)
                if not stat.S_ISREG(found.st_mode):
                    raise OSError(errno.EINVAL, "not a regular file")
                if sys.platform != "win32" and stat.S_IMODE(found.st_mode) & 0o077:
                    with suppress(OSError):
                        os.fchmod(file, 0o600)
                if found.st_size == 0:
                    files.sync_folder(self.folder.parent, forgive=FORGIVEN)  # the folder's own name, where it is new
                    files.sync_folder(self.folder, forgive=FORGIVEN)
                else:
                    os.lseek(file, -1, os.SEEK_END)
                    data = data if os.read(file, 1) == b"\n" else b"\n" + data
                if os.write(file, data) != len(data):
                    os.ftruncate(file, found.st_size)
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if synced:
                os.fsync(file)  # after the lock: writers that come together share one trip to the disk
        except OSError as error:
            raise LocalFailure(
                f"the journal cannot be written: {self.folder / CURRENT} ({error.strerror or error})",
                hint="free some disk space, or make the folder writable: a write that cannot be journaled is not sent",
            ) from error
        finally:
            with suppress(OSError):  # it was not opened; or what was synced is on disk
                os.close(file)

    def _rotate(self) -> None:
        from roomctl.journal.book import Book

        segments = self.segments()
        number = int(segments[-1].name.split(".")[1]) + 1 if segments else 1
        (self.folder / CURRENT).rename(self.folder / f"journal.{number:06}.ndjson")
        older = self.segments()[: -self.keep]
        needed = [name.encode() for name in Book(self._texts()).unsettled()] if older else []
        for path in older:
            data = path.read_bytes()
            if any(name in data for name in needed):
                break  # what became of its other requests is in the files after it
            path.unlink()
        files.sync_folder(self.folder, forgive=FORGIVEN)

    def segments(self) -> list[Path]:
        """Name the files put aside, oldest first."""
        return sorted(self.folder.glob("journal.[0-9][0-9][0-9][0-9][0-9][0-9].ndjson"))

    def read(self) -> list[tuple[Path, bytes]]:
        """Read all files, oldest first, as of one moment. Raises LocalFailure."""
        try:
            with suppress(FileNotFoundError), files.locked(self.folder / LOCK, shared=True, wait=LOCK_WAIT):
                return self._texts()
            return self._texts()  # no lock file: nothing was ever written here, or it alone was removed
        except OSError as error:
            raise LocalFailure(
                f"the journal cannot be read: {self.folder / CURRENT} ({error.strerror or error})"
            ) from error

    def _texts(self) -> list[tuple[Path, bytes]]:
        return [
            (path, path.read_bytes())
            for path in (*self.segments(), self.folder / CURRENT)
            if path.exists() and not path.is_fifo()
        ]
