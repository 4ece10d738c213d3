"""An export against its manifest: is the file still what was exported, and all of it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.contract.records import folded
from roomctl.errors import BadInput
from roomctl.exports import manifest
from roomctl.exports.exported import Exported
from roomctl.exports.manifest import id_of
from roomctl.exports.part import beside, sha256_of
from roomctl.files import unreadable
from roomctl.service.distinct import Distinct, key_of
from roomctl.text.safe import visible

JSON = Any


class Difference(NamedTuple):
    """What the manifest says and what the file shows."""

    what: str
    expected: JSON
    found: JSON


def check(path: Path) -> list[Difference]:
    """Compare an export with its manifest; an empty list says that they agree. Raises BadInput without a manifest.

    A manifest that says that the export is not complete is a difference too. Distinct ids are not compared where the
    file has no column for them.
    """
    file, dot, _ = path.name.partition(".part")
    whole = path.with_name(file) if file and dot else path
    if file and (work := beside(whole, ".part")).is_file() and (dot or not path.exists()):
        raise BadInput(
            f"`{work}` is an unfinished export",
            hint=f"to resume, run the command that began it: `roomctl registration export EVENT --to {whole}`, "
            f"or the list command with `--to {whole}`",
        )
    if not path.is_file():
        raise unreadable(path)
    facts, exported = manifest.required(path), Exported(path)
    expected: dict[str, JSON] = {"complete": True, "sha256": facts.sha256}
    found: dict[str, JSON] = {"complete": facts.complete, "sha256": sha256_of(path)}
    if facts.ids_sha256:
        ids = beside(path, manifest.IDS)
        expected[ids.name], found[ids.name] = facts.ids_sha256, sha256_of(ids) if ids.is_file() else "missing"
    try:
        found |= _count(exported)
        expected |= {"rows": facts.rows, "distinct ids": facts.distinct_ids, "first id": facts.first_id}
        expected |= {"last id": facts.last_id, "columns": _plain(facts.columns or ())}
        expected |= {"events": [folded(each) for each in facts.filters.get("socialEventId", ())]}
    except BadInput as error:
        expected["readable"], found["readable"] = True, error.message
    return [Difference(what, value, found[what]) for what, value in expected.items() if found.get(what, value) != value]


def _count(exported: Exported) -> dict[str, JSON]:
    """Give what the rows show: ids only where there are any, columns only where the file has headings as they are."""
    rows = 0
    events = set[str]()
    distinct = Distinct()
    first = last = row_id = None
    columns: Iterable[str] | None = None
    for row in exported.rows():
        if not rows:
            row_id = exported.row_id(row)
            first = key_of(row, row_id)
            columns = row if exported.tabular and not exported.format.binary else None
        last = key_of(row, row_id)
        distinct.fresh([last] if id_of(last) else [])
        events.add(exported.event(row))
        rows += 1
    shown: dict[str, JSON] = {"rows": rows} | ({"events": found} if (found := sorted(filter(None, events))) else {})
    if id_of(first) or not exported.tabular:
        shown |= {"distinct ids": distinct.count, "first id": id_of(first), "last id": id_of(last)}
    return shown if columns is None else {**shown, "columns": _plain(columns)}


def _plain(columns: Iterable[str]) -> list[str]:
    """Give headings without what a format does to them: escapes and the guard against formulas."""
    return [visible(name).replace("\\", "").lstrip("'") for name in columns]
