"""The journal's file: JSON lines, appended under a lock and made durable before `append` returns.

`journal.ndjson` grows by whole lines. A process that dies in the middle of a line leaves a half-written one: the next
writer starts a line of its own after it, and readers report it. Only the holder of `journal.lock` writes or rotates.
"""

import errno
import json
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from roomctl import files
from roomctl.errors import LocalFailure

LIMIT = 2 * 1024 * 1024
"""Bytes after which the file is put aside and a new one begun: about 4,000 writes."""
KEEP = 4
"""Files put aside that are kept; what is still open in older ones is carried along."""
LOCK_WAIT = 10.0
"""Seconds to wait for other processes; each holds the lock for far less than one."""
LOCK_POLL = 0.002
FORGIVEN = (errno.EACCES, errno.EINVAL, errno.ENOTSUP)
"""Why a folder need not be synced: it may not be read, or its file system cannot do that."""


class Ledger:
    """The files of one journal, shared by all processes and threads that open the same folder."""

    def __init__(self, folder: Path, *, limit: int = LIMIT, keep: int = KEEP) -> None:
        self.folder = folder
        self.current = folder / "journal.ndjson"
        self.lock = folder / "journal.lock"
        self.limit = limit
        self.keep = keep

    def append(self, record: Mapping[str, Any], *, synced: bool = True) -> None:
        """Append one record; on return it is on disk, unless `synced` is false. Raises LocalFailure."""
        data = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        try:
            self._append(data, synced)
        except OSError as error:
            raise LocalFailure(
                f"the journal cannot be written: {self.current} ({error.strerror or error})",
                hint="make room on the disk, or make the folder writable: a write that cannot be journaled is not sent",
            ) from error

    def _append(self, data: bytes, synced: bool) -> None:
        with self.locked():
            self._rotate_when_full()
            file = self._open()
            try:
                self._write(file, data)
            except BaseException:
                os.close(file)
                raise
        try:
            if synced:
                os.fsync(file)  # after the lock: writers that come together share one trip to the disk
        finally:
            os.close(file)

    def _rotate_when_full(self) -> None:
        with suppress(OSError):  # a journal that grows too long is better than a write that is not sent
            if self.current.lstat().st_size >= self.limit:
                from roomctl.journal.rotation import rotate

                rotate(self)

    def _open(self) -> int:
        file = files.open_own(self.current, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode):
            os.close(file)
            raise OSError(errno.EINVAL, "not a regular file")
        if sys.platform != "win32" and stat.S_IMODE(mode) & 0o077:
            with suppress(OSError):
                os.fchmod(file, 0o600)
        return file

    def _write(self, file: int, data: bytes) -> None:
        size = os.fstat(file).st_size
        if size == 0:
            files.sync_folder(self.folder.parent, forgive=FORGIVEN)  # the folder's own name, where it is new
            files.sync_folder(self.folder, forgive=FORGIVEN)
        elif files.read_at(file, 1, size - 1) != b"\n":
            data = b"\n" + data
        if os.write(file, data) != len(data):
            os.ftruncate(file, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def segments(self) -> list[Path]:
        """Name the files put aside, oldest first."""
        return sorted(self.folder.glob("journal.[0-9][0-9][0-9][0-9][0-9][0-9].ndjson"))

    def read(self) -> list[tuple[Path, bytes]]:
        """Read all files, oldest first, as of one moment. Raises LocalFailure."""
        try:
            try:
                with self.locked(shared=True):
                    return self.texts()
            except FileNotFoundError:  # no lock file: nothing was ever written here, or only the lock was removed
                return self.texts()
        except OSError as error:
            raise LocalFailure(f"the journal cannot be read: {self.current} ({error.strerror or error})") from error

    def texts(self) -> list[tuple[Path, bytes]]:
        """Read all files, oldest first, for the holder of the lock. Raises OSError."""
        return [(path, path.read_bytes()) for path in (*self.segments(), self.current) if path.exists()]

    @contextmanager
    def locked(self, *, shared: bool = False) -> Iterator[None]:
        """Hold the journal's lock, shared or exclusive. Raises OSError, TimeoutError after ten seconds."""
        lock = self._open_lock(shared)
        try:
            deadline = time.monotonic() + LOCK_WAIT
            while not _taken(lock, shared):
                if time.monotonic() > deadline:
                    raise TimeoutError(errno.ETIMEDOUT, "another process holds its lock")
                time.sleep(LOCK_POLL)
            yield
        finally:
            os.close(lock)

    def _open_lock(self, shared: bool) -> int:
        if shared:
            return files.open_own(self.lock, os.O_RDONLY)
        try:
            return files.open_own(self.lock)
        except FileNotFoundError:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return files.open_own(self.lock)


def _taken(lock: int, shared: bool) -> bool:
    try:
        files.lock(lock, shared=shared, wait=False)
    except BlockingIOError:
        return False
    return True
