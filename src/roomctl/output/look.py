"""What is shown, and how: what every writer and picture takes; prose fitted to a terminal. No import of rich here."""

import re
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import NamedTuple

from roomctl.text import JSON

_ATOM = re.compile(r"(?:`[^`]*`|[^ `]|`)+")
_TYPED = re.compile(r"""(?:\| \w[\w ]* )?(?:-[\w-]+ (?!-))?(?:'[^']*'|"[^"]*"|[^ '"])+""")
"""A word of a command line; an option stays with its value."""


class Shown(NamedTuple):
    """A result: JSON, an iterator of rows, or None for nothing, and the name of the resource that a row is.

    `resource` is one of RESULTS for the rows of a bulk command, "Request" or "Body" for what is JSON unless another
    form is asked for, "Explanation" for what is only read, a card in a pipe too, and empty or any other name for
    free-form rows. `around` is the record that a picture needs beside it, `names` are those of rooms and sets, by id.
    """

    value: JSON
    resource: str = ""
    around: JSON = None
    names: Mapping[str, str] = {}


class Look(NamedTuple):
    """How a result is shown; `zone` is the viewer's, None leaves times as they came.

    `depth` is how many colours a terminal has beside those that people chose for it: none (0), 256, or 2 to the 24th.
    `encoding` is the stream's: what it cannot write is drawn with other characters.
    """

    format: str
    fields: tuple[str, ...] = ()
    sorted_by: str = ""
    header: bool = True
    terminal: bool = False
    color: bool = False
    width: int = 80
    accessible: bool = False
    zone: tzinfo | None = None
    depth: int = 0
    encoding: str = "utf-8"


def width(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def fold_command(line: str, space: int, margin: str = "") -> str:
    """Break a command line between its words, so that a shell reads on: a backslash, what follows indented."""
    if width(margin + line) <= space:
        return margin + line
    return " \\\n".join(_fill(_TYPED.findall(line), margin, space - 2))


def fold_prose(text: str, space: int) -> str:
    """Break each line between words, what follows indented; never in backticks or a word, to be copied whole."""
    lines: list[str] = []
    for line in text.split("\n"):
        margin = line[: len(line) - len(line.lstrip(" "))]
        lines += [line] if width(line) <= space else _fill(_ATOM.findall(line), margin, space)
    return "\n".join(lines)


def _fill(words: Sequence[str], margin: str, space: int) -> list[str]:
    """Set words in lines; those after the first are indented by two more blanks."""
    lines = [margin + "".join(words[:1])]
    for word in words[1:]:
        if width(f"{lines[-1]} {word}") <= space:
            lines[-1] += f" {word}"
        else:
            lines.append(f"{margin}  {word}")
    return lines
