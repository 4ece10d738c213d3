"""Moments on the clock of a zone, and those of an export itself."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from roomctl.contract.moments import moment

JSON = Any
_NESTED = frozenset({dict, list})


def local(text: JSON, zone: tzinfo) -> datetime | None:
    """Read a moment as the clock on the wall in `zone` shows it; None where it is none, or cannot be shown there."""
    read = moment(text)
    try:
        return read and read.astimezone(zone)
    except OverflowError:
        return None


def in_zone(column: Sequence[JSON], name: str, zone: tzinfo) -> Sequence[JSON]:
    """Give a column with its moments on the clock of `zone`, offset included; other texts and columns as they are.

    The moments of nested objects are their fields that are named so.
    """
    if not is_moment(name):
        flat = _NESTED.isdisjoint(map(type, column))
        return column if flat else [_within(cell, name, zone) for cell in column]
    texts = {cell for cell in column if type(cell) is str}
    shown = {text: at.isoformat() for text in texts if (at := local(text, zone))}
    return [shown.get(cell, cell) if type(cell) is str else _within(cell, name, zone) for cell in column]


def _within(value: JSON, name: str, zone: tzinfo) -> JSON:
    if type(value) is dict:
        return {inner: _within(each, inner, zone) for inner, each in value.items()}
    if type(value) is list:
        return [_within(each, name, zone) for each in value]
    at = local(value, zone) if type(value) is str and is_moment(name) else None
    return at.isoformat() if at else value


def written(at: datetime) -> str:
    """Write a moment in UTC, to the millisecond where it has any."""
    spec = "milliseconds" if at.microsecond else "seconds"
    return at.astimezone(UTC).isoformat(timespec=spec).replace("+00:00", "Z")


def now() -> datetime:
    """Give the present moment."""
    return datetime.now(UTC)


def is_moment(name: str) -> bool:
    """Whether a field of that name (dotted or not) holds a moment, as the service names its fields."""
    leaf = name.rpartition(".")[2]
    return leaf.endswith("DateTime") or leaf in _OTHERS


_OTHERS = frozenset({"dateCreated", "dateTimeInvited", "firstSeen", "lastSeen"})
