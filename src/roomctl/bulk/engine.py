"""Running many jobs at once, bounded, until they are done or it is better to stop.

    take ──▶ call ──▶ settle ──▶ judge: go on, or stop (10 failures in a row, 20 % of 50, Ctrl-C, a full disk)

Workers are daemon threads: a reply that is still awaited after an interrupt must not hold the process back (R53), and
a pool of `concurrent.futures` would wait for it at exit. What a job does not answer is unknown, never failed.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from roomctl.bulk.report import Report
from roomctl.bulk.table import Result, Row
from roomctl.contract.outcome import Outcome, Status
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
from roomctl.text.times import stamp

GRACE: Final = 5.0
"""Seconds to wait for running jobs after an interrupt (R53)."""
IN_A_ROW: Final = 10
"""Jobs without a row that went well, one after the other, after which no more are started (R43)."""
TRIED: Final = 50
"""Rows after which their share counts."""
SHARE: Final = 5
"""One row in so many may fail: 20 %."""


class Job(NamedTuple):
    """One request for one row or several: `call` answers an outcome for each row in order, or raises errors.*."""

    rows: tuple[Row, ...]
    call: Callable[[], Sequence[Outcome]]


def run(
    jobs: Sequence[Job],
    *,
    concurrency: int = 4,
    keep_going: bool = False,
    carried: Sequence[Result] = (),
    on_settled: Callable[[Sequence[Result]], None] = lambda _: None,
    on_stop: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.time,
    grace: float = GRACE,
) -> Report:
    """Run jobs, at most so many at once, and report on their rows and the carried ones in the order of the input.

    `on_settled` is called in the calling thread; a RoomctlError of it stops the run and stands in the report, as does
    Ctrl-C, of which `on_stop` hears first. `keep_going` overrides the stop after failures.
    """
    judge = _Judge(keep_going)
    pool = _WorkerPool(jobs, judge, clock, on_settled, on_stop)
    pool.run(min(max(concurrency, 1), len(jobs)), grace)
    results = sorted((*carried, *pool.results()), key=lambda result: result.row.line)
    return Report(tuple(results), judge.reason, judge.failure or judge.denied)


class _Judge:
    """Decides when no more jobs are started (R43). Not for several threads at once."""

    def __init__(self, keep_going: bool) -> None:
        self.reason = ""
        self.failure: RoomctlError | None = None
        self.denied: NotAllowed | None = None  # while no job has met anything else
        self._keep_going = keep_going
        self._in_a_row = self._tried = self._bad = 0

    def hear(self, results: Sequence[Result], failure: RoomctlError | None) -> None:
        """Count the results of one job."""
        statuses = [result.status for result in results if result.status != "skipped"]
        if statuses:
            others = self._tried and self.denied is None
            self.denied = failure if isinstance(failure, NotAllowed) and not others else None
        bad = sum(status != "ok" for status in statuses)
        self._tried += len(statuses)
        self._bad += bad
        if statuses:
            self._in_a_row = self._in_a_row + 1 if bad == len(statuses) else 0
        if self._keep_going:
            return
        if self._in_a_row >= IN_A_ROW:
            self.stop(f"{IN_A_ROW} failures in a row")
        elif self._tried >= TRIED and self._bad * SHARE >= self._tried:
            self.stop(f"{self._bad} of {self._tried} failed")

    def stop(self, reason: str, failure: RoomctlError | None = None) -> None:
        """Stop for a reason; the first one stays."""
        self.reason = self.reason or reason
        self.failure = self.failure or failure


class _WorkerPool:
    """Workers take jobs in order, call them and put their results down; the calling thread tells who listens."""

    def __init__(
        self,
        jobs: Sequence[Job],
        judge: _Judge,
        clock: Callable[[], float],
        on_settled: Callable[[Sequence[Result]], None],
        on_stop: Callable[[], None],
    ) -> None:
        self._jobs = jobs
        self._judge = judge
        self._clock = clock
        self._on_settled = on_settled
        self._on_stop = on_stop
        self._done: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._untold = threading.Semaphore(0)
        self._settled: dict[int, tuple[Result, ...]] = {}
        self._told: set[int] = set()
        self._taken = self._workers = 0
        self._closed = False

    def run(self, workers: int, grace: float) -> None:
        """Work until all workers have ended, or for the seconds of grace after an interrupt."""
        self._workers = workers
        try:
            for number in range(workers):
                self._untold.release()
                threading.Thread(target=self._work, name=f"bulk-{number}", daemon=True).start()
            self._hear_all()
        except (KeyboardInterrupt, Stopped) as error:
            self._interrupted(error)
            with suppress(KeyboardInterrupt, Stopped, queue.Empty):
                self._hear_all(time.monotonic() + grace)
        except BaseException:
            self._stop("unexpected failure")
            raise
        with self._lock:
            self._closed = True  # what is not done by now counts as unknown
        for index in sorted(self._settled):
            try:
                self._tell(index)
            except (KeyboardInterrupt, Stopped) as error:
                self._interrupted(error)

    def results(self) -> list[Result]:
        """Give the results of all jobs, also of those that never ended and those that never began."""
        return [result for index in range(len(self._jobs)) for result in self._result(index)]

    def _result(self, index: int) -> Sequence[Result]:
        rows = self._jobs[index].rows
        if index in self._settled:
            return self._settled[index]
        if index >= self._taken:
            return [Result(row, "skipped", f"not sent: {self._judge.reason}") for row in rows]
        at = stamp(self._clock())
        return [Result(row, "unknown", "no answer before roomctl was stopped", at=at) for row in rows]

    def _work(self) -> None:
        try:
            while (index := self._take()) is not None:
                results, failure = _called(self._jobs[index], self._clock)
                with self._lock:
                    if self._closed:
                        return
                    self._settled[index] = results
                    self._judge.hear(results, failure)
                    if failure is not None and _ends_all(failure):
                        self._judge.stop(failure.message, failure)
                self._done.put(index)
        finally:
            self._done.put(None)

    def _take(self) -> int | None:
        self._untold.acquire()  # a full disk or a kill must not find more results unwritten than there are workers
        with self._lock:
            if self._judge.reason or self._taken == len(self._jobs):
                return None
            self._taken += 1
            return self._taken - 1

    def _stop(self, reason: str, failure: RoomctlError | None = None) -> None:
        with self._lock:
            self._judge.stop(reason, failure)

    def _interrupted(self, error: BaseException) -> None:
        stopped = error if isinstance(error, Stopped) else Interrupted("interrupted")
        self._stop(stopped.message, stopped)
        self._on_stop()

    def _hear_all(self, deadline: float | None = None) -> None:
        """Hear of jobs until all workers have ended. Raises queue.Empty at the deadline."""
        while self._workers:
            left = None if deadline is None else max(deadline - time.monotonic(), 0)
            index = self._done.get(timeout=left)
            if index is None:
                self._workers -= 1
                continue
            try:
                self._tell(index)
            finally:
                self._untold.release()

    def _tell(self, index: int) -> None:
        if index in self._told:
            return
        try:
            self._on_settled(self._settled[index])
        except Stopped:
            raise
        except RoomctlError as error:
            self._stop(error.message, error)
        self._told.add(index)


def _called(job: Job, clock: Callable[[], float]) -> tuple[tuple[Result, ...], RoomctlError | None]:
    """Call a job; give a result for each of its rows, and the failure in which it ended."""
    status: Status = "unknown"
    failure: RoomctlError | None = None
    refused = False
    try:
        said = job.call()
        if len(said) == len(job.rows):
            return tuple(_heard(row, each, stamp(clock())) for row, each in zip(job.rows, said, strict=True)), None
        text = f"{len(said)} replies came for {len(job.rows)} rows"
    except RoomctlError as error:
        text = error.message
        status = "failed" if error.outcome in ("not_sent", "refused") else "unknown"
        failure = error
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
    return isinstance(error, LocalFailure | BadConfig | NeedsConfirmation | Stopped | Unexpected)
