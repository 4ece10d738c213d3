"""What people see instead of a table where looking is quicker than reading: the pictures by name.

Each takes what is shown, how, and where to, writes through a `Wall`, and tells the same in sentences for
accessibility. Its data is the command's value, which the other forms of output write.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple, TextIO

from roomctl.render.selecting import in_order
from roomctl.render.writers import Look, Shown

JSON = Any


class Picture(NamedTuple):
    """A picture: the module below `render` and its function; whether it is drawn off a terminal too."""

    module: str
    function: str
    anywhere: bool = False


PICTURES: Mapping[str, Picture] = {
    "tree": Picture("trees", "tree", anywhere=True),
    "registrations": Picture("charts", "registrations"),
    "map": Picture("maps", "cta_map", anywhere=True),
    "theme": Picture("themes", "theme", anywhere=True),
    "timeline": Picture("timeline", "timeline"),
    "checklist": Picture("checklist", "checklist"),
    "cards": Picture("carded", "cards"),
}


def drawn_as(name: str, look: Look) -> bool:
    """Whether a result is seen as that picture: no other form, no fields were asked for, and here it can be drawn."""
    return (
        name in PICTURES and look.format == "table" and not look.fields and (look.terminal or PICTURES[name].anywhere)
    )


def draw(name: str, shown: Shown, look: Look, out: TextIO) -> None:
    """Draw a result."""
    picture = PICTURES[name]
    if isinstance(shown.value, list) and look.sort_by:
        shown = shown._replace(value=in_order(shown.value, look.sort_by))
    getattr(import_module(f"roomctl.render.{picture.module}"), picture.function)(shown, look, out)
