"""Telling rows apart: the key of a row, and a set of keys whose memory does not grow with the list (R32, R35)."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from roomctl.errors import LocalFailure

JSON = Any
SPILL_AT = 200_000
_AT_ONCE = 900  # SQLite's oldest limit of variables in one statement is 999


def canonical(value: JSON) -> str:
    """Write a JSON value in the one form that does not depend on the order of its fields; ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def digest(value: JSON) -> str:
    """Give the sha256 of the canonical form, in hex."""
    return sha256(canonical(value).encode()).hexdigest()


def fingerprint(row: JSON) -> str:
    """Give what tells a row's content from another's, in 32 hex digits."""
    return digest(row)[:32]


def key_of(row: JSON, row_id: str | None) -> str:
    """Give what identifies a row: its id where it has a usable one, else `#` and the digest of the whole row."""
    if type(row) is dict:
        value = row.get(row_id)
        if type(value) is str and value:
            return value
        if type(value) is int:
            return str(value)
    return "#" + digest(row)


class Distinct:
    """A set of keys that only grows. Above `spill_at` keys the older ones move to a temporary database on disk."""

    def __init__(self, spill_at: int = SPILL_AT) -> None:
        self._spill_at = spill_at
        self._young: set[str] = set()
        self._disk: _Disk | None = None
        self._spilled = 0

    def __len__(self) -> int:
        return self._spilled + len(self._young)

    def fresh(self, keys: Sequence[str]) -> list[bool]:
        """Add the keys; say for each whether it is seen for the first time."""
        once = set(keys)
        known = self._known(once)
        self._add(once - known if known else once)
        if not known and len(once) == len(keys):
            return [True] * len(keys)
        first = []
        for key in keys:
            first.append(key not in known)
            known.add(key)
        return first

    def _known(self, keys: set[str]) -> set[str]:
        known = keys & self._young
        return known if self._disk is None else known | self._disk.among(keys - known)

    def _add(self, keys: set[str]) -> None:
        self._young |= keys
        if len(self._young) >= self._spill_at:
            self._disk = self._disk or _Disk()
            self._disk.add(self._young)
            self._spilled += len(self._young)
            self._young = set()


class _Disk:
    """The spilled keys, in a private temporary database that vanishes with the process, however it ends."""

    def __init__(self) -> None:
        import sqlite3

        self._failures = sqlite3.Error
        self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._db.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-8000;"
            "CREATE TABLE seen (key BLOB PRIMARY KEY) WITHOUT ROWID;"
        )

    def add(self, keys: set[str]) -> None:
        """Add keys that are not present; sorted, so that neighbours share a page."""
        rows = sorted(_blob(key) for key in keys)
        try:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT INTO seen VALUES (?)", ((row,) for row in rows))
            self._db.execute("COMMIT")
        except self._failures as error:
            raise LocalFailure(f"cannot keep the ids of the list on disk: {error}") from error

    def among(self, keys: set[str]) -> set[str]:
        """Give those of the keys that are present."""
        rows = sorted(_blob(key) for key in keys)
        found: set[str] = set()
        for start in range(0, len(rows), _AT_ONCE):
            part = rows[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            present = self._db.execute(f"SELECT key FROM seen WHERE key IN ({marks})", part)  # noqa: S608  only `?` go in
            found.update(key.decode("utf-8", "surrogatepass") for (key,) in present)
        return found


def _blob(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")
