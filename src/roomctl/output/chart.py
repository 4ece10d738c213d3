"""Registrations as a chart: when they came, from where, how many are confirmed, how long before the event."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from rich.console import RenderableType

from roomctl.output.console import Cells, grid, indent, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import short
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.safe import expresses, safe

_LONGEST_BAR, _LEAST_BAR = 60, 8
_LEAST_LABEL = 10
_MOST_DAYS = 31
_MOST_SOURCES = 12
_UNITS: Mapping[str, Callable[[date], str]] = {
    "day": lambda day: f"{day} {day:%a}",
    "week, starting on Monday": lambda day: (day - timedelta(day.weekday())).isoformat(),
    "month": lambda day: day.isoformat()[:7],
    "year": lambda day: day.isoformat()[:4],
}
"""By what registrations are counted, and how a day is labelled then."""


class Line(NamedTuple):
    label: str
    number: int
    share: str = ""


def registrations(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the numbers of `registration stats`; for accessibility as sentences."""
    counts: dict[str, JSON] = shown.value
    total, confirmed, untold = (counts[name] for name in ("registrations", "confirmed", "confirmedNotShown"))
    if not total:
        yield span("no registrations", "head")
        return
    head = f"{numbered(total, 'registrations')}, {confirmed:,} confirmed ({_percent(confirmed, total - untold)})"
    yield span(head + (f", {untold:,} not shown" if untold else ""), "head")
    for title, lines in _sections(counts):
        if look.accessible:
            yield f"{title}:"
            yield from (f"  {line.label}: {line.number:,}{', ' if line.share else ''}{line.share}" for line in lines)
        else:
            yield from ("", span(title, "head"), _chart(lines, look))
    median, (late, early) = counts["timeToEvent"]["medianDays"], counts["timeToEvent"]["quartileDays"]
    if median is not None:
        yield indent(f"median: {_days(median)}; quartiles: {_days(early)}, {_days(late)}")


def _chart(lines: Sequence[Line], look: Look) -> RenderableType:
    numbers = max(len(f"{line.number:,}") for line in lines)
    shares = max(width(line.share) for line in lines)
    fixed = 2 + 2 + numbers + (2 + shares if shares else 0) + 2
    labels = min(max(width(line.label) for line in lines), max(look.width - fixed - _LEAST_BAR, _LEAST_LABEL))
    space = min(max(look.width - fixed - labels, 1), _LONGEST_BAR)
    largest = max(line.number for line in lines) or 1
    columns = [Cells(labels), Cells(numbers, True), *([Cells(shares, True)] if shares else []), Cells(space)]
    block = "█" if expresses(look.encoding, "█") else "#"
    rows: list[list[RenderableType]] = []
    for line in lines:
        long = max(round(line.number * space / largest), 1) if line.number else 0  # what is above 0 is always visible
        rows.append(
            [span(line.label), f"{line.number:,}", *([line.share] if shares else []), span(block * long, "bar")]
        )
    return indent(grid(columns, rows))


def _sections(counts: dict[str, JSON]) -> Iterator[tuple[str, Sequence[Line]]]:
    total, days = counts["registrations"], counts["perDay"]
    known = [(date.fromisoformat(each["day"]), each["registrations"]) for each in days if each["day"]]
    for unit in _UNITS:  # the first that makes few lines; time without any is left out of years
        groups = groupby(known, key=lambda each: _UNITS[unit](each[0]))
        lines = [Line(name, sum(number for _, number in group)) for name, group in groups]
        if len(lines) <= _MOST_DAYS:
            break
    lines += [Line("day not shown", each["registrations"]) for each in days if not each["day"]]
    yield f"registrations per {unit} ({safe(counts['zone'], cell=True)})", lines
    names = ((each["source"], each["registrations"]) for each in counts["bySource"])
    sources = [("source not shown" if name is None else short(name, 60) or "(empty)", number) for name, number in names]
    if more := sources[_MOST_SOURCES:]:
        sources[_MOST_SOURCES:] = [(f"{len(more)} other sources", sum(number for _, number in more))]
    yield "by source", [Line(label, number, _percent(number, total)) for label, number in sources]
    when = [(part["when"], part["registrations"]) for part in reversed(counts["timeToEvent"]["parts"])]
    if unknown := counts["timeToEvent"]["unknown"]:
        when.append(("not known", unknown))
    yield "time to event", [Line(label, number, _percent(number, total)) for label, number in when]


def _days(number: int) -> str:
    if number < 0:
        return "after it began"
    return "less than a day before" if number == 0 else f"{numbered(number, 'days')} before"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "–"
