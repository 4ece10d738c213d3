"""The sandbox's memory: documents in SQLite. Owns the clock and the ids, so that a world can be the same twice."""

import json
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from roomctl.errors import LocalFailure
from roomctl.text import JSON

BUSY = 10.0  # seconds to wait for another process's write
_BEYOND: Final = 2**62  # a place that no document has, and that SQLite's integers hold with a page behind it
_INSERT: Final = "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)"
_OR_CHANGE: Final = "ON CONFLICT (kind, id) DO UPDATE SET doc = excluded.doc, words = excluded.words RETURNING place"
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Database:
    """A private SQLite file for several threads and processes: one writer, all or nothing. `what` is its name."""

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


class Document(NamedTuple):
    """A document: its kind, its id, what it belongs to, its fields (those with `_` are never answered)."""

    kind: str
    id: str
    parent: str
    doc: JSON

    def row(self, place: int) -> tuple[str | int, ...]:
        return self.kind, self.id, self.parent, place, _ENCODE(self.doc), "\n".join(_texts(self.doc)).casefold()


class Store(Database):
    """The documents of one sandbox.

    `place` numbers the documents of a kind below a parent from 0, in the order of their creation, without gaps but for
    those that were moved away: a page is a range of places, as quick at the far end as at the start.
    """

    what = "the sandbox"
    schema = """
        CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS document (
            kind TEXT NOT NULL, id TEXT NOT NULL, parent TEXT NOT NULL, place INTEGER NOT NULL, doc TEXT NOT NULL,
            words TEXT NOT NULL, UNIQUE (kind, id)
        );
        CREATE UNIQUE INDEX IF NOT EXISTS document_place ON document (kind, parent, place);
    """
    # Seven rows fit on a page of 16 KiB; with 4 KiB it is one, half of it air.
    new_pragmas = "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL;"
    # An acknowledged write survives kill -9; only a loss of power could take the last ones of a rehearsal.
    # The cache, in KiB, holds the index of a large world's ids.
    pragmas = "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;"

    @property
    def empty(self) -> bool:
        return not self._select("SELECT 1 FROM document LIMIT 1")

    def reset(self) -> None:
        with self._lock:
            with self.writing() as connection:
                connection.execute("DELETE FROM document")
                connection.execute("DELETE FROM meta")
            if not connection.in_transaction:
                with suppress(sqlite3.OperationalError):  # another process is reading: the space is used again later
                    connection.execute("VACUUM")
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _select(self, sql: str, *values: Any) -> list[Any]:
        with self._lock:
            return [row[0] for row in self._connection.execute(sql, values)]

    def _documents(self, where: str, *values: Any) -> list[JSON]:
        rows = self._select(f"SELECT doc FROM document WHERE kind = ? {where}", *values)  # noqa: S608  (constants)
        return list(map(json.loads, rows))

    # The clock and the ids

    def meta(self, key: str) -> str | None:
        return next(iter(self._select("SELECT value FROM meta WHERE key = ?", key)), None)

    def set_meta(self, key: str, value: str) -> None:
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def freeze(self, now: datetime) -> None:
        """Stop the clock at a moment; ids follow from the seed from then on."""
        self.set_meta("now", now.astimezone(UTC).isoformat(timespec="seconds"))

    def now(self) -> datetime:
        frozen = self.meta("now")
        return datetime.fromisoformat(frozen) if frozen else datetime.now(UTC).replace(microsecond=0)

    def new_id(self) -> str:
        """Make an id: random, or in a world whose clock stands still by counting on from its seed."""
        if self.meta("now") is None:
            return str(uuid.uuid4())
        with self.writing():
            number = int(self.meta("ids") or "0") + 1
            self.set_meta("ids", str(number))
        return derived_id(self.meta("seed") or "", "made", number)

    # Reading

    def get(self, kind: str, key: str) -> JSON:
        return next(iter(self._documents("AND id = ?", kind, key)), None)

    def all(self, kind: str, parent: str) -> list[JSON]:
        return self._documents("AND parent = ? ORDER BY place", kind, parent)

    def where(self, kind: str, field: str, value: str | bool) -> list[JSON]:
        return self._documents("AND json_extract(doc, ?) = ? ORDER BY parent, place", kind, f"$.{field}", value)

    def find(self, kind: str, field: str, value: str) -> JSON:
        """Give the first document of a kind whose field is a value, whatever its case; None where there is none."""
        where = "AND lower(json_extract(doc, ?)) = lower(?) ORDER BY place LIMIT 1"
        return next(iter(self._documents(where, kind, f"$.{field}", value)), None)

    def page(
        self, kind: str, parent: str, *, page: int, size: int, sort: str = "", text: str = "", newest: bool = False
    ) -> list[JSON]:
        """Give a page of documents, `newest` first or sorted by a field (`name,desc`), with a `text` in a value."""
        first = min(page * size, _BEYOND)
        where, values = "AND parent = ? ", [kind, parent]
        if not (sort or text or newest):
            return self._documents(f"{where} AND place >= ? AND place < ? ORDER BY place", *values, first, first + size)
        if text:
            where, values = f"{where} AND instr(words, ?) ", [*values, text.casefold()]
        field, _, direction = sort.partition(",")
        where += f"ORDER BY json_extract(doc, ?) {'DESC' if direction == 'desc' else 'ASC'}, " if sort else "ORDER BY "
        values += [f"$.{field}"] if sort else []
        return self._documents(f"{where}place {'DESC' if newest else 'ASC'} LIMIT ? OFFSET ?", *values, size, first)

    def count(self, kind: str, parent: str) -> int:
        sql = "SELECT coalesce(max(place) + 1, 0) FROM document WHERE kind = ? AND parent = ?"
        return int(self._select(sql, kind, parent)[0])

    # Writing

    def put(self, *documents: Document) -> None:
        """Put documents, all or none: a new one at the end of its parent, a known one in its place."""
        places: dict[tuple[str, str], int] = {}
        with self.writing() as connection:
            for each in documents:
                below = (each.kind, each.parent)
                if below not in places:
                    places[below] = self.count(*below)
                made = connection.execute(f"{_INSERT} {_OR_CHANGE}", each.row(places[below])).fetchone()
                places[below] += made[0] == places[below]

    def add_all(self, documents: Iterable[Document]) -> None:
        with self.writing() as connection:
            connection.executemany(_INSERT, (each.row(place) for place, each in enumerate(documents)))

    def move(self, document: Document) -> None:
        """Put a known document, of a kind that is never paged, at the end of another parent."""
        with self.writing() as connection:
            connection.execute("DELETE FROM document WHERE kind = ? AND id = ?", (document.kind, document.id))
            self.put(document)


def derived_id(*parts: object) -> str:
    """Make an id that follows from its parts: a uuid of version 4 in form."""
    text = sha256("\0".join(map(str, parts)).encode()).hexdigest()
    variant = "89ab"[int(text[16], 16) & 3]
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{variant}{text[17:20]}-{text[20:32]}"


def encode(value: JSON) -> bytes:
    """Write JSON as it is answered; half of a surrogate pair, which UTF-8 does not have, as an escape."""
    return _ENCODE(value).encode("utf-8", "backslashreplace")


def _texts(value: JSON) -> Iterator[str]:
    """Give the texts of a document in which `text` is looked for: its values at any depth, not its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            if not name.startswith("_") and "bearer" not in name.lower():
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def moment(when: datetime) -> str:
    return when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
