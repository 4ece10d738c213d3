"""Points in time as people read them: in the viewer's zone, which is named."""

import re
import time
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)", re.ASCII)


class Moment(NamedTuple):
    """A point in time as text, and the zone in which it is told."""

    text: str
    zone: str


def moment(text: str, zone: tzinfo | None, *, seconds: bool = False) -> Moment | None:
    """Tell a date-time of the service in the viewer's zone; None where it has no offset or is none."""
    local = None if zone is None else instant(text, zone)
    return None if local is None else Moment(local.isoformat(" ")[: 19 if seconds else 16], zone_name(local))


def instant(text: Any, zone: tzinfo) -> datetime | None:
    """Read a date-time of the service as the clock in `zone` shows it; None where it has no offset or is none."""
    if not isinstance(text, str) or not looks_like_a_time(text):
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(zone)
    except (ValueError, OverflowError):
        return None


def looks_like_a_time(text: str) -> bool:
    """Whether a text is a date-time with an offset."""
    return _DATE_TIME.fullmatch(text) is not None


def stamp(seconds: float) -> str:
    """Write seconds since the epoch as UTC in RFC 3339, with milliseconds."""
    whole, milli = divmod(int(seconds * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{milli:03}Z"


def zone_name(local: datetime) -> str:
    """Name a zone: `CET`; where the zone has no letters for it, `UTC+03:00`."""
    name = local.tzname() or ""
    if name.isalpha():
        return name
    return "UTC" + local.isoformat(timespec="minutes")[16:]


def on_clock(local: datetime, zone: tzinfo) -> datetime:
    """Find the one moment at which the clock of a zone shows a day and time. Raises ValueError where there is none."""
    when = local.replace(tzinfo=zone)
    try:
        back = when.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        raise ValueError("not a valid day and time") from None
    if back != local:
        raise ValueError(
            f"the clocks of {zone} skip {local:%H:%M} on {local:%Y-%m-%d}: write it with an offset, such as +02:00"
        )
    if occurs_twice(when):
        raise ValueError(
            f"{local:%H:%M} occurs twice in {zone} on {local:%Y-%m-%d}: write it with an offset, such as +02:00"
        )
    return when


def occurs_twice(when: datetime) -> bool:
    """Whether the clock of its zone shows this time twice."""
    return when.replace(fold=0).utcoffset() != when.replace(fold=1).utcoffset()
