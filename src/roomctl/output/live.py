"""The rooms of sets as they are now: drawn again in place on a terminal, elsewhere a line for each change."""

import io
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TextIO

from roomctl.contract.records import folded
from roomctl.contract.rooms import present_in, rooms
from roomctl.output.columns import room_counts
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import openness, plain, short
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.safe import Wall, expresses
from roomctl.text.times import stamp, told

if TYPE_CHECKING:
    from rich.console import RenderableType

WATCHED = "watched rooms"
_BLOCKS, _LOOKS = " ▁▂▃▄▅▆▇█", 12


class Room(NamedTuple):
    """A room at a moment; None is what is not shown, as is an empty state. `set_name` is that of one set of several."""

    name: str
    state: str
    people: int | None
    capacity: int | None
    set_name: str

    @property
    def present(self) -> str:
        most = "" if self.people is None or self.capacity is None else f"/{self.capacity}"
        return f"{plain(self.people)}{most}"

    @property
    def facts(self) -> str:
        people = "people present not shown" if self.people is None else f"{self.present} present"
        return f"{self.state or 'state not shown'}, {people}"

    @property
    def title(self) -> str:
        return ", ".join(filter(None, [self.set_name, self.name]))


Rooms = Mapping[str, Room]


def write_changes(looks: Iterable[Sequence[JSON]], look: Look, out: TextIO) -> None:
    """Write a line for each set and room at first, and then one for each change."""
    wall = Wall(out, human=True)
    before: Rooms | None = None
    for sets in looks:
        now = _rooms(sets)
        if before is None:
            lines = [f"{_name(each)}: {room_counts(each, WATCHED)}" for each in sets]
            lines += [f"{room.title}: {room.facts}" for room in now.values()]
        else:
            lines = [*_changes(before, now)]
        for line in lines:
            wall.write(f"{_at(sets, look)}  {line}\n")
        wall.flush()
        before = now


@contextmanager
def live_view(
    look: Look, out: TextIO, size: Callable[[], tuple[int, int]]
) -> Iterator[tuple[Callable[[Sequence[JSON]], None], Callable[[str], None]]]:
    """Give what draws sets over those drawn before, and what writes lines above; `size` is that of the terminal.

    What is drawn passes a `Wall` before rich moves the cursor for it.
    """
    from rich.live import Live
    from rich.text import Text

    from roomctl.output.console import above, console, draw

    screen = console(look, out)
    history = deque[Rooms](maxlen=_LOOKS)
    with Live(console=screen, auto_refresh=False, redirect_stdout=False, redirect_stderr=False) as live:

        def show(sets: Sequence[JSON]) -> None:
            history.append(_rooms(sets))
            drawn = io.TextIOWrapper(io.BytesIO(), look.encoding, newline="")
            now = size()
            if len(history) > 1 and now != (screen.width, screen.height):  # lines were broken anew
                screen.clear()
            screen.width, screen.height = now
            view = look._replace(width=screen.width, fields=())
            draw(_parts(sets, history, view), view, drawn)
            drawn.seek(0)
            text = drawn.read().removesuffix("\n")
            live.update(Text.from_ansi(text, no_wrap=True, overflow="ignore"), refresh=True)

        yield show, above(screen)


def _parts(sets: Sequence[JSON], history: Sequence[Rooms], look: Look) -> Iterator["RenderableType"]:
    from roomctl.output.console import span
    from roomctl.output.table import table

    one = sets[0] if len(sets) == 1 else {"socials": [room for each in sets for room in rooms(each)]}
    yield span(_name(one) if len(sets) == 1 else numbered(len(sets), "room sets"), "head")
    facts = room_counts(one, WATCHED), _at(sets, look)
    yield from [", ".join(facts)] if width(", ".join(facts)) <= look.width else facts
    rows, now = [], history[-1]
    before = history[-2] if len(history) > 1 else now
    for key, room in now.items():
        change = "new"
        if old := before.get(key):
            known = old.people is not None and room.people is not None
            change = f"{(room.people or 0) - (old.people or 0):+}" if known and room.people != old.people else ""
        lately = _sparkline([each[key].people or 0 for each in history if key in each], look)
        row = {"room": room.name, "state": room.state, "present": room.present, "change": change, "lately": lately}
        rows.append({**row, "set": room.set_name})
    yield from table(Shown(rows, "WatchedRoom" if len(sets) == 1 else "WatchedRoomOfSets"), look, hint=False)


def _sparkline(numbers: Sequence[int], look: Look) -> str:
    """Draw numbers as blocks, the largest as a full one; nothing for a single number, or where it cannot be shown."""
    most = max([1, *numbers])
    blocks = "".join(_BLOCKS[-(-number * (len(_BLOCKS) - 1) // most)] for number in numbers)
    return blocks if len(numbers) > 1 and expresses(look.encoding, blocks) else ""


def _rooms(sets: Sequence[JSON]) -> Rooms:
    found = {}
    for each in sets:
        for room in rooms(each):
            capacity = room.get("maxParticipants")
            most = capacity if isinstance(capacity, int) and capacity > 0 else None
            set_name = _name(each) if len(sets) > 1 else ""
            found[folded(room.get("socialId"))] = Room(_name(room), openness(room), present_in(room), most, set_name)
    return found


def _name(record: JSON) -> str:
    return short(plain(record.get("name")), 100) or "(without a name)"


def _at(sets: Sequence[JSON], look: Look) -> str:
    at = str(sets[0]["at"]) if sets else stamp(time.time())
    when = told(at, look.zone, seconds=True)
    return f"{when.text} {when.zone}" if when else short(at)


def _changes(before: Rooms, now: Rooms) -> Iterator[str]:
    for key, room in now.items():
        old = before.get(key)
        if old is None:
            yield f"{room.title}: new, {room.facts}"
            continue
        if room.name != old.name:
            yield f"{old.title}: now named {room.name}"
        if room.facts != old.facts:
            yield f"{room.title}: {room.facts}; was {old.facts}"
    for key, old in before.items():
        if key not in now:
            yield f"{old.title}: no longer in the set"
