"""Room sets with their rooms as a tree: which rooms are open, and how many people are in them."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.tree import Tree

from roomctl.contract.rooms import present_in, rooms
from roomctl.output.console import Cells, grid, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import openness, people_present, plain, room_counts, short

JSON = Any
_LONGEST_NAME, _LEAST_NAME = 40, 10
_GUIDE = 4
_WIDE = 10_000


def tree(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw room sets, each with its rooms; for accessibility as sentences. Nothing is cut, narrow or not."""
    for number, each in enumerate(one for one in shown.value if isinstance(one, dict)):
        if number:
            yield ""
        if look.accessible:
            yield from _sentences(each)
        else:
            yield _tree(each, look.width if look.terminal else _WIDE)


def _tree(record: dict[str, JSON], space: int) -> Tree:
    head, key = (
        span(_name(record), "head").append(f"  {room_counts(record)}", ""),
        span(_id(record), "dim"),
    )
    beside = head.cell_len + 2 + key.cell_len <= space
    drawn = Tree(head.append("  ").append_text(key) if beside else Group(head, key))
    rows = [_facts(room) for room in rooms(record)]
    names, states, people, keys = (max((width(row[index]) for row in rows), default=0) for index in range(4))
    names = min(names, _LONGEST_NAME)
    beside = _GUIDE + names + states + people + keys + 6 <= space
    if not beside:
        names = max(min(names, space - _GUIDE - states - people - 4), _LEAST_NAME)
    columns = [Cells(names), Cells(states), Cells(people, right=True)]
    for name, state, number, identity in rows:
        line = [span(name), span(state, "good" if state == "open" else "dim"), span(number)]
        key = span(identity, "dim")
        if beside:
            drawn.add(grid([*columns, Cells(keys)], [[*line, key]]))
        else:
            drawn.add(Group(grid(columns, [line]), key))
    return drawn


def _facts(room: dict[str, JSON]) -> Sequence[str]:
    people = present_in(room)
    return _name(room), openness(room), f"{people} present" if people is not None else "", _id(room, "socialId")


def _sentences(record: dict[str, JSON]) -> Iterator[str]:
    yield f"room set {_name(record)}: {room_counts(record)}, id {_id(record)}"
    for room in rooms(record):
        people = present_in(room)
        facts = ", ".join(filter(None, [openness(room), people_present(people) if people is not None else ""]))
        yield f"  room {_name(room)}: {facts or 'nothing else shown'}, id {_id(room, 'socialId')}"


def _name(record: dict[str, JSON]) -> str:
    return short(plain(record.get("name"))) or "(without a name)"


def _id(record: dict[str, JSON], key: str = "socialRoomSetId") -> str:
    return short(plain(record.get(key))) or "(without an id)"
