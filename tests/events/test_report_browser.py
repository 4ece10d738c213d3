"""The report's page in a real browser: on a phone, a tablet and a desk, light and dark, and on paper."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from roomctl.events.report_page import writer
from roomctl.text.colors import RGB, contrast
from tests.browser import CHROMIUM, Browser
from tests.events.evenings import evening
from tests.events.test_report import reported
from tests.events.test_report_hostile import hostile

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
SCRIPTS = re.split(r"// ([A-Z]+)\n", Path(__file__).with_name("report_page.js").read_text("utf-8"))[1:]
BOXES, LABELS, AXE, COLOURS = SCRIPTS[1::2]
PAPER = 673
"""The width of A4 between its margins, in pixels."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as made:
        yield made


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    """Three pages: of a long night, of nobody, and one with long words everywhere."""
    words = ["x" * 400, "大会議室" * 40, "W" * 60, "محمد الخوارزمي", "a b " * 90]
    reports = {"night": reported(evening(3), people=True), "nobody": reported(evening(0)), "words": hostile(words)}
    for name, report in reports.items():
        (tmp_path / f"{name}.html").write_bytes(writer(".html")(report))
    return [tmp_path / f"{name}.html" for name in reports]


def rgb(text: str) -> RGB:
    red, green, blue = map(int, re.findall(r"\d+", text)[:3])
    return red, green, blue


def faint(pairs: list[str]) -> list[str]:
    """Give what WCAG AA calls too faint: letters below 4.5 to 1, shapes below 3 to 1."""
    split = [pair.split("|") for pair in pairs]
    least = {"true": 3.0}
    return [f"{one} {other}" for shape, one, other in split if contrast(rgb(one), rgb(other)) < least.get(shape, 4.5)]


def test_nothing_overflows_overlaps_is_faint_or_asked_for_on_any_screen(browser: Browser, pages: list[Path]) -> None:
    screens = [(pages[0], width, dark) for width in (390, 768, 1440) for dark in (False, True)]
    for page, width, dark in [*screens, (pages[1], 390, False), (pages[2], 390, True), (pages[2], 1440, False)]:
        browser.open(page, width, dark=dark)
        where = (page.name, width, dark)
        assert browser.run("innerWidth") == width, where
        assert (browser.run(BOXES), browser.run(LABELS), faint(browser.run(COLOURS))) == ([], [], []), where
        assert (browser.said, browser.asked) == ([], [page.as_uri()]), where


def test_the_rules_of_accessibility_find_nothing(browser: Browser, pages: list[Path]) -> None:
    for page, dark in [(pages[0], True), (pages[1], False)]:
        browser.open(page, 390, dark=dark)
        browser.run(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
        found: Any = browser.run(AXE)
        assert (found["wrong"], found["right"] > 15) == ([], True), page.name


def test_nothing_is_cut_on_paper(browser: Browser, pages: list[Path]) -> None:
    for page in (pages[0], pages[2]):
        browser.open(page, PAPER, dark=True, medium="print")
        assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert browser.run(BOXES) == [], page.name
    assert {*re.findall(rb"/MediaBox \[(.*?)\]", browser.printed())} == {b"0 0 594.95996 841.91998"}
