"""Values as text cells, moments too: nothing dropped silently, or acted on by a terminal or spreadsheet (R21, R26)."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from functools import partial

from roomctl.text import JSON
from roomctl.text.jsontext import exact
from roomctl.text.safe import unsafe
from roomctl.text.times import local

_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
_FORMULA = re.compile(r"'*[\s\x00-\x20\x7f-\xa0\u200b-\u200d\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_ANY_FORMULA = re.compile(f"^{_FORMULA.pattern}", re.MULTILINE)
_MOMENTS = frozenset({"dateCreated", "dateTimeInvited", "firstSeen", "lastSeen"})
NESTED = frozenset({dict, list})
now = partial(datetime.now, UTC)
_PHONE = re.compile(r"\+[0-9][0-9 ().]*", re.ASCII)


def shows(data: bytes) -> bool:
    """Whether UTF-8 text, its newlines aside, has only characters that show. Quick: it reads only what is not ASCII."""
    rest = data.translate(None, _PLAIN)
    return not rest or not unsafe("").search(rest.decode())


def text(value: JSON) -> str:
    """Write a JSON value as the text of a cell: strings as they are, null as nothing, nested values as compact JSON."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    if type(value) is bool:
        return "true" if value else "false"
    return exact(value)


def texts(column: Sequence[JSON]) -> tuple[Sequence[str], str]:
    """Write a column as texts, and all of them in one; a column that holds nothing else is given back as it is."""
    try:
        return column, "".join(column)
    except TypeError:
        cells = [cell if type(cell) is str else "" if cell is None else text(cell) for cell in column]
        return cells, "".join(cells)


def guard(cell: str) -> str:
    """Put `'` before a cell that a spreadsheet would run as a formula; `+49 30 1234` is spared (R26)."""
    return "'" + cell if _FORMULA.match(cell) and not _PHONE.fullmatch(cell) else cell


def unguard(cell: str) -> str:
    """Undo `guard`: what it has put before a cell can be told from what stood there."""
    return cell[1:] if cell[:1] == "'" and guard(cell[1:]) != cell[1:] else cell


def guard_column(cells: Sequence[str], source: Sequence[JSON]) -> Sequence[str]:
    """Guard those cells of a column, none with a line break, that were strings: a spreadsheet reads a number as one."""
    if not _ANY_FORMULA.search("\n".join(cells)):
        return cells
    return [guard(cell) if type(value) is str else cell for cell, value in zip(cells, source, strict=True)]


def in_zone(column: Sequence[JSON], name: str, zone: tzinfo) -> Sequence[JSON]:
    """Give a column with its moments, nested ones too, on the clock of `zone`, offset included; all else as it is."""
    if not is_moment(name):
        flat = NESTED.isdisjoint(map(type, column))
        return column if flat else [_within(cell, name, zone) for cell in column]
    texts = {cell for cell in column if type(cell) is str}
    shown = {text: at for text in texts if (at := _on_wall(text, zone))}
    return [shown.get(cell, cell) if type(cell) is str else _within(cell, name, zone) for cell in column]


def _within(value: JSON, name: str, zone: tzinfo) -> JSON:
    if type(value) is dict:
        return {inner: _within(each, inner, zone) for inner, each in value.items()}
    if type(value) is list:
        return [_within(each, name, zone) for each in value]
    return (type(value) is str and is_moment(name) and _on_wall(value, zone)) or value


def _on_wall(text: str, zone: tzinfo) -> str | None:
    """Write a moment as the clock in `zone` shows it, with all digits of its second; None where it is none."""
    if (at := local(text, zone)) is None:
        return None
    fraction, whole = re.search(r"[.,]\d+", text), at.replace(microsecond=0).isoformat()
    return whole[:19] + (fraction[0] if fraction else "") + whole[19:]


def written(at: datetime) -> str:
    spec = "milliseconds" if at.microsecond else "seconds"
    return at.astimezone(UTC).isoformat(timespec=spec).replace("+00:00", "Z")


def is_moment(name: str) -> bool:
    """Whether a field of that name (dotted or not) holds a moment, as the service names its fields."""
    leaf = name.rpartition(".")[2]
    return leaf.endswith("DateTime") or leaf in _MOMENTS
