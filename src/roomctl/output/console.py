"""What tables, cards and pictures are drawn with: a console of rich's, told all that it would look for by itself.

A string is plain text here, never markup, and all that is drawn passes a `Wall`.
"""

import io
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TextIO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from roomctl.output.look import Look
from roomctl.text.safe import Wall

UNLIMITED = 1_000_000
_LEAST_WIDTH = 2  # a wide character takes two cells
_TRAILING = re.compile(r"(\x1b\[(?:(?!48;)[0-9;])*m[^\x1b\n]*?) +(\x1b\[0m) *$| +$", re.MULTILINE)  # 48: a background
# yellow cannot be read on a light background: magenta can on both
_THEME = Theme({"head": "bold", "dim": "dim", "good": "green", "bad": "red", "wait": "magenta", "bar": "cyan"})
_DEPTHS = {0: "standard", 256: "256", 2**24: "truecolor"}


class Cells(NamedTuple):
    width: int
    right: bool = False


def draw(parts: Iterable[RenderableType], look: Look, out: TextIO) -> None:
    wall = Wall(out, color=look.color, human=True)
    for text in render(parts, look, out):
        wall.write(text)


def console(look: Look, out: TextIO) -> Console:
    """Make a console for that stream; for accessibility and off a terminal no line is folded."""
    return Console(
        file=out,
        width=UNLIMITED if look.accessible or not look.terminal else max(look.width, _LEAST_WIDTH),
        height=25,
        color_system=_DEPTHS[look.depth] if look.color else None,  # type: ignore[arg-type]  # rich names its own words
        theme=_THEME,
        force_terminal=True,
        force_jupyter=False,
        force_interactive=True,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )


def render(parts: Iterable[RenderableType], look: Look, out: TextIO) -> Iterable[str]:
    """Draw things as texts for that stream, without blanks at the ends of lines."""
    drawing = console(look, out)
    for part in parts:
        with drawing.capture() as capture:
            drawing.print(Group(part), overflow="fold", crop=False)  # a bare `Text` would lose its own way of folding
        yield _TRAILING.sub(r"\1\2", capture.get())


def above(screen: Console) -> Callable[[str], None]:
    """Give what writes lines above a live view of this console: they pass a `Wall` before rich places them."""

    def write(text: str) -> None:
        passed = io.TextIOWrapper(io.BytesIO(), screen.encoding, newline="")
        Wall(passed, human=True).write(text.removesuffix("\n"))
        passed.seek(0)
        screen.print(Text(passed.read()), soft_wrap=True)

    return write


def span(text: str, style: str = "") -> Text:
    """Give text a style that blanks beside it do not have."""
    return Text(overflow="fold").append(text, style)


def copyable(text: str) -> Text:
    """Give text that is to be copied: a terminal that breaks its lines by itself lets it be copied whole."""
    return Text(text, no_wrap=True, overflow="ignore")


def indent(part: RenderableType, cells: int = 2) -> Padding:
    return Padding(part, (0, 0, 0, cells), expand=False)


def grid(columns: Sequence[Cells], rows: Iterable[Sequence[RenderableType]]) -> Table:
    """Set rows in columns of these widths, two blanks apart; what is longer is folded."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(width=column.width, justify="right" if column.right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
