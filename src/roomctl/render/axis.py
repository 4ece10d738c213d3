"""A span of time on a line of cells: which cell a moment falls into, and where the clock is written."""

from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_STEPS = (
    *(1, 2, 5, 10, 15, 30),
    *(each * _MINUTE for each in (1, 2, 5, 10, 15, 20, 30)),
    *(each * _HOUR for each in (1, 2, 3, 6, 12)),
    *(each * _DAY for each in (1, 2, 7, 14, 28, 91, 182, 365, 3650, 36500, 365_000)),
)
_APART = 2


class Axis(NamedTuple):
    """A span of time, its ends in UTC, on so many cells; the clock is that of the viewer's zone."""

    start: datetime
    end: datetime
    cells: int
    zone: tzinfo

    @property
    def span(self) -> float:
        """How many seconds it takes; never none."""
        return max((self.end - self.start).total_seconds(), 1.0)

    def place(self, at: datetime) -> int:
        """Say which cell a moment falls into."""
        return min(max(int((at - self.start).total_seconds() * self.cells / self.span), 0), self.cells - 1)

    def middle(self, cell: int) -> datetime:
        """Give the moment in the middle of a cell."""
        return self.start + timedelta(seconds=(cell + 0.5) * self.span / self.cells)

    def ticks(self) -> Iterator[tuple[int, str]]:
        """Give cells with what the clock shows there: round moments, apart enough to be written side by side."""
        step = next((each for each in _STEPS if each * self.cells / self.span >= len(_form(each)) + _APART), _STEPS[-1])
        local = self.start.astimezone(self.zone)
        passed = (local - local.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()
        later = -(-passed // step) * step - passed
        while later < self.span:
            at = (self.start + timedelta(seconds=later)).astimezone(self.zone)
            yield int(later * self.cells / self.span), at.isoformat(" ")[_SHOWN[_form(step)]]
            later += step

    def labels(self) -> str:
        """Write the clock at its places, left out where it would not fit."""
        line = ""
        for cell, label in self.ticks():
            if cell + len(label) <= self.cells:
                line = line.ljust(cell) + label
        return line


def _form(step: int) -> str:
    """The form in which moments so far apart are written."""
    return "hh:mm:ss" if step < _MINUTE else "hh:mm" if step < _DAY else "yyyy-mm-dd"


_SHOWN = {"hh:mm:ss": slice(11, 19), "hh:mm": slice(11, 16), "yyyy-mm-dd": slice(0, 10)}
