"""Telling rows apart: the key of a row, and a set of keys whose memory does not grow with the list (R32, R35)."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from hashlib import blake2b, sha256

from roomctl.contract.paging import Rows
from roomctl.contract.records import NIL, UUID, folded, is_uuid
from roomctl.errors import LocalFailure
from roomctl.text import JSON
from roomctl.text.times import moment

SPILL_AT = 200_000
_sorted = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode

_AT_ONCE = 500  # keys in one query
_MOMENT = re.compile(r'"\d{4}-\d\d-\d\dT[\d:]+(?:(?:\.\d{1,6})?[+-]\d\d:?\d\d|\.\d{0,5}0Z)"')
"""A moment in another form than that in which it is compared."""
_SIGNED = re.compile(r'("\w+ImageURI":"[^"?]*)\?[^"]*')


def canonical(value: JSON) -> str:
    """Write a JSON value in the one form that does not depend on the order of its fields; ASCII only."""
    try:
        return _sorted(value)
    except (TypeError, ValueError):  # a number kept as its text, or an integer of more than 4,300 digits
        return _sorted(_with_numbers_as_text(value))


def _with_numbers_as_text(value: JSON) -> JSON:
    from decimal import Decimal

    if isinstance(value, dict):
        return {name: _with_numbers_as_text(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_numbers_as_text(each) for each in value]
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return {"number": str(Decimal(value if isinstance(value, int) else str(value)))}
    return value


def digest(value: JSON) -> str:
    return sha256(canonical(value).encode()).hexdigest()


def fingerprint(row: JSON) -> str:
    """Give the first 32 hex digits of a row's version."""
    return version(row)[:32]


def version(row: JSON) -> str:
    """Give what tells a row's content from another's; the case of ids means nothing (R48), nor the form of a moment.

    Nor does what is behind the `?` of an image's address: some services sign it anew in each reply.
    """
    text = _MOMENT.sub(_in_utc, UUID.sub(lambda found: found[0].lower(), canonical(row)))
    return sha256((_SIGNED.sub(r"\1", text) if "ImageURI" in text else text).encode()).hexdigest()


def _in_utc(found: re.Match[str]) -> str:
    if (when := moment(found[0][1:-1])) is None:
        return found[0]
    text = when.astimezone(UTC).isoformat().removesuffix("+00:00")
    return f'"{text.rstrip("0").rstrip(".") if "." in text else text}Z"'


def key_of(row: JSON, row_id: str | None) -> str:
    """Give what identifies a row: its id where it has a usable one, else `#` and its version."""
    if type(row) is dict:
        value = row.get(row_id)
        if type(value) is str and value:
            return value
        if type(value) is int:
            return str(value)
    return "#" + version(row)


class KeyedRows(Rows):
    """A page of rows that `Decode` made, which may be no JSON values, with their keys; `shown`: all text shows."""

    keys: list[str]
    shown = False


def keys_of(rows: Sequence[JSON], row_id: str | None) -> list[str]:
    if isinstance(rows, KeyedRows):
        return rows.keys
    try:
        keys = [row[row_id] for row in rows]
        if "" not in keys and set(map(type, keys)) == {str}:
            return keys
    except (TypeError, KeyError, IndexError):  # a row without an id, or that is no object
        pass
    return [key_of(row, row_id) for row in rows]


@dataclass(eq=False)
class Distinct:
    """A set of `count` keys that only grows. Its first `spill_at` (200,000) are a set, later ones go to a file."""

    spill_at: int = field(default_factory=lambda: SPILL_AT)
    count: int = 0
    _memory: set[str] = field(default_factory=set)
    _file: "_KeyFile | None" = None

    def fresh(self, keys: Sequence[str]) -> list[bool]:
        """Add the keys; say for each whether it is seen for the first time. Raises LocalFailure for the file."""
        keys = folded_keys(keys)
        once = set(keys)
        known = once & self._memory
        if self._file is None and len(self._memory) + len(once) - len(known) <= self.spill_at:
            self._memory |= once
        elif others := once - known:
            self._file = self._file or _KeyFile()
            known |= self._file.add(others)
        self.count += len(once) - len(known)
        if not known and len(once) == len(keys):
            return [True] * len(keys)
        first = []
        for key in keys:
            first.append(key not in known)
            known.add(key)
        return first

    def lacks(self, keys: Sequence[str]) -> bool:
        """Whether any of the keys was never added. Raises LocalFailure for the file."""
        others = {*folded_keys(keys)} - self._memory
        return any(self._file is None or not self._file.has(key) for key in others)


class _KeyFile:
    """A set of keys in a temporary SQLite table; its file has no name that could be left behind."""

    def __init__(self) -> None:
        import sqlite3

        self._error = sqlite3.Error
        with self._named_failure():
            self._table = sqlite3.connect("", isolation_level=None)
            self._table.executescript(
                "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-4096;"
                "CREATE TABLE keys (key BLOB PRIMARY KEY) WITHOUT ROWID; BEGIN"
            )

    def add(self, keys: set[str]) -> set[str]:
        """Add keys, and give those that were there before."""
        stored = {_stored(key): key for key in keys}
        digests = sorted(stored)  # in the order of the table they are found and added in fewer steps
        with self._named_failure():
            found = set[bytes]()
            for at in range(0, len(digests), _AT_ONCE):
                part = digests[at : at + _AT_ONCE]
                sql = f"SELECT key FROM keys WHERE key IN ({','.join('?' * len(part))})"  # noqa: S608  (question marks)
                found.update(row[0] for row in self._table.execute(sql, part))
            self._table.executemany("INSERT INTO keys VALUES (?)", [(each,) for each in digests if each not in found])
        return {stored[each] for each in found}

    def has(self, key: str) -> bool:
        with self._named_failure():
            return self._table.execute("SELECT 1 FROM keys WHERE key = ?", (_stored(key),)).fetchone() is not None

    @contextmanager
    def _named_failure(self) -> Iterator[None]:
        try:
            yield
        except self._error as error:
            raise LocalFailure(f"cannot keep the ids of the list in a temporary file: {error}") from error


def _stored(key: str) -> bytes:
    return blake2b(key.encode(errors="surrogatepass"), digest_size=16).digest()


def folded_keys(keys: Sequence[str]) -> Sequence[str]:
    """Give keys in which it means nothing how an id is written (R48). A usual page costs two looks at one text."""
    text = "\n".join(keys)
    if len(text) == len(keys) * (len(NIL) + 1) - 1 and text == text.lower():
        return keys
    return [key if key[:1] == "#" or not is_uuid(other := folded(key)) else other for key in keys]
