"""What people see instead of a table where looking is quicker than reading: the pictures by name.

Each gives what is drawn from top to bottom, or for accessibility the same in sentences.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TextIO

from roomctl.output.look import Look, Shown

PICTURES: Mapping[str, tuple[str, str]] = {
    "tree": ("tree", "tree"),
    "registrations": ("chart", "registrations"),
    "map": ("map", "cta_map"),
    "theme": ("theme", "theme"),
    "timeline": ("timeline", "timeline"),
    "checklist": ("card", "checklist"),
    "cards": ("card", "cards"),
    "plan": ("plan", "plan"),
}
"""The module of `output` and the function that draws each."""
ANYWHERE = ("tree", "map", "theme", "plan")
"""Pictures that are drawn off a terminal too."""


def is_drawn(name: str, look: Look) -> bool:
    """Whether a result is seen as that picture: no other form, no fields were asked for, and here it can be drawn."""
    return name in PICTURES and look.format == "table" and not look.fields and (look.terminal or name in ANYWHERE)


def draw(name: str, shown: Shown, look: Look, out: TextIO) -> None:
    from roomctl.output import console

    module, function = PICTURES[name]
    console.draw(getattr(import_module(f"roomctl.output.{module}"), function)(shown, look), look, out)
