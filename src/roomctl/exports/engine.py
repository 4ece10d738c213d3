"""A long list to a file: resumable, durable, proven whole (product.md section 6, R30 to R36)."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime, tzinfo
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roomctl import __version__
from roomctl.contract.operations import Operation
from roomctl.errors import BadInput, BadValue, LocalFailure, Partial
from roomctl.exports import checkpoint, moments
from roomctl.exports.checkpoint import Progress
from roomctl.exports.finishing import check_target, finish, finished_before
from roomctl.exports.formats import check_form, format_named
from roomctl.exports.job import Enrichment, Job
from roomctl.exports.listing import UNPROVEN
from roomctl.exports.manifest import Manifest
from roomctl.exports.pages import Pages
from roomctl.exports.part import Part
from roomctl.exports.reading import Reading

if TYPE_CHECKING:
    from roomctl.exports.since import Earlier

JSON = Any


def export(
    client: Pages,
    operation: Operation,
    *,
    path: Mapping[str, str],
    query: Sequence[tuple[str, str]],
    to: Path,
    format: str | None = None,  # noqa: A002  the name of the option
    size: int = 500,
    concurrency: int = 1,
    verify: bool = False,
    force: bool = False,
    columns: Sequence[str] = (),
    rename: Mapping[str, str] | None = None,
    zone: tzinfo | None = None,
    guard: bool = False,
    profile_host: str = "",
    keep_ids: bool = False,
    since: "Earlier | None" = None,
    enrich: Enrichment | None = None,
    on_page: Callable[[int, int], None] = lambda *_: None,
    note: Callable[[str], None] = lambda _: None,
    clock: Callable[[], datetime] = moments.now,
) -> Manifest:
    """Export the rows of a paged operation to the file `to`; run again after an interruption, it goes on.

    `format` None: as the name of the file ends. `zone` puts moments on its clock (xlsx: UTC without one). `keep_ids`
    leaves `FILE.ids` for a later `since`. `on_page` is told the pages and rows so far, `note` what to tell a person.
    Raises Partial (with the file, whose manifest says that it is not complete: a hole in the list, an end that proves
    nothing, rows that did not fit; without it: the list did not end), WrongCall and BadInput (nothing was asked),
    LocalFailure (disk), and what the client raises; in each case the work done is kept.
    """
    job = Job(
        operation=operation,
        path=path,
        query=query,
        to=to,
        format=format_named(format, to),
        size=size,
        concurrency=concurrency,
        verify=verify,
        force=force,
        columns=tuple(dict.fromkeys(columns)),
        rename=rename or {},
        zone=zone,
        guard=guard,
        profile_host=profile_host,
        keep_ids=keep_ids,
        since=since,
        enrich=enrich,
    )
    check_form(job.format, columns=job.columns, rename=job.rename, zone=job.zone, guard=guard)
    _check_headings(job)
    facts = _run(client, job, on_page, note, clock)
    if not facts.complete:
        raise _incomplete(job, facts)
    return facts


def _incomplete(job: Job, facts: Manifest) -> Partial:
    """Say what an export lacks whose file is there."""
    wrong, hints = [], []
    if facts.why.startswith(UNPROVEN):
        wrong.append(f"{facts.why}; `{job.to}` has what came, {facts.rows} rows")
        hints.append("`--force` exports it again; `roomctl doctor --probe` finds out how this service ends its lists")
    if facts.flagged:
        wrong.append(f"{facts.flagged} of {facts.rows + facts.flagged} rows did not fit and are not in `{job.to}`")
        hints.append(f"they are kept as they came in `{job.flagged}`")
    return Partial("; ".join(wrong), hint="; ".join(hints), details=facts.document())


def _check_headings(job: Job) -> None:
    """Refuse headings that were asked for twice: nothing could tell their columns apart."""
    names = [*dict.fromkeys((*job.layout(()).names, *job.rename))]
    headings = [job.rename.get(name, name) for name in names]
    twice = [heading for heading in headings if headings.count(heading) > 1]
    if twice:
        raise BadValue(f"two columns would have one heading: `{twice[0]}`")


def _run(
    client: Pages,
    job: Job,
    on_page: Callable[[int, int], None],
    note: Callable[[str], None],
    clock: Callable[[], datetime],
) -> Manifest:
    if not lexists(job.part) and not lexists(job.checkpoint):
        check_target(job.to, job.force)
    with closing(Part.open(job.part)) as part:
        try:
            progress = _begun(job, part, moments.written(clock()))
            facts = finished_before(job, progress)
            if facts is None:
                check_target(job.to, job.force)
                progress = _gone_on(job, part, progress)
                _say_where(progress, note)
                progress = Reading(client, job, part, progress, on_page, note).run()
                facts = finish(job, part, progress, clock())
                _say_unknown(job, progress, note)
        except BaseException:
            with suppress(LocalFailure):
                if part.empty:
                    part.remove(job.checkpoint)
            raise
        part.remove(job.checkpoint)
        return facts


def _begun(job: Job, part: Part, started: str) -> Progress:
    """Give the progress of an export that was begun, by an earlier run or by this one.

    Without the rows of an earlier run there is nothing to go on with; only its file may be there, under its own name.
    """
    fresh = Progress(seal=job.seal, tool=__version__, size=job.size, started=started)
    found = checkpoint.load(job.checkpoint)
    if found is None and not part.rows.empty:
        raise BadInput(f"`{job.part}` exists and has no checkpoint", hint=f"remove `{job.part}` to start anew")
    if found is None or part.empty or (part.created and not _is_end(found, fresh.seal)):
        return fresh
    return checkpoint.continued(found, fresh.seal, fresh.tool, job.part)


def _is_end(found: Mapping[str, JSON], seal: str) -> bool:
    """Whether a checkpoint is believed to speak of the whole list, read for this very export."""
    return checkpoint.is_intact(found) and bool(found["ended"]) and found["seal"] == seal


def _gone_on(job: Job, part: Part, progress: Progress) -> Progress:
    """Bring the part to where the progress is; without its rows, to the beginning."""
    if part.created:
        progress = Progress(seal=progress.seal, tool=progress.tool, size=job.size, started=progress.started)
    part.rewind(progress.rows_mark, progress.facts_mark)
    checkpoint.save(job.checkpoint, progress)
    return progress if progress.ended or not progress.page else progress._replace(resumed=progress.resumed + 1)


def _say_where(progress: Progress, note: Callable[[str], None]) -> None:
    if progress.resumed or progress.ended:
        note(f"going on after page {progress.page - 1}: {progress.rows} rows are there")


def _say_unknown(job: Job, progress: Progress, note: Callable[[str], None]) -> None:
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
