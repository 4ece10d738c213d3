"""Registrations as a chart: when they came, from where, how many are confirmed, how long before the event."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any, TextIO

from roomctl.render.bars import LONGEST_BAR, Line, chart, share, strokes
from roomctl.render.layout import fold, paint
from roomctl.render.safe import Wall, safe
from roomctl.render.words import short
from roomctl.render.writers import Look, Shown

JSON = Any
_MOST_DAYS = 31
_MOST_SOURCES = 12
_NO_DAY = "day not shown"
_NO_SOURCE = "source not shown"


def registrations(shown: Shown, look: Look, out: TextIO) -> None:
    """Draw the numbers of `registration stats`; for accessibility as sentences."""
    counts: dict[str, JSON] = shown.value
    wall = Wall(out, color=look.color, human=True)
    for line in _told(counts) if look.accessible else _drawn(counts, look, getattr(out, "encoding", None)):
        wall.write(line + "\n")


def _drawn(counts: dict[str, JSON], look: Look, encoding: str | None) -> Iterator[str]:
    with_, color = strokes(encoding), look.color
    yield from (paint(line, "head", color) for line in fold(_head(counts), look.width))
    if not counts["registrations"]:
        return
    space = min(max(look.width - 2, 1), LONGEST_BAR)
    yield "  " + share(counts["confirmed"], counts["registrations"], space, with_, color)
    for title, lines in _sections(counts):
        yield ""
        yield from (paint(line, "head", color) for line in fold(title, look.width))
        yield from chart(lines, look.width, with_, color)
    yield from (f"  {line}" for text in _lead(counts) for line in fold(text, max(look.width - 2, 10)))


def _told(counts: dict[str, JSON]) -> Iterator[str]:
    yield _head(counts)
    if not counts["registrations"]:
        return
    for title, lines in _sections(counts):
        yield f"{title}:"
        yield from (f"  {line.label}: {', '.join(filter(None, [f'{line.number:,}', line.beside]))}" for line in lines)
    yield from (f"  {text}" for text in _lead(counts))


def _head(counts: dict[str, JSON]) -> str:
    total, confirmed = counts["registrations"], counts["confirmed"]
    if not total:
        return "no registrations"
    return f"{total:,} {_noun(total)}, {confirmed:,} confirmed ({_percent(confirmed, total)})"


def _sections(counts: dict[str, JSON]) -> Iterator[tuple[str, Sequence[Line]]]:
    total = counts["registrations"]
    unit, days = _by_time(counts["perDay"])
    yield f"registrations per {unit} ({safe(counts['zone'], cell=True)})", days
    sources = [(_source(each["source"]), each["registrations"]) for each in counts["bySource"]]
    more = sources[_MOST_SOURCES:]
    if more:
        sources = [*sources[:_MOST_SOURCES], (f"{len(more)} other sources", sum(number for _, number in more))]
    yield "by source", [Line(label, number, _percent(number, total)) for label, number in sources]
    when = [(part["when"], part["registrations"]) for part in reversed(counts["timeToEvent"]["parts"])]
    if unknown := counts["timeToEvent"]["unknown"]:
        when.append(("not known", unknown))
    yield "time to event", [Line(label, number, _percent(number, total)) for label, number in when]


def _source(source: JSON) -> str:
    return _NO_SOURCE if source is None else short(source, 60) or "(empty)"


def _lead(counts: dict[str, JSON]) -> Iterator[str]:
    median, (late, early) = counts["timeToEvent"]["medianDays"], counts["timeToEvent"]["quartileDays"]
    if median is not None:
        yield f"median: {_days(median)}; the middle half: from {_days(early)} to {_days(late)}"


def _days(number: int) -> str:
    if number < 0:
        return "after it began"
    return "on the last day" if number == 0 else f"{number} {'day' if number == 1 else 'days'} before"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _noun(number: int) -> str:
    return "registration" if number == 1 else "registrations"


def _by_time(days: Sequence[dict[str, JSON]]) -> tuple[str, list[Line]]:
    """Count by day; where that makes too many lines, by week, month or year. Time without any is left out of years."""
    known = [(date.fromisoformat(each["day"]), each["registrations"]) for each in days if each["day"]]
    rest = [Line(_NO_DAY, each["registrations"]) for each in days if not each["day"]]
    for unit in _UNITS:
        lines = [
            Line(label, sum(number for _, number in group))
            for label, group in groupby(known, key=lambda each: _label(each[0], unit))
        ]
        if len(lines) <= _MOST_DAYS:
            break
    return unit, lines + rest


_UNITS = ("day", "week, from Monday on", "month", "year")


def _label(day: date, unit: str) -> str:
    if unit == "day":
        return f"{day.isoformat()} {_WEEKDAYS[day.weekday()]}"
    if unit == "month":
        return day.isoformat()[:7]
    return day.isoformat()[:4] if unit == "year" else (day - timedelta(day.weekday())).isoformat()


_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
