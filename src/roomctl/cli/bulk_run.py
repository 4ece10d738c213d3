"""A bulk run from the command line: the input, what is known of its rows, the requests, the result file."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from roomctl import bulk, reconcile
from roomctl.bulk import Job, Mark, Report, Result, ResultsFile, Row, Shape
from roomctl.bulk.table import RESULT_COLUMNS, Plan, Table, guards_of, missing_guards, plan
from roomctl.cli.bulk_next import failure_of, missing_leave_open, resume_options
from roomctl.cli.options import GUARD_OPTIONS, ROWS
from roomctl.cli.progress import progress
from roomctl.cli.request_body import read_bytes
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import BY_NAME
from roomctl.contract.outcome import Outcome
from roomctl.contract.records import folded
from roomctl.errors import LocalFailure, RoomctlError, Stopped, WrongCall
from roomctl.text.counted import first, numbered

CHANGED = (
    "its input or the rooms of the set have changed since, so it cannot be resumed; "
    "`roomctl journal list` shows what was sent"
)


class Run(NamedTuple):
    """A bulk run that is about to begin: its rows, what is sent of them, its name in the journal, its result file.

    `target` is what is done with each row; `number` the one by which the journal knows a row. `in_order`: one after the
    other, for each rests on those before it. `looked_up`: the same command finds by itself which rows are left; `anew`:
    what an earlier run did is undone. `unmet` says at the end, by their keys, what these rows do not show to be done.
    """

    table: Table
    plan: Plan
    name: str = ""
    file: ResultsFile | None = None
    target: str = ""
    number: Callable[[Row], int] = attrgetter("line")
    in_order: bool = False
    looked_up: bool = False
    anew: bool = False
    unmet: Callable[[Sequence[Row]], Mapping[str, str]] = lambda _: {}

    @property
    def rows(self) -> Sequence[Row]:
        return self.plan.send

    @property
    def again(self) -> str:
        """Say how many of the rows to send were sent before, of unknown outcome; empty where there is none."""
        number = sum(row.status == "unknown" for row in self.rows)
        operation = BY_NAME.get(self.target.partition(" ")[0])
        twice = f"; {'it' if number == 1 else 'they'} may take effect twice"
        twice *= operation is not None and operation.repeat == "create"
        return f"resending {numbered(number, 'rows')} of unknown outcome{twice}" if number else ""

    def with_results(self, results: Sequence[Result]) -> "Run":
        """Leave out rows that have their result without a request."""
        lines = {result.row.line for result in results}
        send = tuple(row for row in self.plan.send if row.line not in lines)
        carried = (*(each for each in self.plan.carried if each.row.line not in lines), *results)
        return self._replace(plan=Plan(send, carried))

    def skip(self, reasons: Mapping[str, str], key: Callable[[Row], str] = lambda row: folded(row.key)) -> "Run":
        """Leave out the rows for whose key there is a reason."""
        found = ((row, reasons.get(key(row))) for row in self.rows)
        return self.with_results([Result.unsent(row, "skipped", why) for row, why in found if why])


def read_table(session: Session, source: str, shape: Shape) -> Table:
    if source != "-":
        return going_on(session, bulk.read_input(Path(source), shape), shape)
    data = read_bytes(session, "-")  # the command before the pipe may have found nothing, which is no mistake
    return bulk.parse(data, "stdin", shape) if data.strip() else Table("stdin")


def going_on(session: Session, table: Table, shape: Shape) -> Table:
    """Take the result file of an earlier run over the same rows in place of the table, and so continue that run."""
    given, path = session.given, Path(session.given.results or "")
    usable = (
        given.results
        and (table.rooms or not shape.room)
        and path.is_file()
        and not (given.force or given.resume or bulk.unfinished(path))
    )
    if not usable or (table.path is not None and path.samefile(table.path)):
        return table
    if (earlier := bulk.results_over(table, path, shape, session.note)) is None:
        return table
    session.note(f"continuing from the results of an earlier run in {path}")
    return earlier


def note_empty_rows(session: Session, table: Table) -> None:
    if table.empty:
        session.note(f"{table.name}: {numbered(table.empty, 'empty rows')} left out")


def planned(
    session: Session,
    table: Table,
    target: str,
    *,
    resumable: bool = True,
    known: Callable[[Row], Mark | None] = attrgetter("before"),
) -> Run:
    """Divide the rows of a table into those to send and those that stand. Raises BadInput naming every problem.

    `target` says what is done with each row: by it, the service, the input and the profile an unfinished run is known
    again. Reads are not `resumable`: what was read can be read once more. `known` says what is known now of a row of an
    earlier run; None where what that did is seen to be undone.
    """
    given, guards = session.given, sorted(GUARD_OPTIONS & session.given.typed.keys())
    values = [getattr(given, name[2:].replace("-", "_")) for name in guards]
    shown = [name if value is True else f"{name}={value}" for name, value in zip(guards, values, strict=True)]
    target = f"{target} at {session.settings.base_url}" + (f" under {' '.join(shown)}" if shown else "")
    table.check(skip_bad=given.skip_bad)
    check_job(table, target)
    if table.bad:
        why = "; ".join(first([*map(str, table.problems)]))
        session.note(f"skipping {numbered(len(table.bad), 'invalid rows')} of {table.name}: {why}")
    note_empty_rows(session, table)
    if not (table.rows or table.bad or table.looked_up):
        session.note(f"{table.name} has no rows")
    file = None
    if given.results:
        options = resume_options(session, target)
        file = ResultsFile(Path(given.results), table, force=given.force, job=target, options=options)
    begun = Run(table, Plan((), ()), "", file, target if resumable else "")
    if given.resume:
        begun = _resumed(session, begun)
    elif resumable:
        if not given.dry_run:
            lock = sha256(f"{target}\n{table.sha256}".encode()).hexdigest()[:16]  # else two at once would both send all
            session.context.with_resource(session.journal.alone(lock, f"the same job over {table.name}"))
            _refuse_unfinished(session, begun)
        marks, lost = bulk.known_rows(table, session.journal.book(), target, session.settings.profile or "")
        creates = BY_NAME[target.partition(" ")[0]].repeat == "create"  # another end changes nothing
        begun = begun._replace(table=table.knowing(marks | (lost if creates and not given.force else {})))
    if file is not None and not given.dry_run and not given.resume:
        file.check()
    if table.path and any(row.before for row in table.rows) and not given.dry_run and file is None:
        session.note(f"{table.name} is a result file; add `--results {quote(str(table.path))}` to update it")
    rows = tuple(row._replace(before=known(row)) for row in begun.table.rows)
    anew = any(old.before and not new.before for old, new in zip(begun.table.rows, rows, strict=True))
    table = begun.table._replace(rows=rows)
    divided = plan(table, skip_bad=given.skip_bad, retry_unknown=given.retry_unknown)
    standing = Counter(result.status for result in divided.carried if not given.resume)
    if standing["ok"]:
        session.note(f"{numbered(standing['ok'], 'rows')} already done, skipped")
    if standing["unknown"]:
        held, them = ("has an", "it") if standing["unknown"] == 1 else ("have an", "them")
        why = f"{numbered(standing['unknown'], 'rows')} {held} unknown outcome"
        given_rows = not session.given.typed.keys().isdisjoint(ROWS.split())
        way = "`--retry-unknown`" if given_rows else "`--results FILE --retry-unknown`"
        session.note(f"{why}, and {'is' if them == 'it' else 'are'} not resent; {way} resends {them}")
    return begun._replace(table=table, plan=divided, anew=anew)


def _unfinished(session: Session, begun: Run) -> list[Any]:
    """The unfinished runs of a job, whatever their guards, newest first."""
    runs = session.journal.runs(profile=session.settings.profile or "", unfinished=True) if begun.target else []
    return [each for each in runs if missing_guards(begun.target, each.target) is not None]


def _refuse_unfinished(session: Session, begun: Run) -> None:
    """Refuse to begin anew what an unfinished run has begun; with `--force` that is given up. Raises WrongCall."""
    table = begun.table
    for each in _unfinished(session, begun):
        if each.sha256 != table.sha256 and (table.path is None or each.input != str(table.path.absolute())):
            continue
        if not session.given.force:
            with session.journal.alone(each.id, f"bulk run {each.id}"):  # of one that still runs this is said first
                resume = f"`{' '.join(['--resume', *guards_of(each.target)])}` resumes it"
                resume = resume if each.sha256 == table.sha256 else CHANGED
                why = f"a run over {table.name} is unfinished: {each.id}, started {each.begun}"
                raise WrongCall(why, hint=f"{resume}; `--force` discards it, and repeats what it has sent")
        session.journal.finish_run(each.id)


def check_job(table: Table, job: str) -> None:
    """Refuse results of another job, and those that were edited since they were written. Raises WrongCall.

    What was done elsewhere is not done here, and what was done to somebody is not done to whom a row names now.
    """
    known = [(row, row.before) for row in (*table.rows, *table.bad) if row.before and row.sent]
    name = str(table.earlier or table.path or "the result file")
    hint = f"remove the columns {', '.join(RESULT_COLUMNS)} to start over, or name another file"
    jobs = [mark.job.rpartition(" #")[0] or mark.job or "an unnamed job" for _, mark in known]
    if other := next((each for each in jobs if missing_guards(job, each) != []), ""):
        if lost := missing_guards(job, other) or missing_leave_open(job, other):
            hint = f"give it again: `{' '.join(lost)}`"
        raise WrongCall(f"{name} has the results of another job: {other}; this job is {job}", hint=hint)
    if edited := [f"line {row.line}" for row, mark in known if not mark.holds(job, row)]:
        raise WrongCall(
            f"{name} has results that were edited: {', '.join(first(edited))}",
            hint=f"restore the file as it was written; or clear the `status` of each row to redo, or {hint}",
        )


def _resumed(session: Session, begun: Run) -> Run:
    """Go on with the unfinished run over this input. Raises WrongCall where there is none."""
    table, file = begun.table, begun.file
    left = file is not None and file.part.exists()
    found = next((each for each in _unfinished(session, begun) if each.sha256 == table.sha256), None)
    if found is None and (begun.target or not left):
        of_file = f" for {table.name}" if table.path else ""
        others = session.journal.runs(sha256=table.sha256, unfinished=True) if of_file else ()
        but = f": run {others[0].id} is another job, {others[0].target}; this one is {begun.target}" if others else ""
        hint = f"{file.part} belongs to another run: resume that one, where it ran" if file and left else ""
        raise WrongCall(f"there is no unfinished run to resume{of_file}{but}", hint=hint or "leave out `--resume`")
    name, states = "", {}
    if found is not None:  # first: where another process goes on with it, no file is made
        if lost := missing_guards(begun.target, found.target):
            why = f"run {found.id} was started with {', '.join(map('`{}`'.format, lost))}; nothing was sent"
            raise WrongCall(why, hint=f"give it again: `--resume {' '.join(lost)}`")
        name = found.id
        session.journal.resume_run(name)
        states = session.journal.book().rows.get(name, {})
    part = file.resume() if file else {}
    number = len(part.keys() | states.keys())
    session.note(f"resuming{f' run {name}' * bool(name)}: {number} of {len(table.rows)} rows have a result already")
    return begun._replace(name=name, table=table.knowing(bulk.resumed(table, part, states)))


def run(session: Session, planned_run: Run, jobs: Sequence[Job], done: str, noun: str, *, resource: str) -> Answer:
    """Run jobs and report on every row; `done` and `noun` are how that is said: `ended 2 of 3 rooms`."""
    journal, given = session.journal, session.given
    begun = planned_run if given.resume else _begin(session, planned_run)
    counts: Counter[str] = Counter()

    def settled(results: Sequence[Result]) -> None:
        if begun.name:
            sent = {begun.number(each.row): each.status for each in results if each.status != "skipped"}
            journal.rows_settled(begun.name, sent)
        if begun.file is not None:
            begun.file.append(results)
        counts.update(result.status for result in results)
        counted.update(counts.total(), f"{counts['failed']} failed" if counts["failed"] else "")

    session.in_bulk = True
    with progress(session, noun, sum(len(job.rows) for job in jobs)) as counted:
        report = bulk.run(
            [job._replace(call=partial(_tied, session, begun, job)) if begun.name else job for job in jobs],
            concurrency=1 if begun.in_order else session.settings.concurrency,
            keep_going=given.keep_going,
            carried=begun.plan.carried,
            on_settled=settled,
            on_stop=session.client.stopping.set,
        )
    session.in_bulk = False
    report, bad = _looked_at(begun, report), {row.line for row in begun.table.bad}
    report = report._replace(invalid=sum(each.status == "failed" and each.row.line in bad for each in report.results))
    unknown = {begun.number(each.row): each.error for each in report.results if each.status == "unknown"}
    journal.mark_unknown(begun.name, unknown)
    summary, written = report.summary(done, noun), _end(session, begun, report)
    failure = failure_of(session, begun, report, summary, f"{noun} not yet {done}", written=written)
    whole = failure is None and report.counts()["ok"] == len(report.results)
    shown = [result.shown() for result in report.results]
    return Answer(shown, resource, failure, done=summary if whole else "", last="" if whole else summary)


def _looked_at(begun: Run, report: Report) -> Report:
    """Call unknown what two looks at the end of a run do not show to be done; a list may lag behind."""
    done = [each.row for each in report.results if each.status == "ok" and each not in begun.plan.carried]
    if not done or isinstance(report.failure, Stopped) or not begun.unmet(done):
        return report
    time.sleep(reconcile.APART)
    unmet, lost = begun.unmet(done), dict[int, Any]()
    lost |= {row.line: {"status": "unknown", "error": unmet[row.key]} for row in done if row.key in unmet}
    return report._replace(results=tuple(each._replace(**lost.get(each.row.line, {})) for each in report.results))


def _tied(session: Session, begun: Run, job: Job) -> Sequence[Outcome]:
    with session.journal.tied(begun.name, [begun.number(row) for row in job.rows]):  # numbers may rest on earlier jobs
        return job.call()


def _begin(session: Session, begun: Run) -> Run:
    """Name the run in the journal, with what is known of its rows from before, and open its result file."""
    table, name = begun.table, ""
    if begun.target and (table.path or begun.rows):
        source, digest = table.path or table.name, table.sha256 if table.path or begun.file else ""
        mine, rows = session.settings.profile, len(table.rows) + len(table.bad)
        name = session.journal.begin_run(source, digest, rows, session.argv, profile=mine, target=begun.target)
        known = {each.row.line: each.status for each in begun.plan.carried if each.status != "skipped"}
        if known and not begun.in_order:
            session.journal.rows_settled(name, known)
    try:
        if begun.file is not None:
            begun.file.start(name)
    except RoomctlError:
        if name:
            session.journal.finish_run(name)
        raise
    return begun._replace(name=name)


def _end(session: Session, begun: Run, report: Report) -> bool:
    """Write the result file under its name, and say so; after a disk has failed the run is left to be resumed."""
    if isinstance(report.failure, LocalFailure):
        if begun.file is not None:
            begun.file.close()
        return begun.file is None

    def record(digest: str = "") -> None:
        lines = () if begun.in_order else sorted(each.row.line for each in report.results)
        if begun.name:
            session.journal.finish_run(begun.name, digest, lines)

    try:
        if begun.file is None:
            record()
        else:
            begun.file.finish(report.results, record)
            session.note(f"wrote {begun.file.path}")
    except LocalFailure as failure:
        failure.outcome = report.outcome
        raise
    except OSError as error:
        why = f"the end of the run could not be recorded: {str(error.strerror or error).lower()}"
        raise LocalFailure(why, outcome=report.outcome) from error
    return True
