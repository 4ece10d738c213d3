"""Room sets with their rooms as a tree: which rooms are open, and how many people are in them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TextIO

from roomctl.contract.rooms import present_in, rooms
from roomctl.render.layout import fold, pad, paint, width
from roomctl.render.safe import Wall, expresses
from roomctl.render.tables import open_rooms, present, room_count
from roomctl.render.words import openness, plain, short
from roomctl.render.writers import Look, Shown

JSON = Any
_LINES = ("├── ", "│   ", "└── ", "    ")
_PLAIN = ("|-- ", "|   ", "`-- ", "    ")
_LONGEST_NAME = 40


class Twig(NamedTuple):
    """A room in the tree: its name, state, number of people and id as texts."""

    name: str
    state: str
    people: str
    key: str


def tree(shown: Shown, look: Look, out: TextIO) -> None:
    """Draw room sets, each with its rooms; for accessibility as sentences. Nothing is cut, narrow or not."""
    wall = Wall(out, color=look.color, human=True)
    glyphs = _LINES if expresses(getattr(out, "encoding", None), "├") else _PLAIN
    for number, each in enumerate(one for one in shown.value if isinstance(one, dict)):
        if number:
            wall.write("\n")
        for line in _told(each) if look.accessible else _drawn(each, look, glyphs):
            wall.write(line + "\n")


def _drawn(record: dict[str, JSON], look: Look, glyphs: Sequence[str]) -> Iterator[str]:
    space = look.width if look.terminal else 0
    name, key = paint(_name(record), "head", look.color), paint(_key(record, "socialRoomSetId"), "dim", look.color)
    if not space or width(_bare(record)) <= space:
        yield f"{name}  {_counts(record)}  {key}"
    else:
        yield from (paint(line, "head", look.color) for line in fold(f"{_name(record)}  {_counts(record)}", space))
        yield from (paint(line, "dim", look.color) for line in fold(_key(record, "socialRoomSetId"), space))
    twigs = [_twig(room) for room in rooms(record)]
    columns = [max((width(twig[index]) for twig in twigs), default=0) for index in range(4)]
    columns[0] = min(columns[0], _LONGEST_NAME)
    beside = not space or 4 + sum(columns) + 6 <= space
    if not beside:
        columns[0] = max(min(columns[0], space - 4 - columns[1] - columns[2] - 4), 10)
    for number, twig in enumerate(twigs):
        first, rest = glyphs[2:] if number == len(twigs) - 1 else glyphs[:2]
        yield from _branch(twig, first, rest, columns, beside=beside, color=look.color)


def _branch(twig: Twig, first: str, rest: str, columns: Sequence[int], *, beside: bool, color: bool) -> Iterator[str]:
    """Draw one room: on one line where ids have a place beside the rest, else the id on a line of its own."""
    state = paint(pad(twig.state, columns[1]), "good" if twig.state == "open" else "dim", color)
    facts = f"{state}  {pad(twig.people, columns[2], right=True)}"
    *names, name = fold(twig.name, columns[0])
    for line in names:
        yield first + line
        first = rest
    key = paint(twig.key, "dim", color)
    if beside:
        yield f"{first}{pad(name, columns[0])}  {facts}  {key}".rstrip(" ")
    else:
        yield f"{first}{pad(name, columns[0])}  {facts}".rstrip(" ")
        yield f"{rest}{key}"


def _told(record: dict[str, JSON]) -> Iterator[str]:
    yield f"room set {_name(record)}: {_counts(record)}, id {_key(record, 'socialRoomSetId')}"
    for room in rooms(record):
        twig = _twig(room)
        people = present_in(room)
        facts = ", ".join(filter(None, [twig.state, _people(people) if people is not None else ""]))
        yield f"  room {twig.name}: {facts or 'nothing else shown'}, id {twig.key}"


def _bare(record: dict[str, JSON]) -> str:
    return f"{_name(record)}  {_counts(record)}  {_key(record, 'socialRoomSetId')}"


def _counts(record: dict[str, JSON]) -> str:
    count, are_open, people = room_count(record), open_rooms(record), present(record)
    if not count:
        return "rooms not shown" if count is None else "no rooms"
    parts = [
        f"{count} {'room' if count == 1 else 'rooms'}",
        f"{are_open} open" if are_open is not None else "open or closed not shown",
        _people(people) if people is not None else "people present not shown",
    ]
    return ", ".join(parts)


def _twig(room: dict[str, JSON]) -> Twig:
    people = present_in(room)
    return Twig(_name(room), openness(room), f"{people} present" if people is not None else "", _key(room, "socialId"))


def _people(number: int) -> str:
    return f"{number} {'person' if number == 1 else 'people'} present"


def _name(record: dict[str, JSON]) -> str:
    return short(plain(record.get("name"))) or "(without a name)"


def _key(record: dict[str, JSON], key: str) -> str:
    return short(plain(record.get(key))) or "(without an id)"
