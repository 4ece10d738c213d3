"""Who was there when: a bar for each person of a recording, below the clock of the viewer's zone."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import accumulate, groupby
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text

from roomctl.contract.records import called, folded
from roomctl.output.console import Cells, grid, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import plain, short
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.safe import expresses
from roomctl.text.times import Span, local, merge_spans, zone_name

_LEAST_BAR = 12
_LEAST_NAME = 10
_CAME = ">"
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_STEPS = (
    *(1, 2, 5, 10, 15, 30),
    *(each * _MINUTE for each in (1, 2, 5, 10, 15, 20, 30)),
    *(each * _HOUR for each in (1, 2, 3, 6, 12)),
    *(each * _DAY for each in (1, 2, 7, 14, 28, 91, 182, 365, 3650, 36500, 365_000)),
)
_APART = 2
_SHOWN = {"hh:mm:ss": slice(11, 19), "hh:mm": slice(11, 16), "yyyy-mm-dd": slice(0, 10)}


class Person(NamedTuple):
    """Someone who was there: the stays, apart from each other and in order, and comings whose end is not shown."""

    name: str
    stays: Sequence[Span]
    came: Sequence[datetime]

    @property
    def length(self) -> str:
        length = sum((end - start for start, end in self.stays), timedelta())
        minutes = int(length.total_seconds() // 60)
        if minutes >= 60:
            return f"{minutes // 60} h {minutes % 60:02} min"
        return "" if not self.stays else f"{minutes} min" if minutes or not length else "< 1 min"


class Crowd(NamedTuple):
    """The people of a recording, in the order of their visits; how many visits there are, and have no usable time."""

    people: Sequence[Person]
    visits: int
    timeless: int


def crowd(visits: Iterable[JSON]) -> Crowd:
    """Put the visits of each `userId`, else name and address, together, in UTC; people of one name are told apart."""
    found: dict[str, list[dict[str, JSON]]] = {}
    named: dict[str, tuple[str, str]] = {}
    for visit in visits:
        if isinstance(visit, dict):
            user = visit["user"] if isinstance(visit.get("user"), dict) else {}
            key = short(plain(user.get("emailAddress") or visit.get("userId")))
            name = short(called(user) or plain(user.get("name"))) or key or "(without a name)"
            identity = folded(visit.get("userId")) or repr((name, key))
            named.setdefault(identity, (name, key))
            found.setdefault(identity, []).append(visit)
    names = Counter(name for name, _ in named.values())
    people, timeless = [], 0
    for identity, (name, key) in named.items():
        stays, came = [], []
        for visit in found[identity]:
            start, end = (local(visit.get(field), UTC) for field in ("startDateTime", "endDateTime"))
            if start is not None and end is not None and start <= end:
                stays.append((start, end))
            elif start is not None and visit.get("endDateTime") is None:
                came.append(start)
            else:
                timeless += 1
        people.append(Person(name if names[name] == 1 else f"{name} {key}".rstrip(), merge_spans(stays), came))
    return Crowd(people, sum(map(len, found.values())), timeless)


def peak(people: Iterable[Person]) -> tuple[int, datetime | None]:
    """Say how many were there at once at most, and since when; people are counted from coming up to leaving."""
    steps: Counter[datetime] = Counter()
    for person in people:
        for start, end in person.stays:
            steps[start] += 1
            steps[end] -= 1
    moments = sorted(steps)
    counts = list(accumulate(steps[at] for at in moments))
    largest = max(counts, default=0)
    return largest, moments[counts.index(largest)] if largest else None


class Axis(NamedTuple):
    """A span of time, its ends in UTC, on so many cells; the clock is that of the viewer's zone."""

    start: datetime
    end: datetime
    cells: int
    zone: tzinfo

    @property
    def span(self) -> float:
        return max((self.end - self.start).total_seconds(), 1.0)

    def place(self, at: datetime) -> int:
        return min(max(int((at - self.start).total_seconds() * self.cells / self.span), 0), self.cells - 1)

    def ticks(self) -> Iterator[tuple[int, int, str]]:
        """Give cells with what the clock shows there, and where that begins: round moments, apart from each other."""
        step = next((each for each in _STEPS if each * self.cells / self.span >= len(_form(each)) + _APART), _STEPS[-1])
        clock = self.start.astimezone(self.zone)
        passed = (clock - clock.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()
        later, until = -(-passed // step) * step - passed, -1
        while later < self.span:
            at = (self.start + timedelta(seconds=later)).astimezone(self.zone)
            cell, label = int(later * self.cells / self.span), at.isoformat(" ")[_SHOWN[_form(step)]]
            place = min(cell, self.cells - len(label))
            if place > until:
                yield cell, place, label
            until = place + len(label)
            later += step

    def labels(self) -> str:
        line = ""
        for _, place, label in self.ticks():
            line = line.ljust(place) + label
        return line


def _form(step: int) -> str:
    return "hh:mm:ss" if step < _MINUTE else "hh:mm" if step < _DAY else "yyyy-mm-dd"


def timeline(shown: Shown, look: Look) -> Iterator[RenderableType]:
    return _View(shown.value, shown.around, look).parts()


class _View:
    def __init__(self, visits: Sequence[JSON], around: JSON, look: Look) -> None:
        self.look, self.fine = look, expresses(look.encoding, "█·┬─")
        self.zone = look.zone or UTC
        self.recording: dict[str, JSON] = around if isinstance(around, dict) else {}
        self.crowd = crowd(visits)
        self.people = [person for person in self.crowd.people if person.stays or person.came]
        moments = [at for person in self.people for at in (*(at for stay in person.stays for at in stay), *person.came)]
        ends = (local(self.recording.get(name), UTC) for name in ("startDateTime", "endDateTime"))
        moments += [at for at in ends if at is not None]
        self.first, self.last = min(moments, default=None), max(moments, default=None)

    def parts(self) -> Iterator[RenderableType]:
        named = [short(plain(self.recording.get(name))) for name in ("name", "status")]
        yield span(", ".join(filter(None, named)) or "recording", "head")
        yield span(f"{numbered(len(self.crowd.people), 'people')} in {numbered(self.crowd.visits, 'visits')}")
        if self.first and self.last:
            zones = dict.fromkeys(zone_name(at.astimezone(self.zone)) for at in (self.first, self.last))
            yield span(f"{self._clock(self.first, True)} to {self._clock(self.last)} ({'/'.join(zones)})")
        number, since = peak(self.people)
        if since is not None:
            yield span(f"most at once: {number}, first at {self._clock(since)}")
        names = max((width(person.name) for person in self.people), default=0)
        names = min(names, max(self.look.width // 3, _LEAST_NAME))
        lengths = max((width(person.length) for person in self.people), default=0)
        cells = self.look.width - names - lengths - 4
        if self.look.accessible or cells < _LEAST_BAR:
            for person in self.people:
                parts = [f"{self._clock(start)} to {self._clock(end)}" for start, end in person.stays]
                parts += [f"arrived {self._clock(at)}, departure not shown" for at in person.came]
                length = f"; {person.length} in total" if person.stays else ""
                yield f"{person.name}: {', '.join(parts)}{length}"
        elif self.people and self.first and self.last:
            yield ""
            rows = self._bars(Axis(self.first, self.last, cells, self.zone))
            yield grid([Cells(names), Cells(cells), Cells(lengths, right=True)], rows)
        if any(person.came for person in self.people) and not self.look.accessible:
            yield span(f"{_CAME} arrived; departure not shown", "dim")
        if self.crowd.timeless:
            visits = numbered(self.crowd.timeless, "visits")
            yield span(f"{visits} without usable times: `-o json` shows all", "dim")

    def _clock(self, at: datetime, day: bool = False) -> str:
        """Tell a moment; with its day where that is asked for, or not all moments are of one."""
        days = {each.astimezone(self.zone).date() for each in (self.first, self.last) if each}
        return at.astimezone(self.zone).isoformat(" ")[0 if day or len(days) > 1 else 11 : 16]

    def _bars(self, axis: Axis) -> Iterator[Sequence[RenderableType]]:
        guides = {cell for cell, *_ in axis.ticks()}
        tick, between, full, guide = "┬─█·" if self.fine else "+-#."
        styles = {full: "bar", guide: "dim", _CAME: "wait"}
        yield "", axis.labels(), ""
        yield "", "".join(tick if cell in guides else between for cell in range(axis.cells)), ""
        for person in self.people:
            cells = [guide if cell in guides else " " for cell in range(axis.cells)]
            for start, end in person.stays:
                first = axis.place(start)
                last = max(axis.place(end - timedelta(microseconds=1)), first) if end > start else first
                cells[first : last + 1] = full * (last + 1 - first)
            for at in person.came:
                cells[axis.place(at)] = _CAME
            runs = (("".join(run), style) for style, run in groupby(cells, lambda cell: styles.get(cell, "")))
            yield span(person.name), Text.assemble(*runs, no_wrap=True, overflow="ignore"), person.length
