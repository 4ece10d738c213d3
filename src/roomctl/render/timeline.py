"""Who was there when: a bar for each person of a recording, below the clock of the viewer's zone."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, TextIO

from roomctl.render.axis import Axis
from roomctl.render.layout import fold, pad, paint, width
from roomctl.render.safe import Wall, expresses
from roomctl.render.stays import Person, crowd, most, reckoned
from roomctl.render.times import zone_name
from roomctl.render.words import plain, short
from roomctl.render.writers import Look, Shown

JSON = Any
_LEAST_BAR = 12
_LEAST_NAME = 10
_LEVELS = "▁▂▃▄▅▆▇█"
_PLAIN_LEVELS = ".:-=+*#@"
_CAME = ">"
_AT_ONCE = "at once"


def timeline(shown: Shown, look: Look, out: TextIO) -> None:
    """Draw the visits of a recording; for accessibility as sentences."""
    wall = Wall(out, color=look.color, human=True)
    view = _View(shown.value, shown.around, look, expresses(getattr(out, "encoding", None), _LEVELS))
    for line in view.lines():
        wall.write(line + "\n")


class _View:
    """A recording as one viewer sees it."""

    def __init__(self, visits: Sequence[JSON], around: JSON, look: Look, fine: bool) -> None:
        self.look, self.fine = look, fine
        self.zone = look.zone or UTC
        self.recording: dict[str, JSON] = around if isinstance(around, dict) else {}
        self.crowd = crowd(visits, self.zone)
        self.people = [person for person in self.crowd.people if person.stays or person.came]
        ends = (reckoned(self.recording.get(name), self.zone) for name in ("startDateTime", "endDateTime"))
        moments = [*self.crowd.moments, *(at for at in ends if at is not None)]
        self.first, self.last = min(moments, default=None), max(moments, default=None)

    def lines(self) -> Iterator[str]:
        """Draw all of it."""
        for number, text in enumerate(self._heads()):
            yield from self._folded(text, "" if number else "head")
        names = max([width(_AT_ONCE), *(width(person.name) for person in self.people)])
        names = min(names, max(self.look.width // 3, _LEAST_NAME))
        lengths = max([len(str(len(self.people))), *(width(_stayed(person)) for person in self.people)])
        cells = self.look.width - names - lengths - 4
        if self.look.accessible or cells < _LEAST_BAR:
            yield from (line for person in self.people for line in self._folded(self._sentence(person)))
        elif self.people and self.first and self.last:
            yield ""
            yield from self._bars(Axis(self.first, self.last, cells, self.zone), names, lengths)
        yield from (line for text in self._notes() for line in self._folded(text, "dim"))

    def _folded(self, text: str, style: str = "") -> Iterator[str]:
        lines = [text] if self.look.accessible else fold(text, self.look.width)
        return (paint(line, style, self.look.color) for line in lines)

    def _heads(self) -> Iterator[str]:
        named = [short(plain(self.recording.get(name))) for name in ("name", "status")]
        yield ", ".join(filter(None, named)) or "recording"
        people, visits = _counted(len(self.crowd.people), "person", "people"), self.crowd.visits
        yield f"{people} in {_counted(visits, 'visit', 'visits')}"
        if self.first and self.last:
            zones = (zone_name(at.astimezone(self.zone)) for at in (self.first, self.last))
            yield f"{self._clock(self.first, True)} to {self._clock(self.last)} ({'/'.join(dict.fromkeys(zones))})"
        number, at = most(self.people)
        if at is not None:
            yield f"most at once: {number}, first at {self._clock(at)}"

    def _notes(self) -> Iterator[str]:
        if any(person.came for person in self.people) and not self.look.accessible:
            yield f"{_CAME} came; when they left is not shown"
        if self.crowd.timeless:
            yield f"{_counted(self.crowd.timeless, 'visit', 'visits')} without usable times: `-o json` shows all"

    def _clock(self, at: datetime, day: bool = False) -> str:
        """Tell a moment; with its day where that is asked for, or not all moments are of one."""
        days = {each.astimezone(self.zone).date() for each in (self.first, self.last) if each}
        return at.astimezone(self.zone).isoformat(" ")[0 if day or len(days) > 1 else 11 : 16]

    def _sentence(self, person: Person) -> str:
        parts = [f"{self._clock(start)} to {self._clock(end)}" for start, end in person.stays]
        parts += [f"came {self._clock(at)}, leaving is not shown" for at in person.came]
        length = f"; {_stayed(person)} in all" if person.stays else ""
        return f"{person.name}: {', '.join(parts)}{length}"

    def _bars(self, axis: Axis, names: int, lengths: int) -> Iterator[str]:
        guides = {cell for cell, _ in axis.ticks()}
        tick, between = "┬─" if self.fine else "+-"
        yield f"{' ' * names}  {axis.labels()}".rstrip(" ")
        yield f"{' ' * names}  " + "".join(tick if cell in guides else between for cell in range(axis.cells))
        for person in self.people:
            *before, last = fold(person.name, names)
            yield from before
            length = pad(_stayed(person), lengths, right=True)
            yield f"{pad(last, names)}  {self._bar(person, axis, guides)}  {length}".rstrip(" ")
        largest, _ = most(self.people)
        yield f"{pad(_AT_ONCE, names)}  {self._at_once(axis, largest)}  {pad(str(largest), lengths, right=True)}"

    def _bar(self, person: Person, axis: Axis, guides: set[int]) -> str:
        full, guide = "█·" if self.fine else "#."
        cells = [guide if cell in guides else " " for cell in range(axis.cells)]
        for start, end in person.stays:
            first = axis.place(start)
            last = max(axis.place(end - timedelta(microseconds=1)), first) if end > start else first
            cells[first : last + 1] = full * (last + 1 - first)
        for at in person.came:
            cells[axis.place(at)] = _CAME
        styles = {full: "bar", guide: "dim", _CAME: "wait"}
        return "".join(paint("".join(run), styles.get(each, ""), self.look.color) for each, run in groupby(cells))

    def _at_once(self, axis: Axis, largest: int) -> str:
        """Draw how many people are there in the middle of each cell."""
        levels, counts = _LEVELS if self.fine else _PLAIN_LEVELS, [0] * axis.cells
        middles = [axis.middle(cell) for cell in range(axis.cells)]
        for start, end in (stay for person in self.people for stay in person.stays):
            for cell in range(axis.place(start), axis.place(end) + 1):
                counts[cell] += start <= middles[cell] < end
        steps = len(levels) - 1
        drawn = (levels[count * steps // max(largest, 1)] if count else " " for count in counts)
        return paint("".join(drawn), "good", self.look.color)


def _stayed(person: Person) -> str:
    if not person.stays:
        return ""
    minutes = int(person.length.total_seconds() // 60)
    if minutes < 60:
        return f"{minutes} min" if minutes or not person.length else "< 1 min"
    return f"{minutes // 60} h {minutes % 60:02} min"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
