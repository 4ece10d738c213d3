"""What people see instead of a table where looking is quicker than reading: the pictures by name.

Each takes what is shown and how, gives what is drawn from top to bottom, and tells the same in sentences for
accessibility. Its data is the command's value, which the other forms of output write.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple, TextIO

from roomctl.output.fields import sort_rows
from roomctl.output.look import Look, Shown

JSON = Any


class Picture(NamedTuple):
    """A picture: the module of `output` and its function; whether it is drawn off a terminal too."""

    module: str
    function: str
    anywhere: bool = False


PICTURES: Mapping[str, Picture] = {
    "tree": Picture("tree", "tree", anywhere=True),
    "registrations": Picture("chart", "registrations"),
    "map": Picture("map", "cta_map", anywhere=True),
    "theme": Picture("theme", "theme", anywhere=True),
    "timeline": Picture("timeline", "timeline"),
    "checklist": Picture("card", "checklist"),
    "cards": Picture("card", "cards"),
}


def is_drawn(name: str, look: Look) -> bool:
    """Whether a result is seen as that picture: no other form, no fields were asked for, and here it can be drawn."""
    return (
        name in PICTURES and look.format == "table" and not look.fields and (look.terminal or PICTURES[name].anywhere)
    )


def draw(name: str, shown: Shown, look: Look, out: TextIO) -> None:
    """Draw a result."""
    from roomctl.output import console

    picture = PICTURES[name]
    if isinstance(shown.value, list) and look.sort_by:
        shown = shown._replace(value=sort_rows(shown.value, look.sort_by))
    function = getattr(import_module(f"roomctl.output.{picture.module}"), picture.function)
    console.draw(function(shown, look), look, out)
