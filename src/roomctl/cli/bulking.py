"""A bulk run from the command line: the input, what an earlier run left, the question, the jobs, the result file."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.bulk import (
    RESULT_COLUMNS,
    Job,
    Mark,
    Plan,
    Progress,
    Report,
    Result,
    ResultsFile,
    Row,
    Shape,
    Table,
    parse,
    plan,
    read_input,
    recovered,
)
from roomctl.bulk import run as run_jobs
from roomctl.bulk.rows import STATUSES
from roomctl.cli.session import Answer, Session
from roomctl.errors import BadInput, LocalFailure, RoomctlError, WrongCall

JSON = Any


class Run(NamedTuple):
    """A bulk run that is about to begin: its rows, what is sent of them, its name in the journal, its result file.

    `marks` is what an unfinished run left, by line; `target` what is done with each row.
    """

    table: Table
    plan: Plan
    name: str = ""
    file: ResultsFile | None = None
    marks: Mapping[int, Mark] = {}
    target: str = ""
    resumed: bool = False

    def status(self, row: Row) -> str:
        """What is known of a row from before; empty when it was never sent."""
        mark = self.marks.get(row.line, row.before)
        return mark.status if mark else ""


def read_table(session: Session, source: str, shape: Shape) -> Table:
    """Read an input file, or stdin for `-`. Raises BadInput."""
    if source != "-":
        return read_input(Path(source), shape)
    stdin = session.streams.stdin
    if stdin is None or stdin.closed:
        raise BadInput("stdin is closed, and `-` reads from it")
    return parse(stdin.read().encode("utf-8", "surrogateescape"), "stdin", shape)


def planned(session: Session, table: Table, target: str, *, resumable: bool = True) -> Run:
    """Divide the rows of a table into those to send and those that stand. Raises BadInput naming every problem.

    `target` says what is done with each row: by it, the input and the profile an unfinished run is known again. Reads
    are not `resumable`: what was read can be read once more.
    """
    given = session.given
    job = f"{target} at {session.settings.base_url}"
    if (refusal := table.refusal(skip_bad=given.skip_bad)) is not None:
        listed = [f"\n  {problem}" for problem in table.problems[:200] if f": {problem}" not in refusal.message]
        raise BadInput(
            refusal.message + "".join(listed),
            hint=refusal.hint,
            details=refusal.details,
        )
    _check_job(table, job)
    target = target if resumable else ""
    if not (table.rows or table.bad):
        session.note(f"{table.name} has no rows: there is nothing to do")
    file = ResultsFile(Path(given.results), table, force=given.force, clean=_clean, job=job) if given.results else None
    found = _unfinished(session, table, target)
    if given.resume:
        return _resumed(session, table, target, file, found)
    if found is not None and not _shows(session):
        if not given.force:
            raise WrongCall(
                f"a run over this very {table.name} has not finished: {found.id}, begun {found.begun}",
                hint="`--resume` goes on with it; `--force` gives it up and begins anew",
            )
        session.journal.finish_run(found.id)
    if file is not None and not _shows(session):
        file.check()
    divided = plan(table, skip_bad=given.skip_bad, retry_unknown=given.retry_unknown)
    stand = sum(result.status in ("ok", "unknown") for result in divided.carried)
    if stand:
        session.note(f"{stand} of {len(table.rows)} rows have a result from before and are not sent")
    return Run(table, divided, file=file, target=target)


def _check_job(table: Table, job: str) -> None:
    """Refuse the result file of another job: what was done elsewhere is not done here. Raises WrongCall."""
    others = (row.before.job for row in (*table.rows, *table.bad) if row.before and row.sent and row.before.job)
    other = next((each for each in others if each != job), None)
    if other is not None:
        raise WrongCall(
            f"{table.name} says what became of another job: {other}; this one is {job}",
            hint=f"without its columns {', '.join(RESULT_COLUMNS)} every row of it is sent",
        )


def _unfinished(session: Session, table: Table, target: str) -> Any:
    if not (table.path and target):
        return None
    mine = session.settings.profile
    runs = session.journal.runs(sha256=table.sha256, profile=mine, target=target, unfinished=True)
    return next(iter(runs), None)


def _resumed(session: Session, table: Table, target: str, file: ResultsFile | None, found: Any) -> Run:
    """Go on with a run by what its result file and the journal say of it."""
    given = session.given
    if found is None and (target or file is None or not file.part.exists()):
        raise WrongCall(f"no unfinished run over {table.name} is known", hint="leave `--resume` out")
    written = _written(file, table)
    if written:  # killed between the result file and the journal: it may be written once more
        file = file and file.replacing()
    known: Mapping[int, Any] = {}
    if found is not None:
        session.journal.resume_run(found.id, table.sha256)
        known = session.journal.row_states(found.id)
    marks = recovered({**(file.resume() if file else {}), **written}, known)
    name = found.id if found is not None else ""
    session.note(f"going on{f' with run {name}' if name else ''}: {len(marks)} of {len(table.rows)} rows have a result")
    divided = plan(table, skip_bad=given.skip_bad, retry_unknown=given.retry_unknown, known=marks)
    return Run(table, divided, name, file, marks, target, resumed=True)


def _written(file: ResultsFile | None, table: Table) -> dict[int, Mark]:
    """What the whole result file of this very table says, by line; nothing where there is none, or it is another's."""
    if file is None or file.part.exists() or file.path.is_symlink() or not file.path.exists():
        return {}
    import csv

    lines = sorted((*table.rows, *table.bad), key=lambda row: row.line)
    try:
        with file.path.open(newline="", encoding="utf-8-sig", errors="surrogateescape") as source:
            header, *rows = [tuple(cells) for cells in csv.reader(source, delimiter=table.delimiter)] or [()]
    except csv.Error:
        return {}
    width = len(table.header)
    end = width + len(RESULT_COLUMNS)
    same = header[:end] == (*table.header, *RESULT_COLUMNS) and len(rows) == len(lines)
    if not same or any(row[:width] != line.cells for row, line in zip(rows, lines, strict=True)):
        return {}
    marks = {line.line: _mark(row[width:end]) for row, line in zip(rows, lines, strict=True)}
    return {line: mark for line, mark in marks.items() if mark is not None}


def _mark(cells: Sequence[str]) -> Mark | None:
    known = next((status for status in STATUSES if cells[:1] == (status,)), None)
    return Mark(known, *cells[1:]) if known and len(cells) == len(RESULT_COLUMNS) else None


def _shows(session: Session) -> bool:
    return session.given.dry_run or session.given.curl


def run(
    session: Session,
    planned_run: Run,
    jobs: Sequence[Job],
    *,
    noun: str,
    also: Sequence[Result] = (),
    resource: str = "Result",
) -> Answer:
    """Run jobs and report on every row; `also` are results that stand without a request."""
    begun = _begin(session, planned_run)
    journal, given = session.journal, session.given

    def settled(results: Sequence[Result]) -> None:
        if begun.name:
            journal.rows_settled(
                begun.name, {each.row.line: each.status for each in results if each.status != "skipped"}
            )
        if begun.file is not None:
            begun.file.append(results)

    session.in_bulk = True
    report = run_jobs(
        [_tied(session, begun.name, job) for job in jobs],
        concurrency=session.settings.concurrency,
        keep_going=given.keep_going,
        carried=(*begun.plan.carried, *also),
        on_settled=settled,
        on_progress=_teller(session, noun),
        on_stop=session.client.hurry,
    )
    session.in_bulk = False
    written = _end(session, begun, report)
    kept = "" if written or begun.file is None else str(begun.file.part)
    failure = report.exit_error(noun, results=given.results or "", kept=kept)
    if failure is None:
        session.note(report.summary(noun))
    return Answer(report.shown(), resource, failure)


def _begin(session: Session, begun: Run) -> Run:
    """Name the run in the journal where it has an input that can be gone on with, and open its result file."""
    if begun.resumed:
        return begun
    table, name = begun.table, ""
    if table.path is not None and begun.target:
        name = session.journal.begin_run(
            table.path,
            table.sha256,
            len(table.rows),
            session.argv,
            profile=session.settings.profile,
            target=begun.target,
        )
    if begun.file is not None:
        try:
            begun.file.start(name)
        except RoomctlError:
            if name:
                session.journal.finish_run(name)
            raise
    return begun._replace(name=name)


def _end(session: Session, begun: Run, report: Report) -> bool:
    """Write the result file under its name, and say whether that was done: after a disk failed it may not be."""
    if isinstance(report.failure, LocalFailure):
        return begun.file is None or _saved(session, begun.file, report)
    try:
        if begun.file is not None:
            begun.file.finish(report.results)
            session.note(f"written: {begun.file.path}")
        if begun.name:
            session.journal.finish_run(begun.name)
    except LocalFailure as failure:
        failure.outcome = report.outcome
        raise
    except OSError as error:
        why = f"{error.strerror or error}".lower()
        raise LocalFailure(f"the end of the run could not be written: {why}", outcome=report.outcome) from error
    return True


def _saved(session: Session, file: ResultsFile, report: Report) -> bool:
    try:
        file.finish(report.results)
    except LocalFailure:
        file.close()
        return False
    session.note(f"written: {file.path}")
    return True


def _tied(session: Session, name: str, job: Job) -> Job:
    if not name:
        return job

    def call() -> Sequence[Any]:
        with session.journal.tied(name, [row.line for row in job.rows]):
            return job.call()

    return job._replace(call=call)


def _teller(session: Session, noun: str) -> Callable[[Progress], None]:
    tell = session.progress()
    return lambda progress: tell(f"{progress.done} of {progress.total} {noun}, {progress.failed} failed")


def _clean(text: str) -> str:
    from roomctl.text.safe import safe

    return safe(text, cell=True)
