"""A value as a person reads it, and the cells of a table: booleans as words, times in the viewer's zone."""

import re
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import NamedTuple

from roomctl.contract.records import called, folded, is_uuid
from roomctl.contract.rooms import is_open
from roomctl.output.columns import FILE_ONLY, Column, at, resource_of, seen_keys, shorten_bytes
from roomctl.output.look import Look, Shown, width
from roomctl.text import JSON
from roomctl.text.counted import size
from roomctl.text.jsontext import compact, number
from roomctl.text.safe import safe
from roomctl.text.times import looks_like_a_time, told

BREAKS = {
    "mail": re.compile("(?=@)"),
    "fault": re.compile("(?<=[,+: ])"),
    "path": re.compile("(?<=[/| ])"),
    "url": re.compile("(?<=[^/:]/)"),
    "dotted": re.compile(r"(?<=\.)"),
    **dict.fromkeys(["bad", "prose"], re.compile("(?<= )")),
}
"""Where the texts of some kinds of columns are broken, and nowhere else."""
_FLOWING = {"text", "named", "pairs", "rules", *BREAKS} - {"mail", "url"}
"""Kinds of columns whose texts may take several lines; those of other kinds only where they are very long."""
LONGEST = 500  # how many characters of a text are shown in a cell of a table
_LEAST_NAME, _LEAST_TEXT, _LEAST_PROSE = 20, 14, 30
_LEAST_SQUEEZED = 10
_LONGEST_FIXED = 40
_STYLES: Mapping[str, str] = {
    **dict.fromkeys(["COMPLETE", "ok", "confirmed", "open"], "good"),
    **dict.fromkeys(["FAILED", "failed", "unknown", "refused", "partial"], "bad"),
    **dict.fromkeys(["PROCESSING", "planned", "sent"], "wait"),
    **dict.fromkeys(["closed", "skipped", "not_sent"], "dim"),
}


class Cell(NamedTuple):
    """A value as text without control characters, the style it is shown in, and the zone of a time."""

    text: str
    style: str = ""
    zone: str = ""


def cell(
    value: JSON, kind: str = "text", zone: tzinfo | None = None, *, seconds: bool = False, limit: int = LONGEST
) -> Cell:
    """Write a value for people, in at most `limit` characters. One that does not fit its kind is written as it is."""
    if isinstance(value, str):
        if kind == "time" and (time := told(value, zone, seconds=seconds)) is not None:
            return Cell(time.text, zone=time.zone)
        return Cell(short(value, limit), _STYLES.get(value, "") if kind == "state" else "bad" if kind == "bad" else "")
    if isinstance(value, bool):
        return Cell("yes", "good") if value else Cell("no", "dim")
    if isinstance(value, dict | list):
        return Cell(str(len(value)) if kind == "count" else short(_brief(value, kind), limit))
    return Cell(size(value) if kind == "size" and value else short(plain(value), limit))


def short(text: str, limit: int = LONGEST) -> str:
    """Make text fit for one cell; of a very long one the beginning, and how much is left out."""
    if len(text) <= limit:
        return safe(text, cell=True)
    return f"{safe(text[:limit], cell=True)}… ({len(text) - limit} more characters: `-o json` shows all)"


def plain(value: JSON) -> str:
    """Write any value as plain text: null as nothing, a nested one as compact JSON."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return "" if value is None else "yes" if value else "no"
    return compact(value) if isinstance(value, dict | list) else number(value)


def _brief(value: JSON, kind: str) -> str:
    if isinstance(value, dict):
        return summary(value) or compact(shorten_bytes(value))
    if kind in ("pairs", "rules") and all(isinstance(each, dict) for each in value):
        pairs = (f"{plain(each.get('name'))}: {plain(each.get('value'))}" for each in value)
        return "; ".join(map(rule, value) if kind == "rules" else pairs)
    if any(isinstance(each, dict | list) for each in value):
        briefs = [summary(each) if isinstance(each, dict) else "" for each in value]
        return "; ".join(briefs) if all(briefs) else compact(shorten_bytes(value))
    return ", ".join(map(plain, value))


def rule(record: Mapping[str, JSON]) -> str:
    return " ".join(plain(record.get(name)) for name in ("property", "operator", "value"))


def summary(record: Mapping[str, JSON]) -> str:
    """Name a room, theme, user or rule that stands inside another record, with its id; empty for anything else."""
    if record.keys() == {"property", "operator", "value"}:
        return rule(record)
    mail = record.get("emailAddress")
    for key, name, more in (
        ("socialId", record.get("name"), openness(record)),
        ("socialThemeId", record.get("socialThemeName"), ""),
        ("userId", called(record) or record.get("name"), f"<{mail}>" if isinstance(mail, str) else ""),
    ):
        if isinstance(identity := record.get(key), str) and isinstance(name, str):
            return " ".join(filter(None, [name, more, identity]))
    return ""


def titled(record: Mapping[str, JSON], resource: str) -> str:
    """Name a record in a sentence: `Main Stage (8fd4…76844)`, its id whole; without a name `room 8fd4…76844`."""
    shown = resource_of(resource)
    name = next((at(record, each.path) for each in shown.columns if each.heading == "name"), None)
    identity = short(str(at(record, shown.id)))
    if isinstance(name, str) and name:
        return f"{short(name)} ({identity})"
    return f"{shown.plural.removesuffix('s')} {identity}"


def openness(room: Mapping[str, JSON]) -> str:
    """Say whether a room is open or closed; nothing where it does not show that."""
    state = is_open(room)
    return "" if state is None else "open" if state else "closed"


class Filled(NamedTuple):
    """A column with its cells: the widest one, the least width that reads well, and the least there may be."""

    column: Column
    heading: str
    cells: list[Cell]
    natural: int
    usual: int
    least: int

    @property
    def empty(self) -> bool:
        return not any(each.text for each in self.cells)


def filled_columns(shown: Shown, look: Look) -> list[Filled]:
    """Choose the columns of a table and write their cells: those asked for, those of the resource, or all keys.

    A heading names the zone that all its times share; a column of names that nothing shows is left out.
    """
    resource, rows, fields = shown.resource, shown.value, look.fields
    known = {column.path: column for column in resource_of(resource).columns if column.of is None}
    headed = {column.heading: column._replace(rank=0) for column in known.values() if column.kind == "named"}
    if fields or not resource_of(resource).columns:
        names = fields or seen_keys(rows) or ("value",)
        columns = [
            headed.get(name) or Column(name, _heading(name, known), _kind(name, rows, known), 0 if fields else rank)
            for rank, name in enumerate(names)
        ]
    else:
        columns = [column for column in resource_of(resource).columns if column.rank < FILE_ONLY]
    filled = [_filled(column, rows, look.zone, shown.names, index == 0) for index, column in enumerate(columns)]
    return [each for each in filled if not (each.empty and each.column.kind == "named" and each.column.of)]


def _heading(path: str, known: Mapping[str, Column]) -> str:
    """The heading of a field that was asked for by its path: where a name stands in its place, that is the path."""
    return path if path not in known or known[path].kind == "named" else known[path].heading or path


def _kind(path: str, rows: Sequence[JSON], known: dict[str, Column]) -> str:
    if path in known and known[path].heading:
        return known[path].kind.replace("named", "id")  # by its path an id is asked for, by its heading a name
    values = [value for row in rows if (value := at(row, path)) is not None]
    if not values:
        return "text"
    if not any(isinstance(value, str | bool | dict | list) for value in values):
        return "number"
    if all(is_uuid(value) for value in values):
        return "id"
    if all(isinstance(value, str) and looks_like_a_time(value) for value in values):
        return "time"
    return "state" if path in ("status", "state") else "text"


def _filled(column: Column, rows: Sequence[JSON], zone: tzinfo | None, names: Mapping[str, str], first: bool) -> Filled:
    cells = [cell(_value(column, row, names, first), column.kind, zone) for row in rows]
    if column.kind == "bad":
        quiet = [at(row, "status") == "skipped" or one.text == "0" for one, row in zip(cells, rows, strict=True)]
        cells = [Cell(each.text, "dim" if dim else "bad") for each, dim in zip(cells, quiet, strict=True)]
    if column.kind == "named" and any(is_uuid(each.text) for each in cells):
        column = column._replace(kind="id", rank=FILE_ONLY - 1)  # without its name it tells little
    if column.compares and len({each.text for each in cells}) == 1:
        column = column._replace(rank=FILE_ONLY - 1)
    heading = safe(column.heading, cell=True)
    zones = {each.zone for each in cells if each.text}
    if len(zones) == 1 and (zone_name := zones.pop()):
        heading += f" ({zone_name})"
    else:
        cells = [Cell(f"{each.text} {each.zone}") if each.zone else each for each in cells]
    natural = max([width(heading), *(width(each.text) for each in cells)])
    usual, least = (max(width(heading), min(natural, each)) for each in _widths(column, cells, natural))
    return Filled(column, heading, cells, natural, usual, least)


def _widths(column: Column, cells: Sequence[Cell], natural: int) -> tuple[int, int]:
    """Say how narrow a column may be made: some are broken at certain places only, what is no text not at all."""
    if column.kind == "whole" or (column.kind not in _FLOWING and natural <= _LONGEST_FIXED):
        return natural, natural
    if column.kind in BREAKS:
        longest = max((width(part) for each in cells for part in BREAKS[column.kind].split(each.text)), default=0)
        long = _LEAST_PROSE if natural > 4 * _LEAST_PROSE and column.kind in ("bad", "prose") else _LEAST_TEXT
        least = min(max(longest, long), _LONGEST_FIXED)
        return (natural if column.kind == "dotted" else least), least
    if column.kind in ("pairs", "rules"):
        return _LEAST_PROSE, _LEAST_PROSE
    least = _LEAST_TEXT if column.rank else _LEAST_NAME
    return least, _LEAST_SQUEEZED if column.kind in ("text", "named") and not column.rank else least


def _value(column: Column, row: JSON, names: Mapping[str, str], first: bool) -> JSON:
    """Give what stands in a column of a row: in place of an id a name, where one is known; a person by any name."""
    if not isinstance(row, dict):
        return plain(row) if first else None
    if column.of:
        found = column.of(row)
        return names.get(folded(row.get("input"))) if found is None and column.kind == "named" else found
    found = at(row, column.path)
    if column.kind == "bad" and isinstance(found, str) and is_uuid(row.get("input")):
        key = row["input"]
        parts = re.split(f" {re.escape(str(names.get(folded(key))))} [(]{key}[)]| {key}", found, maxsplit=1)
        head, _, noun = parts[0].rpartition(" ")
        return (
            f"{head}{'' if noun == 'for' else f' the {noun}'}{parts[1]}" if len(parts) > 1 else found
        )  # it is the row
    if column.kind == "named":
        return names.get(folded(found), found)
    if found is not None or not (column.path == "name" or column.path.endswith(("user.name", "User.name"))):
        return found
    who = at(row, column.path.rpartition(".")[0]) if "." in column.path else row
    return called(who) or None if isinstance(who, dict) else None
