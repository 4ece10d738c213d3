"""How wide the terminal is that a stream goes to, and what people read on stderr broken between words to fit it."""

import io
import os
from typing import TextIO

from roomctl.profiles import Environment


def columns(environment: Environment, stream: TextIO | None) -> int:
    """How many cells a line has: `COLUMNS`, else what the terminal says; 0 where neither is known."""
    told = environment.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and int(told) > 0:
        return int(told[:5])
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream else 0
    except (OSError, ValueError, io.UnsupportedOperation):
        return 0


def lines(stream: TextIO) -> int:
    """How many lines the terminal has; 24 where that is not known."""
    try:
        return os.get_terminal_size(stream.fileno()).lines or 24
    except (OSError, ValueError, io.UnsupportedOperation):
        return 24


def fitting(environment: Environment, stream: TextIO | None, text: str) -> str:
    """Break the lines of a text to fit a terminal; in a pipe, a file, or for a screen reader they stay as they are."""
    if stream is None or stream.closed or not stream.isatty() or environment.flag("ROOMCTL_ACCESSIBLE"):
        return text
    space = columns(environment, stream)
    if not space or max(map(len, text.split("\n"))) * 2 <= space:
        return text
    from roomctl.output.look import hanging

    return hanging(text, space)
