"""What an export says of itself, beside it in `FILE.manifest.json`: enough to check it again years later."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.errors import BadInput
from roomctl.exports import disk
from roomctl.exports.encoding import pretty

JSON = Any


class Manifest(NamedTuple):
    """An export's facts. Of the rows `received`, each is counted once more: in `rows` (it is in the file),

    `duplicates_dropped`, `repeated` (it came again in a later pass of `--verify`), `left_out` (by `--since`, `--absent`
    or `--stayed`) or `flagged` (it did not fit and is kept raw in `FILE.flagged.ndjson`). `distinct_ids` counts the
    rows in the file by id, by their whole content where a row has none. `columns` are the headings in the file, None
    where rows are kept as they came; `chosen` the columns that were asked for, `renamed` those under another heading,
    `time_zone` whose clock the moments are on.
    """

    file: str
    format: str
    operation: str
    profile_host: str
    event: JSON
    filters: dict[str, list[str]]
    columns: list[str] | None
    pages: int
    passes: int
    received: int
    rows: int
    distinct_ids: int
    duplicates_dropped: int
    repeated: int
    left_out: int
    flagged: int
    drift_seen: bool
    resumed: int
    first_id: str | None
    last_id: str | None
    sha256: str
    started: str
    finished: str
    tool_version: str
    complete: bool
    why: str
    label: str | None = None
    chosen: list[str] | None = None
    renamed: dict[str, str] | None = None
    time_zone: str | None = None

    def document(self) -> dict[str, JSON]:
        """Give it as the JSON object that is written."""
        return {_camel(name): value for name, value in self._asdict().items()}


def path_of(file: Path) -> Path:
    """Say where the manifest of an export is."""
    return disk.beside(file, ".manifest.json")


def write(file: Path, manifest: Manifest) -> None:
    """Write the manifest of `file`, durably."""
    path = path_of(file)
    with disk.doing("write", path):
        disk.replace(path, [pretty(manifest.document())])


def read(path: Path) -> Manifest:
    """Read a manifest. Raises BadInput where the file is none."""
    try:
        found = {**_SINCE, **json.loads(path.read_bytes())}
        return Manifest(**{name: found[_camel(name)] for name in Manifest._fields})
    except OSError as error:
        raise BadInput(f"cannot read the manifest `{path}`: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadInput(f"not a manifest of an export: `{path}`") from None


_SINCE: dict[str, JSON] = {"chosen": None, "renamed": None, "timeZone": None}
"""What manifests of earlier versions do not have."""


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
