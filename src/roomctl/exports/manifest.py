"""What an export says of itself, beside it in `FILE.manifest.json`: enough to check it again years later."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, convert, to_builtins

from roomctl import __version__
from roomctl.contract.records import folded, is_uuid
from roomctl.errors import BadInput
from roomctl.exports.part import beside
from roomctl.service.proof import UNPROVEN
from roomctl.text import JSON
from roomctl.text.counted import numbered

if TYPE_CHECKING:
    from roomctl.exports.formats import Sheet
    from roomctl.exports.job import Job
    from roomctl.exports.part import Progress

ENDING = ".manifest.json"
IDS = ".ids"
UNSEEN = "attendance may be incomplete"


def unsure(number: int) -> str:
    return f"for {numbered(number, 'registrations')} it is uncertain whether the person was there"


class Manifest(Struct, frozen=True, rename="camel"):
    """An export's facts. Of the rows `received`, each is counted once more: in `rows` (it is in the file),

    `duplicates_dropped`, `repeated` (it came again in a later pass of `--verify`), `left_out` (by `--since`, `--absent`
    or `--stayed`) or `flagged` (it did not fit and is kept raw in `FILE.flagged.ndjson`). `distinct_ids` counts the
    rows in the file that have an id. `columns` are the headings in the file, None
    where rows are kept as they came; `chosen` the columns that were asked for, `renamed` those under another heading,
    `time_zone` whose clock the moments are on; `guard`: cells are guarded against being run as formulas.
    `not_valid` counts the rows received that say that they are deleted or not valid, by the field that says so.
    `ids_sha256` is that of `FILE.ids`, None where no ids were kept. Manifests of earlier versions lack the last ones.
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
    ids_sha256: str | None = None
    guard: bool = False
    not_valid: dict[str, int] = {}

    def document(self) -> dict[str, JSON]:
        return dict(to_builtins(self))

    @property
    def drifted(self) -> bool:
        """Whether the list changed while it was read, and no later pass looked for what was missed."""
        return self.drift_seen and self.passes == 1

    def require_complete(self, path: Path) -> None:
        """Raise BadInput where the export at `path` is not complete."""
        if not self.complete:
            hint = "export it again; in an incomplete file a missing row does not mean that the registration is gone"
            why = self.why.removeprefix("the list may be incomplete: ")
            raise BadInput(f"{path} may be incomplete, according to its manifest: {why}", hint=hint)

    @property
    def asked(self) -> str:
        return list_asked(self.operation, [(name, each) for name, values in self.filters.items() for each in values])


def of(job: "Job", progress: "Progress", sheet: "Sheet", **written: JSON) -> Manifest:
    """Give the facts of an export; `written` are `sha256`, `ids_sha256` and `finished`."""
    renamed = {name: heading for name, heading in zip(sheet.names, sheet.headings, strict=True) if name in job.rename}
    filters: dict[str, list[str]] = {}
    for name, value in (*job.path.items(), *job.query):
        filters.setdefault(name, []).append(value)
    event = filters.get("socialEventId")
    counts = {name: each for name, each in progress._asdict().items() if name in Manifest.__annotations__}
    undecided = progress.unshown and unsure(progress.unshown)
    unseen = "; ".join(each for each in (job.enrich and job.enrich.attendance.doubt, undecided) if each)
    counts["event"] = progress.event or (event and {"socialEventId": event[0]})
    return Manifest(
        file=job.to.name,
        format=job.format.name,
        operation=job.operation.name,
        profile_host=job.profile_host,
        filters=filters,
        columns=list(sheet.headings) if sheet.names else None,
        **counts,
        **written,
        distinct_ids=progress.rows - progress.unnamed,
        first_id=id_of(progress.first),
        last_id=id_of(progress.last),
        tool_version=__version__,
        complete=not (progress.flagged or progress.doubt or unseen),
        why=_why(progress, unseen),
        label=job.enrich.label if job.enrich else None,
        chosen=list(job.columns) or None,
        renamed=renamed or None,
        time_zone=str(job.zone) if job.zone else None,
        guard=job.guard or getattr(job.format.codec, "guard", False),
    )


def list_asked(operation: str, filters: Iterable[tuple[str, str]]) -> str:
    """Say which list was asked for: in which order, and in which case its ids were written, does not matter."""
    pairs = sorted((name, folded(value) if is_uuid(value) else value) for name, value in filters if name != "sort")
    return " ".join((operation, *map("=".join, pairs)))


def id_of(key: str | None) -> str | None:
    """Give a key where it is an id; a row without one has none to name."""
    return None if key is None or key.startswith("#") else key


def _why(progress: "Progress", unseen: str) -> str:
    if progress.doubt:
        return f"{UNPROVEN}: {progress.doubt}"
    if unseen:
        return f"{UNSEEN}: {unseen}"
    if progress.flagged:
        return f"invalid rows left out: {progress.flagged}"
    bare = f"; rows without an id: {progress.unnamed:,}" if progress.unnamed else ""
    if progress.passes > 1:
        what, by = ("rows", "id, or by all of a row without one") if progress.unnamed else ("ids", "id only")
        proof = f"the last of {progress.passes} passes found the same {what} as the previous one, in the same order"
        if progress.gone * 2 > progress.rows:
            return f"{UNPROVEN}: the last pass no longer showed {progress.gone} of {numbered(progress.rows, 'rows')}"
        gone = f"; {numbered(progress.gone, 'rows')} in the file did not appear in the last pass" * bool(progress.gone)
        return f"{proof}{gone}; the passes were compared by {by}, and each row is kept as first received{bare}"
    runs = f"; the list was read in {progress.resumed + 1} runs, and pages saved earlier were not checked again"
    return f"the list {progress.end or 'ended on an empty page'}" + runs * bool(progress.resumed) + bare


def path_of(file: Path) -> Path:
    return beside(file, ENDING)


def required(file: Path) -> Manifest:
    """Read the manifest beside an export. Raises BadInput where there is none."""
    if not path_of(file).is_file():
        hint = "give a file written by an export, with its manifest beside it"
        raise BadInput(f"{file} has no manifest ({path_of(file)})", hint=hint)
    return read(path_of(file))


def read(path: Path) -> Manifest:
    """Read a manifest. Raises BadInput where the file is none."""
    try:
        facts = convert(json.loads(path.read_bytes()), Manifest)
    except OSError as error:
        raise BadInput(f"cannot read the manifest {path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is not an export's manifest") from None
    counted = facts.rows + facts.duplicates_dropped + facts.repeated + facts.left_out + facts.flagged
    if counted != facts.received or (facts.complete and facts.flagged):
        raise BadInput(f"the manifest contradicts itself: {path}", hint="export the list again")
    return facts
