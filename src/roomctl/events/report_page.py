"""A report as a file: a page that needs nothing but itself, Markdown for a chat, JSON for a machine.

What others wrote passes two walls in every template: it is made visible, then escaped for what it stands in. Charts are
templates of our own: libraries that draw SVG without a browser give a chart no text alternative.
"""

import re
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

from roomctl.errors import BadConfig
from roomctl.events.report import UNDER_WAY, Report
from roomctl.events.report_answers import LEAST
from roomctl.events.report_charts import bars, course, days, filters, stays
from roomctl.text import JSON
from roomctl.text.jsontext import pretty
from roomctl.text.safe import markdown, safe, visible

_ADDRESS = re.compile(r"(?<=\w)@(?=\w)|(?<=\bwww)\.", re.IGNORECASE)
_INERT = {"@": "&#64;<!-- -->", ".": "&#46;<!-- -->"}
MOST_ROOMS = 20
MOST_ROWS = 150


def writer(ending: str) -> Callable[[Report], bytes]:
    """Give what makes, of a report, a file whose name ends so. Raises BadConfig without Jinja."""
    if ending == ".json":
        return lambda report: f"{pretty(report.document)}\n".encode()
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

    environment.filters.update(filters(report.zone.zone))
    style = files("roomctl.events").joinpath("templates", "report.css").read_text("utf-8")
    page: str = environment.get_template(template).render(
        **_view(report),
        style=Markup(style),  # noqa: S704  our own
        style_hash=b64encode(sha256(style.encode()).digest()).decode(),
    )
    return page.encode()


def _view(report: Report) -> dict[str, JSON]:
    """Give the document with what the templates show of it: its charts, its title, and words about its zone."""
    document, (zone, said_by) = report.document, report.zone
    event, counts, presence = document["event"], document["registrations"], document["presence"]
    named = {None: "not shown", "": "(empty)"}
    sources = [(named.get(each["source"], each["source"]), each["registrations"]) for each in counts["bySource"]]
    unreadable = ", because the event owner's time zone cannot be read"
    reasons = {"event": ", the event owner's zone", "default": ", because no time zone was given"}
    why = {**reasons, "unreadable": unreadable}.get(said_by, "")
    return {
        "report": document,
        "title": event["name"] or f"Event {event['socialEventId']}",
        "zone_words": f"{zone}{why}",
        "days": days(counts["perDay"]),
        "sources": bars(sources, counts["registrations"], noun="sources"),
        **(_courses(presence, report) if presence else {"together": None, "rooms": [], "rooms_left": []}),
        "stays": document["attendance"] and stays(document["attendance"]),
        "questions": [{**each, "bars": _answers(each)} for each in document["questions"]],
        "least": LEAST,
        "under_way": UNDER_WAY,
        "how": "so far" if document["ended"] is False else "how it went",
        "most_rows": MOST_ROWS,
    }


def _courses(presence: dict[str, JSON], report: Report) -> dict[str, JSON]:
    """Lay out all rooms together, and each of the largest by itself, on one scale."""
    together, rooms, zone = presence["together"], presence["rooms"], report.zone.zone
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
