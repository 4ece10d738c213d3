"""Rows as JSON text: a row to a line, or one array; quick for what is usual, exact for what is not.

Pages are kept as the text that they will be.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from roomctl.exports.cells import NESTED, shows
from roomctl.exports.formats import Sheet
from roomctl.service.distinct import KeyedRows
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.safe import json_escape, unsafe
from roomctl.text.strict_json import integer

_CHUNK = 1 << 20
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_USUAL = frozenset({str, int, bool, type(None), dict, list})


def encode(value: JSON) -> bytes:
    """Write texts, numbers, true, false, null and what nests them as JSON, UTF-8; a lone surrogate as its escape."""
    from msgspec import json as quick

    try:
        return quick.encode(value)
    except (ValueError, TypeError, OverflowError):  # a lone surrogate, a number of a kind of its own, a large integer
        return compact(value).encode()


def encode_lines(rows: Sequence[Mapping[str, JSON]]) -> bytes:
    """Write rows, of which each member is known as its text, one to a line."""
    from msgspec import json as quick

    return quick.Encoder().encode_lines(rows)


def decode(data: bytes) -> JSON:
    from msgspec import json as quick

    try:
        return quick.decode(data)
    except ValueError:
        return loads(data.decode())


def lines(rows: Sequence[JSON], *, shown: bool = False) -> bytes:
    """Write rows as JSON, one to a line, exactly; what does not show is escaped (R25). `shown`: all is known to."""
    if isinstance(rows, KeyedRows):
        data = encode_lines(rows)
    elif has_fractions(list(rows)):
        return "".join([compact(row) + "\n" for row in rows]).encode()
    else:
        data = b"".join([encode(row) + b"\n" for row in rows])
    return data if shown or shows(data) else unsafe("\n").sub(json_escape, data.decode()).encode()


def loads(text: str) -> JSON:
    """Read JSON, its numbers exactly: fractions that no float gives back, integers of any length. Raises ValueError."""
    try:
        return DECODER.decode(text)
    except ValueError:
        return _LONG.decode(text)


def _fraction(text: str) -> Any:
    from decimal import Decimal

    number = float(text)
    return number if repr(number) == text else Decimal(text)


DECODER = json.JSONDecoder(parse_float=_fraction)
_LONG = json.JSONDecoder(parse_float=_fraction, parse_int=integer)


def has_fractions(values: list[JSON]) -> bool:
    """Whether anything at any depth is a number other than an integer: writers differ in how they write those."""
    level = values
    while level:
        kinds = set(map(type, level))
        if not kinds <= _USUAL:
            return True
        nested = [each.values() if type(each) is dict else each for each in level if type(each) in NESTED]
        level = list(chain.from_iterable(nested))
    return False


class _Lines:
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
            while (at := _BETWEEN.match(text, at).end()) == len(text) or text[at] != "]":  # type: ignore[union-attr]  # it always matches
                try:
                    value, end = DECODER.raw_decode(text, at)
                except ValueError:
                    end = len(text)
                if end == len(text):  # cut off, or a number that could go on
                    if not (more := file.read(_CHUNK)):
                        raise ValueError("the array does not end")
                    text, at = text[at:] + more, 0
                    continue
                yield value
                at = end


NDJSON = _Lines()
ARRAY = _Array()
