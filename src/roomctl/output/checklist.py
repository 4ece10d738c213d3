"""What `roomctl doctor` found, as a list: the state of each thing, what was seen, and below it what to do next.

A command in what to do next is never broken: it is there to be copied.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rich.console import RenderableType

from roomctl.output.console import Cells, copyable, grid, span
from roomctl.output.look import Look, Shown
from roomctl.output.values import plain
from roomctl.output.wrap import hanging, width
from roomctl.text.safe import safe

JSON = Any
_STYLES: Mapping[str, str] = {"ok": "good", "warn": "wait", "fail": "bad"}
_GAP = 2


class Finding(NamedTuple):
    """A finding in words that can be shown."""

    check: str
    state: str
    what: str
    next: str


def checklist(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the findings; for accessibility as sentences."""
    rows = [Finding(*(safe(plain(row.get(field)), cell=True) for field in Finding._fields)) for row in shown.value]
    margin = max((width(row.state) for row in rows), default=0) + _GAP
    for row in rows:
        if look.accessible:
            yield f"{row.check}: {row.state}, {row.what}"
            yield from [f"  try: {row.next}"] if row.next else []
            continue
        state = span(row.state, _STYLES.get(row.state, ""))
        what = span(row.check, "head").append(f": {row.what}", "")
        yield grid([Cells(margin - _GAP), Cells(max(look.width - margin, 1))], [[state, what]])
        if row.next:
            yield copyable(hanging(f"{' ' * margin}try: {row.next}", look.width))
