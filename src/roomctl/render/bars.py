"""Bars made of characters: eighths of a cell where the stream can write them, else `#`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from roomctl.render.layout import fold, pad, paint, width
from roomctl.render.safe import expresses

_EIGHTHS = " ▏▎▍▌▋▊▉█"
LONGEST_BAR = 60
_LEAST_BAR = 8
_LEAST_LABEL = 10


class Strokes(NamedTuple):
    """What bars are drawn with: the full cell, the parts of one (from nothing on), and what is left free."""

    full: str
    parts: str
    rest: str


class Line(NamedTuple):
    """A line of a bar chart: its label, its number, and what is said beside the number."""

    label: str
    number: int
    beside: str = ""


def strokes(encoding: str | None) -> Strokes:
    """Choose what bars are drawn with on a stream of this encoding."""
    return Strokes("█", _EIGHTHS, "░") if expresses(encoding, _EIGHTHS + "░") else Strokes("#", " #", "-")


def bar(number: int, largest: int, space: int, with_: Strokes) -> str:
    """Draw a number in at most `space` cells, of which the largest takes all; what is above 0 is always seen."""
    if number <= 0 or largest <= 0:
        return ""
    steps = len(with_.parts) - 1
    eighths = max(number * space * steps // largest, 1)
    return (with_.full * (eighths // steps) + with_.parts[eighths % steps]).rstrip(" ")


def share(part: int, whole: int, space: int, with_: Strokes, color: bool) -> str:
    """Draw a part of a whole: both in full cells, together `space` of them."""
    full = min(max(round(part * space / whole), 1 if part else 0), space - (part < whole)) if whole else 0
    return paint(with_.full * full, "good", color) + paint(with_.rest * (space - full), "dim", color)


def chart(lines: Sequence[Line], space: int, with_: Strokes, color: bool) -> Iterator[str]:
    """Draw lines of label, number and bar, at most `space` cells wide; a long label is folded, never cut."""
    if not lines:
        return
    numbers = max(len(f"{line.number:,}") for line in lines)
    beside = max(width(line.beside) for line in lines)
    fixed = 2 + 2 + numbers + (2 + beside if beside else 0) + 2
    natural = max(width(line.label) for line in lines)
    labels = min(natural, max(space - fixed - _LEAST_BAR, _LEAST_LABEL))
    room = min(max(space - fixed - labels, 1), LONGEST_BAR)
    largest = max(line.number for line in lines)
    for line in lines:
        *before, last = fold(line.label, labels)
        yield from (f"  {each}" for each in before)
        middle = f"  {pad(line.beside, beside, right=True)}" if beside else ""
        drawn = paint(bar(line.number, largest, room, with_), "bar", color)
        yield f"  {pad(last, labels)}  {line.number:>{numbers},}{middle}  {drawn}".rstrip(" ")
