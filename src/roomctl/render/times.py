"""Points in time as people read them: in the viewer's zone, which is named."""

import re
from datetime import datetime, tzinfo
from typing import NamedTuple

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)", re.ASCII)


class Moment(NamedTuple):
    """A point in time as text, and the zone in which it is told."""

    text: str
    zone: str


def moment(text: str, zone: tzinfo | None, *, seconds: bool = False) -> Moment | None:
    """Tell a date-time of the service in the viewer's zone; None where it has no offset or is none."""
    if zone is None or not _DATE_TIME.fullmatch(text):
        return None
    try:
        local = datetime.fromisoformat(text.upper()).astimezone(zone)
    except (ValueError, OverflowError):
        return None
    return Moment(local.isoformat(" ")[: 19 if seconds else 16], _named(local))


def looks_like_a_time(text: str) -> bool:
    """Whether a text is a date-time with an offset."""
    return _DATE_TIME.fullmatch(text) is not None


def _named(local: datetime) -> str:
    """Name a zone: `CET`; where the zone has no letters for it, `UTC+03:00`."""
    name = local.tzname() or ""
    if name.isalpha():
        return name
    return "UTC" + local.isoformat(timespec="minutes")[16:]
