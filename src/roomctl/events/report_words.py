"""A report's numbers and moments in words: the filters of its templates."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any
from unicodedata import east_asian_width

from roomctl.exports.cells import local, text
from roomctl.text.safe import visible
from roomctl.text.times import DATE_TIME, zone_name

JSON = Any
STATES = {"COMPLETE": "complete", "PROCESSING": "still being processed", "FAILED": "failed"}


def filters(zone: tzinfo) -> dict[str, Callable[..., Any]]:

    def told(form: Callable[[datetime], str]) -> Callable[[JSON], str]:
        return lambda value: form(at) if (at := local(value, zone)) else known(value)

    moment, clock = told(lambda at: f"{at:%A}, {day(at)}, {at:%H:%M}"), told(lambda at: f"{at:%H:%M}")

    def until(value: JSON, start: JSON) -> str:
        end, begun = local(value, zone), local(start, zone)
        same = end and begun and (end.date(), end.utcoffset()) == (begun.date(), begun.utcoffset())
        return clock(value) if same else moment(value)

    return {
        "moment": moment,
        "until": until,
        "moment_short": told(lambda at: f"{day(at, short=True)}, {at:%H:%M}"),
        "clock": clock,
        "in_zone": lambda words, start: DATE_TIME.sub(lambda found: until(found[0], start), words),
        "count": lambda number: f"{number:,}",
        "share": share,
        "minutes": minutes,
        "known": known,
        "sentence": lambda words: f"{words[:1].upper()}{words[1:].rstrip('.')}.",
        "state": lambda state: STATES.get(state, known(state)) if type(state) is str else known(state),
        "cut": cut,
    }


def day(found: Any, *, short: bool = False) -> str:
    """Write a day, or a moment's: `1 December 2026`."""
    return f"{found.day} {found:%b %Y}" if short else f"{found.day} {found:%B %Y}"


def known(value: JSON) -> str:
    return cut(value, 80) or "not shown"


def share(part: int, whole: int) -> str:
    """Write a part in percent of a whole: none only where it is nothing, all only where it is all."""
    if not whole:
        return "–"
    percent = round(100 * part / whole)
    if (percent == 0 and part) or (percent == 100 and part < whole):
        return "under 1%" if part * 2 < whole else "over 99%"
    return f"{percent}%"


def minutes(number: float | None) -> str:
    """Write a length of time: `47 min`, `1 h 05 min`."""
    if number is None:
        return "not known"
    whole = round(number)
    return f"{whole} min" if whole < 60 else f"{whole // 60} h" + (f" {whole % 60:02} min" if whole % 60 else "")


def cut(value: JSON, width: int = 30) -> str:
    """Make a text of others visible and cut it to a width, in letters of the usual width."""
    shown = visible(text(value)[: width + 1])
    end = taken = 0
    for end, letter in enumerate(shown):
        taken += 2 if east_asian_width(letter) in "WF" else 1
        if taken > width:
            return shown[: max(end - 1, 0)] + "…"
    return shown


def zone_words(zone: tzinfo, said_by: str, *event: JSON) -> str:
    """Say in which zone moments are told, with its name at those of the event, and why in that one."""
    name, known_moments = str(zone), filter(None, (local(each, zone) for each in event))
    short = ", then ".join(dict.fromkeys(map(zone_name, known_moments))) or name
    why = {"event": ", the event owner's zone", "default": ", because no time zone was given"}.get(said_by, "")
    return (name if short == name else f"{name} ({short})") + why
