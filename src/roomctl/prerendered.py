"""Help without the command tree: exists only to be fast, for importing Typer costs five times an empty Python.

`help/` holds what `--help` prints, written from the tree by `pytest --update` and held equal to it by a test. The
layout is that of 80 columns; a narrower terminal gets the live help.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 80


def text_for(args: list[str], stdout: int) -> str | None:
    """Give the help that a command line asks for; None where it asks for something else, or the width is another."""
    *words, last = args or ["--help"]
    if last not in ("-h", "--help") or not all(word.replace("-", "").isalpha() and word.isascii() for word in words):
        return None
    if not _fits(stdout):
        return None
    try:
        with open(f"{os.path.dirname(__file__)}/help/{file_name(words)}", encoding="utf-8") as file:  # noqa: PTH120, PTH123  (pathlib costs more than the rest)
            return file.read()
    except OSError:  # not a command: the live tree says what is
        return None


def file_name(words: "Iterable[str]") -> str:
    """Name the file of a command's help."""
    return f"{'.'.join(('roomctl', *words))}.txt"


def _fits(stdout: int) -> bool:
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns) >= WIDTH
    try:
        return not 0 < os.get_terminal_size(stdout).columns < WIDTH
    except OSError:  # not a terminal
        return True
