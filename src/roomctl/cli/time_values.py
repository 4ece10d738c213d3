"""Times and lengths of time as people type them: `9:00@Europe/Berlin`, `2026-12-01 18:30`, `+15m`; `30s`, `2h`."""

import re
from calendar import monthrange
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from typer import BadParameter

from roomctl.cli.session import Session
from roomctl.errors import BadValue
from roomctl.text.jsontext import compact
from roomctl.text.times import nearest_zone, on_clock, spoken

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_AWAY = re.compile(r"([+-])(\d{1,6})(s|m|h|d)", re.ASCII)
_LOCAL = re.compile(
    r"(?:(\d{4}-\d\d-\d\d|today|tomorrow|yesterday)[Tt ])?([01]?\d|2[0-3]):([0-5]\d)(?::00)?(?:@(\S+))?", re.ASCII
)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_FORMS = '"2026-12-01 18:30@Europe/Berlin", 18:30@Europe/Berlin, 2026-12-01T18:30:00+01:00 or +15m'
_DATE = re.compile(r"(?:(\d{4})[-./](\d\d?)[-./](\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4}))(?!\d)", re.ASCII)
_HALF_DAY = re.compile(r"\b(1[0-2]|0?[1-9])(?:[:.](\d\d))? ?([ap])\.?m\b\.?", re.ASCII | re.IGNORECASE)
_MENDED = (  # a dot for the colon, a space for the @, and no time of day
    (r"(?<![\d:+.-])(\d\d?)\.(\d\d)(?![\d.])", r"\1:\2"),
    (r"(?<=\d)[ ,]+(?=[A-Za-z]+/|UTC$)", "@"),
    (r"(?<=\d),? +(?=\d)", " "),
    (r"^(\d{4}-\d\d-\d\d|today|tomorrow)(?=@|$)", r"\1 18:30"),
)
"""What people write instead, and what it is here."""


def moment(text: str, now: datetime, zone: tzinfo | None = None, *, past: bool = False) -> datetime:
    """Read a time; the result knows its offset. Raises BadValue.

    One without a zone of its own is on the clock of `zone`. `18:30` is the next time that the clock shows 18:30, of
    the `past` the last one; a time that the clock skips, or shows twice, is refused.
    """
    if (match := _AWAY.fullmatch(text)) and (match[1] == "-") is past:
        away = timedelta(**{_UNITS[match[3]]: int(match[2])})
        return now.astimezone(UTC) + (-away if past else away)
    if not (wrong := _wrong_day(text)) and (match := _LOCAL.fullmatch(text)):
        day_named, hour, minute, name = match.groups()
        zone = zone_named(name) or zone
        if zone is None:
            other = f'"{text}@Europe/Berlin"' if " " in text else f"{text}@Europe/Berlin"
            hint = f"write `{other}`, or add `--tz Europe/Berlin`; `time_zone` in the profile sets the default"
            raise BadValue(f"{compact(text)} has no time zone", hint=hint)
        today = now.astimezone(zone).date()
        days = {"yesterday": -1, "today": 0, "tomorrow": 1}
        dated = str(today + timedelta(days=days[day_named])) if day_named in days else day_named
        for day in [dated] if dated else [str(today), str(today + timedelta(days=-1 if past else 1))]:
            try:
                when = on_clock(datetime.fromisoformat(f"{day}T{hour:0>2}:{minute}"), zone)
            except ValueError as error:
                what, _, hint = str(error).partition(": ")
                raise BadValue(what, hint=hint) from None
            if (when <= now) is past:
                break
        return when
    if not wrong and _RFC3339.fullmatch(text):
        try:
            when = datetime.fromisoformat(text.upper())
            when.astimezone(UTC)  # the first and the last day of all years have no such moment
            return when
        except (ValueError, OverflowError):
            pass
    forms = f"`today`, `yesterday`, 2026-12-01, {_FORMS.replace('+15m', '-15m')}" if past else _FORMS
    lacks_time = re.fullmatch(r"\d{4}-\d\d-\d\d|today|tomorrow", text)
    wrong = wrong or f"{compact(text)} {'has no time of day' if lacks_time else 'is not a valid date or time'}"
    meant = next(_meant(text, now, zone, past=past), "")
    raise BadValue(wrong, hint=f"write it like this: `{meant}`" if meant else f"write a time such as {forms}")


def since(text: str, now: datetime, zone: tzinfo | None) -> datetime:
    """Read a time that does not lie ahead of `now`; a day is its midnight. Raises BadValue."""
    text = re.sub(r"^(\d{4}-\d\d-\d\d|today|yesterday)(?=@|$)", r"\1 0:00", text)
    text = re.sub(r"^(?=\d+[a-z]$)", "-", text)  # `2h` is two hours ago
    when = moment(text, now, zone, past=True)
    if when > now:
        raise BadValue(f"{spoken(when)} is in the future", hint="write a time in the past, such as 9:00 or today")
    return when


def zone_for(session: Session, tz: str | None) -> ZoneInfo | None:
    """Find the zone of times without one: that of `--tz`, else the profile's; None where neither names one."""
    return zone_named(tz or session.settings.time_zone)


def zone_named(name: str | None) -> ZoneInfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        near = nearest_zone(str(name))
        hint = f"did you mean `{near}`?" if near else "write a name such as Europe/Berlin"
        raise BadValue(f"{compact(name)} is not a time zone", hint=hint) from None


def future(text: str, now: datetime, zone: ZoneInfo | None = None) -> datetime:
    """Read a time that lies ahead of `now`. Raises BadValue."""
    when = moment(text, now, zone)
    if when <= now:
        raise BadValue(f"{spoken(when)} is in the past", hint="write a time in the future, such as `+15m`")
    return when


def wire(when: datetime) -> str:
    """Write a moment as the service reads it: RFC 3339 in UTC, whole seconds."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(given: str | float) -> float:
    """Take a length of time: `30s`, `5m`, `2h`, or seconds."""
    text = f"{given:g}" if isinstance(given, float) else given  # a default comes as a number
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "s")
    if not (number.isascii() and number.isdigit()) or len(number) > 6 or int(number) == 0:
        raise BadParameter(f"{compact(text)} is not a duration of 1s or more, such as 30s, 5m or 2h")
    return timedelta(**{_UNITS[unit]: int(number)}).total_seconds()


def _wrong_day(text: str) -> str:
    """Say what is wrong with a date that no calendar has; empty where nothing is."""
    if match := re.match(r"(?!0000)(\d{4})-(\d\d)-(\d\d)(?!\d)", text, re.ASCII):
        year, month, day = match.groups()
        with suppress(ValueError):
            date(int(year), int(month), int(day))
            return ""
        why = f"{year}-{month} has no day {day}" if "01" <= month <= "12" else f"there is no month {month}"
        return f"{compact(match[0])} is not a date: {why}"
    return ""


def _meant(text: str, now: datetime, zone: tzinfo | None, *, past: bool) -> Iterator[str]:
    """Give what was probably meant by a text that is no time, as it can be copied: not in the past, and with a zone.

    A date may be written as elsewhere, have its month and day the other way round, or a day that its month lacks.
    """
    plain = " ".join(text.split())
    plain = _HALF_DAY.sub(lambda m: f"{int(m[1]) % 12 + 12 * (m[3] in 'pP')}:{m[2] or '00'}", plain)
    days = [""]
    if dated := _DATE.match(plain):
        year, month, day = (int(each) for each in (dated.groups()[:3] if dated[1] else dated.groups()[:2:-1]))
        days = [f"{year:04}-{month:02}-{day:02}", f"{year:04}-{day:02}-{month:02}"]
        days += [f"{year:04}-{month:02}-{monthrange(year, month)[1]}"] if 1 <= month <= 12 and year > 0 else []
        days += [f"{year:04}-12-31"] * bool(_wrong_day(days[0]))
        plain = plain[dated.end() :]
    for each in days:
        near = _mended(each + plain, past=past)
        local = _LOCAL.fullmatch(f"{near} 0:00" if past and len(near) == len(each) else near)
        ahead = past or not near[:4].isdigit() or near[:10] > f"{now:%Y-%m-%d}"
        if ahead and not _wrong_day(near) and (local or _RFC3339.fullmatch(near)):
            near += "@Europe/Berlin" if local and not local[4] and zone is None else ""
            yield from [f'"{near}"' if " " in near else near] * (near != text)


def _mended(text: str, *, past: bool) -> str:
    for pattern, form in _MENDED[: -1 if past else None]:
        text = re.sub(pattern, form, text)
    return text.removesuffix(" 0:00") if past else text
