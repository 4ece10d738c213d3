"""Points in time: as the service writes them, ISO 8601 text, and as people read them, in a zone that is named."""

import re
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from itertools import accumulate
from typing import Any, NamedTuple

from roomctl.text.suggest import nearest

DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)", re.ASCII)

_OVER = (  # what some write for the first moment of the next day, and of the next minute
    (r"(?<=[Tt ])24(?=:00(?::00(?:[.,]0+)?)?[Zz+-])", "00", timedelta(days=1)),
    (r"(?<=:[0-5]\d:)60", "59", timedelta(seconds=1)),
)
_ZONE = re.compile(r"\[\w+(?:[/+-]\w+)*\]", re.ASCII)
_MILLISECONDS = 100_000_000_000  # from here on: as seconds it would be beyond the year 5000
_EPOCH = re.compile(r"(?:/Date\()?(-?[0-9]{9,16})(?:\.[0-9]+)?(?:[+-][0-9]{4})?(?:\)/)?", re.ASCII)
_DAY_FIRST = re.compile(r"^([0-3][0-9])\.([01][0-9])\.([0-9]{4})\b", re.ASCII)
_LAST_CLOCK = 43_200  # seconds by which the last clock of the world is behind UTC
MINUTE = 60.0  # seconds by which two clocks of a service may differ
DAY = 86_400.0

Span = tuple[datetime, datetime]
_FIRST, _LAST = datetime.min + timedelta(2), datetime.max - timedelta(2)


class Told(NamedTuple):
    """A moment as text, and the zone in which it is told."""

    text: str
    zone: str


def moment(text: Any) -> datetime | None:
    """Read a moment; None where a text is none, names no offset, or is of the first or last days of all time."""
    if type(text) is not str:
        return None
    try:
        read = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    edge = read.year in (1, 9999) and not _FIRST < read.replace(tzinfo=None) < _LAST
    return None if read.tzinfo is None or edge else read


def instant(value: Any) -> datetime | None:
    """Read a moment as `moment` does, and with its zone's name behind it, as seconds or milliseconds since 1970, as the
    numbers of a date and time in UTC; None where it is none.
    """
    if isinstance(value, str):
        text, more = _ZONE.sub("", value), timedelta()
        for over, written, rest in _OVER:
            text, times = re.subn(over, written, text)
            more += rest * times
        return at + more if (at := moment(text)) else None
    with suppress(ValueError, TypeError, IndexError, OverflowError, OSError):
        if isinstance(value, list):
            return moment("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z".format(*value, 0))
        if type(value) in (int, float):
            return datetime.fromtimestamp(value / 1000 if abs(value) >= _MILLISECONDS else value, UTC)
    return None


def on_some_clock(value: Any, when: datetime | None) -> bool:
    """Whether a text is a day and time without its offset, at which a clock somewhere on Earth shows this moment."""
    local = moment(f"{value}Z")
    ahead = None if local is None or when is None else (local - when) / timedelta(minutes=15)
    return ahead is not None and -12 * 4 <= ahead <= 14 * 4 and ahead.is_integer()


def local(text: Any, zone: tzinfo) -> datetime | None:
    """Read a moment as the clock on the wall in `zone` shows it; None where it is none."""
    return read.astimezone(zone) if (read := moment(text)) else None


def told(text: str, zone: tzinfo | None, *, seconds: bool = False) -> Told | None:
    """Tell a moment in the viewer's zone; None where it is none."""
    at = local(text, zone) if zone is not None and looks_like_a_time(text) else None
    return Told(at.isoformat(" ")[: 19 if seconds else 16], zone_name(at)) if at else None


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Make one span of those that overlap or touch, in order."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def levels(spans: Iterable[Span]) -> list[tuple[datetime, int]]:
    """Give each moment at which spans begin or end, with the number of those under way from then on."""
    changes: Counter[datetime] = Counter()
    for start, end in spans:
        changes[start] += 1
        changes[end] -= 1
    moments = sorted(changes)
    return [*zip(moments, accumulate(changes[at] for at in moments), strict=True)]


def looks_like_a_time(text: str) -> bool:
    """Whether a text is a date-time with an offset."""
    return DATE_TIME.fullmatch(text) is not None


def stamp(seconds: float) -> str:
    """Write seconds since the epoch as UTC in RFC 3339, with milliseconds."""
    whole, milli = divmod(int(seconds * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{milli:03}Z"


def zone_name(local: datetime) -> str:
    """Name a zone: `CET`; where the zone has no letters for it, `UTC+03:00`."""
    name = local.tzname() or ""
    return name if name.isalpha() else "UTC" + local.isoformat(timespec="minutes")[16:]


def nearest_zone(name: str) -> str:
    """Name the zone that was probably meant by one that does not exist, or by a city; empty where none is near."""
    from zoneinfo import available_timezones

    zones = sorted(available_timezones())
    cities = {each.rpartition("/")[2]: each for each in zones}
    return nearest(name, zones) or cities.get(nearest(name.replace(" ", "_"), cities, least=0.8), "")


def on_clock(local: datetime, zone: tzinfo) -> datetime:
    """Find the one moment at which the clock of a zone shows a day and time. Raises ValueError where there is none."""
    when = local.replace(tzinfo=zone)
    try:
        back = when.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        raise ValueError("not a valid date and time") from None
    way = f"write an offset instead of the zone, such as {when.isoformat(' ', 'minutes')}"
    if back != local:
        raise ValueError(f"the clocks in {zone} skip {local:%H:%M} on {local:%Y-%m-%d}: {way}")
    if occurs_twice(when):
        raise ValueError(f"{local:%H:%M} occurs twice in {zone} on {local:%Y-%m-%d}: {way}")
    return when


def occurs_twice(when: datetime) -> bool:
    return when.replace(fold=0).utcoffset() != when.replace(fold=1).utcoffset()


def latest(value: Any) -> float | None:
    """Give the latest time, in seconds, that a time or a date may mean: without a zone, on the last clock of the world.

    A number is of milliseconds or of seconds, an object holds a time; None is what is neither.
    """
    if isinstance(value, dict):
        return max(filter(None, map(latest, value.values())), default=None)
    if type(value) is str and (found := _EPOCH.fullmatch(value.strip())):
        value = int(found[1])
    if type(value) in (int, float):
        return value / 1000 if value > _MILLISECONDS else float(value)
    if when := instant(value):
        return when.timestamp() + _LAST_CLOCK * isinstance(value, list)
    with suppress(TypeError, ValueError, OverflowError):
        text = _DAY_FIRST.sub(r"\3-\2-\1", value)
        when = datetime.fromisoformat(text).replace(tzinfo=timezone(-timedelta(seconds=_LAST_CLOCK)))
        return (when + timedelta(days=len(text) <= len("2026-01-01"))).timestamp()
    return _worded(value) if isinstance(value, str) else None


def _worded(text: str) -> float | None:
    """Read a date of HTTP, or of a mail, in seconds; None where it is none."""
    from email.utils import mktime_tz, parsedate_tz

    with suppress(TypeError, ValueError, OverflowError):
        if (read := parsedate_tz(text[:64])) is not None:
            return float(mktime_tz((*read[:9], -_LAST_CLOCK if read[9] is None else read[9])))
    return None


def told_at(text: Any) -> str:
    """Write a service's or the journal's time for people; what is no time as it is."""
    return str(text or "") if (when := moment(text)) is None else spoken(when)


def spoken(when: datetime, now: datetime | None = None) -> str:
    """Write a moment for people: in the zone that was named for it, else the local one, and in UTC; whether that is the
    day after `now`.
    """
    local = when if hasattr(when.tzinfo, "key") else when.astimezone()  # whose zone has a name
    if now and (local.date() - now.astimezone(local.tzinfo).date()).days == 1:
        return f"tomorrow, {spoken(when)}"
    if not local.utcoffset():
        return f"{when.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    utc = when.astimezone(UTC)
    day = "" if utc.date() == local.date() else f"{utc:%Y-%m-%d} "
    return f"{local:%Y-%m-%d %H:%M:%S %Z} ({day}{utc:%H:%M:%S} UTC)"
