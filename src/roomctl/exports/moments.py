"""Moments on the clock of a zone, and those of an export itself."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from roomctl.contract.moments import moment

JSON = Any


def local(text: JSON, zone: tzinfo) -> datetime | None:
    """Read a moment as the clock on the wall in `zone` shows it; None where it is none, or cannot be shown there."""
    read = moment(text)
    try:
        return read and read.astimezone(zone)
    except OverflowError:
        return None


def in_zone(column: Sequence[JSON], name: str, zone: tzinfo | None) -> Sequence[JSON]:
    """Give a column with its moments on the clock of `zone`, offset included; other texts and columns as they are."""
    if zone is None or not is_moment(name):
        return column
    shown = {text: at.isoformat() for text in set(filter(None, map(_text, column))) if (at := local(text, zone))}
    return [shown.get(text, text) if type(text) is str else text for text in column]


def _text(value: JSON) -> str | None:
    return value if type(value) is str else None


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
