"""Telling rows apart: the key of a row, and a set of keys whose memory does not grow with the list (R32, R35)."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from roomctl.contract.records import folded, is_uuid
from roomctl.exports.exact import compact

if TYPE_CHECKING:
    from roomctl.exports.spilled import Spilled

JSON = Any
SPILL_AT = 150_000  # the table of a set doubles at 157,286
_sorted = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def canonical(value: JSON) -> str:
    """Write a JSON value in the one form that does not depend on the order of its fields; ASCII only."""
    try:
        return _sorted(value)
    except (TypeError, ValueError):  # a number kept as its text, or an integer of more than 4,300 digits
        return _sorted(json.loads(compact(value), parse_int=_number, parse_float=_number))


def _number(text: str) -> dict[str, str]:
    from decimal import Decimal

    return {"number": str(Decimal(text))}


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


def keys_of(rows: Sequence[JSON], row_id: str | None) -> list[str]:
    """Give the keys of rows."""
    try:
        keys = [row[row_id] for row in rows]
        if "" not in keys and set(map(type, keys)) == {str}:
            return keys
    except (TypeError, KeyError, IndexError):  # a row without an id, or that is no object
        pass
    return [key_of(row, row_id) for row in rows]


def _folded(keys: Sequence[str]) -> Sequence[str]:
    """Give keys in which the case of ids means nothing (R48). A page without capitals costs two looks at one text."""
    text = "\n".join(keys)
    return keys if text == text.lower() else [folded(key) if is_uuid(key) else key for key in keys]


class Distinct:
    """A set of keys that only grows. Its first `spill_at` keys (150,000) are a set, later ones go to `Spilled`."""

    def __init__(self, spill_at: int | None = None) -> None:
        self._room = SPILL_AT if spill_at is None else spill_at
        self._memory: set[str] = set()
        self._spilled: Spilled | None = None

    def __len__(self) -> int:
        return len(self._memory) + (self._spilled.count if self._spilled else 0)

    def fresh(self, keys: Sequence[str]) -> list[bool]:
        """Add the keys; say for each whether it is seen for the first time."""
        keys = _folded(keys)
        once = set(keys)
        known = once & self._memory
        if self._spilled is None and len(self._memory) + len(once) - len(known) <= self._room:
            self._memory |= once
        elif others := once - known:
            known |= others - self._spill(others)
        if not known and len(once) == len(keys):
            return [True] * len(keys)
        first = []
        for key in keys:
            first.append(key not in known)
            known.add(key)
        return first

    def _spill(self, keys: set[str]) -> set[str]:
        """Add keys to those on disk; give the new ones."""
        if self._spilled is None:
            from roomctl.exports.spilled import Spilled

            self._spilled = Spilled()
        return self._spilled.fresh(keys)
