"""The rooms of a set as they are now: drawn again in place on a terminal, elsewhere a line for each change."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from roomctl.contract.records import folded
from roomctl.contract.rooms import present_in, rooms
from roomctl.output.look import Look, Shown
from roomctl.output.values import openness, plain, room_counts, short
from roomctl.text.safe import Wall
from roomctl.text.times import moment

if TYPE_CHECKING:
    from rich.console import RenderableType

JSON = Any
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"
_TO_END_OF_LINE, _TO_END = "\x1b[K", "\x1b[J"


class Window(NamedTuple):
    """Where a live picture is drawn: how, how many lines fit, how often something else was written below it."""

    look: Look
    height: int
    written: int


class Room(NamedTuple):
    """A room at a moment; None is what is not shown, as is an empty state."""

    name: str
    state: str
    people: int | None

    @property
    def present(self) -> str:
        """How many people are in it."""
        return "people not shown" if self.people is None else f"{self.people} present"

    @property
    def facts(self) -> str:
        """Its state and its people."""
        return ", ".join(filter(None, [self.state, self.present]))


def write_changes(looks: Iterable[JSON], look: Look, out: TextIO) -> None:
    """Write a line for each room at first, and then one for each change."""
    wall = Wall(out, human=True)
    before: dict[str, Room] | None = None
    for each in looks:
        now = _rooms(each)
        first = (room_counts(each), *(f"{room.name}: {room.facts}" for room in now.values()))
        for line in first if before is None else _changes(before, now):
            wall.write(f"{_at(each, look)}  {line}\n")
        wall.flush()
        before = now


def draw_live(looks: Iterable[JSON], window: Callable[[], Window], out: TextIO) -> None:
    """Draw each look over the one before; the cursor is hidden meanwhile, and shown again however this ends.

    rich's `Live` would draw over what was written below the picture, such as a note that the service did not answer.
    """
    before: dict[str, Room] = {}
    lines, place = 0, (0, 0, 0)
    try:
        out.write(_HIDE)
        out.flush()
        for each in looks:
            view = window()
            now = _rooms(each)
            drawn = _picture(_parts(each, now, before or now, view.look), view, out)
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
            before, lines, place = now, len(drawn), here
    finally:
        with suppress(OSError, ValueError):
            out.write(_SHOW)
            out.flush()


def _picture(parts: Iterable["RenderableType"], view: Window, out: TextIO) -> list[str]:
    """Draw a look as lines; what a terminal of that height cannot draw again is left out."""
    from roomctl.output.console import render

    lines = "".join(render(parts, view.look, out)).splitlines()
    space = max(view.height - 1, 2)
    if len(lines) <= space:
        return lines
    note = f"{len(lines) - space + 1} more lines: make the window higher"
    more = "".join(render([note], view.look, out)).splitlines()
    return [*lines[: space - len(more)], *more]


def _parts(each: JSON, now: dict[str, Room], before: dict[str, Room], look: Look) -> Iterator["RenderableType"]:
    from roomctl.output.console import span
    from roomctl.output.table import table

    yield span(short(plain(each.get("name"))) or "(without a name)", "head")
    yield f"{room_counts(each)}, {_at(each, look)}"
    rows = [
        {"room": room.name, "state": room.state, "present": room.people, "change": _step(room, before.get(key))}
        for key, room in now.items()
    ]
    yield from table(Shown(rows), look._replace(fields=()))


def _rooms(each: JSON) -> dict[str, Room]:
    found = {}
    for room in rooms(each):
        name = short(plain(room.get("name")), 100) or "(without a name)"
        found[folded(room.get("socialId"))] = Room(name, openness(room), present_in(room))
    return found


def _at(each: JSON, look: Look) -> str:
    time = moment(str(each["at"]), look.zone, seconds=True)
    return f"{time.text} {time.zone}" if time else short(str(each["at"]))


def _changes(before: dict[str, Room], now: dict[str, Room]) -> Iterator[str]:
    for key, room in now.items():
        old = before.get(key)
        if old is None:
            yield f"{room.name}: new, {room.facts}"
            continue
        if room.name != old.name:
            yield f"{old.name}: now named {room.name}"
        if room.state != old.state:
            yield f"{room.name}: {room.state or 'open or closed not shown'}, was {old.state or 'not shown'}"
        if room.people != old.people:
            yield f"{room.name}: {room.present}, was {'not shown' if old.people is None else old.people}"
    for key, old in before.items():
        if key not in now:
            yield f"{old.name}: no longer in the set"


def _step(room: Room, old: Room | None) -> str:
    """Say what has changed since the look before: `+3`, `-2`; `new` for a room that was not there."""
    if old is None:
        return "new"
    if room.people is None or old.people is None or room.people == old.people:
        return ""
    return f"{room.people - old.people:+}"
