"""The active faults and the log of all requests: a file of their own, so that noting one never waits for the world."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from roomctl.sandbox.faults import ActiveFault, Fault, read
from roomctl.sandbox.messages import RawRequest
from roomctl.sandbox.store import Database
from roomctl.text import JSON

LONGEST_LOG: Final = 10_000
"""Requests that the log keeps; older ones go."""


class FaultStore(Database):
    """Faults and log in one file, used from several threads and processes. `own` are faults of this process only."""

    what = "the sandbox's log"
    schema = """
        CREATE TABLE IF NOT EXISTS fault (id INTEGER PRIMARY KEY AUTOINCREMENT, fault TEXT NOT NULL,
            added REAL NOT NULL, seen INTEGER NOT NULL DEFAULT 0, fired INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE IF NOT EXISTS request (id INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL);
    """
    pragmas = "PRAGMA synchronous = OFF;"  # what a rehearsal saw need not survive a loss of power

    def __init__(self, path: Path, own: Sequence[Fault] = (), *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(path)
        self._clock = clock
        self._own = [ActiveFault(-number, fault, clock()) for number, fault in enumerate(own, 1)]

    # Faults

    def add(self, faults: Sequence[Fault]) -> None:
        rows = [(json.dumps(fault._asdict()), self._clock()) for fault in faults]
        with self.writing() as connection:
            connection.executemany("INSERT INTO fault (fault, added) VALUES (?, ?)", rows)

    def clear(self) -> int:
        with self.writing() as connection:
            return connection.execute("DELETE FROM fault").rowcount

    def faults(self) -> list[ActiveFault]:
        with self._lock:
            rows = self._connection.execute("SELECT id, fault, added, seen, fired FROM fault ORDER BY id").fetchall()
        return [*self._own, *(ActiveFault(row[0], read(json.loads(row[1])), *row[2:]) for row in rows)]

    def is_active(self, fault: ActiveFault) -> bool:
        return not fault.has_ended(self._clock())

    def meet(self, request: RawRequest) -> Fault | None:
        """Give the first fault that is applied to a request, beside the first temperament, and count."""
        with self._lock:
            if not self._own and self._connection.execute("SELECT 1 FROM fault LIMIT 1").fetchone() is None:
                return None
        found: dict[bool, Fault] = {}
        with self.writing() as connection:
            for each in self.faults():
                like, before = "like" in each.fault.fault, each.seen
                if like not in found and each.meet(request, self._clock()):
                    found[like] = each.fault
                if each.number > 0 and each.seen != before:
                    counts = (each.seen, each.fired, each.number)
                    connection.execute("UPDATE fault SET seen = ?, fired = ? WHERE id = ?", counts)
        fault, temperament = found.get(False), found.get(True)
        if fault is None or temperament is None:
            return fault or temperament
        return fault._replace(fault={**temperament.fault, **fault.fault})

    # The log

    def note(self, entry: JSON) -> None:
        with self.writing() as connection:
            sql = "INSERT INTO request (entry) VALUES (?)"
            number = connection.execute(sql, (json.dumps(entry, ensure_ascii=True),)).lastrowid or 0
            if number % 100 == 0:
                connection.execute("DELETE FROM request WHERE id <= ?", (number - LONGEST_LOG,))

    def log(self, after: int = 0) -> list[JSON]:
        """Give the requests in the order of their answers, each with its number; `after`: only later ones."""
        with self._lock:
            rows = self._connection.execute("SELECT id, entry FROM request WHERE id > ? ORDER BY id", (after,))
            return [{"number": number, **json.loads(entry)} for number, entry in rows]

    def forget(self) -> int:
        with self.writing() as connection:
            return connection.execute("DELETE FROM request").rowcount
