"""Two exports of one list compared: which rows are new, which changed and in what, which are gone."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from roomctl.contract.records import called, folded
from roomctl.errors import BadInput
from roomctl.exports.attendance import COLUMNS as ATTENDANCE
from roomctl.exports.cells import is_moment
from roomctl.exports.columns import USER, Misfit, flat, named_values
from roomctl.exports.exported import Exported, Row
from roomctl.service.distinct import fingerprint, folded_keys, key_of, version
from roomctl.text import JSON
from roomctl.text.times import moment

Rows = Callable[[], Iterator[tuple[str, Row, Row]]]


class Differences(NamedTuple):
    """The changes of the rows, the columns that could not be compared, each with why, and what proves nothing."""

    changes: list[dict[str, JSON]]
    left_out: dict[str, str]
    unproven: str = ""


def diff(old: Path, new: Path) -> Differences:
    """Give the changes: `new` and `changed` in the order of the new export, then `gone`.

    Each is `{id, change, fields, name, emailAddress, changes}`: whose it is, as far as the file says, and of each field
    that changed `{field, old, new}`, without `old` or `new` where there was none. Of tables the columns that both have
    are compared, under whatever headings. A row takes about 250 bytes of memory; one that changed, all of it. Raises
    BadInput where a file cannot be read or they cannot be compared: what an export left out is not gone.
    """
    before, after = Exported(old), Exported(new)
    _require_one_list(before, after)
    columns, left_out = _comparable(before, after)
    events = set[str]()
    was, now = (partial(_keyed_rows, each, columns, left_out, events) for each in (before, after))
    known = {key: fingerprint(row) for key, row, _ in was()}
    present = {key: fingerprint(row) for key, row, _ in now()}
    if len(events) > 1:
        raise BadInput(f"exports of different events cannot be compared: {' and '.join(sorted(events))}")
    kinds = {key: "changed" if key in known else "new" for key in present if known.get(key) != present[key]}
    kinds |= dict.fromkeys((key for key in known if key not in present), "gone")
    described = _describe(was, now, kinds) if kinds else {}
    changes = [{"id": key, "change": what, **described[key]} for key, what in kinds.items()]
    bare = [f"{each.path}" for each in (before, after) if each.manifest is None]
    moved = dict.fromkeys(f"{each.path}" for each in (before, after) if each.manifest and each.manifest.drifted)
    lacking = "have no manifest, so they" if len(bare) > 1 else "has no manifest, so it"
    unproven = [f"{' and '.join(bare)} {lacking} may be incomplete"] if bare else []
    unproven += [f"the list changed during the export of {' and '.join(moved)}"] if moved else []
    return Differences(changes, left_out, "; ".join(unproven))


def swapped(old: Path, new: Path) -> bool:
    """Whether their manifests say that the second was exported before the first."""
    found = (Exported(each).manifest for each in (old, new))
    begun, later = (moment(each.started) if each else None for each in found)
    return begun is not None and later is not None and later < begun


def _require_one_list(before: Exported, after: Exported) -> None:
    if before.tabular != after.tabular or (before.format != after.format and before.format.tabular):
        kinds = [each.format.name + " with columns" * (each.tabular > each.format.tabular) for each in (before, after)]
        raise BadInput(
            f"exports of different formats cannot be compared: {' and '.join(kinds)}",
            hint="export both in the same format; ndjson keeps everything",
        )
    for each in (before, after):
        each.verify()
        if each.manifest and (each.manifest.left_out or "text" in each.manifest.filters):
            raise BadInput(
                f"{each.path} does not hold the whole list, so rows missing from it would look new or gone",
                hint="compare two exports without `--text`, `--since`, `--absent` and `--stayed`",
            )
        if each.manifest:
            each.manifest.require_complete(each.path)
    known = [each.manifest for each in (before, after) if each.manifest]
    for what, said in (("of different lists", "asked"), ("from different services", "profile_host")):
        if len({*(found := [getattr(each, said) for each in known])}) > 1:
            hint = "export both from one service, for one event, with the same `--text`"
            raise BadInput(f"exports {what} cannot be compared: {' and '.join(found)}", hint=hint)


def _comparable(before: Exported, after: Exported) -> tuple[list[str], dict[str, str]]:
    """Give the columns to compare (none: rows as the service sent them), and why others are left out."""
    ours, theirs = _columns(before), _columns(after)
    if ours is None or theirs is None:  # an empty one: there is nothing to compare
        return [], {}
    left_out: dict[str, str] = {}
    facts = [each.manifest for each in (before, after)]
    is_whole = all(each and not each.chosen for each in facts)  # a column that one lacks was empty there
    for exported, here, there in ((before, ours, theirs), (after, theirs, ours)):
        apart = [name for name in here if name not in there and (not is_whole or name in ATTENDANCE)]
        left_out |= dict.fromkeys(apart, f"only in {exported.path}")
    columns = [*dict.fromkeys((*ours, *theirs))]
    if len({each.time_zone if each else None for each in facts}) > 1:
        left_out = {name: "in different time zones" for name in columns if is_moment(name)} | left_out
    compared = [name for name in columns if name not in left_out]
    if len(compared) == 1 and compared[0].endswith("Id") and left_out:
        raise BadInput(
            f"{before.path} and {after.path} have only {compared[0]} in common, so changes cannot be seen",
            hint="export both with the same columns",
        )
    return compared if before.tabular else [], left_out


def _columns(exported: Exported) -> list[str] | None:
    """Give the columns of a table, of other exports those that were added to it; None where it has no rows."""
    for row in exported.rows():
        if exported.tabular:
            return [*row]
        return [*ATTENDANCE] if exported.manifest and exported.manifest.label else []
    return None


def _describe(was: Rows, now: Rows, kinds: Mapping[str, str]) -> dict[str, Row]:
    """Say whose each row of these keys is, and what changed in it."""
    described, old = dict[str, Row](), dict[str, Row]()
    for side in (was, now):
        for key, row, whole in side():
            if key not in kinds:
                continue
            fields = dict(flat(whole))
            name = called({part: fields.get(f"user.{part}") for part in USER})
            who = {"name": name or None, "emailAddress": fields.get("user.emailAddress") or None}
            changes = _changes(old[key], row) if key in old else []
            described[key] = {"fields": [each["field"] for each in changes], **who, "changes": changes}
            old |= {key: row} if kinds[key] == "changed" else {}
    return described


def _changes(old: Row, new: Row) -> list[Row]:
    then, now = _fields(old), _fields(new)
    both = {**then, **now}
    names = [name for name in both if version(then.get(name, both)) != version(now.get(name, both))]
    if not names:  # only the order of the answers
        names, then, now = ["values"], old, new
    sides = {"old": then, "new": now}  # one that lacks a field is not one with null in it
    return [{"field": name, **{at: row[name] for at, row in sides.items() if name in row}} for name in names]


def _fields(row: Row) -> Row:
    """Give a row's fields under dotted names; a registration's `values` under their own."""
    fields = dict(flat(row))
    try:
        answers: dict[str, list[JSON]] = {}
        for name, value in named_values(row.get("values")):
            answers.setdefault(f"values.{name}", []).append(value)
    except Misfit:  # compared as a whole
        return fields
    if type(row.get("values")) is list:
        del fields["values"]
    return fields | {name: found[0] if len(found) == 1 else found for name, found in answers.items()}


def _keyed_rows(
    exported: Exported, columns: Sequence[str], left_out: Container[str], events: set[str]
) -> Iterator[tuple[str, Row, Row]]:
    """Give the rows by key, as they are compared, and whole; `events` gets those asked for, and those of the rows.

    They are cut to `columns`, without empty cells: a column that was added changes no row by itself. Without `columns`
    they are whole, but for what is left out.
    """
    empty = ("", None) if exported.format.tabular else (None,)
    events.update(map(folded, exported.manifest.filters.get("socialEventId", []) if exported.manifest else []))
    for row in exported.rows():
        if type(row) is not dict:
            raise BadInput(f"not an export of objects: {exported.path}")
        row_id = exported.row_id(row)
        if exported.tabular and row_id not in row:
            hint = "export it with that column: for registrations, `registrationId`"
            raise BadInput(f"{exported.path} has no column of ids, so rows cannot be matched", hint=hint)
        if event := exported.event(row):
            events.add(event)
        cut, key = {name: value for name, value in row.items() if name not in left_out}, key_of(row, row_id)
        if columns:
            cut = {name: cell for name in columns if (cell := row.get(name)) not in empty}
        yield folded_keys([key_of(cut, None) if key.startswith("#") else key])[0], cut, row
