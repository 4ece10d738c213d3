"""A long list to a file: resumable, durable, proven whole (product.md section 6, R30 to R36).

paginate → dedupe → encode → append → checkpoint (`reading`) → finish: the file, its manifest, then its name.
"""

import stat
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from os.path import lexists
from pathlib import Path
from typing import Any

from roomctl import __version__, files
from roomctl.contract.operations import Operation
from roomctl.errors import BadInput, LocalFailure, Partial, WrongCall
from roomctl.exports import cells, checkpoint, manifest
from roomctl.exports.checkpoint import Progress
from roomctl.exports.formats import Sheet
from roomctl.exports.job import Job
from roomctl.exports.manifest import Manifest
from roomctl.exports.part import Part, beside, doing, replace, sha256_of
from roomctl.exports.reading import Reading
from roomctl.service.distinct import canonical
from roomctl.service.paginator import UNPROVEN, Pages

JSON = Any


def export(
    client: Pages,
    operation: Operation,
    *,
    format: str | None = None,  # noqa: A002  the name of the option
    on_page: Callable[[int, int], None] = lambda *_: None,
    note: Callable[[str], None] = lambda _: None,
    clock: Callable[[], datetime] = cells.now,
    **options: Any,
) -> Manifest:
    """Export the rows of a paged operation to a file; run again after an interruption, it goes on.

    `options` are those of `Job`, `path`, `query` and `to` at least; `format` None: as the name of the file ends.
    `on_page` is told of pages and rows received, `note` what to tell a person. Raises Partial (with the file, whose
    manifest says that it is not complete: a hole in the list, an end that proves nothing, rows that did not fit;
    without it: the list did not end), WrongCall and BadInput (nothing was asked), LocalFailure (disk), and what the
    client raises; in each case the work done is kept.
    """
    columns = tuple(dict.fromkeys(options.pop("columns", ())))
    job = Job(operation=operation, form=format, columns=columns, **options)
    job.check()
    if not lexists(job.part) and not lexists(job.checkpoint):
        check_target(job.to, job.force)
    with closing(Part.open(job.part)) as part:
        try:
            progress = _load_progress(job, part, cells.written(clock()))
            facts = _find_finished(job, progress)
            if facts is None:
                check_target(job.to, job.force)
                progress = _resume(job, part, progress)
                if progress.resumed or progress.ended:
                    note(f"resuming after page {progress.page - 1} ({progress.rows:,} rows saved)")
                progress = Reading(client, job, part, progress, on_page, note).run()
                facts = _finish(job, part, progress, cells.written(clock()))
                _name_unknown(job, progress, note)
        except BaseException:
            with suppress(LocalFailure):
                if part.empty:
                    part.remove(job.checkpoint)
            raise
        part.remove(job.checkpoint)
    if not facts.complete:
        raise _incomplete(job, facts)
    return facts


def _load_progress(job: Job, part: Part, started: str) -> Progress:
    """Give the progress of an export that was begun, by an earlier run or by this one.

    Without the rows of an earlier run there is nothing to go on with; only its file may be there, under its own name.
    """
    fresh = Progress(seal=job.seal, tool=__version__, size=job.size, started=started)
    found = checkpoint.load(job.checkpoint)
    if found is None and not part.rows.empty:
        raise BadInput(f"`{job.part}` exists and has no checkpoint", hint=f"remove `{job.part}` to start anew")
    if found is None or part.empty:
        return fresh
    if part.created and not (checkpoint.is_intact(found) and found["ended"] and found["seal"] == fresh.seal):
        return fresh
    return checkpoint.continue_from(found, fresh.seal, fresh.tool, job.part)


def _resume(job: Job, part: Part, progress: Progress) -> Progress:
    """Bring the part to where the progress is; without its rows, to the beginning."""
    if part.created:
        progress = Progress(seal=progress.seal, tool=progress.tool, size=job.size, started=progress.started)
    part.rewind(progress.rows_mark, progress.facts_mark)
    checkpoint.save(job.checkpoint, progress)
    return progress if progress.ended or not progress.page else progress._replace(resumed=progress.resumed + 1)


def _name_unknown(job: Job, progress: Progress, note: Callable[[str], None]) -> None:
    """Name the columns that were asked for and that no row had: the name of an answer is known only now."""
    if not progress.rows or not job.tabular:
        return
    empty = [name for name in job.columns if name not in progress.found]
    if empty:
        note(f"no row has a value in these columns, are their names right: {', '.join(empty)}")
    names = job.layout(progress.found).names
    unused = [name for name in job.rename if name not in names]
    if unused:
        note(f"no column has these names, so none got their headings: {', '.join(unused)}")


def _incomplete(job: Job, facts: Manifest) -> Partial:
    """Say what an export lacks whose file is there."""
    wrong, hints = [], []
    if facts.why.startswith(UNPROVEN):
        wrong.append(f"{facts.why}; `{job.to}` has what came, {facts.rows} rows")
        hints.append("`--force` exports it again; `roomctl doctor --probe` finds out how this service ends its lists")
    if facts.why.startswith(manifest.UNSEEN):
        wrong.append(f"{facts.why}; `{job.to}` has what came")
        hints.append(
            "`roomctl recording list -o json` shows the recordings; who is undecided has an empty `seen`, "
            "and is left out by `--absent` and `--stayed`"
        )
    if facts.flagged:
        wrong.append(f"{facts.flagged} of {facts.rows + facts.flagged} rows did not fit and are not in `{job.to}`")
        hints.append(f"they are kept as they came in `{job.flagged}`")
    return Partial("; ".join(wrong), hint="; ".join(hints), details=facts.document())


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


def _finish(job: Job, part: Part, progress: Progress, finished: str) -> Manifest:
    """Write the file, then its manifest, then give it its name. A run that was stopped in between does it again."""
    names = job.layout(progress.found).names if job.tabular else ()
    sheet = job.sheet(names)._replace(begun=progress.rows > 0)
    whole, digest = _write_file(job, part, sheet)
    _lay_beside(job, part, progress)
    facts = manifest.of(job, progress, sheet, sha256=digest, finished=finished)
    manifest.write(job.to, facts)
    with doing("write", job.to):
        check_target(job.to, job.force)
        part.free_names()
        whole.replace(job.to)
        files.sync_folder(job.to.parent)
    return facts


def _write_file(job: Job, part: Part, sheet: Sheet) -> tuple[Path, str]:
    """Make the file durable under a passing name; give that, and its sha256."""
    codec = job.format.codec
    if codec.finish is None:
        part.rows.append(codec.ending(sheet))
        part.rows.sync()
        return part.rows.path, part.rows.mark.digest
    whole = beside(job.part, ".whole")
    with doing("write", whole), files.anew(whole) as fd:
        codec.finish(part, sheet, fd, whole)
    return whole, sha256_of(whole)


def _lay_beside(job: Job, part: Part, progress: Progress) -> None:
    """Write the rows that did not fit, and the ids for a later `--since`, to files of their own."""
    if progress.flagged:
        replace(job.flagged, ("".join(facts.get("flagged", ())).encode() for facts in part.facts()))
    else:
        with doing("write", job.flagged):
            job.flagged.unlink(missing_ok=True)
    if job.keep_ids:
        pairs = (pair for facts in part.facts() for pair in zip(facts["keys"], facts["hashes"], strict=True))
        replace(beside(job.to, ".ids"), (f"{canonical(pair)}\n".encode() for pair in pairs))


def _find_finished(job: Job, progress: Progress) -> Manifest | None:
    """Give the manifest when the file already has its name and only tidying is left to do."""
    if not progress.ended or not job.to.is_file() or not manifest.path_of(job.to).is_file():
        return None
    facts = manifest.read(manifest.path_of(job.to))
    same = facts.started == progress.started and facts.sha256 == sha256_of(job.to)
    return facts if same else None
