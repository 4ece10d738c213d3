"""What a stream can show: how wide its terminal is, how a result looks there, how prose on stderr is folded."""

import io
import os
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from typing import TextIO

from roomctl.cli.given import Given
from roomctl.output.look import Look, fold_command, fold_prose
from roomctl.profiles import Environment


def columns(environment: Environment, stream: TextIO | None) -> int:
    """How many cells a line has: `COLUMNS`, else what the terminal says; 0 where neither is known."""
    told = environment.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and int(told) > 0:
        return int(told[:5])
    return size_of(stream).columns


def size_of(stream: TextIO | None) -> os.terminal_size:
    """The size of a terminal; zeros where that is not known."""
    with suppress(OSError, ValueError, io.UnsupportedOperation):
        if stream:
            return os.get_terminal_size(stream.fileno())
    return os.terminal_size((0, 0))


def fitting(environment: Environment, terminal: TextIO, text: str) -> str:
    """Break the lines of a text, or a command after `$`, to fit a terminal; for a screen reader they stay whole."""
    if environment.flag("ROOMCTL_ACCESSIBLE"):
        return text
    space = columns(environment, terminal)
    if not space or max(map(len, text.split("\n"))) * 2 <= space:
        return text

    return fold_command(text, space) if text.startswith(("$ ", "export ")) else fold_prose(text, space)


def redrawn(environment: Environment, stream: TextIO | None) -> bool:
    """Whether a picture can be drawn again in place: on a terminal that can, unless only words are wanted."""
    terminal = stream is not None and not stream.closed and stream.isatty()
    return terminal and environment.get("TERM") != "dumb" and not environment.flag("ROOMCTL_ACCESSIBLE")


def look_of(environment: Environment, given: Given, form: str, out: TextIO, *, terminal: bool) -> Look:
    color = terminal and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    true_color = environment.get("COLORTERM") in ("truecolor", "24bit")
    depth = 2**24 if true_color else 256 if "256color" in environment.get("TERM", "") else 0
    return Look(
        format=form,
        fields=given.fields,
        sorted_by=(given.sort_by or "").partition(",")[0],
        header=not given.no_header,
        terminal=terminal,
        color=color,
        width=(columns(environment, out) or 80) if terminal else 80,
        accessible=terminal and environment.flag("ROOMCTL_ACCESSIBLE"),
        zone=viewers_zone(environment) if terminal else None,
        depth=depth if color else 0,
        encoding=getattr(out, "encoding", None) or "utf-8",
    )


def viewers_zone(environment: Environment) -> tzinfo | None:
    """The zone of times in tables, and of those that a viewer asks for."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(environment["TZ"])
    except (KeyError, ValueError, OSError):
        return datetime.now(UTC).astimezone().tzinfo
