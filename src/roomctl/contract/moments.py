"""Moments as the service writes them: ISO 8601 text, read only where something is reckoned with them."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

JSON = Any
Span = tuple[datetime, datetime]
_EDGES = (1, 9999)
_FIRST, _LAST = datetime.min + timedelta(2), datetime.max - timedelta(2)


def moment(text: JSON) -> datetime | None:
    """Read a moment; None where a text is none, names no offset, or is of the first or last days of all time."""
    if type(text) is not str:
        return None
    try:
        read = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    if read.tzinfo is None or (read.year in _EDGES and not _FIRST < read.replace(tzinfo=None) < _LAST):
        return None
    return read


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Make one span of those that overlap or touch, in order."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
