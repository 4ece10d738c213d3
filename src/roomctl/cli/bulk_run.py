"""A bulk run from the command line: the input, what an earlier run left, the requests, the result file."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from roomctl import reconcile
from roomctl.bulk import Job, Report, Result, ResultsFile, Row, Shape, parse, read_input, recovered, unfinished
from roomctl.bulk import run as run_jobs
from roomctl.bulk.earlier import lost_rows, settled_since
from roomctl.bulk.table import CORRECT, RESULT_COLUMNS, VERIFY, Mark, Plan, Table, guards_of, lacking, plan
from roomctl.cli.options import GUARD_OPTIONS
from roomctl.cli.progress import progress
from roomctl.cli.reply_notes import LOOKS
from roomctl.cli.request_body import read_bytes
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import BY_NAME
from roomctl.contract.outcome import Outcome
from roomctl.contract.records import folded
from roomctl.errors import LocalFailure, RoomctlError, Stopped, WrongCall
from roomctl.output.values import first
from roomctl.reconcile import Write
from roomctl.text.counted import numbered


class Run(NamedTuple):
    """A bulk run that is about to begin: its rows, what is sent of them, its name in the journal, its result file.

    `marks` is what an unfinished run left, by line; `target` what is done with each row; `number` the one by which the
    journal knows a row. `in_order`: one after the other, for each rests on those before it. `looked_up`: the same
    command finds by itself which rows are left; `anew`: what an earlier run did is undone, so it counts no more.
    `unmet` looks at the end at what these rows have done, and says by their keys what does not show it.
    """

    table: Table
    plan: Plan
    name: str = ""
    file: ResultsFile | None = None
    marks: Mapping[int, Mark] = {}
    target: str = ""
    number: Callable[[Row], int] = attrgetter("line")
    in_order: bool = False
    looked_up: bool = False
    anew: bool = False
    unmet: Callable[[Sequence[Row]], Mapping[str, str]] = lambda _: {}
    unsettled: frozenset[int] = frozenset()

    @property
    def again(self) -> str:
        """Say how many of the rows to send an earlier run has sent, of unknown outcome; empty where there is none."""
        number = sum(self.number(row) in self.unsettled for row in self.rows)
        known = f"of unknown outcome in an earlier run, and to be sent again: {numbered(number, 'rows')}"
        return f"{known}; `roomctl journal verify` checks whether they took effect" if number else ""

    @property
    def rows(self) -> Sequence[Row]:
        return self.plan.send

    @property
    def repeatable(self) -> str:
        """What to do before the very same command does what is left; empty where it does not.

        It does where it looks, or its result file replaces its input.
        """
        if self.file is not None and self.file.replaces_input:
            return CORRECT
        return "fix the cause" if self.looked_up else ""

    def with_results(self, results: Sequence[Result]) -> "Run":
        """Leave out rows that have their result without a request."""
        lines = {result.row.line for result in results}
        send = tuple(row for row in self.plan.send if row.line not in lines)
        carried = (*(each for each in self.plan.carried if each.row.line not in lines), *results)
        return self._replace(plan=Plan(send, carried))

    def skip(self, reasons: Mapping[str, str]) -> "Run":
        """Leave out the rows whose folded key has a reason."""
        found = ((row, reasons.get(folded(row.key))) for row in self.rows)
        return self.with_results([Result.unsent(row, "skipped", why) for row, why in found if why])

    def status(self, row: Row) -> str:
        """What is known of a row from before; empty when it was never sent."""
        mark = self.marks.get(row.line, row.before)
        return mark.status if mark else ""


def read_table(session: Session, source: str, shape: Shape) -> Table:
    return parse(read_bytes(session, "-"), "stdin", shape) if source == "-" else read_input(Path(source), shape)


def note_empty_rows(session: Session, table: Table) -> None:
    if table.empty:
        session.note(f"{table.name}: {numbered(table.empty, 'empty rows')} left out")


def planned(
    session: Session,
    table: Table,
    target: str,
    *,
    resumable: bool = True,
    undone: Callable[[Row], bool] = lambda _: False,
) -> Run:
    """Divide the rows of a table into those to send and those that stand. Raises BadInput naming every problem.

    `target` says what is done with each row: by it, the service, the input and the profile an unfinished run is known
    again. Reads are not `resumable`: what was read can be read once more. What is seen to be `undone` since an earlier
    run is sent as if there had been none.
    """
    given, target = session.given, f"{target} at {session.settings.base_url}"
    guards = {name: getattr(given, name[2:].replace("-", "_")) for name in sorted(GUARD_OPTIONS & given.typed.keys())}
    if guards:
        target += " under " + " ".join(name if value is True else f"{name}={value}" for name, value in guards.items())
    earlier, marks = table, settled_since(table, session.journal.book)
    rows = (row._replace(before=marks.get(row.line, row.before)) for row in table.rows)
    table = table._replace(rows=tuple(row._replace(before=None) if undone(row) else row for row in rows))
    table.check(skip_bad=given.skip_bad)
    check_job(earlier, target)
    if table.bad:
        skipping = f"skipping {numbered(len(table.bad), 'invalid rows')} of {table.name}"
        session.note(f"{skipping}: {'; '.join(first([*map(str, table.problems)]))}")
    note_empty_rows(session, table)
    if not (table.rows or table.bad):
        session.note("there is nothing to do" if table.path is None else f"{table.name} has no rows")
    file = None
    if given.results:
        file = ResultsFile(Path(given.results), table, force=given.force, job=target, maps=_maps(session))
    target = target if resumable else ""
    mine = session.settings.profile
    pinned = (table.path and not table.looked_up) or (file and file.part.exists())  # lines are those of that run
    runs = session.journal.runs(sha256=table.sha256, profile=mine) if target and pinned else []
    runs = [each for each in runs if lacking(target, each.target) is not None]
    found = next((each for each in runs if not each.finished), None)
    if given.resume:
        return _resumed(session, table, target, file, found)
    lost = lost_rows(runs, session.journal.book)
    sent = [row for row in table.rows if row.line in lost and (row.before is None or row.before.status != "ok")]
    operation = BY_NAME.get(target.partition(" ")[0])
    creates = operation is not None and operation.repeat == "create"  # another end changes nothing
    known = {row.line: lost[row.line] for row in sent} if creates and not given.force else {}
    divided = plan(table, skip_bad=given.skip_bad, retry_unknown=given.retry_unknown, known=known)
    if not given.dry_run:
        if found is not None:
            give_up(session, table, found, f"`{' '.join(['--resume', *guards_of(found.target)])}` resumes it")
        if file is not None:
            file.check()
    standing = Counter(result.status for result in divided.carried)
    if table.path and any(row.before for row in table.rows) and not given.dry_run and file is None:
        session.note(f"{table.name} is a result file; add `--results {quote(str(table.path))}` to update it")
    if standing["ok"]:
        session.note(f"{numbered(standing['ok'], 'rows')} already done, skipped")
    if standing["unknown"]:
        session.note(f"{numbered(standing['unknown'], 'rows')} of unknown outcome: only `--retry-unknown` resends them")
    return Run(table, divided, file=file, target=target, unsettled=frozenset(lost))


def _maps(session: Session) -> str:
    return "".join(f" --map {quote(each)}" for each in session.given.typed.get("--map", ()))


def give_up(session: Session, table: Table, begun: Any, instead: str) -> None:
    """Give up an unfinished run for a new one where `--force` says so. Raises WrongCall, also where it still runs."""
    if not session.given.force:
        with session.journal.alone(begun.id, f"bulk run {begun.id}"):  # of one that still runs this is said first
            raise WrongCall(
                f"a run over {table.name} is unfinished: {begun.id}, started {begun.begun}",
                hint=f"{instead}; `--force` discards it, and repeats what it has sent",
            )
    session.journal.finish_run(begun.id)


def check_job(table: Table, job: str) -> None:
    """Refuse results of another job, and those that were edited since they were written. Raises WrongCall.

    What was done elsewhere is not done here, and what was done to somebody is not done to whom a row names now.
    """
    known = [(row, row.before) for row in (*table.rows, *table.bad) if row.before and row.sent]
    hint = f"remove the columns {', '.join(RESULT_COLUMNS)} to send every row"
    jobs = [mark.job.rpartition(" #")[0] or mark.job or "an unnamed job" for _, mark in known]
    if other := next((each for each in jobs if lacking(job, each) != []), ""):
        if lost := lacking(job, other):
            hint = f"give it again: `{' '.join(lost)}`"
        raise WrongCall(f"{table.name} has the results of another job: {other}; this one is {job}", hint=hint)
    if edited := [f"line {row.line}" for row, mark in known if not mark.holds(job, row)]:
        raise WrongCall(
            f"{table.name} has results that were edited: {', '.join(first(edited))}",
            hint=f"restore the file as it was written; or clear the `status` of each row to resend, or {hint}",
        )


def _resumed(session: Session, table: Table, target: str, file: ResultsFile | None, found: Any) -> Run:
    given = session.given
    if found is None and (target or file is None or not file.part.exists()):
        of_file = f" for {table.name}" if table.path else ""
        others = session.journal.runs(sha256=table.sha256, unfinished=True) if of_file else ()
        but = f": run {others[0].id} is another job, {others[0].target}; this one is {target}" if others else ""
        if file and not others and unfinished(file.path).get("sha256") == table.sha256:
            raise file.elsewhere()
        left = file and file.part.exists() and f"{file.part} belongs to a run over another input: resume that run"
        raise WrongCall(f"there is no unfinished run to resume{of_file}{but}", hint=left or "leave out `--resume`")
    if found is not None and (lost := lacking(target, found.target)):
        why = f"run {found.id} was started with {', '.join(map('`{}`'.format, lost))}; nothing was sent"
        raise WrongCall(why, hint=f"give it again: `--resume {' '.join(lost)}`")
    name, states = "", {}
    if found is not None:  # first: where another process goes on with it, no file is made
        name = found.id
        session.journal.resume_run(name, table.sha256)
        states = session.journal.book().rows.get(name, {})
    marks = recovered(file.resume() if file else {}, states)
    session.note(
        f"resuming{f' run {name}' if name else ''}: {len(marks)} of {len(table.rows)} rows have a result already"
    )
    divided = plan(table, skip_bad=given.skip_bad, retry_unknown=given.retry_unknown, known=marks)
    return Run(table, divided, name, file, marks, target)


def jobs_of(
    batches: Sequence[Sequence[Row]], writes: Sequence[Write], call: Callable[[Sequence[Row], Write], list[Outcome]]
) -> list[Job]:
    """Make a job of each write, over its rows; `call` sends it and says what became of each row."""
    pairs = zip(batches, writes, strict=True)
    return [Job(tuple(rows), partial(call, rows, write)) for rows, write in pairs]


def run(
    session: Session, planned_run: Run, jobs: Sequence[Job], done: str, noun: str, *, resource: str = "Result"
) -> Answer:
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
        report = run_jobs(
            [job._replace(call=partial(_tied, session, begun, job)) if begun.name else job for job in jobs],
            concurrency=1 if begun.in_order else session.settings.concurrency,
            keep_going=given.keep_going,
            carried=begun.plan.carried,
            on_settled=settled,
            on_stop=session.client.stopping.set,
        )
    session.in_bulk = False
    report = _looked_at(session, begun, report)
    written = _end(session, begun, report)
    kept = "" if written or begun.file is None else str(begun.file.part)
    operation = BY_NAME.get(begun.target.partition(" ")[0])
    unknown = report.outcome == "unknown"
    look = LOOKS[None] if operation and operation.seen_in is None else VERIFY
    guards = "".join(f" {each}" for each in guards_of(begun.target))
    name = quote(given.results) if given.results else ""
    results = f"--from {name} --results {name}{_maps(session)}{guards}" if name else ""
    failure = report.exit_error(done, noun, results=results, kept=kept, repeatable=begun.repeatable, look=look)
    if failure and unknown:
        own = [each for each in journal.entries() if begun.name and each.run == begun.name]
        left = [each.id for each in own if each.open]
        failure.journal = left[0] if len(left) == 1 else begun.name if own else ""
    if failure and given.input is not None:  # its result file does not hold whole records
        failure.hint = f"{look}; " * unknown + "send what is not done in another `--input`"
    whole = failure is None and report.counts()["ok"] == len(report.results)
    summary = report.summary(done, noun)
    shown = [result.shown() for result in report.results]
    return Answer(shown, resource, failure, done=summary if whole else "", last="" if whole else summary)


def _looked_at(session: Session, begun: Run, report: Report) -> Report:
    """Call unknown what a look at the end of a run does not show to be done; a list may lag: there are two looks."""
    done = [each.row for each in report.results if each.status == "ok" and each not in begun.plan.carried]
    if not done or isinstance(report.failure, Stopped) or not begun.unmet(done):
        return report
    time.sleep(reconcile.APART)
    unmet = begun.unmet(done)
    rows = [row for row in done if row.key in unmet]
    if begun.name and rows:
        session.journal.rows_settled(begun.name, {begun.number(row): "unknown" for row in rows})
    results = [
        each._replace(status="unknown", error=unmet[each.row.key]) if each.row in rows else each
        for each in report.results
    ]
    return report._replace(results=tuple(results))


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
    failed = isinstance(report.failure, LocalFailure)
    digest = ""
    try:
        if begun.file is not None:
            digest = begun.file.finish(report.results)
            session.note(f"wrote {begun.file.path}")
        if begun.name and not failed:
            lines = () if begun.in_order else sorted(each.row.line for each in report.results)
            session.journal.finish_run(begun.name, digest, lines)
    except LocalFailure as failure:
        if failed and begun.file is not None:
            begun.file.close()
            return False
        failure.outcome = report.outcome
        raise
    except OSError as error:
        why = f"{error.strerror or error}".lower()
        raise LocalFailure(f"the end of the run could not be recorded: {why}", outcome=report.outcome) from error
    return True
