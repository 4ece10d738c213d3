"""The formats of an export: how a page of rows is kept until the end, and how the kept pages become the file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.errors import BadConfig, BadValue

JSON = Any
Table = Sequence[Sequence[JSON]]
"""Columns, each as long as there are rows."""


class Sheet(NamedTuple):
    """What a format knows of the whole: its title, the columns' names and headings, and how cells are to look.

    `begun` says that there are rows before those at hand, `shown` that all text of these is known to show.
    """

    title: str
    names: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    guard: bool = False
    zone: tzinfo | None = None
    begun: bool = False
    shown: bool = False


class Kept(NamedTuple):
    """A page as it was kept: the number of its columns (later pages may have more) and its encoded rows."""

    width: int
    body: bytes


class Format(NamedTuple):
    """A format: `keep` encodes a page (rows, or a table where `tabular`), `finish` makes the file of the kept pages.

    `finish` writes to `fd`, at `path`; it may iterate the pages more than once. A format without it is what was kept,
    one page after another, and then its `ending`. `spreadsheet`: what opens it may take cells for formulas. `longest`
    is the greatest number of characters in a cell that the format can hold; `needs` the module without which it cannot
    be written.
    """

    name: str
    suffixes: tuple[str, ...]
    tabular: bool
    keep: Callable[[Any, Sheet], bytes]
    finish: Callable[[Iterable[Kept], Sheet, int, Path], None] | None = None
    ending: Callable[[Sheet], bytes] = lambda _: b""
    spreadsheet: bool = False
    longest: int | None = None
    needs: str | None = None


def format_named(name: str | None, path: Path) -> Format:
    """Give the format of that name, or the one that the file's name ends in. Raises BadValue naming the choices."""
    from roomctl.exports import packed, texts

    known = (*texts.FORMATS, *packed.FORMATS)
    for one in known:
        if name == one.name or (name is None and path.suffix.lower() in one.suffixes):
            return usable(one)
    choices = ", ".join(f"`{one.name}`" for one in known)
    if name is not None:
        raise BadValue(f"unknown export format: `{name}`", hint=f"one of {choices}")
    raise BadValue(f"the name of the file does not say its format: `{path}`", hint=f"`--format` takes one of {choices}")


def check_form(
    one: Format, *, columns: Sequence[str], rename: Mapping[str, str], zone: tzinfo | None, guard: bool
) -> None:
    """Raise BadValue for what was asked of a file and its format cannot honour."""
    if not one.tabular and not columns and (rename or zone):
        raise BadValue(
            f"headings and a time zone are for columns, and {one.name} keeps rows as they came",
            hint="`--columns a,b.c` chooses its columns; or export a table, such as `--to registrations.csv`",
        )
    if guard and not one.spreadsheet:
        raise BadValue(f"`--guard` is for spreadsheets, and none reads {one.name}", hint="leave out `--guard`")


def usable(one: Format) -> Format:
    """Give the format back; raise BadConfig where its library is not installed."""
    from importlib.util import find_spec

    if one.needs and find_spec(one.needs) is None:
        raise BadConfig(
            f"`{one.name}` needs a library that is not installed: {one.needs}",
            hint=f"`pip install 'roomctl[{one.name}]'`, or another format",
        )
    return one
