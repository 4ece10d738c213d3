"""A long list to a file: resumable, durable, proven whole (product.md section 6, R30 to R36).

paginate → dedupe → encode → append → checkpoint (`reading`) → finish: the file, its manifest, then its name.
"""

import os
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
from roomctl.exports import cells, manifest
from roomctl.exports.job import Job
from roomctl.exports.manifest import IDS, Manifest
from roomctl.exports.part import Part, Progress, beside, doing, replace, sha256_of
from roomctl.exports.reading import Encoder, Reading
from roomctl.service.distinct import canonical
from roomctl.service.paginator import Pages
from roomctl.service.proof import UNPROVEN
from roomctl.text import Note
from roomctl.text.counted import numbered
from roomctl.text.jsontext import pretty
from roomctl.text.suggest import nearest

FLAGGED = ".flagged.ndjson"


def export(
    client: Pages,
    operation: Operation,
    *,
    format: str | None = None,  # noqa: A002  the name of the option
    on_page: Callable[[int], object] = lambda _: None,
    note: Note = lambda _: None,
    warn: Note = lambda _: None,
    clock: Callable[[], datetime] = cells.now,
    **options: Any,
) -> Manifest:
    """Export the rows of a paged operation to a file; run again after an interruption, it goes on.

    `options` are those of `Job`, `path`, `query` and `to` at least; `format` None: as the name of the file ends.
    `on_page` is told how many rows were received, `note` what to tell a person, `warn` what also one who wants no
    notes. Raises Partial (with the file, whose
    manifest says that it is not complete: a hole in the list, an end that proves nothing, rows that did not fit;
    without it: the list did not end), WrongCall and BadInput (nothing was asked), LocalFailure (disk), and what the
    client raises; in each case the work done is kept.
    """
    columns = tuple(dict.fromkeys(options.pop("columns", ())))
    job = Job(operation=operation, form=format, columns=columns, **options)
    work = beside(job.to, ".part")
    if not lexists(work) and not lexists(beside(work, ".checkpoint")):
        check_target(job.to, job.force)
    with closing(Part(work)) as part:
        try:
            fresh = Progress(seal=job.seal, tool=__version__, size=job.size, started=cells.written(clock()))
            progress = part.progress(fresh)
            facts, hint = None, ""
            if progress.ended and job.to.is_file() and manifest.path_of(job.to).is_file():  # only tidying may be left
                facts = manifest.read(manifest.path_of(job.to))
            if not facts or facts.started != progress.started or facts.sha256 != sha256_of(job.to):
                check_target(job.to, job.force)
                if part.created:
                    progress = fresh._replace(started=progress.started)
                part.rewind(progress)
                if progress.page or progress.ended:
                    progress = progress._replace(resumed=progress.resumed + (not progress.ended))
                    note(f"resuming after {numbered(progress.page, 'pages')} ({progress.rows:,} rows saved)")
                encoder = Encoder(job, job.layout(found=progress.found))
                reading = Reading(client, job, part, progress, on_page, note, encoder)
                progress, hint = reading.run(), reading.hint
                facts = _finish(job, part, progress, cells.written(clock()))
                if job.enrich and (remark := job.enrich.attendance.remark):
                    note(remark)
                if progress.rows and (job.columns or job.rename):
                    _name_unknown(job, progress, warn)
        except BaseException:
            with suppress(LocalFailure):
                if part.empty:
                    part.remove()
            raise
        part.remove()
    if not facts.complete:
        raise _incomplete(job, facts, hint)
    return facts


def _name_unknown(job: Job, progress: Progress, warn: Note) -> None:
    if empty := [name for name in job.columns if name not in progress.found]:
        near = nearest(empty[0], progress.found)
        way = f'did you mean "{near}"?' if near else "an export without `--columns` shows which columns exist"
        warn(f"no row has a value in {', '.join(empty)}; {way}")
    names = job.layout(found=progress.found).names
    if unused := [name for name in job.rename if name not in names]:
        warn(f"no column has these names, so `--rename` does not apply to them: {', '.join(unused)}")


def _incomplete(job: Job, facts: Manifest, hint: str) -> Partial:
    wrong, hints = [], []
    if facts.why.startswith(UNPROVEN):
        wrong.append(f"{facts.why}; {job.to} has the {facts.rows} rows received")
        first = f"{hint}; then " if "end_of_list" in hint else ""  # else nothing but a new try may help
        hints.append(f"{first}run the command again with `--force`; if this persists, tell the service's operator")
    if facts.why.startswith(manifest.UNSEEN):
        wrong.append(f"{facts.why}; {job.to} has what was received")
        hints.append(
            "`roomctl recording list -o json` shows the recordings; where that is uncertain, `seen` is "
            "empty, and `--absent` and `--stayed` leave the row out"
        )
    if facts.flagged:
        wrong.append(f"invalid rows left out of {job.to}: {facts.flagged} of {facts.rows + facts.flagged}")
        hints.append(f"look at the rows left out: `{beside(job.to, FLAGGED)}` has them unchanged")
    return Partial("; ".join(wrong), hint="; ".join(hints), details=facts.document())


def check_target(to: Path, force: bool) -> None:
    """Refuse a name that cannot be taken: another file's without `force`, a link's, a folder's (R36)."""
    try:
        mode = to.lstat().st_mode
    except FileNotFoundError:
        if not to.parent.is_dir():
            raise BadInput(f"no such folder: {to.parent}", hint="create it, or choose another folder") from None
        return
    except OSError as error:
        raise BadInput(f"cannot write to {to}: {(error.strerror or str(error)).lower()}") from error
    if not stat.S_ISREG(mode):
        raise BadInput(f"not a file: {to}", hint="an export needs a regular file")
    if not force:
        raise WrongCall(f"{to} already exists", hint="add `--force` to replace it, or choose another name")


def _finish(job: Job, part: Part, progress: Progress, finished: str) -> Manifest:
    """Write the file, then its manifest, then give it its name. A run that was stopped in between does it again."""
    names = job.layout(found=progress.found).names if job.tabular else ()
    sheet = job.sheet(names)._replace(begun=progress.rows > 0)
    codec, first = job.format.codec, next((facts for facts in part.facts() if facts["bytes"]), None)
    if codec.finish and (job.format.binary or (first and first["width"] < len(names))):
        whole = beside(job.to, ".part.whole")
        with doing("write", whole), files.anew(whole) as fd:
            codec.finish(part, sheet, fd, whole)
        digest = sha256_of(whole)
    else:  # the part is the file
        whole = part.rows.path
        part.rows.append(codec.ending(sheet))
        with doing("write", whole):
            os.fsync(part.rows.file)
        digest = part.rows.mark[1]
    ids = _lay_beside(job, part, progress)
    facts = manifest.of(job, progress, sheet, sha256=digest, ids_sha256=ids, finished=finished)
    replace(beside(job.to, manifest.ENDING), [f"{pretty(facts.document())}\n".encode()])
    with doing("write", job.to):
        check_target(job.to, job.force)
        if not files.RENAMED_OPEN:
            part.close()
        whole.replace(job.to)
        files.sync_folder(job.to.parent)
    return facts


def _lay_beside(job: Job, part: Part, progress: Progress) -> str | None:
    """Write the rows that did not fit, and the ids for `--since`, replacing an earlier export's; give their sha256."""
    flagged, ids = beside(job.to, FLAGGED), beside(job.to, IDS)
    for path, is_wanted in ((flagged, progress.flagged), (ids, job.keep_ids)):
        if not is_wanted:
            with doing("write", path):
                path.unlink(missing_ok=True)
    if progress.flagged:
        replace(flagged, ("".join(facts.get("flagged", ())).encode() for facts in part.facts()))
    if not job.keep_ids:
        return None
    pairs = (pair for facts in part.facts() for pair in zip(facts["keys"], facts["hashes"], strict=True))
    replace(ids, (f"{canonical(pair)}\n".encode() for pair in pairs))
    return sha256_of(ids)
