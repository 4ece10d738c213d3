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
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from roomctl import errors
from roomctl.bulk.table import STOPPED, UNSENT, Report, Result, Row
from roomctl.contract.outcome import Outcome, Status
from roomctl.errors import ExpectationFailed, LocalFailure, NotAllowed, RoomctlError, Stopped, Unexpected
from roomctl.text.counted import numbered
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
    results = (*carried, *pool.run(min(max(concurrency, 1), len(jobs)), grace))
    ordered = tuple(sorted(results, key=lambda result: result.row.line))
    earlier = sum(each.status == "ok" for each in carried)
    return Report(ordered, judge.reason, judge.failure or judge.common or judge.unmet, earlier)


@dataclass(eq=False)
class _Judge:
    """Decides when no more jobs are started (R43). Not for several threads at once.

    `common` is a failure of one kind, while no job has met anything else, `unmet` the first guard that did not hold.
    """

    keep_going: bool
    reason: str = ""
    failure: RoomctlError | None = None
    common: RoomctlError | None = None
    unmet: ExpectationFailed | None = None
    in_a_row: int = 0
    tried: int = 0
    bad: int = 0

    def hear(self, results: Sequence[Result], failure: RoomctlError | None) -> None:
        if isinstance(failure, ExpectationFailed):
            self.unmet = self.unmet or failure
        statuses = [result.status for result in results if result.status != "skipped"]
        if not statuses:
            return
        kind = NotAllowed if isinstance(failure, NotAllowed) else errors.Temporary
        alike = isinstance(self.common, kind) if self.tried else isinstance(failure, kind)
        self.common = failure if alike and isinstance(failure, kind) else None
        bad = sum(status != "ok" for status in statuses)
        self.tried += len(statuses)
        self.bad += bad
        self.in_a_row = self.in_a_row + 1 if bad == len(statuses) else 0
        if self.keep_going:
            return
        if self.in_a_row >= IN_A_ROW:
            self.stop(f"stopped after {IN_A_ROW} failures in a row")
        elif self.tried >= TRIED and self.bad * SHARE >= self.tried:
            self.stop(f"stopped when {self.bad} of {self.tried} rows had failed")

    def stop(self, reason: str, failure: RoomctlError | None = None) -> None:
        self.reason = self.reason or reason
        self.failure = self.failure or failure


@dataclass(eq=False)
class _WorkerPool:
    """Worker threads call the jobs; the calling thread hands them out, hears of each, and decides when to stop."""

    jobs: Sequence[Job]
    judge: _Judge
    clock: Callable[[], float]
    on_settled: Callable[[Sequence[Result]], None]
    on_stop: Callable[[], None]
    given: "queue.SimpleQueue[int | None]" = field(default_factory=queue.SimpleQueue)
    done: "queue.SimpleQueue[tuple[int, RoomctlError | None]]" = field(default_factory=queue.SimpleQueue)
    settled: dict[int, tuple[Result, ...]] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)
    begun: int = 0
    running: int = 0

    def run(self, workers: int, grace: float) -> list[Result]:
        try:
            for number in range(workers):
                threading.Thread(target=self._work, name=f"bulk-{number}", daemon=True).start()
            self._give_all(workers)
        except (KeyboardInterrupt, Stopped) as error:
            self._interrupted(error)
            deadline = time.monotonic() + grace
            with suppress(KeyboardInterrupt, Stopped, queue.Empty):
                while self.running:
                    self._hear(max(deadline - time.monotonic(), 0))
        finally:
            for _ in range(workers):
                self.given.put(None)
        settled = dict(self.settled)  # what is not done by now counts as unknown
        for index in sorted(settled.keys() - self.told):
            try:
                self._tell(index)
            except (KeyboardInterrupt, Stopped) as error:
                self._interrupted(error)
        at, results = stamp(self.clock()), list[Result]()
        for index, job in enumerate(self.jobs):
            lost = (Result(row, "unknown", STOPPED, at=at) for row in job.rows)
            results += settled.get(index) or (lost if index < self.begun else map(self._skipped, job.rows))
        return results

    def _give_all(self, workers: int) -> None:
        """Hand out jobs so that a full disk or a kill never finds more unwritten results than there are workers."""
        for index in range(len(self.jobs)):
            while self.running == workers:
                self._hear()
            if self.judge.reason:
                break
            self.begun, self.running = index + 1, self.running + 1
            self.given.put(index)
        while self.running:
            self._hear()

    def _skipped(self, row: Row) -> Result:
        return Result.unsent(row, "skipped", f"{UNSENT}{self.judge.reason}")

    def _work(self) -> None:
        while (index := self.given.get()) is not None:
            results, failure = _called(self.jobs[index], self.clock)
            if isinstance(self.judge.failure, Stopped) and failure is not None and failure.outcome == "not_sent":
                results = tuple(self._skipped(each.row) for each in results)
            self.settled[index] = results
            self.done.put((index, failure))

    def _interrupted(self, error: BaseException) -> None:
        stopped = error if isinstance(error, Stopped) else errors.Interrupted("stopped by Ctrl-C")
        self.judge.stop(stopped.message, stopped)
        self.on_stop()

    def _hear(self, timeout: float | None = None) -> None:
        index, failure = self.done.get(timeout=timeout)
        self.running -= 1
        self.judge.hear(self.settled[index], failure)
        # the disk, the call, the key: every other job would fail in the same way
        of_all = isinstance(failure, LocalFailure | errors.BadConfig | errors.NeedsConfirmation | Stopped | Unexpected)
        if failure and (failure.http in (None, 401) if isinstance(failure, NotAllowed) else of_all):
            self.judge.stop(failure.message, failure)
        self._tell(index)

    def _tell(self, index: int) -> None:
        try:
            self.on_settled(self.settled[index])
        except Stopped:
            raise
        except RoomctlError as error:
            self.judge.stop(error.message, error)
        self.told.add(index)


def _called(job: Job, clock: Callable[[], float]) -> tuple[tuple[Result, ...], RoomctlError | None]:
    failure: RoomctlError | None = None
    try:
        said = job.call()
        if len(said) != len(job.rows):
            why = f"{numbered(len(said), 'replies')} arrived for {numbered(len(job.rows), 'rows')}"
            said = [Outcome("unknown", why)] * len(job.rows)
    except RoomctlError as error:
        without: Status = "skipped" if isinstance(error, ExpectationFailed) else "failed"  # a guard did not hold
        status = without if error.outcome in ("not_sent", "refused") else "unknown"
        failure, said = error, [Outcome(status, error.message)] * len(job.rows)
    except BaseException as error:  # a defect, in a thread of its own: it must not take the other results with it
        failure = Unexpected(f"unexpected failure: {type(error).__name__}")
        failure.__cause__ = error
        said = [Outcome("unknown", failure.message)] * len(job.rows)
    at, answered = stamp(clock()), failure is None or failure.outcome != "not_sent"
    return tuple(
        Result.unsent(row, each.status, each.error, at)._replace(refused=answered and each.status == "failed")
        if each.status == "skipped" or (failure is not None and each.status == "failed")
        else Result(row, each.status, each.error, each.id, at, each.reply, refused=each.status == "failed")
        for row, each in zip(job.rows, said, strict=True)
    ), failure
