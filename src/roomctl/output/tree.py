"""Room sets with their rooms as a tree: which rooms are open, and how many people are in them."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.tree import Tree

from roomctl.contract.rooms import present_in, rooms
from roomctl.output.columns import people_present, room_counts
from roomctl.output.console import Cells, grid, span
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import openness, plain, short
from roomctl.text import JSON

_LONGEST_NAME, _LEAST_NAME = 40, 10
_GUIDE = 4
_WIDE = 10_000


def tree(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw room sets, each with its rooms; for accessibility as sentences. Nothing is cut, narrow or not."""
    for number, each in enumerate(one for one in shown.value if isinstance(one, dict)):
        if number:
            yield ""
        if not look.accessible:
            yield _tree(each, look.width if look.terminal else _WIDE)
            continue
        name, identity = _name_and_id(each, "socialRoomSetId")
        yield f"room set {name}: {room_counts(each)}, id {identity}"
        for room in rooms(each):
            people, (name, identity) = present_in(room), _name_and_id(room, "socialId")
            facts = ", ".join(filter(None, [openness(room), people_present(people) if people is not None else ""]))
            yield f"  room {name}: {facts or 'nothing else shown'}, id {identity}"


def _tree(record: dict[str, JSON], space: int) -> Tree:
    name, identity = _name_and_id(record, "socialRoomSetId")
    head, key = span(name, "head").append(f"  {room_counts(record)}", ""), span(identity, "dim")
    beside = head.cell_len + 2 + key.cell_len <= space
    drawn = Tree(head.append("  ").append_text(key) if beside else Group(head, key))
    rows = []
    for room in rooms(record):
        people, (name, identity) = present_in(room), _name_and_id(room, "socialId")
        rows.append((name, openness(room), "" if people is None else f"{people} present", identity))
    names, states, present, keys = (max((width(row[index]) for row in rows), default=0) for index in range(4))
    names = min(names, _LONGEST_NAME)
    beside = _GUIDE + names + states + present + keys + 6 <= space
    if not beside:
        names = max(min(names, space - _GUIDE - states - present - 4), _LEAST_NAME)
    columns = [Cells(names), Cells(states), Cells(present, right=True)]
    for name, state, number, identity in rows:
        line = [span(name), span(state, "good" if state == "open" else "dim"), span(number)]
        key = span(identity, "dim")
        drawn.add(grid([*columns, Cells(keys)], [[*line, key]]) if beside else Group(grid(columns, [line]), key))
    return drawn


def _name_and_id(record: dict[str, JSON], key: str) -> tuple[str, str]:
    name, identity = short(plain(record.get("name"))), short(plain(record.get(key)))
    return name or "(without a name)", identity or "(without an id)"
