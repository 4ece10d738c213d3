"""Whatever the service says, a report's page has no element, attribute or address that we did not write."""

import re
from random import Random

import pytest

from roomctl.events.report import Report
from roomctl.events.report_page import writer
from tests.conftest import soak
from tests.events.evenings import EVENT, SET, Evening, evening
from tests.events.pages import Page, page_of
from tests.events.test_report import reported
from tests.exports.paged import identifier
from tests.output.test_escapes import CORPUS, NASTY, made_by_others

WORDS = r"[a-z0-9 -]+"
NUMBER = r"-?[\d.]+%?"
ATTRIBUTES = {
    **dict.fromkeys(
        ["class", "id", "aria-hidden", "aria-labelledby", "scope", "role", "lang", "charset", "name"], WORDS
    ),
    **dict.fromkeys(["x", "y", "x1", "x2", "y1", "y2", "width", "height", "rx"], NUMBER),
    "d": r"M[\d. MVHZ]+",
    "viewbox": r"[\d ]+",
    "preserveaspectratio": "none",
    "http-equiv": "Content-Security-Policy",
    "content": r"default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'|[\w ,=-]+",
}
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "div", "p", "span"),
    *("h1", "h2", "ul", "li", "dl", "dt", "dd", "strong", "code", "details", "summary", "figure", "figcaption"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "desc", "rect", "line", "path", "text", "tspan"),
}


def hostile(texts: list[str]) -> Report:
    """Make the report, people and all, of an event that says a text wherever one can stand."""
    first, start = texts[0], "2026-06-01T16:00:00Z"
    event = {"socialEventId": EVENT, "name": first, "startDateTime": start, "endDateTime": first}
    rooms = [{"socialId": identifier(place), "name": text} for place, text in enumerate([*texts, "unseen"])]
    visit = {"startDateTime": start, "endDateTime": "2026-06-01T17:00:00Z"}
    people = [{"userId": text, "name": text, "emailAddress": text, "mobilePhone": text} for text in texts]
    rows = [
        {
            "registrationId": identifier(place),
            **dict.fromkeys(["source", "registeredDateTime"], text),
            "confirmed": True,
            "user": {"userId": identifier(place)} if place % 2 else person,
            "event": {**event, "user": {"timeZone": first}, "socialRoomSetId": SET},
            "values": [{"name": text, "value": text}, {"name": "Q", "value": text}],
        }
        for place, (text, person) in enumerate(zip(texts * 6, people * 6, strict=True))
    ]
    visits = [{**visit, "user": person, "userId": text} for text, person in zip(texts, people, strict=True)]
    recorded = [{**visit, "socialId": identifier(place), "status": text} for place, text in enumerate(texts)]
    recordings = [{**each, "participants": [one]} for each, one in zip(recorded, visits, strict=True)]
    return reported(Evening(rows, [{"socialRoomSetId": SET, "socials": rooms}], recordings), people=True)


def wrong(page: Page) -> list[str]:
    found = [f"<{tag}>" for tag, _ in page.elements if tag not in TAGS]
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            if name not in ATTRIBUTES or not re.fullmatch(ATTRIBUTES[name], value or ""):
                found.append(f"<{tag} {name}={value!r}>")
    return found + made_by_others("".join(page.texts), color=False, tabs=False)


def check(texts: list[str]) -> None:
    report = hostile(texts)
    assert wrong(page_of(report)) == [], texts
    md = writer(".md")(report).decode()
    assert made_by_others(md, color=False, tabs=False) == [], texts
    assert re.search(r"(?<!\\)<(?!!-- -->)|(?<!\\)\]\(", md) is None, texts


def texts(seed: int) -> list[str]:
    random = Random(seed)
    made = ["".join(random.choices(NASTY, k=random.randrange(1, 5))) for _ in range(20)]
    return CORPUS[seed * 20 : seed * 20 + 20] or made


SEEDS = range(-(-len(CORPUS) // 20))


@pytest.mark.parametrize("seeds", [SEEDS, soak(range(1_000, 1_500))])
def test_no_text_of_the_service_becomes_an_element_an_attribute_or_an_address_r20_r21(seeds: range) -> None:
    for seed in seeds:
        check(texts(seed))


def test_a_name_of_a_megabyte_leaves_the_page_small() -> None:
    report = hostile(["<b>" * 350_000, "\u202e" * 350_000, "大" * 350_000])
    assert wrong(page_of(report)) == []
    assert len(page_of(report).html) < 200_000


def test_moments_at_the_ends_of_time_and_visits_that_end_before_they_begin_make_a_page_too() -> None:
    ages, back = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"), ("2026-06-01T16:00:00Z", "0001-02-03T00:00:00Z")
    for start, end in (ages, back):
        made = evening(3)
        for row in made.registrations:
            row["registeredDateTime"], row["event"]["startDateTime"] = end, start
        for recording in made.recordings:
            times = {"startDateTime": start, "endDateTime": end}
            recording["participants"] = [{**each, **times} for each in recording["participants"]]
        assert wrong(page_of(reported(made, people=True))) == []
