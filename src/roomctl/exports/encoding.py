"""JSON values to bytes and back: quick for what is usual, exact for what is not."""

import json
import re
from collections.abc import Sequence
from typing import Any

from roomctl.exports.cells import HIDDEN, shows
from roomctl.exports.exact import compact, has_fractions, loads
from roomctl.exports.pages import QuickRows

JSON = Any
_HIDDEN = re.compile(f"[\t\r{HIDDEN}]")


def encode(value: JSON) -> bytes:
    """Write texts, numbers, true, false, null and what nests them as JSON, UTF-8; a lone surrogate as its escape."""
    from msgspec import json as quick

    try:
        return quick.encode(value)
    except (ValueError, TypeError, OverflowError):  # a lone surrogate, a number of a kind of its own, a large integer
        return _shown(compact(value))


def decode(data: bytes) -> JSON:
    """Read what `encode` wrote."""
    from msgspec import DecodeError
    from msgspec import json as quick

    try:
        return quick.decode(data)
    except DecodeError:
        return loads(data.decode())


def lines(rows: Sequence[JSON], *, shown: bool = False) -> bytes:
    """Write rows as JSON, one to a line, exactly; what would not show is escaped, so nothing is lost (R25).

    A page may bring its lines along; `shown`: all their text is known to show.
    """
    if not rows:
        return b""
    if isinstance(rows, QuickRows) and rows.lines:
        data = rows.lines
    elif not _is_raw(rows[0]) and has_fractions(list(rows)):
        return b"".join([_shown(compact(row)) + b"\n" for row in rows])
    else:
        data = b"\n".join([*map(encode, rows), b""])
    return data if shown or shows(data) else _shown(data.decode())


def _is_raw(row: JSON) -> bool:
    """Whether a row is an object whose members are JSON already."""
    from msgspec import Raw

    return type(row) is dict and isinstance(next(iter(row.values()), None), Raw)


def pretty(value: JSON) -> bytes:
    """Write a value as JSON for people, with a final newline."""
    return _shown(json.dumps(value, ensure_ascii=False, indent=2)) + b"\n"


def _shown(text: str) -> bytes:
    return _HIDDEN.sub(_escape, text).encode()


def _escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1] if match[0] != "\x7f" else "\\u007f"
