"""The sandbox's stage, beside its world: the faults that stand, how often each was met, and the log of all requests.

A file of its own, so that noting a request never waits for the world, nor is a snapshot of the world full of requests.
"""

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from roomctl.errors import LocalFailure
from roomctl.sandbox.faults import Fault, Request, read

JSON = Any
MOST: Final = 10_000
"""Requests that the log keeps; older ones go."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS fault (id INTEGER PRIMARY KEY AUTOINCREMENT, fault TEXT NOT NULL, added REAL NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0, fired INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS request (id INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL);
"""


class Standing:
    """A fault that stands: since when, how many requests it was about, and how many of them it has met."""

    def __init__(self, number: int, fault: Fault, added: float, seen: int = 0, fired: int = 0) -> None:
        self.number, self.fault, self.added, self.seen, self.fired = number, fault, added, seen, fired

    def over(self, now: float) -> bool:
        """Whether it has ended by itself."""
        times, ttl = self.fault.times, self.fault.ttl
        return (times is not None and self.fired >= times) or (ttl > 0 and now >= self.added + ttl)

    def meet(self, request: Request, now: float) -> bool:
        """Count a request that it is about, and say whether it is applied to it."""
        if self.over(now) or not self._about(request):
            return False
        self.seen += 1
        match = self.fault.match
        first = int(match.get("nth", int(match.get("after", 0)) + 1))
        if self.seen < first or not self._by_chance():
            return False
        self.fired += 1
        return True

    def _about(self, request: Request) -> bool:
        """A revoked key is refused everywhere; before that, it is the page that counts."""
        revoked = self.fault.fault.get("key-revoked")
        if revoked is None:
            return self.fault.meets(request)
        return self.fired > 0 or (
            self.fault.meets(request) and request.page is not None and request.page >= float(revoked)
        )

    def _by_chance(self) -> bool:
        share = self.fault.match.get("probability")
        seed = f"{self.fault.match.get('seed', 1)}/{self.number}/{self.seen}"
        return share is None or Random(seed).random() < float(share)  # noqa: S311  (chance that can be repeated)


class Stage:
    """Faults and log in one file, used from several threads and processes. `own` are faults of this process only."""

    def __init__(self, path: Path, own: Sequence[Fault] = (), *, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.RLock()
        self._connection = self._open()
        self._own = [Standing(-number, fault, clock()) for number, fault in enumerate(own, 1)]

    def _open(self) -> sqlite3.Connection:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._path.exists():
                os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = sqlite3.connect(self._path, timeout=10.0, isolation_level=None, check_same_thread=False)
            if connection.execute("PRAGMA user_version").fetchone()[0] != 1:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript(f"{_SCHEMA}PRAGMA user_version = 1;")
            connection.execute("PRAGMA synchronous = OFF")  # what a rehearsal saw need not survive a loss of power
        except (OSError, sqlite3.Error) as error:
            raise LocalFailure(f"the sandbox's log cannot be opened: {self._path} ({error})") from None
        return connection

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise LocalFailure(f"the sandbox's log cannot be written: {error}") from None

    # Faults

    def add(self, faults: Sequence[Fault]) -> None:
        """Let faults stand, behind those that do."""
        rows = [(json.dumps(fault.document()), self._clock()) for fault in faults]
        with self._writing() as connection:
            connection.executemany("INSERT INTO fault (fault, added) VALUES (?, ?)", rows)

    def clear(self) -> int:
        """Take all faults away, and say how many there were."""
        with self._writing() as connection:
            return connection.execute("DELETE FROM fault").rowcount

    def standing(self) -> list[Standing]:
        """Give the faults in their order, ended ones too: those of this process first."""
        with self._lock:
            rows = self._connection.execute("SELECT id, fault, added, seen, fired FROM fault ORDER BY id").fetchall()
        return [*self._own, *(Standing(row[0], read(json.loads(row[1])), *row[2:]) for row in rows)]

    def lasting(self, standing: Standing, now: float | None = None) -> bool:
        """Whether a fault has not ended."""
        return not standing.over(self._clock() if now is None else now)

    def meet(self, request: Request) -> Fault | None:
        """Give the first fault that is applied to a request, beside the first temperament, and count."""
        with self._lock:
            if not self._own and self._connection.execute("SELECT 1 FROM fault LIMIT 1").fetchone() is None:
                return None
            with self._writing() as connection:
                return self._met(connection, request)

    def _met(self, connection: sqlite3.Connection, request: Request) -> Fault | None:
        now = self._clock()
        found: dict[bool, Fault] = {}
        for each in self.standing():
            like = "like" in each.fault.fault
            if like in found:
                continue
            before = each.seen
            if each.meet(request, now):
                found[like] = each.fault
            if each.number > 0 and each.seen != before:
                counts = (each.seen, each.fired, each.number)
                connection.execute("UPDATE fault SET seen = ?, fired = ? WHERE id = ?", counts)
        return found[False].beside(found.get(True)) if False in found else found.get(True)

    # The log

    def note(self, entry: JSON) -> None:
        """Write down a request."""
        with self._writing() as connection:
            sql = "INSERT INTO request (entry) VALUES (?)"
            number = connection.execute(sql, (json.dumps(entry, ensure_ascii=True),)).lastrowid or 0
            if number % 100 == 0:
                connection.execute("DELETE FROM request WHERE id <= ?", (number - MOST,))

    def log(self, after: int = 0) -> list[JSON]:
        """Give the requests in the order of their answers, each with its number; `after`: only later ones."""
        with self._lock:
            rows = self._connection.execute("SELECT id, entry FROM request WHERE id > ? ORDER BY id", (after,))
            return [{"number": number, **json.loads(entry)} for number, entry in rows]

    def forget(self) -> int:
        """Empty the log, and say how many requests it had."""
        with self._writing() as connection:
            return connection.execute("DELETE FROM request").rowcount
