"""A report's page taken apart: its elements, its tables by the caption above them, its large numbers."""

from html.parser import HTMLParser

from roomctl.events.report import Report
from roomctl.events.report_page import writer

VOID = {"meta", "rect", "line", "path"}


def page_of(report: Report) -> "Page":
    return Page(writer(".html")(report).decode())


class Page(HTMLParser):
    """`tables` are rows of cells, `numbers` those at a glance, `elements` each tag with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tables: dict[str, list[list[str]]] = {}
        self.numbers: dict[str, str] = {}
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self._heading = ""
        self._rows: list[list[str]] = []
        self._name = ""
        self.feed(html)
        self.close()
        assert self._open == [], "what is opened is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self._rows = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("th", "td") and self._rows:
            self._rows[-1].append("")
        elif tag in ("figcaption", "h2"):
            self._heading = ""

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag
        if tag == "table":
            self.tables[self._heading] = self._rows[1:]

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            return
        self.texts.append(data)
        inner = self._open[-1] if self._open else ""
        if inner in ("figcaption", "h2"):
            self._heading += data
        elif "tr" in self._open and ("th" in self._open or "td" in self._open):
            self._rows[-1][-1] += data
        elif inner == "dt":
            self._name = data
        elif inner == "dd":
            self.numbers.setdefault(self._name, data)
