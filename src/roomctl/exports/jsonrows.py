"""Rows as JSON text: a row to a line, or one array; quick for what is usual, exact for what is not.

Pages are kept as the text that they will be.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from roomctl.exports.cells import HIDDEN, shows
from roomctl.exports.exact import DECODER, compact, has_fractions, loads
from roomctl.exports.formats import Sheet

JSON = Any
_CHUNK = 1 << 20
_BETWEEN = re.compile(r"[ \t\r\n,]*")
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

    A row that is bytes is its line; `shown`: all text is known to show.
    """
    if rows and type(rows[0]) is bytes:
        data = b"\n".join([*rows, b""])
    elif has_fractions(list(rows)):
        return b"".join([_shown(compact(row)) + b"\n" for row in rows])
    else:
        data = b"".join([encode(row) + b"\n" for row in rows])
    return data if shown or shows(data) else _shown(data.decode())


def pretty(value: JSON) -> bytes:
    """Write a value as JSON for people, with a final newline."""
    return _shown(json.dumps(value, ensure_ascii=False, indent=2)) + b"\n"


def _shown(text: str) -> bytes:
    return _HIDDEN.sub(_escape, text).encode()


def _escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1] if match[0] != "\x7f" else "\\u007f"


class _Lines:
    """Rows as they came, one to a line."""

    finish = None

    def keep(self, page: Sequence[JSON], sheet: Sheet) -> bytes:
        return lines(page, shown=sheet.shown)

    def ending(self, _: Sheet) -> bytes:
        return b""

    def read(self, path: Path) -> Iterator[JSON]:
        with path.open("rb") as file:
            for line in file:
                if line.strip():
                    yield loads(line.decode())


class _Array:
    """Rows as they came, as the elements of one array, one to a line."""

    finish = None

    def keep(self, page: Sequence[JSON], sheet: Sheet) -> bytes:
        return (b",\n" if sheet.begun else b"[\n") + lines(page, shown=sheet.shown)[:-1].replace(b"\n", b",\n")

    def ending(self, sheet: Sheet) -> bytes:
        return b"\n]\n" if sheet.begun else b"[]\n"

    def read(self, path: Path) -> Iterator[JSON]:
        """Read an array of any layout without holding it: more text is read where an element is not yet whole."""
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_CHUNK).lstrip()
            if not text.startswith("["):
                raise ValueError("not an array")
            at = 1
            while (at := _BETWEEN.match(text, at).end()) == len(text) or text[at] != "]":  # type: ignore[union-attr]
                try:
                    value, end = DECODER.raw_decode(text, at)
                except ValueError:
                    end = len(text)
                if end == len(text):  # cut off, or a number that could go on
                    text, at = text[at:] + _more(file), 0
                    continue
                yield value
                at = end


def _more(file: IO[str]) -> str:
    more = file.read(_CHUNK)
    if not more:
        raise ValueError("the array has no end")
    return more


NDJSON = _Lines()
ARRAY = _Array()
