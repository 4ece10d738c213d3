"""The rooms of sets as they are now: drawn again in place on a terminal, elsewhere a line for each change."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TextIO

from roomctl.contract.records import folded
from roomctl.contract.rooms import present_in, rooms
from roomctl.output.columns import room_counts
from roomctl.output.look import Look, Shown
from roomctl.output.values import openness, plain, short
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.safe import Wall, expresses
from roomctl.text.times import told

if TYPE_CHECKING:
    from rich.console import RenderableType

_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"
_LEVELS, _LOOKS = " ▁▂▃▄▅▆▇█", 12
_TO_END_OF_LINE, _TO_END = "\x1b[K", "\x1b[J"


class Window(NamedTuple):
    """Where a live picture is drawn: how, how many lines fit, how often something else was written below it."""

    look: Look
    height: int
    written: int


class Room(NamedTuple):
    """A room at a moment; None is what is not shown, as is an empty state. `set_name` is that of one set of several."""

    name: str
    state: str
    people: int | None
    capacity: int | None = None
    set_name: str = ""

    @property
    def present(self) -> str:
        return "people not shown" if self.people is None else f"{self.filled} present"

    @property
    def filled(self) -> str:
        most = "" if self.people is None or self.capacity is None else f"/{self.capacity}"
        return f"{plain(self.people)}{most}"

    @property
    def facts(self) -> str:
        return ", ".join(filter(None, [self.state, self.present]))

    @property
    def title(self) -> str:
        return ", ".join(filter(None, [self.set_name, self.name]))


def write_changes(looks: Iterable[Sequence[JSON]], look: Look, out: TextIO) -> None:
    """Write a line for each set and room at first, and then one for each change."""
    wall = Wall(out, human=True)
    before: dict[str, Room] | None = None
    for sets in looks:
        now = _rooms(sets)
        counts = (f"{_name(each)}: {room_counts(each)}" if len(sets) > 1 else room_counts(each) for each in sets)
        first = (*counts, *(f"{room.title}: {room.facts}" for room in now.values()))
        for line in first if before is None else _changes(before, now):
            wall.write(f"{_at(sets, look)}  {line}\n")
        wall.flush()
        before = now


def draw_live(looks: Iterable[Sequence[JSON]], window: Callable[[], Window], out: TextIO) -> None:
    """Draw each look over the one before; the cursor is hidden meanwhile, and shown again however this ends.

    rich's `Live` would draw over what was written below the picture, such as a note that the service did not answer.
    """
    history: deque[dict[str, Room]] = deque(maxlen=_LOOKS)
    lines, place = 0, (0, 0, 0)
    try:
        out.write(_HIDE)
        out.flush()
        for sets in looks:
            view = window()
            history.append(_rooms(sets))
            drawn = _picture(_parts(sets, history, view.look), view, out)
            here = (view.look.width, view.height, view.written)
            if lines and here == place:  # else something stands between: the picture begins anew below it
                out.write(f"\x1b[{lines}A")
            wall = Wall(out, color=view.look.color, human=True)
            for line in drawn:
                out.write("\r")
                wall.write(line)
                out.write(f"{_TO_END_OF_LINE}\n")
            out.write(_TO_END)
            out.flush()
            lines, place = len(drawn), here
    finally:
        with suppress(OSError, ValueError):
            out.write(_SHOW)
            out.flush()


def _picture(parts: Iterable["RenderableType"], view: Window, out: TextIO) -> list[str]:
    from roomctl.output.console import render

    lines = "".join(render(parts, view.look, out)).splitlines()
    space = max(view.height - 1, 2)
    if len(lines) <= space:
        return lines
    note = f"{len(lines) - space + 1} more lines: make the window taller"
    more = "".join(render([note], view.look, out)).splitlines()
    return [*lines[: space - len(more)], *more]


def _parts(sets: Sequence[JSON], history: Sequence[dict[str, Room]], look: Look) -> Iterator["RenderableType"]:
    from roomctl.output.console import span
    from roomctl.output.table import table

    one = sets[0] if len(sets) == 1 else {"socials": [room for each in sets for room in rooms(each)]}
    yield span(_name(one) if len(sets) == 1 else numbered(len(sets), "room sets"), "head")
    yield f"{room_counts(one)}, {_at(sets, look)}"
    before, rows = history[-2] if len(history) > 1 else history[-1], []
    for key, room in history[-1].items():
        old, numbers = before.get(key), [each[key].people or 0 for each in history if key in each]
        change = "new" if old is None else ""
        if old is not None and None not in (room.people, old.people) and room.people != old.people:
            change = f"{(room.people or 0) - (old.people or 0):+}"
        most = max([1, *numbers])  # which is a full block
        lately = "".join(_LEVELS[-(-number * (len(_LEVELS) - 1) // most)] for number in numbers)
        lately = lately if len(numbers) > 1 and expresses(look.encoding, lately) else ""
        row = {"room": room.name, "state": room.state, "present": room.filled, "change": change, "lately": lately}
        rows.append({**row, "set": room.set_name})
    shown = Shown(rows, "WatchedRoom" if len(sets) == 1 else "WatchedRoomOfSets")
    yield from table(shown, look._replace(fields=()), hint=False)


def _rooms(sets: Sequence[JSON]) -> dict[str, Room]:
    found = {}
    for each in sets:
        for room in rooms(each):
            name = short(plain(room.get("name")), 100) or "(without a name)"
            capacity = room.get("maxParticipants")
            most = capacity if isinstance(capacity, int) and capacity > 0 else None
            set_name = _name(each) if len(sets) > 1 else ""
            found[folded(room.get("socialId"))] = Room(name, openness(room), present_in(room), most, set_name)
    return found


def _name(record: JSON) -> str:
    return short(plain(record.get("name"))) or "(without a name)"


def _at(sets: Sequence[JSON], look: Look) -> str:
    at = str(sets[0]["at"]) if sets else ""
    time = told(at, look.zone, seconds=True)
    return f"{time.text} {time.zone}" if time else short(at)


def _changes(before: dict[str, Room], now: dict[str, Room]) -> Iterator[str]:
    for key, room in now.items():
        old = before.get(key)
        if old is None:
            yield f"{room.title}: new, {room.facts}"
            continue
        if room.name != old.name:
            yield f"{old.title}: now named {room.name}"
        if room.state != old.state:
            yield f"{room.title}: {room.state or 'open or closed not shown'}, was {old.state or 'not shown'}"
        if room.people != old.people:
            yield f"{room.title}: {room.present}, was {'not shown' if old.people is None else old.people}"
    for key, old in before.items():
        if key not in now:
            yield f"{old.title}: no longer in the set"
