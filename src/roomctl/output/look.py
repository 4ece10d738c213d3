"""What is shown, and how: what every writer and picture takes."""

from datetime import tzinfo
from typing import Any, NamedTuple

JSON = Any


class Shown(NamedTuple):
    """A result: JSON, an iterator of rows, or None for nothing, and the name of the resource that a row is.

    `resource` is "Result" for the rows of a bulk command, "Request" or "Body" for what is JSON unless another form is
    asked for, "Explanation" for what is only read, a card in a pipe too, and empty or any other name for free-form
    rows. `around` is the record that a picture needs beside it.
    """

    value: JSON
    resource: str = ""
    around: JSON = None


class Look(NamedTuple):
    """How a result is shown; `zone` is the viewer's, None leaves times as they came.

    `depth` is how many colours a terminal has beside those that people chose for it: none (0), 256, or 2 to the 24th.
    `encoding` is the stream's: what it cannot write is drawn with other characters.
    """

    format: str
    fields: tuple[str, ...] = ()
    header: bool = True
    terminal: bool = False
    color: bool = False
    width: int = 80
    accessible: bool = False
    zone: tzinfo | None = None
    sort_by: str = ""
    depth: int = 0
    encoding: str = "utf-8"
