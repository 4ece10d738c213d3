"""What `roomctl doctor` found, as a list: the state of each thing, what was seen, and below it what to do next.

A command in what to do next is never broken: it is there to be copied.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TextIO

from roomctl.render.layout import fold, hanging, pad, paint, width
from roomctl.render.safe import Wall, safe
from roomctl.render.words import plain
from roomctl.render.writers import Look, Shown

JSON = Any
_STYLES: Mapping[str, str] = {"ok": "good", "warn": "wait", "fail": "bad"}
_LEAST = 30
_MARGIN = 2


class Found(NamedTuple):
    """A finding in words that can be shown."""

    check: str
    state: str
    what: str
    next: str


def checklist(shown: Shown, look: Look, out: TextIO) -> None:
    """Write the findings; for accessibility as sentences."""
    rows = [Found(*(safe(plain(row.get(field)), cell=True) for field in Found._fields)) for row in shown.value]
    wall = Wall(out, color=look.color, human=True)
    for line in _told(rows) if look.accessible else _drawn(rows, look):
        wall.write(line + "\n")


def _told(rows: Sequence[Found]) -> Iterator[str]:
    for row in rows:
        yield f"{row.check}: {row.state}, {row.what}"
        if row.next:
            yield f"  try: {row.next}"


def _drawn(rows: Sequence[Found], look: Look) -> Iterator[str]:
    states, checks = (max((width(row[column]) for row in rows), default=0) for column in (1, 0))
    margin = states + checks + 2 * _MARGIN
    beside = look.width - margin >= _LEAST
    for row in rows:
        state = paint(pad(row.state, states), _STYLES.get(row.state, ""), look.color)
        head = f"{state}{' ' * _MARGIN}{pad(row.check, checks)}"
        indent = margin if beside else states + _MARGIN
        first, *more = fold(row.what, look.width - indent)
        yield f"{head}{' ' * _MARGIN}{first}".rstrip(" ") if beside else head.rstrip(" ")
        yield from (" " * indent + line for line in (more if beside else [first, *more]))
        if row.next:
            yield from _step(row.next, (indent, states + _MARGIN), look.width)


def _step(text: str, margins: Sequence[int], space: int) -> Sequence[str]:
    """Write what to do next at the first margin where none of its commands is too long, else at the last."""
    for margin in margins:
        lines = hanging(f"{' ' * margin}try: {text}", space).split("\n")
        if all(width(line) <= space for line in lines):
            break
    return lines
