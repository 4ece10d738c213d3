"""The formats of an export: one entry each, which names the `Codec` that writes and reads it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from roomctl.errors import BadConfig, BadInput, BadValue
from roomctl.text import JSON

Table = Sequence[Sequence[JSON]]  # columns, each as long as there are rows


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


class Codec(Protocol):
    """Writes and reads a format. The file of a text format is what was kept, page after page, and its `ending`."""

    finish: Callable[[Iterable[Kept], Sheet, int, Path], None] | None
    """Writes the kept pages to an open file, at its path: a binary format, and a table that got further columns."""

    def keep(self, page: Any, sheet: Sheet) -> bytes: ...

    def ending(self, sheet: Sheet) -> bytes: ...

    def read(self, path: Path) -> Iterator[JSON]: ...


class Format(NamedTuple):
    """A format: its name, the endings of its files, and its codec as `module:NAME` below `roomctl.exports`.

    `tabular`: rows become cells; `binary`: it is no text; `spreadsheet`: what opens it may take cells for formulas;
    `dates`: moments are dates in one zone, which their headings name; `longest`: the greatest number of characters that
    a cell can hold; `needs`: the library without which it cannot be written.
    """

    name: str
    endings: tuple[str, ...]
    module: str
    tabular: bool = True
    binary: bool = False
    spreadsheet: bool = False
    dates: bool = False
    longest: int | None = None
    needs: str | None = None

    @property
    def codec(self) -> Codec:
        module, _, name = self.module.partition(":")
        return cast("Codec", getattr(import_module(f"roomctl.exports.{module}"), name))


FORMATS = (
    Format("csv", (".csv",), "delimited:CSV", spreadsheet=True),
    Format("excel-csv", (), "delimited:EXCEL_CSV", spreadsheet=True),
    Format("tsv", (".tsv",), "delimited:TSV", spreadsheet=True),
    Format("ndjson", (".ndjson", ".jsonl"), "jsonrows:NDJSON", tabular=False),
    Format("json", (".json",), "jsonrows:ARRAY", tabular=False),
    Format("xlsx", (".xlsx",), "xlsx:XLSX", binary=True, dates=True, longest=32_767),
    Format("sqlite", (".sqlite", ".sqlite3", ".db"), "packed:SQLITE", binary=True),
    Format("parquet", (".parquet",), "packed:PARQUET", binary=True, needs="pyarrow"),
)
NAMES = tuple(one.name for one in FORMATS)
FORMAT_OF = {ending: one for one in FORMATS for ending in one.endings}


def format_named(name: str | None, path: Path) -> Format:
    """Give the format of that name, or the one that the file's name ends in. Raises BadValue, BadConfig."""
    for one in FORMATS:
        if name == one.name or (name is None and path.suffix.lower() in one.endings):
            if one.needs:
                from importlib.util import find_spec

                if find_spec(one.needs) is None:
                    hint = f"run `pip install 'roomctl[{one.name}]'`, or use another format"
                    raise BadConfig(f"`{one.name}` needs a library that is not installed: {one.needs}", hint=hint)
            if (other := FORMAT_OF.get(path.suffix.lower(), one).name) not in one.name:  # .csv is right for excel-csv
                why = f"the file's extension says {other}, and `--format` says {one.name}: {path}"
                raise BadValue(why, hint="leave out `--format`, or change the extension")
            return one
    choices = ", ".join(f"`{known}`" for known in NAMES)
    if name is not None:
        raise BadValue(f"unknown export format: `{name}`", hint=f"use one of {choices}")
    raise BadValue(
        f"{path} has no extension that names a format",
        hint=f"add one, such as {path}.csv, or `--format` with one of {choices}",
    )


def format_of(path: Path) -> Format:
    """Give the format of a file that stands there, as its name says. Raises BadInput."""
    try:
        return format_named(None, path)
    except BadValue:
        hint = "give the file the extension of its format, such as .csv, .ndjson or .xlsx"
        raise BadInput(f"neither the file's extension nor a manifest names its format: {path}", hint=hint) from None


def check_form(
    one: Format, *, columns: Sequence[str], rename: Mapping[str, str], zone: tzinfo | None, guard: bool
) -> None:
    """Raise BadValue for what was asked of a file and its format cannot honour."""
    if not one.tabular and not columns and (rename or zone):
        given = [name for name, value in (("`--rename`", rename), ("`--tz`", zone)) if value]
        needs = f"{' and '.join(given)} {'needs' if len(given) == 1 else 'need'}"
        hint = "`--columns a,b.c` chooses the columns; or export a table, such as `--to registrations.csv`"
        raise BadValue(f"{needs} `--columns`, because {one.name} otherwise keeps rows as received", hint=hint)
    if guard and not one.spreadsheet:
        raise BadValue(f"`--guard` applies only to csv and tsv: no program runs text in {one.name} as a formula")
