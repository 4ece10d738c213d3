"""Rows as JSON text: a row to a line, or one array; quick for what is usual, exact for what is not."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import json as quick

from roomctl.exports.cells import NESTED, shows
from roomctl.exports.formats import Sheet
from roomctl.service.distinct import KeyedRows
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.safe import json_escape, unsafe
from roomctl.text.strict_json import integer

_USUAL = frozenset({str, int, bool, type(None), dict, list})


def encode(value: JSON) -> bytes:
    """Write texts, numbers, true, false, null and what nests them as JSON, UTF-8; a lone surrogate as its escape."""
    try:
        return quick.encode(value)
    except (ValueError, TypeError, OverflowError):  # a lone surrogate, a number of a kind of its own, a large integer
        return compact(value).encode()


def encode_lines(rows: Sequence[Mapping[str, JSON]]) -> bytes:
    """Write rows, of which each member is known as its text, one to a line."""
    return quick.Encoder().encode_lines(rows)


def decode(data: bytes) -> JSON:
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
    return _DECODER.decode(text)


def _fraction(text: str) -> Any:
    from decimal import Decimal

    number = float(text)
    return number if repr(number) == text else Decimal(text)


_DECODER = json.JSONDecoder(parse_float=_fraction, parse_int=integer)


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
        """Read an array as we write it, a row to a line; one of another layout in one go."""
        with path.open("rb") as file:
            start = [file.readline(), file.readline()]
            if start[0] != b"[\n" or not start[1].startswith(b'{"'):
                rows = loads(b"".join([*start, *file]).decode("utf-8-sig"))
                if type(rows) is not list:
                    raise ValueError("not an array")
                yield from rows
                return
            for line in chain(start[1:], file):
                if line == b"]\n":
                    return
                yield loads(line.decode().rstrip(",\n"))
            raise ValueError("the array does not end")


NDJSON = _Lines()
ARRAY = _Array()
