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
PAPER = 673
"""The width of A4 between its margins, in pixels."""
BOXES = """
for (const each of document.querySelectorAll("details")) each.open = true;
[...document.querySelectorAll("body *")].flatMap(each => {
  const box = each.getBoundingClientRect(), words = each.textContent.slice(0, 40);
  if (!box.width || each.closest("svg svg") || each.closest(".stack thead")) return [];
  const cut = each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow != "visible";
  const out = box.left < -0.5 || box.right > innerWidth + 0.5;
  return out || cut ? [`${each.tagName} ${box.left} ${box.right} ${words}`] : [];
})
"""
LABELS = """
[...document.querySelectorAll("svg")].flatMap(chart => {
  const boxes = [...chart.querySelectorAll(":scope > text")].map(
    each => [each.getBoundingClientRect(), each.textContent]);
  return boxes.flatMap(([a, one], place) => boxes.slice(place + 1).flatMap(([b, other]) =>
    a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom ? [`${one} / ${other}`] : []));
})
"""
AXE = """
for (const each of [...document.querySelectorAll("details")].slice(0, 2)) each.open = true;
axe.run().then(done => ({
  wrong: done.violations.map(each => [each.id, each.nodes[0].html]), right: done.passes.length,
}))
"""
COLOURS = """
[...new Set([...document.querySelectorAll("body *:not(title, desc)")].flatMap(each => {
  const style = getComputedStyle(each), shape = ["rect", "path"].includes(each.tagName);
  let ground = each;
  while (ground && getComputedStyle(ground).backgroundColor == "rgba(0, 0, 0, 0)") ground = ground.parentElement;
  const letters = [...each.childNodes].some(part => part.nodeType == 3 && part.data.trim());
  const color = each.closest("svg") ? style.fill : style.color;
  return letters || shape ? [[shape, color, getComputedStyle(ground).backgroundColor].join("|")] : [];
}))]
"""


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
        (tmp_path / f"{name}.html").write_bytes(b"".join(writer(".html")(report)))
    return [tmp_path / f"{name}.html" for name in reports]


def rgb(text: str) -> RGB:
    red, green, blue = map(int, re.findall(r"\d+", text)[:3])
    return red, green, blue


def faint(pairs: list[str]) -> list[str]:
    """Give what WCAG AA calls too faint: letters below 4.5 to 1, shapes below 3 to 1."""
    split = [pair.split("|") for pair in pairs]
    return [
        f"{one} {other}"
        for shape, one, other in split
        if contrast(rgb(one), rgb(other)) < (3 if shape == "true" else 4.5)
    ]


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
