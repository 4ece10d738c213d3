"""What `roomctl doctor` found, as a list: the state of each thing, what was seen, and below it what to do next.

A command in what to do next is never broken: it is there to be copied.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rich.console import RenderableType
from rich.padding import Padding

from roomctl.output.console import Cells, grid, styled, unbroken
from roomctl.output.look import Look, Shown
from roomctl.output.values import plain
from roomctl.output.wrap import hanging, width
from roomctl.text.safe import safe

JSON = Any
_STYLES: Mapping[str, str] = {"ok": "good", "warn": "wait", "fail": "bad"}
_LEAST = 30
_MARGIN = 2


class Finding(NamedTuple):
    """A finding in words that can be shown."""

    check: str
    state: str
    what: str
    next: str


def checklist(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the findings; for accessibility as sentences."""
    rows = [Finding(*(safe(plain(row.get(field)), cell=True) for field in Finding._fields)) for row in shown.value]
    if look.accessible:
        yield from (line for row in rows for line in _sentences(row))
        return
    checks, states = (max((width(row[column]) for row in rows), default=0) for column in (0, 1))
    left = states + _MARGIN
    beside = look.width - left - checks - _MARGIN >= _LEAST
    margin = left + checks + _MARGIN if beside else left
    for row in rows:
        head = [styled(row.state, _STYLES.get(row.state, "")), styled(row.check)]
        if beside:
            yield grid([Cells(states), Cells(checks), Cells(look.width - margin)], [[*head, styled(row.what)]])
        else:
            yield grid([Cells(states), Cells(checks)], [head])
            yield Padding(styled(row.what), (0, 0, 0, margin), expand=False)
        if row.next:
            yield unbroken(_step(row.next, (margin, left), look.width))


def _sentences(row: Finding) -> Iterator[str]:
    yield f"{row.check}: {row.state}, {row.what}"
    if row.next:
        yield f"  try: {row.next}"


def _step(text: str, margins: Sequence[int], space: int) -> str:
    """Write what to do next at the first margin where none of its commands is too long, else at the last."""
    for margin in margins:
        lines = hanging(f"{' ' * margin}try: {text}", space)
        if max(map(width, lines.split("\n"))) <= space:
            break
    return lines
