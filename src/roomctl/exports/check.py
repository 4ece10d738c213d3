"""An export against its manifest: is the file still what was exported, and all of it."""

from pathlib import Path
from typing import Any, NamedTuple

from roomctl.errors import BadInput
from roomctl.exports import manifest
from roomctl.exports.exported import Exported
from roomctl.exports.manifest import Manifest
from roomctl.exports.part import beside, sha256_of
from roomctl.service.distinct import Distinct, key_of
from roomctl.text.safe import visible

JSON = Any


class Difference(NamedTuple):
    """What the manifest says and what the file shows."""

    what: str
    expected: JSON
    found: JSON


class _Counted(NamedTuple):
    rows: int
    distinct: int | None
    columns: list[str] | None
    first: str | None
    last: str | None


def check(path: Path) -> list[Difference]:
    """Compare an export with its manifest; an empty list says that they agree. Raises BadInput without a manifest.

    A manifest that says that the export is not complete is a difference too. Distinct ids are not compared where the
    file has no column for them.
    """
    _refuse_unfinished(path)
    if not path.is_file():
        raise BadInput(f"no such file: `{path}`")
    if not manifest.path_of(path).is_file():
        raise BadInput(
            f"there is no manifest beside the file: `{manifest.path_of(path)}`",
            hint="an export writes it; a file that was moved needs it at its side, a file of other origin has none",
        )
    exported = Exported(path)
    facts = manifest.read(manifest.path_of(path))
    pairs: list[tuple[str, JSON, JSON]] = [
        ("complete", True, facts.complete),
        ("sha256", facts.sha256, sha256_of(path)),
    ]
    try:
        pairs += _of_rows(facts, _count(exported))
    except BadInput as error:
        pairs.append(("readable", True, error.message))
    return [Difference(what, expected, found) for what, expected, found in pairs if expected != found]


def _refuse_unfinished(path: Path) -> None:
    """Raise BadInput for the work of an export that has not ended, under its own name or the file's."""
    file, dot, _ = path.name.partition(".part")
    whole = path.with_name(file) if dot else path
    work = beside(whole, ".part")
    if not work.is_file() or (not dot and path.exists()):
        return
    raise BadInput(
        f"an unfinished export: `{work}`",
        hint=f"run the command that began it once more, it goes on: `roomctl registration export EVENT --to {whole}`, "
        f"or the list that was given `--to {whole}`",
    )


def _of_rows(facts: Manifest, counted: _Counted) -> list[tuple[str, JSON, JSON]]:
    pairs: list[tuple[str, JSON, JSON]] = [("rows", facts.rows, counted.rows)]
    if counted.distinct is not None:
        pairs += [
            ("distinct ids", facts.distinct_ids, counted.distinct),
            ("first id", facts.first_id, counted.first),
            ("last id", facts.last_id, counted.last),
        ]
    if counted.columns is not None:
        pairs.append(("columns", _plain(facts.columns), _plain(counted.columns)))
    return pairs


def _plain(columns: list[str] | None) -> list[str]:
    """Give headings without what a format does to them: escapes and the guard against formulas."""
    return [visible(name).replace("\\", "").lstrip("'") for name in columns or ()]


def _count(exported: Exported) -> _Counted:
    rows = 0
    seen = Distinct()
    first = last = row_id = None
    columns: list[str] | None = None
    for row in exported.rows():
        if not rows:
            row_id = exported.row_id(row)
            first = _id(row, row_id)
            columns = list(row) if exported.tabular and not exported.format.binary else None
        last = _id(row, row_id)
        seen.fresh([key_of(row, row_id)])
        rows += 1
    return _Counted(rows, len(seen) if first or not exported.tabular else None, columns, first, last)


def _id(row: JSON, row_id: str | None) -> str | None:
    key = key_of(row, row_id)
    return None if key.startswith("#") else key
