"""Times of an event file: on the clock of its zone in the file, moments in UTC for the service."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from roomctl.contract.scalars import date_time_problem
from roomctl.text.jsontext import compact
from roomctl.text.times import nearest_zone, occurs_twice, on_clock

_LOCAL = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(?:@(\S+))?", re.ASCII)
TIMES = {"starts": "startDateTime", "ends": "endDateTime"}
"""What the file calls the times of a room, and the service."""
FORMS = "2026-12-01 18:30 with a `zone`, or 2026-12-01T18:30:00+01:00"


def zone_named(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        near = nearest_zone(name)
        meant = f"; did you mean `{near}`?" if near else ": write a name such as Europe/Berlin"
        raise ValueError(f"there is no time zone {compact(name)}{meant}") from None


def read(text: str, zone: ZoneInfo | None) -> datetime:
    """Read a time; without an offset it is one on the clock of its own zone, or of `zone`. Raises ValueError."""
    written = text.replace(" ", "T", 1)
    if not date_time_problem(written):
        return datetime.fromisoformat(written.upper())
    if not (match := _LOCAL.fullmatch(text)):
        raise ValueError(f"{compact(text)} is not a time; write {FORMS}")
    if match[3]:
        zone = zone_named(match[3])
    if zone is None:
        raise ValueError("the time has no time zone: add `zone: Europe/Berlin` to the file, or an offset to the time")
    try:
        local = datetime.fromisoformat(f"{match[1]}T{match[2]}")
    except ValueError:
        raise ValueError("not a valid date and time") from None
    return on_clock(local, zone)


def wire(when: datetime) -> str:
    utc = when.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="microseconds" if utc.microsecond else "seconds") + "Z"


def local_text(when: datetime, zone: ZoneInfo) -> str:
    """Write a moment on the clock of a zone, with its offset where the clock shows that time twice."""
    local = when.astimezone(zone)
    if local.microsecond or occurs_twice(local):
        return local.isoformat()
    return local.strftime("%Y-%m-%d %H:%M:%S" if local.second else "%Y-%m-%d %H:%M")


def move_days(when: datetime, days: int, zone: ZoneInfo) -> datetime:
    """Move a moment by whole days: the clock of the zone shows the same time then, across summer time.

    A skipped time becomes the one an hour later; of one that occurs twice the first is meant. Raises OverflowError.
    """
    local = when.astimezone(zone)
    there = (local.replace(tzinfo=None) + timedelta(days=days)).replace(tzinfo=zone, fold=local.fold)
    return there.astimezone(UTC).astimezone(zone)
