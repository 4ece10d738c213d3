"""Two exports of one list compared: which rows are new, which changed and in what, which are gone."""

from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.records import called, folded
from roomctl.errors import BadInput
from roomctl.exports.attendance import COLUMNS as ATTENDANCE
from roomctl.exports.cells import is_moment
from roomctl.exports.columns import REGISTRATION, USER, Chosen, Misfit, flat, named_values
from roomctl.exports.exported import Exported
from roomctl.exports.xlsx import date_of
from roomctl.service.distinct import fingerprint, folded_keys, key_of, version
from roomctl.text import JSON

Row = dict[str, JSON]


class Differences(NamedTuple):
    """The changes of the rows, the columns that could not be compared, each with why, and what proves nothing."""

    changes: list[dict[str, JSON]]
    left_out: dict[str, str]
    unproven: str = ""


def diff(old: Path, new: Path) -> Differences:
    """Give the changes: `new` and `changed` in the order of the new export, then `gone`.

    Each is `{id, change, fields, name, emailAddress, changes}`: whose it is, as far as the file says, and of each field
    that changed `{field, old, new}`, without `old` or `new` where there was none. Both files must be of one format
    (ndjson and json count as one). Of tables the columns that both have are compared, under whatever headings. An id
    stands for a row in memory, about 250 bytes; of the rows that changed, all of the old version. Raises BadInput where
    a file cannot be read or they cannot be compared: what an export left out is not gone, and rows of another list are
    not new.
    """
    before, after = Exported(old), Exported(new)
    _must_be_of_one_list(before, after)
    if before.format != after.format and (before.format.tabular or after.format.tabular):
        raise BadInput(
            f"exports of different formats cannot be compared: {before.format.name} and {after.format.name}",
            hint="export both in the same format; ndjson keeps everything",
        )
    columns, left_out = _comparable(before, after)
    was, now = _Side(before, columns, left_out), _Side(after, columns, left_out)
    known = {key: fingerprint(row) for key, row, _ in was.rows()}
    present = {key: fingerprint(row) for key, row, _ in now.rows()}
    if len(events := sorted(was.events | now.events)) > 1:
        raise BadInput(f"exports of different events cannot be compared: {' and '.join(events)}")
    changed = {key for key, content in present.items() if known.get(key, content) != content}
    news = {key: "changed" if key in changed else "new" for key in present if key in changed or key not in known}
    kinds = news | dict.fromkeys((key for key in known if key not in present), "gone")
    told = _told(was, now, kinds)
    changes = [{"id": key, "change": what, **told[key]} for key, what in kinds.items()]
    bare = [f"`{each.path}`" for each in (before, after) if each.manifest is None]
    moved = dict.fromkeys(f"`{each.path}`" for each in (before, after) if each.manifest and each.manifest.drifted)
    unproven = [f"without a manifest, so possibly incomplete: {' and '.join(bare)}"] if bare else []
    unproven += [f"the list changed during the export of {' and '.join(moved)}"] if moved else []
    return Differences(changes, left_out, "; ".join(unproven))


def _comparable(before: Exported, after: Exported) -> tuple[list[str], dict[str, str]]:
    """Give the columns to compare (none: rows as the service sent them), and why others are left out."""
    ours, theirs = _columns(before), _columns(after)
    if ours is None or theirs is None:  # an empty one: there is nothing to compare
        return [], {}
    if not (ours or theirs):
        ours, theirs = ([*ATTENDANCE] if each.manifest and each.manifest.label else [] for each in (before, after))
        return [], dict(_apart(before, ours, after, theirs))  # the rest is as the service sent it
    if not (ours and theirs):
        left_out = {"all other fields": f"only in `{(after if ours else before).path}`"}
    else:
        whole = _is_whole(before, ours) and _is_whole(after, theirs)
        apart = _apart(before, ours, after, theirs)
        left_out = {name: only for name, only in apart if name in ATTENDANCE or not whole}
    columns = [*dict.fromkeys((*ours, *theirs))]
    if len({each.manifest.time_zone if each.manifest else None for each in (before, after)}) > 1:
        left_out = {name: "in different time zones" for name in columns if is_moment(name)} | left_out
    compared = [name for name in columns if name not in left_out]
    only_ids = len(compared) == 1 and compared[0].endswith("Id")
    if only_ids and left_out:
        raise BadInput(
            f"`{before.path}` and `{after.path}` have only {compared[0]} in common, so changes cannot be seen",
            hint="export both with the same columns",
        )
    return compared, {f"all but {compared[0]}": "in neither file"} if only_ids else left_out


def _columns(exported: Exported) -> list[str] | None:
    for row in exported.rows():
        return [*exported.named(row)] if exported.tabular else []
    return None


def _apart(before: Exported, ours: Sequence[str], after: Exported, theirs: Sequence[str]) -> Iterator[tuple[str, str]]:
    for exported, here, there in ((before, ours, {*theirs}), (after, theirs, {*ours})):
        yield from ((name, f"only in `{exported.path}`") for name in here if name not in there)


def _is_whole(exported: Exported, columns: Sequence[str]) -> bool:
    """Whether a table has a column for each answer that anybody gave: one that it does not have was empty."""
    facts = exported.manifest
    if facts and (facts.chosen or facts.operation != REGISTRATION_LIST.name):
        return not facts.chosen
    return set(REGISTRATION) <= set(columns)


def _must_be_of_one_list(before: Exported, after: Exported) -> None:
    for each in (before, after):
        each.verify()
        if each.manifest and each.manifest.left_out:
            raise BadInput(
                f"`{each.path}` does not hold the whole list, so rows missing from it would look new or gone",
                hint="compare two exports without `--since`, `--absent` and `--stayed`",
            )
        if each.manifest:
            each.manifest.require_complete(each.path)
    known = [each.manifest for each in (before, after) if each.manifest]
    for what, said in (("of different lists", "asked"), ("from different services", "profile_host")):
        if len({*(found := [getattr(each, said) for each in known])}) > 1:
            hint = "export both from one service, for one event, with the same `--text`"
            raise BadInput(f"exports {what} cannot be compared: {' and '.join(found)}", hint=hint)


def _told(was: "_Side", now: "_Side", kinds: Mapping[str, str]) -> dict[str, Row]:
    told, then = dict[str, Row](), dict[str, Row]()
    for side in (was, now) if kinds else ():
        for key, row, whole in side.rows():
            if key not in kinds:
                continue
            fields = dict(flat(whole))
            name = called({part: fields.get(f"user.{part}") for part in USER})
            who = {"name": name or None, "emailAddress": fields.get("user.emailAddress") or None}
            changes = _changes(side, then[key], row) if key in then else []
            told[key] = {"fields": [each["field"] for each in changes], **who, "changes": changes}
            then |= {key: row} if kinds[key] == "changed" else {}
    return told


def _changes(side: "_Side", old: Row, new: Row) -> list[Row]:
    then, now = _fields(old), _fields(new)
    both = {**then, **now}
    names = [name for name in both if version(then.get(name, both)) != version(now.get(name, both))]
    if not names:
        names, then, now = ["values"], old, new
    sides = {"old": then, "new": now}  # one that lacks a field is not one with null in it
    shown = ({at: side.shown(name, row) for at, row in sides.items() if name in row} for name in names)
    return [{"field": name, **each} for name, each in zip(names, shown, strict=True)]


class _Side:
    """The rows of an export as they are compared: cut to `columns`; without any whole, but for what is left out.

    `events` are those that the export was asked for, and that its rows say they belong to.
    """

    def __init__(self, exported: Exported, columns: Sequence[str], left_out: Container[str]) -> None:
        self._exported = exported
        self._columns = columns
        self._left_out = left_out
        self._layout = Chosen(columns)
        self._empty = ("", None) if exported.format.tabular else (None,)
        asked = exported.manifest.filters.get("socialEventId", []) if exported.manifest else []
        self.events = {*map(folded, asked)}

    def rows(self) -> Iterator[tuple[str, Row, Row]]:
        """Give rows by key, and whole; without empty cells: a column that was added changes no row by itself."""
        exported = self._exported
        for row in exported.rows():
            if type(row) is not dict:
                raise BadInput(f"not an export of objects: `{exported.path}`")
            row_id = exported.row_id(row)
            if exported.tabular and row_id not in row:
                hint = "export it with that column: for registrations, `registrationId`"
                raise BadInput(f"`{exported.path}` has no column of ids, so rows cannot be matched", hint=hint)
            if event := exported.event(row):
                self.events.add(event)
            cut, key = self._cut(row), key_of(row, row_id)
            yield folded_keys([key_of(cut, None) if key.startswith("#") else key])[0], cut, exported.named(row)

    def shown(self, name: str, row: Row) -> JSON:
        dated = self._exported.format.dates and is_moment(name)
        return date_of(row.get(name)) if dated else row.get(name)

    def _cut(self, row: Row) -> Row:
        if not self._columns:
            return {name: value for name, value in row.items() if name not in self._left_out}
        if self._exported.tabular:
            cells = [*map(self._exported.named(row).get, self._columns)]
        else:
            try:
                cells = self._layout.cells(row)
            except Misfit as misfit:
                raise BadInput(f"a row of `{self._exported.path}` has no such columns: {misfit}") from None
        return {name: cell for name, cell in zip(self._columns, cells, strict=True) if cell not in self._empty}


def _fields(row: Row) -> Row:
    """Give a row's fields under dotted names; a registration's `values` under their own."""
    fields = dict(flat(row))
    if type(row.get("values")) is list:
        try:
            answers: dict[str, list[JSON]] = {}
            for name, value in named_values(row["values"]):
                answers.setdefault(f"values.{name}", []).append(value)
            del fields["values"]
            fields |= {name: found[0] if len(found) == 1 else found for name, found in answers.items()}
        except Misfit:  # compared as a whole
            pass
    return fields
