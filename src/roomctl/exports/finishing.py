"""From a part file that holds the whole list to the export: the file written and durable, its manifest, its name."""

import stat
from collections.abc import Iterator
from datetime import datetime
from hashlib import file_digest
from pathlib import Path
from typing import Any

from roomctl import __version__, files
from roomctl.errors import BadInput, WrongCall
from roomctl.exports import disk, manifest
from roomctl.exports.checkpoint import Progress
from roomctl.exports.distinct import canonical
from roomctl.exports.formats import Kept, Sheet
from roomctl.exports.job import Job
from roomctl.exports.listing import UNPROVEN
from roomctl.exports.manifest import Manifest
from roomctl.exports.moments import written
from roomctl.exports.part import Part

JSON = Any


class _Pages:
    """The kept pages that have rows; may be iterated more than once."""

    def __init__(self, part: Part) -> None:
        self._part = part

    def __iter__(self) -> Iterator[Kept]:
        return self._part.pages()


def check_target(to: Path, force: bool) -> None:
    """Refuse a name that cannot be taken: another file's without `force`, a link's, a folder's (R36)."""
    try:
        mode = to.lstat().st_mode
    except FileNotFoundError:
        if not to.parent.is_dir():
            raise BadInput(f"no such folder: `{to.parent}`", hint="make it first, or name another") from None
        return
    except OSError as error:
        raise BadInput(f"cannot write to `{to}`: {(error.strerror or str(error)).lower()}") from error
    if not stat.S_ISREG(mode):
        raise BadInput(f"not a file: `{to}`", hint="an export is written to a file, under its own name")
    if not force:
        raise WrongCall(f"the file exists: `{to}`", hint="`--force` replaces it; or choose another name")


def finish(job: Job, part: Part, progress: Progress, finished: datetime) -> Manifest:
    """Write the file, then its manifest, then give it its name. A run that was stopped in between does it again."""
    names = job.layout(progress.found).names if job.tabular else ()
    sheet = job.sheet(names)._replace(begun=progress.rows > 0)
    whole, digest = _written(job, part, sheet)
    _lay_beside(job, part, progress)
    columns = list(sheet.headings) if names else None
    renamed = {name: heading for name, heading in zip(names, sheet.headings, strict=True) if name in job.rename}
    facts = _manifest(job, progress, columns=columns, renamed=renamed, sha256=digest, finished=written(finished))
    manifest.write(job.to, facts)
    with disk.doing("write", job.to):
        check_target(job.to, job.force)
        part.free_names()
        whole.replace(job.to)
        disk.sync_folder(job.to)
    return facts


def _written(job: Job, part: Part, sheet: Sheet) -> tuple[Path, str]:
    """Make the file durable under a passing name; give that, and its sha256."""
    if job.format.finish is None:
        part.rows.append(job.format.ending(sheet))
        part.rows.sync()
        return part.rows.path, part.rows.mark.digest
    with disk.doing("write", job.whole), files.anew(job.whole) as fd:
        job.format.finish(_Pages(part), sheet, fd, job.whole)
    return job.whole, sha256_of(job.whole)


def finished_before(job: Job, progress: Progress) -> Manifest | None:
    """Give the manifest when the file already has its name and only tidying is left to do."""
    if not progress.ended or not job.to.is_file() or not manifest.path_of(job.to).is_file():
        return None
    facts = manifest.read(manifest.path_of(job.to))
    same = facts.started == progress.started and facts.sha256 == sha256_of(job.to)
    return facts if same else None


def sha256_of(path: Path) -> str:
    """Give the sha256 of a file, in hex."""
    with disk.doing("read", path), path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _lay_beside(job: Job, part: Part, progress: Progress) -> None:
    with disk.doing("write", job.flagged):
        if progress.flagged:
            flagged = ("".join(facts.get("flagged", ())).encode() for facts in part.facts())
            disk.replace(job.flagged, flagged)
        else:
            job.flagged.unlink(missing_ok=True)
    if job.keep_ids:
        with disk.doing("write", job.ids):
            disk.replace(job.ids, _ids(part))


def _ids(part: Part) -> Iterator[bytes]:
    for facts in part.facts():
        pairs = zip(facts["keys"], facts["hashes"], strict=True)
        yield "".join(f"{canonical(pair)}\n" for pair in pairs).encode()


def _manifest(
    job: Job, progress: Progress, *, columns: list[str] | None, renamed: dict[str, str], sha256: str, finished: str
) -> Manifest:
    filters: dict[str, list[str]] = {}
    for name, value in (*job.path.items(), *job.query):
        filters.setdefault(name, []).append(value)
    event = filters.get("socialEventId")
    return Manifest(
        file=job.to.name,
        format=job.format.name,
        operation=job.operation.name,
        profile_host=job.profile_host,
        event=progress.event or (event and {"socialEventId": event[0]}),
        filters=filters,
        columns=columns,
        pages=progress.pages,
        passes=progress.turn,
        received=progress.received,
        rows=progress.rows,
        distinct_ids=progress.rows,
        duplicates_dropped=progress.duplicates,
        repeated=progress.repeats,
        left_out=progress.left_out,
        flagged=progress.flagged,
        drift_seen=progress.drift,
        resumed=progress.resumed,
        first_id=_id(progress.first),
        last_id=_id(progress.last),
        sha256=sha256,
        started=progress.started,
        finished=finished,
        tool_version=__version__,
        complete=not (progress.flagged or progress.doubt),
        why=_why(progress),
        label=job.enrich.label if job.enrich else None,
        chosen=list(job.columns) or None,
        renamed=renamed or None,
        time_zone=str(job.zone) if job.zone else None,
    )


def _id(key: str | None) -> str | None:
    """Give a key where it is an id; a row without one has none to name."""
    return None if key is None or key.startswith("#") else key


def _why(progress: Progress) -> str:
    if progress.doubt:
        return f"{UNPROVEN}: {progress.doubt}"
    if progress.flagged:
        return f"{progress.flagged} of the rows did not fit"
    if progress.turn > 1:
        return f"of {progress.turn} passes the last brought nothing new and saw what the one before it saw"
    return f"the list {progress.end or 'ended on an empty page'}"
