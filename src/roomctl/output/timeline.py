"""Who was there when: a bar for each person of a recording, below the clock of the viewer's zone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from roomctl.contract.records import called, folded
from roomctl.output.console import Cells, grid, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import plain, short
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.safe import expresses
from roomctl.text.times import Span, levels, local, merge_spans, zone_name

_LEAST_BAR = 12
_LEAST_NAME = 10
_ARRIVED = ">"


class Person(NamedTuple):
    """Someone who was there: the stays, apart from each other and in order, and arrivals whose end is not shown."""

    name: str
    stays: Sequence[Span]
    arrivals: Sequence[datetime]

    @property
    def moments(self) -> list[datetime]:
        return [*(at for stay in self.stays for at in stay), *self.arrivals]

    def until(self, end: datetime | None) -> list[Span]:
        """Give the stays; who shows no departure stayed until the recording's `end`, where that is known."""
        return merge_spans([*self.stays, *((at, max(at, end)) for at in self.arrivals if end)])

    @property
    def length(self) -> str:
        length = sum((end - start for start, end in self.stays), timedelta())
        minutes = int(length.total_seconds() // 60)
        if minutes >= 60:
            return f"{minutes // 60} h {minutes % 60:02} min"
        return "" if not self.stays else f"{minutes} min" if minutes or not length else "< 1 min"


def people_of(visits: Sequence[dict[str, JSON]]) -> tuple[list[Person], int]:
    """Put the visits of each person together, in UTC; say of how many the times cannot be used.

    A person is known by `userId`, else by name and address; people of one name are told apart by address.
    """
    found: dict[str, list[dict[str, JSON]]] = {}
    names: dict[str, tuple[str, str]] = {}
    for visit in visits:
        user = each if isinstance(each := visit.get("user"), dict) else {}
        key = short(plain(user.get("emailAddress") or visit.get("userId")))
        name = short(called(user) or plain(user.get("name"))) or key or "(without a name)"
        identity = folded(visit.get("userId")) or repr((name, key))
        names.setdefault(identity, (name, key))
        found.setdefault(identity, []).append(visit)
    namesakes = Counter(name for name, _ in names.values())
    people, timeless = [], 0
    for identity, (name, key) in names.items():
        stays, arrivals = [], []
        for visit in found[identity]:
            start, end = (local(visit.get(field), UTC) for field in ("startDateTime", "endDateTime"))
            if start and end and start <= end:
                stays.append((start, end))
            elif start and visit.get("endDateTime") is None:
                arrivals.append(start)
            else:
                timeless += 1
        shown = name if namesakes[name] == 1 else f"{name} {key}".rstrip()
        people.append(Person(shown, merge_spans(stays), arrivals))
    return people, timeless


def timeline(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the visits to a recording, `around` is its record; for accessibility, or without space, as sentences."""
    visits = [each for each in shown.value if isinstance(each, dict)]
    people, timeless = people_of(visits)
    recording: dict[str, JSON] = shown.around if isinstance(shown.around, dict) else {}
    zone = look.zone or UTC
    named = [short(plain(recording.get(name))) for name in ("name", "status")]
    yield span(", ".join(filter(None, named)) or "recording", "head")
    yield span(f"{numbered(len(people), 'people')} in {numbered(len(visits), 'visits')}")
    ends = [local(recording.get(name), UTC) for name in ("startDateTime", "endDateTime")]
    moments = [*(at for person in people for at in person.moments), *filter(None, ends)]
    if moments:
        first, last = min(moments), max(moments)
        day = first.astimezone(zone).date()
        zones = dict.fromkeys(zone_name(at.astimezone(zone)) for at in (first, last))
        yield span(f"{day} {_clock(first, zone, day)} to {_clock(last, zone, day)} ({'/'.join(zones)})")
        until = ends[1] if recording.get("status") == "COMPLETE" else None
        crowd = levels(stay for person in people for stay in person.until(until))
        since, number = max(crowd, key=itemgetter(1), default=(first, 0))
        more = " or more" * bool(timeless or (not until and any(person.arrivals for person in people)))
        if number:
            yield span(f"most at once: {number}{more}, first at {_clock(since, zone, day)}")
        timed = [person for person in people if person.moments]
        names = min(max((width(person.name) for person in timed), default=0), max(look.width // 3, _LEAST_NAME))
        lengths = max((width(person.length) for person in timed), default=0)
        cells = look.width - names - lengths - 4
        if look.accessible or cells < _LEAST_BAR:
            yield from (_sentence(person, zone, day) for person in timed)
        elif timed:
            columns = [Cells(names), Cells(cells), Cells(lengths, right=True)]
            yield from ("", _bars(timed, columns, (first, last), zone, look))
    if any(person.arrivals for person in people) and not look.accessible:
        yield span(f"{_ARRIVED} arrived; departure not shown", "dim")
    if timeless:
        yield span(f"{numbered(timeless, 'visits')} without usable times: `-o json` shows all", "dim")


def _clock(at: datetime, zone: tzinfo, day: date) -> str:
    """Write a moment; with its day where that is another."""
    return at.astimezone(zone).isoformat(" ")[:16].removeprefix(f"{day} ")


def _sentence(person: Person, zone: tzinfo, day: date) -> str:
    parts = [f"{_clock(start, zone, day)} to {_clock(end, zone, day)}" for start, end in person.stays]
    parts += [f"arrived {_clock(at, zone, day)}, departure not shown" for at in person.arrivals]
    length = f"; {person.length} in total" if person.stays else ""
    return f"{person.name}: {', '.join(parts)}{length}"


def _bars(people: Sequence[Person], columns: Sequence[Cells], whole: Span, zone: tzinfo, look: Look) -> Table:
    """Draw a bar for each person, below the clock at both ends and in the middle."""
    (first, last), cells = whole, columns[1].width
    seconds = max((last - first).total_seconds(), 1.0)
    full, axis = "█─" if expresses(look.encoding, "█─") else "#-"
    shown = [at.astimezone(zone) for at in (first, first + (last - first) / 2, last)]
    part = slice(11, 16) if shown[0].date() == shown[2].date() else slice(5, 16)
    start, middle, end = (at.isoformat(" ")[part] for at in shown)
    middle = middle if len(middle) * 3 + 4 <= cells else ""
    end = end if len(end) * 2 + 1 <= cells else ""
    clock = f"{start:<{(cells - len(middle)) // 2}}{middle}".ljust(cells - len(end)) + end
    rows: list[Sequence[RenderableType]] = [("", clock, ""), ("", axis * cells, "")]
    styles = {full: "bar", _ARRIVED: "wait"}

    def place(at: datetime) -> int:
        return min(int((at - first).total_seconds() * cells / seconds), cells - 1)

    for person in people:
        line = [" "] * cells
        for came, left_at in person.stays:
            begin = place(came)
            until = max(place(left_at - timedelta(microseconds=1)), begin) if left_at > came else begin
            line[begin : until + 1] = full * (until + 1 - begin)
        for at in person.arrivals:
            line[place(at)] = _ARRIVED
        runs = (("".join(run), style) for style, run in groupby(line, lambda cell: styles.get(cell, "")))
        rows.append((span(person.name), Text.assemble(*runs, no_wrap=True, overflow="ignore"), person.length))
    return grid(columns, rows)
