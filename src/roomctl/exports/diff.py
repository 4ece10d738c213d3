"""Two exports of one list compared: which rows are new, which changed and in what, which are gone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from roomctl.errors import BadInput
from roomctl.exports.columns import Misfit, flat, named
from roomctl.exports.distinct import fingerprint, key_of
from roomctl.exports.exported import Exported
from roomctl.exports.manifest import Manifest

JSON = Any
Row = dict[str, JSON]
_MISSING = object()


def diff(old: Path, new: Path) -> list[dict[str, JSON]]:
    """Give the changes as `{id, change, fields}`: `new` and `changed` in the order of the new export, then `gone`.

    Both must be of one format (ndjson and json count as one). An id stands for a row in memory, about 250 bytes; of the
    rows that changed, all of the old version. Raises BadInput where a file cannot be read or they cannot be compared:
    what an export left out is not gone, and rows of another list are not new.
    """
    before, after = Exported(old), Exported(new)
    _must_be_of_one_list(before, after)
    if before.format != after.format and (before.tabular or after.tabular):
        raise BadInput(
            f"exports of different formats cannot be compared: {before.format} and {after.format}",
            hint="export both in one format; ndjson loses nothing",
        )
    known = {key: fingerprint(row) for key, row in _keyed(before)}
    present = {key: fingerprint(row) for key, row in _keyed(after)}
    changed = {key for key, content in present.items() if known.get(key, content) != content}
    fields = dict(_changed_fields(before, after, changed))
    news = [
        _change(key, "changed" if key in changed else "new", fields.get(key, []))
        for key in present
        if key in changed or key not in known
    ]
    return news + [_change(key, "gone", []) for key in known if key not in present]


def _must_be_of_one_list(before: Exported, after: Exported) -> None:
    for each in (before, after):
        if each.manifest and each.manifest.left_out:
            raise BadInput(
                f"`{each.path}` leaves out rows of its list: what is not in it is neither new nor gone",
                hint="compare two exports without `--since`, `--absent` and `--stayed`",
            )
        if each.manifest and not each.manifest.complete:
            raise BadInput(
                f"`{each.path}` is not complete, says its manifest: {each.manifest.why}",
                hint="what is not in it is neither new nor gone; export it once more",
            )
    if before.manifest and after.manifest and _asked(before.manifest) != _asked(after.manifest):
        raise BadInput(
            f"exports of different lists cannot be compared: {_asked(before.manifest)} and {_asked(after.manifest)}",
            hint="export both for one event, with the same `--text`",
        )


def _asked(manifest: Manifest) -> str:
    """Say which list an export is of; in which order it was asked for does not matter."""
    filters = sorted((name, value) for name, values in manifest.filters.items() for value in values if name != "sort")
    return " ".join((manifest.operation, *map("=".join, filters)))


def _change(key: str, change: str, fields: list[str]) -> dict[str, JSON]:
    return {"id": key, "change": change, "fields": fields}


def _changed_fields(before: Exported, after: Exported, changed: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Read both files again and compare the rows that changed, field by field."""
    if not changed:
        return
    was = {key: _fields(row) for key, row in _keyed(before) if key in changed}
    for key, row in _keyed(after):
        if key in changed:
            now, then = _fields(row), was[key]
            names = [name for name in {**then, **now} if then.get(name, _MISSING) != now.get(name, _MISSING)]
            yield key, names or ["values"]  # the same values in another order


def _keyed(exported: Exported) -> Iterator[tuple[str, Row]]:
    """Give rows by key, without cells that are empty: a column that was added later changes no row by itself."""
    for row in exported.rows():
        if type(row) is not dict:
            raise BadInput(f"not an export of objects: `{exported.path}`")
        if exported.tabular and exported.row_id(row) not in row:
            raise BadInput(
                f"`{exported.path}` has no column of ids, so nothing tells which row is which",
                hint="export it with that column: for registrations, `registrationId`",
            )
        full = {name: value for name, value in row.items() if value not in ("", None)} if exported.tabular else row
        yield key_of(full, exported.row_id(row)), full


def _fields(row: Row) -> Row:
    """Give a row's fields under dotted names; a registration's `values` under their own."""
    fields = dict(flat(row))
    if type(row.get("values")) is list:
        try:
            for name, value in named(row["values"]):
                fields.setdefault(f"values.{name}", []).append(value)
            del fields["values"]
        except Misfit:  # compared as a whole
            pass
    return fields
