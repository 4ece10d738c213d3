"""The sandbox's memory: documents in SQLite. Owns the clock and the ids, so that a world can be the same twice."""

import json
import os
import sqlite3
import threading
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from roomctl.errors import LocalFailure

JSON = Any
VERSION: Final = 1
BUSY: Final = 10.0
"""Seconds to wait for another process's write."""
TOUCHED: Final = "touched"
"""The fact that says which change was the last one; not there in a world that is as it was made."""
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS document (
    kind TEXT NOT NULL, id TEXT NOT NULL, parent TEXT NOT NULL, place INTEGER NOT NULL, doc TEXT NOT NULL,
    words TEXT NOT NULL, UNIQUE (kind, id)
);
CREATE UNIQUE INDEX IF NOT EXISTS document_place ON document (kind, parent, place);
PRAGMA user_version = {VERSION};
"""

_BEYOND: Final = 2**62
"""A place that no document has, and that SQLite's integers hold with a page behind it."""
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Document(NamedTuple):
    """A document to be put: its kind, its id, what it belongs to, its fields (those with `_` are never answered)."""

    kind: str
    id: str
    parent: str
    doc: JSON


class Store:
    """The documents of one sandbox, in one file; used from several threads and processes at once.

    `place` numbers the documents of a kind below a parent from 0 without gaps, in the order of their making: a page is
    a range of places, as quick at the far end as at the start.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self.path.exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = sqlite3.connect(self.path, timeout=BUSY, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise LocalFailure(f"the sandbox cannot be opened: {self.path} ({error})") from None
        try:
            self._prepare(connection)
        except sqlite3.Error as error:
            connection.close()
            raise LocalFailure(f"the sandbox cannot be opened: {self.path} ({error})") from None
        return connection

    @staticmethod
    def _prepare(connection: sqlite3.Connection) -> None:
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            connection.execute("PRAGMA page_size = 16384")  # seven rows to a page; with 4096 it is one, half of it air
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_SCHEMA)
        # An acknowledged write survives kill -9; only a loss of power could take the last ones of a rehearsal.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16384")  # KiB: the index of a large world's ids

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it, not even a user."""
        with self._lock:
            return self._connection.execute("SELECT 1 FROM document LIMIT 1").fetchone() is None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one write lock of the file: all of what is done inside stands, or none of it.

        Raises LocalFailure when another process holds it for ten seconds, or when the disk is full.
        """
        with self._lock:
            inside = self._connection.in_transaction
            if inside:
                yield
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._undo()
                raise LocalFailure(f"the sandbox cannot be written: {error}", hint="nothing was changed") from None
            except BaseException:
                self._undo()
                raise

    def _undo(self) -> None:
        if self._connection.in_transaction:  # a full disk has undone it already
            self._connection.execute("ROLLBACK")

    def reset(self) -> None:
        """Forget everything, and give its room on the disk back."""
        with self._lock:
            with self.writing():
                self._connection.execute("DELETE FROM document")
                self._connection.execute("DELETE FROM meta")
            if not self._connection.in_transaction:
                with suppress(sqlite3.OperationalError):  # another process is reading: the space is used again later
                    self._connection.execute("VACUUM")
                    self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # The clock and the ids

    def meta(self, key: str) -> str | None:
        """Give a fact about the world."""
        with self._lock:
            row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def set_meta(self, key: str, value: str) -> None:
        """Note a fact about the world."""
        with self.writing():
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def freeze(self, now: datetime) -> None:
        """Stop the clock at a moment; ids follow from the seed from then on."""
        self.set_meta("now", now.astimezone(UTC).isoformat(timespec="seconds"))

    def now(self) -> datetime:
        """The present moment of the sandbox, in UTC, whole seconds."""
        frozen = self.meta("now")
        return datetime.fromisoformat(frozen) if frozen else datetime.now(UTC).replace(microsecond=0)

    def new_id(self) -> str:
        """Make an id: by chance, or in a world whose clock stands still by counting on from its seed."""
        if self.meta("now") is None:
            return str(uuid.uuid4())
        with self.writing():
            number = int(self.meta("ids") or "0") + 1
            self.set_meta("ids", str(number))
        return derived_id(self.meta("seed") or "", "made", number)

    # Documents

    def get(self, kind: str, key: str) -> JSON:
        """Give a document by id; None where there is none."""
        with self._lock:
            row = self._connection.execute("SELECT doc FROM document WHERE kind = ? AND id = ?", (kind, key)).fetchone()
        return json.loads(row[0]) if row else None

    def all(self, kind: str, parent: str) -> list[JSON]:
        """Give the documents of a kind below a parent, in the order of their making."""
        sql = "SELECT doc FROM document WHERE kind = ? AND parent = ? ORDER BY place"
        with self._lock:
            return [json.loads(row[0]) for row in self._connection.execute(sql, (kind, parent))]

    def among(self, kind: str, field: str, value: str) -> list[JSON]:
        """Give the documents of a kind whose field is a value."""
        sql = "SELECT doc FROM document WHERE kind = ? AND json_extract(doc, ?) = ? ORDER BY parent, place"
        with self._lock:
            return [json.loads(row[0]) for row in self._connection.execute(sql, (kind, f"$.{field}", value))]

    def page(
        self, kind: str, parent: str, *, page: int, size: int, sort: str = "", text: str = "", newest: bool = False
    ) -> list[JSON]:
        """Give a page of documents. `sort` is a field, with `,desc` turned round; `text` must stand in a value.

        `newest`: those made last come first.
        """
        first = min(page * size, _BEYOND)
        where, values = "kind = ? AND parent = ?", [kind, parent]
        if text:
            where, values = f"{where} AND instr(words, ?)", [*values, text.casefold()]
        with self._lock:
            if newest:
                last = self._next_place(kind, parent) - first
                sql = f"SELECT doc FROM document WHERE {where} AND place >= ? AND place < ? ORDER BY place DESC"  # noqa: S608  (constants)
                found = self._connection.execute(sql, (*values, last - size, last)).fetchall()
            elif not sort and not text:
                sql = f"SELECT doc FROM document WHERE {where} AND place >= ? AND place < ? ORDER BY place"  # noqa: S608  (constants)
                found = self._connection.execute(sql, (*values, first, first + size)).fetchall()
            else:
                field, _, direction = sort.partition(",")
                order = (
                    f"json_extract(doc, '$.' || ?) {'DESC' if direction == 'desc' else 'ASC'}, place"
                    if sort
                    else "place"
                )
                sql = f"SELECT doc FROM document WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?"  # noqa: S608  (constants)
                values += [field] if sort else []
                found = self._connection.execute(sql, (*values, size, first)).fetchall()
        return [json.loads(row[0]) for row in found]

    def find(self, kind: str, field: str, value: str) -> JSON:
        """Give the first document of a kind whose field is a value, whatever its case; None where there is none."""
        sql = (
            "SELECT doc FROM document WHERE kind = ? AND lower(json_extract(doc, ?)) = lower(?) ORDER BY place LIMIT 1"
        )
        with self._lock:
            row = self._connection.execute(sql, (kind, f"$.{field}", value)).fetchone()
        return json.loads(row[0]) if row else None

    def untouched(self) -> None:
        """Take the world as it stands for one that was just made."""
        with self.writing():
            self._connection.execute("DELETE FROM meta WHERE key = ?", (TOUCHED,))

    def put(self, document: Document, *, touches: bool = True) -> None:
        """Put a document: a new one at the end of its parent, a known one in its place.

        What the passing of time does to a document does not touch the world.
        """
        self.put_all([document], touches=touches)

    def put_all(self, documents: Iterable[Document], *, touches: bool = True) -> None:
        """Put many documents of any kinds, all or none."""
        places: dict[tuple[str, str], int] = {}
        with self.writing():
            if touches:
                self.set_meta(TOUCHED, os.urandom(8).hex())
            for each in documents:
                below = (each.kind, each.parent)
                text, words = _ENCODE(each.doc), searchable(each.doc)
                if below not in places:
                    places[below] = self._next_place(*below)
                made = self._connection.execute(
                    "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (kind, id) DO UPDATE SET doc = excluded.doc, words = excluded.words RETURNING place",
                    (each.kind, each.id, each.parent, places[below], text, words),
                ).fetchone()
                places[below] += made[0] == places[below]

    def add_all(self, kind: str, parent: str, documents: Iterable[tuple[str, JSON, str]]) -> None:
        """Add many new documents of one kind below a parent: id, fields, and the texts that `text` searches."""
        with self.writing():
            first = self._next_place(kind, parent)
            self._connection.executemany(
                "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (kind, key, parent, place, _ENCODE(doc), words)
                    for place, (key, doc, words) in enumerate(documents, first)
                ),
            )

    def move(self, document: Document) -> None:
        """Put a known document at the end of another parent; those behind it move up."""
        with self.writing():
            found = "SELECT parent, place FROM document WHERE kind = ? AND id = ?"
            parent, place = self._connection.execute(found, (document.kind, document.id)).fetchone()
            self._connection.execute("DELETE FROM document WHERE kind = ? AND id = ?", (document.kind, document.id))
            below = "UPDATE document SET place = -place WHERE kind = ? AND parent = ? AND place > ?"
            above = "UPDATE document SET place = -place - 1 WHERE kind = ? AND parent = ? AND place < 0"
            self._connection.execute(below, (document.kind, parent, place))  # in two steps: no two share a place
            self._connection.execute(above, (document.kind, parent))
            self.put(document)

    def _next_place(self, kind: str, parent: str) -> int:
        sql = "SELECT coalesce(max(place) + 1, 0) FROM document WHERE kind = ? AND parent = ?"
        return int(self._connection.execute(sql, (kind, parent)).fetchone()[0])

    def count(self, kind: str, parent: str) -> int:
        """How many documents of a kind are below a parent."""
        return self._next_place(kind, parent)

    def total(self, kind: str) -> int:
        """How many documents of a kind there are."""
        with self._lock:
            return int(self._connection.execute("SELECT count(*) FROM document WHERE kind = ?", (kind,)).fetchone()[0])


def derived_id(*parts: object) -> str:
    """Make an id that follows from its parts: a uuid of version 4 in form."""
    text = sha256("\0".join(map(str, parts)).encode()).hexdigest()
    variant = "89ab"[int(text[16], 16) & 3]
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{variant}{text[17:20]}-{text[20:32]}"


def encoded(value: JSON) -> bytes:
    """Write JSON as it is answered; half of a surrogate pair, which UTF-8 has not, as an escape."""
    return _ENCODE(value).encode("utf-8", "backslashreplace")


def searchable(value: JSON) -> str:
    """Put together the texts of a document in which `text` is looked for: its values at any depth, not its keys."""
    return "\n".join(_texts(value)).casefold()


def _texts(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            if not name.startswith("_") and "bearer" not in name.lower():
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def answered(document: JSON) -> JSON:
    """Give a document as it is answered: without its inner fields."""
    return {name: value for name, value in document.items() if not name.startswith("_")}


def moment(when: datetime) -> str:
    """Write a moment as the service does: RFC 3339 in UTC."""
    return when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


__all__: Sequence[str] = ["Document", "Store", "answered", "derived_id", "encoded", "moment", "searchable"]
