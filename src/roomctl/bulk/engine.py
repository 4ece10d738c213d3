"""Running many jobs at once, bounded, until they are done or it is better to stop.

    take ──▶ call ──▶ settle ──▶ judge: go on, or stop (10 failures in a row, 20 % of 50, Ctrl-C, a full disk)

Workers are daemon threads: a reply that is still awaited after an interrupt must not hold the process back (R53), and
a pool of `concurrent.futures` would wait for it at exit. What a job does not answer is unknown, never failed.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from roomctl.bulk.judge import Judge
from roomctl.bulk.report import Report, stamp
from roomctl.bulk.rows import JSON, Result, Row, Status
from roomctl.errors import (
    BadConfig,
    Interrupted,
    LocalFailure,
    NeedsConfirmation,
    NotAllowed,
    RoomctlError,
    Stopped,
    Unexpected,
)

GRACE: Final = 5.0
"""Seconds to wait for running jobs after an interrupt (R53)."""


class Outcome(NamedTuple):
    """What a job says of one of its rows."""

    status: Status = "ok"
    error: str = ""
    id: str = ""
    reply: JSON = None


class Job(NamedTuple):
    """One request for one row or several: `call` answers an outcome for each row in order, or raises errors.*."""

    rows: tuple[Row, ...]
    call: Callable[[], Sequence[Outcome]]


class Progress(NamedTuple):
    """How far a run is, in rows."""

    total: int
    ok: int = 0
    failed: int = 0
    unknown: int = 0
    skipped: int = 0

    @property
    def done(self) -> int:
        """How many rows have their result."""
        return self.ok + self.failed + self.unknown + self.skipped


Settled = Callable[[Sequence[Result]], None]
Watch = Callable[[Progress], None]


def _ignore(_: object) -> None:
    """Hear of something and do nothing."""


def run(
    jobs: Sequence[Job],
    *,
    concurrency: int = 4,
    keep_going: bool = False,
    carried: Sequence[Result] = (),
    on_settled: Settled = _ignore,
    on_progress: Watch = _ignore,
    on_stop: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.time,
    grace: float = GRACE,
) -> Report:
    """Run jobs, at most so many at once, and report on their rows and the carried ones in the order of the input.

    `on_settled` and `on_progress` are called in the calling thread; a RoomctlError of theirs stops the run and stands
    in the report, as does Ctrl-C, of which `on_stop` hears first. `keep_going` overrides the stop after failures.
    """
    judge = Judge(keep_going)
    crew = _Crew(jobs, judge, clock)
    desk = _Desk(crew, on_settled, on_progress, on_stop)
    desk.work(min(max(concurrency, 1), len(jobs)), grace)
    results = sorted((*carried, *crew.results()), key=lambda result: result.row.line)
    return Report(tuple(results), judge.reason, judge.failure)


class _Crew:
    """The workers: they take jobs in order, call them, and put their results down."""

    def __init__(self, jobs: Sequence[Job], judge: Judge, clock: Callable[[], float]) -> None:
        self.jobs = jobs
        self.done: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._judge = judge
        self._clock = clock
        self._lock = threading.Lock()
        self._taken = 0
        self._settled: dict[int, tuple[Result, ...]] = {}
        self._closed = False
        self._untold = threading.Semaphore(0)

    def start(self, workers: int) -> None:
        """Start workers."""
        for number in range(workers):
            self._untold.release()
            threading.Thread(target=self._work, name=f"bulk-{number}", daemon=True).start()

    def told(self) -> None:
        """Let a worker go on whose results were heard."""
        self._untold.release()

    def stop(self, reason: str, failure: RoomctlError | None = None) -> None:
        """Start no more jobs."""
        with self._lock:
            self._judge.stop(reason, failure)

    def settled(self, index: int) -> tuple[Result, ...]:
        """Give the results of a job that is done."""
        return self._settled[index]

    def finished(self) -> list[int]:
        """Say which jobs are done by now; later ones count as unknown."""
        with self._lock:
            self._closed = True
            return sorted(self._settled)

    def results(self) -> list[Result]:
        """Give the results of all jobs, also of those that never ended and those that never began."""
        return [result for index in range(len(self.jobs)) for result in self._result(index)]

    def _result(self, index: int) -> Sequence[Result]:
        rows = self.jobs[index].rows
        if index in self._settled:
            return self._settled[index]
        if index < self._taken:
            return [
                Result(row, "unknown", "no answer before roomctl was stopped", at=stamp(self._clock())) for row in rows
            ]
        return [Result(row, "skipped", f"not sent: {self._judge.reason}") for row in rows]

    def _work(self) -> None:
        try:
            while (index := self._take()) is not None:
                results, failure = _called(self.jobs[index], self._clock)
                self._put(index, results, failure)
        finally:
            self.done.put(None)

    def _take(self) -> int | None:
        self._untold.acquire()  # a full disk or a kill must not find more results unwritten than there are workers
        with self._lock:
            if self._judge.reason or self._taken == len(self.jobs):
                return None
            self._taken += 1
            return self._taken - 1

    def _put(self, index: int, results: tuple[Result, ...], failure: RoomctlError | None) -> None:
        with self._lock:
            if self._closed:
                return
            self._settled[index] = results
            self._judge.hear(results)
            if failure is not None:
                self._judge.stop(failure.message, failure)
        self.done.put(index)


class _Desk:
    """The calling thread: it hears what is done, tells others, and notices interrupts."""

    def __init__(self, crew: _Crew, on_settled: Settled, on_progress: Watch, on_stop: Callable[[], None]) -> None:
        self._crew = crew
        self._on_settled = on_settled
        self._on_progress = on_progress
        self._on_stop = on_stop
        self._told: set[int] = set()
        self._progress = Progress(sum(len(job.rows) for job in crew.jobs))
        self._workers = 0

    def work(self, workers: int, grace: float) -> None:
        """Work until all workers have ended, or for the seconds of grace after an interrupt."""
        self._workers = workers
        try:
            self._crew.start(workers)
            while self._workers:
                self._hear(self._crew.done.get())
        except (KeyboardInterrupt, Stopped) as error:
            self._interrupted(error, grace)
        except BaseException:
            self._crew.stop("unexpected failure")
            raise
        for index in self._crew.finished():
            try:
                self._tell(index)
            except (KeyboardInterrupt, Stopped) as error:
                self._stop(error)

    def _interrupted(self, error: BaseException, grace: float) -> None:
        self._stop(error)
        deadline = time.monotonic() + grace
        try:
            while self._workers and (left := deadline - time.monotonic()) > 0:
                self._hear(self._crew.done.get(timeout=left))
        except (KeyboardInterrupt, Stopped, queue.Empty):
            return

    def _stop(self, error: BaseException) -> None:
        stopped = error if isinstance(error, Stopped) else Interrupted("interrupted")
        self._crew.stop(stopped.message, stopped)
        self._on_stop()

    def _hear(self, index: int | None) -> None:
        if index is None:
            self._workers -= 1
        else:
            try:
                self._tell(index)
            finally:
                self._crew.told()

    def _tell(self, index: int) -> None:
        if index in self._told:
            return
        results = self._crew.settled(index)
        try:
            self._on_settled(results)
            self._told.add(index)
            counts = self._progress._asdict()
            for result in results:
                counts[result.status] += 1
            self._progress = Progress(**counts)
            self._on_progress(self._progress)
        except Stopped:
            raise
        except RoomctlError as error:
            self._told.add(index)
            self._crew.stop(error.message, error)


def _called(job: Job, clock: Callable[[], float]) -> tuple[tuple[Result, ...], RoomctlError | None]:
    """Call a job; give a result for each of its rows, and the failure after which no other may be started."""
    status: Status = "unknown"
    failure: RoomctlError | None = None
    refused = False
    try:
        outcomes = job.call()
        if len(outcomes) == len(job.rows):
            at = stamp(clock())
            pairs = zip(job.rows, outcomes, strict=True)
            return tuple(_heard(row, each, at) for row, each in pairs), None
        text = f"{len(outcomes)} answers came back for {len(job.rows)} rows"
    except RoomctlError as error:
        text = error.message
        status = "failed" if error.outcome in ("not_sent", "refused") else "unknown"
        failure = error if _ends_all(error) else None
        refused = error.outcome == "refused"
    except BaseException as error:  # a defect, in a thread of its own: it must not take the other results with it
        text = f"unexpected failure: {type(error).__name__}"
        failure = Unexpected(text)
        failure.__cause__ = error
    at = stamp(clock())
    return tuple(Result(row, status, text, at=at, refused=refused) for row in job.rows), failure


def _heard(row: Row, said: Outcome, at: str) -> Result:
    return Result(row, said.status, said.error, said.id, at, said.reply, refused=said.status == "failed")


def _ends_all(error: RoomctlError) -> bool:
    """Whether every other job would fail in the same way: the disk, the call, the key."""
    if isinstance(error, NotAllowed):
        return error.http in (None, 401)
    return isinstance(error, LocalFailure | BadConfig | NeedsConfirmation | Stopped)
