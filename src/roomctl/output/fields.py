"""Fields of a row by their paths, rows in the order of one; pictures as base64 (`*Bytes`) are shown by their size."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from roomctl.text import JSON
from roomctl.text.jsontext import compact


def at(value: JSON, path: str) -> JSON:
    """Give what stands at a dotted path, or under a key of that name; None where nothing does.

    `a.0.b` is a place in an array, `a.b` over an array that field of each item; a picture is given by its size.
    """
    head, _, rest = path.partition(".")
    if isinstance(value, dict):
        if path not in value:
            return at(value[head], rest) if rest and head in value else None
        found = value[path]
        return size(found) if isinstance(found, str) and path.endswith("Bytes") else found
    if isinstance(value, list):
        if head.isascii() and head.isdigit() and len(head) < 10:
            item = value[int(head)] if int(head) < len(value) else None
            return at(item, rest) if rest else item
        return [at(item, path) for item in value]
    return None


def select(row: JSON, fields: Sequence[str]) -> dict[str, JSON]:
    """Make the flat object of the fields asked for: `{"name": …, "user.name": …}`, null for what is not there."""
    return {field: shorten_bytes(at(row, field)) for field in fields}


def sort_rows(rows: Sequence[JSON], read: Callable[[JSON], JSON], *, descending: bool = False) -> list[JSON]:
    """Sort rows by what is read of each: numbers by value, text without regard to case, rows without it last."""
    keyed = [(_key(read(row)), row) for row in rows]
    present = [pair for pair in keyed if pair[0] is not None]
    present.sort(key=lambda pair: pair[0] or (), reverse=descending)
    return [row for _, row in present] + [row for key, row in keyed if key is None]


def _key(value: JSON) -> tuple[int, Any, str] | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return 0, value, ""
    if isinstance(value, str):
        return 2, value.casefold(), value
    if isinstance(value, dict | list):
        return 3, compact(value), ""
    return 1, value, ""


def shorten_bytes(value: JSON) -> JSON:
    """Write `<48213 bytes>` for each string, at any depth, whose key ends with `Bytes`; the value itself stays."""
    if isinstance(value, dict):
        return {
            key: size(each) if isinstance(each, str) and str(key).endswith("Bytes") else shorten_bytes(each)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [shorten_bytes(each) for each in value]
    return value


def size(text: str) -> str:
    """Say how many bytes a base64 text stands for; of any other text, how many it has."""
    if re.fullmatch(r"<\d+ bytes>", text, re.ASCII):  # it was shortened before
        return text
    if not re.fullmatch(r"[A-Za-z0-9+/_=\s-]*", text, re.ASCII):
        return f"<{len(text.encode('utf-8', 'surrogatepass'))} bytes>"
    return f"<{len(''.join(text.split()).rstrip('=')) * 3 // 4} bytes>"
