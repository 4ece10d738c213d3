"""A private SQLite file that several threads and processes use at once: one writer, all or nothing."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar

from roomctl.errors import LocalFailure

BUSY = 10.0
"""Seconds to wait for another process's write."""


class Database:
    """A file with a schema; `what` is its name in messages, `pragmas` are set on every connection."""

    what: ClassVar[str]
    version: ClassVar[int] = 1
    schema: ClassVar[str]
    pragmas: ClassVar[str]
    new_pragmas: ClassVar[str] = "PRAGMA journal_mode = WAL;"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        deadline = time.monotonic() + BUSY
        while True:
            try:
                self._connection = self._open()
                return
            except (OSError, sqlite3.Error) as error:
                # Making a new file, and the switch to WAL, are refused at once where another process does the same:
                # SQLite's own timeout does not hold there.
                if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY and time.monotonic() < deadline:
                    time.sleep(0.01)
                    continue
                raise LocalFailure(f"{self.what} cannot be opened: {path} ({error})") from None

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self.path, timeout=BUSY, isolation_level=None, check_same_thread=False)
        try:
            if connection.execute("PRAGMA user_version").fetchone()[0] != self.version:
                connection.executescript(f"{self.new_pragmas}{self.schema}PRAGMA user_version = {self.version};")
            connection.executescript(self.pragmas)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Hold the one write lock of the file: all of what is done inside is kept, or none. Raises LocalFailure."""
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                self._connection.rollback()  # which does nothing where a full disk has undone it already
                if isinstance(error, sqlite3.Error):
                    raise LocalFailure(f"{self.what} cannot be written, so nothing was changed: {error}") from None
                raise


def damage(path: Path) -> str:
    """Say what is wrong with a database's file; empty where nothing is, also where there is no file."""
    if not path.exists():
        return ""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2.0)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    except sqlite3.Error as error:
        return str(error)
    return "" if found == ["ok"] else "; ".join(map(str, found))
