"""Times of an evening: on the clock of its zone in the file, moments in UTC for the service."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from roomctl.contract.scalars import date_time_problem
from roomctl.text.suggest import did_you_mean

_LOCAL = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(?:@(\S+))?", re.ASCII)
TIMES = {"starts": "startDateTime", "ends": "endDateTime"}
"""What the file calls the times of a room, and the service."""
FORMS = "2026-12-01 18:30 with a `zone`, or 2026-12-01T18:30:00+01:00"


def zone_named(name: str) -> ZoneInfo:
    """Find a time zone. Raises ValueError."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        meant = did_you_mean(name, available_timezones()) or ": write a name such as Europe/Berlin"
        raise ValueError(f"there is no such time zone{meant}") from None


def read(text: str, zone: ZoneInfo | None) -> datetime:
    """Read a time; without an offset it is one on the clock of its own zone, or of `zone`. Raises ValueError."""
    written = text.replace(" ", "T", 1)
    if not date_time_problem(written):
        return datetime.fromisoformat(written.upper())
    if not (match := _LOCAL.fullmatch(text)):
        raise ValueError(f"not a time: write {FORMS}")
    if match[3]:
        zone = zone_named(match[3])
    if zone is None:
        raise ValueError("a time without a zone: add `zone: Europe/Berlin` to the file, or an offset to the time")
    try:
        local = datetime.fromisoformat(f"{match[1]}T{match[2]}")
        when = local.replace(tzinfo=zone)
        back = when.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise ValueError("not a valid day and time") from None
    if back != local:
        raise ValueError(f"the clocks of {zone.key} skip this time: write an offset")
    if _comes_twice(when):
        raise ValueError(f"this time occurs twice in {zone.key}: write an offset")
    return when


def wire(when: datetime) -> str:
    """Write a moment as the service reads it: RFC 3339 in UTC."""
    utc = when.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="microseconds" if utc.microsecond else "seconds") + "Z"


def local_text(when: datetime, zone: ZoneInfo) -> str:
    """Write a moment on the clock of a zone, with its offset where the clock shows that time twice."""
    local = when.astimezone(zone)
    if local.microsecond or _comes_twice(local):
        return local.isoformat()
    return local.strftime("%Y-%m-%d %H:%M:%S" if local.second else "%Y-%m-%d %H:%M")


def move_days(when: datetime, days: int, zone: ZoneInfo) -> datetime:
    """Move a moment by whole days: the clock of the zone shows the same time then, across summer time.

    A time that the clocks skip on that day becomes the one an hour later.
    """
    local = when.astimezone(zone)
    there = (local.replace(tzinfo=None) + timedelta(days=days)).replace(tzinfo=zone, fold=local.fold)
    return there.astimezone(UTC).astimezone(zone)


def day_of(when: datetime, zone: ZoneInfo) -> date:
    """Give the day that the calendar of a zone shows."""
    return when.astimezone(zone).date()


def _comes_twice(when: datetime) -> bool:
    return when.replace(fold=0).utcoffset() != when.replace(fold=1).utcoffset()
