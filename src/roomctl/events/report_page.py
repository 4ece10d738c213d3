"""A report as a file: a page that needs nothing but itself, Markdown for a chat, JSON for a machine.

What others wrote passes two walls in every template: it is made visible, then escaped for what it stands in. Charts are
templates of our own: libraries that draw SVG without a browser give a chart no text alternative.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

from roomctl.errors import BadConfig
from roomctl.events.report import DRIFTED, UNDER_WAY, Report
from roomctl.events.report_answers import LEAST
from roomctl.events.report_charts import Course, bars, days, filters, stays, zone_words
from roomctl.text import JSON
from roomctl.text.jsontext import compact, pretty
from roomctl.text.safe import markdown, safe, visible

ENDINGS = (".html", ".md", ".json")
_ADDRESS = re.compile(r"(?<=\w)@(?=\w)|(?<=\bwww)\.", re.IGNORECASE)
_INERT = {"@": "&#64;<!-- -->", ".": "&#46;<!-- -->"}
MOST_ROOMS = 20
MOST_ROWS = 150
HIDDEN = "A question that is not shown, because it might identify somebody"
MOST_ANSWERS = 800
"""So many answers at most are told on a page, all questions together."""


def writer(ending: str) -> Callable[[Report], Iterator[bytes]]:
    """Give what makes, of a report, a file whose name ends so, piece by piece. Raises BadConfig without Jinja."""
    if ending == ".json":
        return _json
    try:
        import jinja2
    except ImportError:
        hint = "`pip install jinja2`, or write the report `--to report.json`"
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
    return _ADDRESS.sub(lambda found: _INERT[found[0]], markdown(safe(text, cell=True)))


def _json(report: Report) -> Iterator[bytes]:
    text = pretty(report.document)
    if not report.named:
        yield f"{text}\n".encode()
        return
    yield text.removesuffix("\n}").encode() + b',\n  "people": ['
    for number, person in enumerate(report.people()):
        yield f"{',' * (number > 0)}\n    {compact(person)}".encode()
    yield b"\n  ]\n}\n"


def _rendered(environment: Any, template: str, report: Report) -> Iterator[bytes]:
    from markupsafe import Markup

    environment.filters.update(filters(report.zone.zone))
    style = files("roomctl.events").joinpath("templates", "report.css").read_text("utf-8")
    shown = environment.get_template(template).stream(
        **_view(report),
        style=Markup(style),  # noqa: S704  our own
        style_hash=b64encode(sha256(style.encode()).digest()).decode(),
    )
    shown.enable_buffering(100)
    yield from (each.encode() for each in shown)


def _view(report: Report) -> dict[str, JSON]:
    document, zone = report.document, report.zone
    event, counts, presence = document["event"], document["registrations"], document["presence"]
    total = counts["registrations"]
    course = Course(presence, event, zone.zone) if presence else None
    rooms = presence["rooms"] if presence else []
    highest = max((room["mostAtOnce"] for room in rooms), default=0) or 1
    named = {None: "not shown", "": "(empty)"}
    sources = [(named.get(each["source"], each["source"]), each["registrations"]) for each in counts["bySource"]]
    return {
        "report": document,
        "title": event["name"] or f"Event {event['socialEventId']}",
        "zone_words": zone_words(zone.zone, zone.said_by, event["startDateTime"], event["endDateTime"]),
        "days": days(counts["perDay"], event, zone.zone),
        "sources": bars(sources, total, rest=document["otherSources"], noun="sources", most=MOST_ROWS),
        "together": course and course.chart(presence["together"], presence["together"]["mostAtOnce"] or 1),
        "during": course and course.event,
        "rooms": [course.chart(room, highest) for room in rooms[:MOST_ROOMS]] if course else [],
        "rooms_left": rooms[MOST_ROOMS:],
        "stays": document["attendance"] and stays(document["attendance"]),
        "questions": _questions(document["questions"]),
        "least": LEAST,
        "drifted": DRIFTED,
        "under_way": UNDER_WAY,
        "how": "so far" if document["ended"] is False else "how it went",
        "most_rows": MOST_ROWS,
        "named": report.named,
        "people": report.people(),
    }


def _questions(questions: list[dict[str, JSON]]) -> list[dict[str, JSON]]:
    most = max(MOST_ANSWERS // max(len(questions), 1), 3)
    found = []
    for each in questions:
        counts = [(answer["answer"], answer["registrations"]) for answer in each["answers"]]
        chart = bars(counts, each["answered"], rest=each["others"], noun="answers", most=most)
        found.append({**each, "question": each["question"] or HIDDEN, "chart": chart if counts else None})
    return found
