"""A report as a file: a page that needs nothing but itself, Markdown for a chat, JSON for a machine.

What others wrote passes two walls in every template: it is made visible, then escaped for what it stands in. Charts are
templates of our own: libraries that draw SVG without a browser give a chart no text alternative.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

from roomctl.errors import BadConfig
from roomctl.events.report import UNDER_WAY, Report
from roomctl.events.report_answers import LEAST
from roomctl.exports.cells import text as text_of
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.jsontext import pretty
from roomctl.text.safe import markdown, safe, visible
from roomctl.text.times import DATE_TIME, local

_ADDRESS = re.compile(r"(?<=\w)@(?=\w)|(?<=\bwww)\.", re.IGNORECASE)
_INERT = {"@": "&#64;<!-- -->", ".": "&#46;<!-- -->"}
MOST_ROOMS = 20
MOST_ROWS = 150
MOST_BARS = 12
MOST_COLUMNS = 62


def writer(ending: str) -> Callable[[Report], bytes]:
    """Give the function that writes a report as a file with this ending. Raises BadConfig without Jinja."""
    if ending == ".json":
        return lambda report: f"{pretty(report)}\n".encode()
    try:
        import jinja2
    except ImportError:
        hint = "run `pip install jinja2`, or write the report `--to report.json`"
        raise BadConfig("a report as a page needs a library that is not installed: jinja2", hint=hint) from None
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("roomctl.events"),
        autoescape=ending == ".html",  # noqa: S701  Markdown has a wall of its own
        finalize=lambda value: (visible if ending == ".html" else _inert)(value) if type(value) is str else value,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return partial(_rendered, environment, f"report{ending}")


def _inert(text: str) -> str:
    """Make a text inert in Markdown, its addresses too, of which chats would make links."""
    plain = markdown(safe(text, cell=True))
    return plain if plain[:1] == "`" else _ADDRESS.sub(lambda found: _INERT[found[0]], plain)


def _rendered(environment: Any, template: str, report: Report) -> bytes:
    from markupsafe import Markup

    zone = ZoneInfo(report["zone"]["name"])
    environment.filters.update(filters(zone))
    style = files("roomctl.events").joinpath("templates", "report.css").read_text("utf-8")
    page: str = environment.get_template(template).render(
        **_view(report, zone),
        style=Markup(style),  # noqa: S704  our own
        style_hash=b64encode(sha256(style.encode()).digest()).decode(),
    )
    return page.encode()


def _view(report: Report, zone: tzinfo) -> dict[str, JSON]:
    """Give a report with what the templates show of it: its charts, its title, and words about its zone."""
    event, counts, presence = report["event"], report["registrations"], report["presence"]
    named = {None: "not shown", "": "(empty)"}
    sources = [(named.get(each["source"], each["source"]), each["registrations"]) for each in counts["bySource"]]
    why = {
        "event": ", the event owner's zone",
        "default": ", because no time zone was given",
        "unreadable": ", because the event owner's time zone cannot be read",
    }.get(report["zone"]["saidBy"], "")
    return {
        "report": report,
        "title": event["name"] or f"Event {event['socialEventId']}",
        "zone_words": f"{zone}{why}",
        "days": days(counts["perDay"]),
        "sources": bars(sources, counts["registrations"], noun="sources"),
        **(_courses(presence, zone) if presence else {"together": None, "rooms": [], "rooms_left": []}),
        "stays": report["attendance"] and stays(report["attendance"]),
        "questions": [{**each, "bars": _answers(each)} for each in report["questions"]],
        "least": LEAST,
        "under_way": UNDER_WAY,
        "how": "so far" if report["ended"] is False else "how it went",
        "most_rows": MOST_ROWS,
    }


def _courses(presence: dict[str, JSON], zone: tzinfo) -> dict[str, JSON]:
    """Lay out all rooms together, and each of the largest by itself, on one scale."""
    together, rooms = presence["together"], presence["rooms"]
    steps = [each["from"] for each in together["steps"]]
    highest = max((room["mostAtOnce"] for room in rooms), default=0)
    return {
        "together": course(together, steps, together["mostAtOnce"], zone),
        "rooms": [course(room, steps, highest, zone) for room in rooms[:MOST_ROOMS]],
        "rooms_left": rooms[MOST_ROOMS:],
    }


def _answers(question: dict[str, JSON]) -> list[dict[str, JSON]]:
    counts = [(each["answer"], each["registrations"]) for each in question["answers"]]
    return bars(counts, question["answered"], rest=question["others"], noun="answers") if counts else []


# Charts, laid out in shares of their width; numbers and moments in words, as filters


def bars(counts: Sequence[tuple[str, int]], total: int, *, rest: int = 0, noun: str) -> list[dict[str, JSON]]:
    """Lay out a bar for each of the first labels with its number; all others, and the `rest`, are a last one."""
    left = rest + sum(number for _, number in counts[MOST_BARS:])
    lines = [*counts[:MOST_BARS], *([(f"other {noun}", left)] if left else [])]
    largest = max((number for _, number in lines), default=0)
    return [
        {"label": label, "number": number, "share": share(number, total), "width": part(number, largest)}
        for label, number in lines
    ]


def columns(labels: Sequence[str], numbers: Sequence[int], largest: int) -> dict[str, JSON]:
    """Lay out a column for each number; the labels of the first, the middle and the last stand below them."""
    wide = 100 / len(numbers)
    ticks = [{"at": 0, "label": labels[0], "anchor": "b"}, {"at": 100, "label": labels[-1], "anchor": "e"}]
    if len(labels) > 2:
        middle = len(labels) // 2
        ticks.insert(1, {"at": round((middle + 0.5) * wide, 2), "label": labels[middle], "anchor": "m"})
    return {
        "largest": largest,
        "wide": round(wide * 0.8, 3),
        "columns": [
            {"x": round((place + 0.1) * wide, 3), "height": part(number, largest)}
            for place, number in enumerate(numbers)
        ],
        "ticks": ticks if len(labels) > 1 else ticks[:1],
    }


def days(per_day: Sequence[Mapping[str, JSON]]) -> dict[str, JSON] | None:
    """Lay out registrations per day; of a long time, per week or several."""
    known = {date.fromisoformat(each["day"]): each["registrations"] for each in per_day if each["day"]}
    if not known:
        return None
    first, span = min(known), (max(known) - min(known)).days + 1
    size = 1 if span <= MOST_COLUMNS else -(-span // (7 * MOST_COLUMNS)) * 7
    numbers = [0] * -(-span // size)
    for each, number in known.items():
        numbers[(each - first).days // size] += number
    labels = [day(first + timedelta(size * place), short=True) for place in range(len(numbers))]
    unknown = sum(each["registrations"] for each in per_day if not each["day"])
    lost = [("not shown", unknown)] if unknown else []
    return {
        **columns(labels, numbers, max(numbers)),
        "heading": "Day" if size == 1 else "From",
        "under": f"per {'day' if size == 1 else numbered(size, 'days')}"
        + (f"; the day of {unknown:,} is not shown" if unknown else ""),
        "rows": [(label, f"{number:,}") for label, number in (*zip(labels, numbers, strict=True), *lost)],
    }


def course(room: Mapping[str, JSON], steps: Sequence[str], largest: int, zone: tzinfo) -> dict[str, JSON]:
    """Lay out how many were in a room at once, in each of the `steps` of all rooms together."""
    within = len({at.date() for each in steps if (at := local(each, zone))}) < 2

    def told(at: str) -> str:
        return clock(at, zone) if within else moment_short(at, zone)

    under = f"{numbered(room['people'], 'people')} in {numbered(room['visits'], 'visits')}"
    if room["mostAtOnce"]:
        under += (
            f"; first arrival {told(room['firstCame'])}, last departure {told(room['lastLeft'])}; "
            f"most at once: {most(room)}, from {told(room['mostAt'])} on"
        )
    if unknown := room["timesUnknown"]:
        under += f"; arrival or departure of {unknown:,} more is not known"
    numbers = {each["from"]: each["mostAtOnce"] for each in room["steps"]}
    return {
        **columns([clock(each, zone) for each in steps], [numbers.get(each, 0) for each in steps], largest),
        "title": room.get("name"),
        "under": under,
        "rows": [
            (told(each["from"]), *(f"{each[name]:,}" for name in ("came", "left", "mostAtOnce")))
            for each in room["steps"]
        ],
    }


def most(room: Mapping[str, JSON]) -> str:
    """How many were in a room at once, as far as their times are shown."""
    if not room["mostAtOnce"]:
        return "not shown" if room["timesUnknown"] else "0"
    return f"{room['mostAtOnce']:,}" + " or more" * bool(room["timesUnknown"])


def stays(there: Mapping[str, JSON]) -> list[dict[str, JSON]]:
    counts = []
    for each in there["stays"]:
        least, limit = each["fromMinutes"], each["toMinutes"]
        words = f"under {minutes(limit)}" if not least else f"{minutes(least)} to {minutes(limit)}"
        counts.append((words if limit else f"{minutes(least)} or longer", each["registrations"]))
    known = sum(number for _, number in counts)
    return bars(counts, known, noun="stays") if known else []


def part(number: int, whole: int) -> float:
    """Give a part in percent of the whole; what is above 0 is always visible."""
    return max(round(number * 100 / (whole or 1), 2), 1) if number else 0


def filters(zone: tzinfo) -> dict[str, Callable[..., Any]]:
    """Give the filters of the templates; they write moments in a zone."""
    return {
        "moment": lambda value: moment(value, zone),
        "moment_short": lambda value: moment_short(value, zone),
        "until": lambda value, start: until(value, start, zone),
        "in_zone": lambda words: DATE_TIME.sub(lambda found: moment_short(found[0], zone), words),
        "count": lambda number: f"{number:,}",
        "most": most,
        "share": share,
        "minutes": minutes,
        "or_not_shown": or_not_shown,
        "sentence": lambda words: f"{words[:1].upper()}{words[1:].rstrip('.')}.",
        "cut": cut,
    }


def moment(value: JSON, zone: tzinfo) -> str:
    return f"{at:%A}, {day(at)}, {at:%H:%M}" if (at := local(value, zone)) else or_not_shown(value)


def moment_short(value: JSON, zone: tzinfo) -> str:
    return f"{day(at, short=True)}, {at:%H:%M}" if (at := local(value, zone)) else or_not_shown(value)


def clock(value: JSON, zone: tzinfo) -> str:
    return f"{at:%H:%M}" if (at := local(value, zone)) else or_not_shown(value)


def until(value: JSON, start: JSON, zone: tzinfo) -> str:
    end, begin = local(value, zone), local(start, zone)
    return clock(value, zone) if end and begin and end.date() == begin.date() else moment(value, zone)


def day(at: date, *, short: bool = False) -> str:
    return f"{at.day} {at:%b %Y}" if short else f"{at.day} {at:%B %Y}"


def or_not_shown(value: JSON) -> str:
    return cut(value, 80) or "not shown"


def share(number: int, whole: int) -> str:
    """Write a part in percent of a whole: none only where it is nothing, all only where it is all."""
    if not whole:
        return "–"
    percent = round(100 * number / whole)
    if (percent == 0 and number) or (percent == 100 and number < whole):
        return "under 1%" if number * 2 < whole else "over 99%"
    return f"{percent}%"


def minutes(number: float | None) -> str:
    if number is None:
        return "not known"
    whole = round(number)
    return f"{whole} min" if whole < 60 else f"{whole // 60} h" + (f" {whole % 60:02} min" if whole % 60 else "")


def cut(value: JSON, most: int) -> str:
    """Make a text that others wrote visible, and cut it to so many characters."""
    shown = visible(text_of(value)[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"
