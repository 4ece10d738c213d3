"""Running jobs: bounded, in order, stopping in time, and never believing what was not seen."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from roomctl.bulk import Job, Mark, Outcome, Report, Result, Row, run
from roomctl.errors import (
    BadConfig,
    BadValue,
    Interrupted,
    LocalFailure,
    NotAllowed,
    OutcomeUnknown,
    Partial,
    PipeClosed,
    Refused,
    RoomctlError,
    Temporary,
    Terminated,
)
from tests.conftest import Cases

NOON = 1_795_219_200.0
AT = "2026-11-21T00:00:00.000Z"


def row(line: int) -> Row:
    return Row(line, {"socialId": f"r{line}"}, f"r{line}", (f"r{line}",))


def rows(first: int, count: int) -> tuple[Row, ...]:
    return tuple(row(first + each) for each in range(count))


def raising(error: BaseException) -> Callable[[], Sequence[Outcome]]:
    def call() -> Sequence[Outcome]:
        raise error

    return call


def jobs_of(*calls: Callable[[], Sequence[Outcome]]) -> list[Job]:
    return [Job((row(line),), call) for line, call in enumerate(calls, 1)]


def fine() -> Sequence[Outcome]:
    return [Outcome()]


def statuses(results: Sequence[Result]) -> str:
    """Write results as letters: o f u s."""
    return "".join(result.status[0] for result in results)


def ended(report: Report) -> tuple[type[RoomctlError], int, str]:
    failure = report.exit_error(report.summary("finished", "rows"))
    assert failure is not None
    return type(failure), failure.exit, failure.outcome


def test_results_come_in_the_order_of_the_input_whatever_is_ready_first() -> None:
    def slow(number: int) -> Callable[[], Sequence[Outcome]]:
        def call() -> Sequence[Outcome]:
            time.sleep((20 - number) / 2000)
            return [Outcome("ok", "", f"new{number}", {"socialId": f"new{number}"})]

        return call

    jobs = [Job((row(number),), slow(number)) for number in range(20)]
    report = run(jobs, concurrency=8, carried=[Result(row(-1), "ok"), Result(row(30), "unknown")], clock=lambda: NOON)
    made = [Result(row(n), "ok", "", f"new{n}", AT, {"socialId": f"new{n}"}) for n in range(20)]
    assert report.results == (Result(row(-1), "ok"), *made, Result(row(30), "unknown"))
    assert report.results[1].shown() == {"input": "r0", "status": "ok", "error": None, "reply": {"socialId": "new0"}}


@pytest.mark.parametrize("concurrency", [1, 3, 0])
def test_r43_no_more_jobs_run_at_once_than_allowed(concurrency: int) -> None:
    lock = threading.Lock()
    now = most = 0

    def call() -> Sequence[Outcome]:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.002)
        with lock:
            now -= 1
        return [Outcome()]

    report = run(jobs_of(*[call] * 30), concurrency=concurrency)
    assert (most, statuses(report.results)) == (max(concurrency, 1), "o" * 30)


SAYS: dict[str, Callable[[], Sequence[Outcome] | Exception]] = {
    "none": list,
    "one": lambda: [Outcome()],
    "three": lambda: [Outcome()] * 3,
    "refused": lambda: Refused("no"),
    "lost": lambda: OutcomeUnknown("?"),
    "away": lambda: Temporary("away"),
    "late": lambda: Temporary("HTTP 429", outcome="refused"),
    "may be done": lambda: Temporary("away", outcome="unknown"),
    "done": lambda: Partial("done in part", outcome="applied"),
    "no value": lambda: BadValue("no value"),
    "denied": lambda: NotAllowed("denied", http=403),
    "no key": lambda: NotAllowed("the key is not valid", http=401),
    "not signed in": lambda: NotAllowed("there is no key"),
    "no config": lambda: BadConfig("no such profile"),
    "full": lambda: LocalFailure("the journal cannot be written"),
    "defect": lambda: ZeroDivisionError("secret"),
}
"""What becomes of a job, by its name in `runs.txt`."""


def test_r8_r40_r43_what_is_said_of_rows_and_when_a_run_stops(cases: Cases) -> None:
    """What may have been applied is never called failed, and nobody knows what stands in the text of a defect."""

    def says(parts: list[Any], count: int = 1, more: str = "") -> str:
        names = [*flat(parts)]
        jobs = [Job(rows(1 + count * place, count), saying(name, count)) for place, name in enumerate(names)]
        if more == "unknown before":
            known = Mark("unknown", "lost", "", "then")
            jobs = [job._replace(rows=tuple(each._replace(before=known) for each in job.rows)) for job in jobs]
        report = run(jobs, concurrency=1, keep_going=more == "keep going", clock=lambda: NOON)
        failure = report.exit_error(report.summary("finished", "rows"))
        letters = "".join(each.status[0].upper() if each.refused else each.status[0] for each in report.results)
        told = [letters, report.stopped]
        told += dict.fromkeys(f"{each.error} ({each.at})" for each in report.results if each.error)
        return "; ".join([*filter(None, told), f"{failure.code} {failure.exit} {failure.outcome}" if failure else "0"])

    def saying(name: str, count: int) -> Callable[[], Sequence[Outcome]]:
        said = SAYS[name]() if name in SAYS else [Outcome()] * count
        return raising(said) if isinstance(said, Exception) else lambda: said

    def flat(parts: list[Any]) -> Iterator[str]:
        for part, times in parts:
            for _ in range(times):
                yield from flat(part) if isinstance(part, list) else [part]

    cases("runs.txt", says)


def test_results_that_cannot_be_written_down_stop_the_run_and_stay_what_they_are() -> None:
    """R41: done stays done."""

    def full(_results: Sequence[Result]) -> None:
        raise LocalFailure("the results cannot be written")

    report = run(jobs_of(*[fine] * 100), concurrency=1, on_settled=full)
    assert "o" in statuses(report.results) and "s" in statuses(report.results)
    assert ended(report)[:2] == (LocalFailure, 9)


def test_a_defect_of_the_listener_is_not_hidden_and_no_more_is_sent() -> None:
    called: list[int] = []

    def call() -> Sequence[Outcome]:
        called.append(1)
        time.sleep(0.01)
        return [Outcome()]

    def breaks(_results: Sequence[Result]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(jobs_of(*[call] * 100), concurrency=1, on_settled=breaks)
    time.sleep(0.05)
    assert len(called) < 10


@pytest.mark.parametrize("error", [Terminated("told to stop"), PipeClosed("nobody reads")])
def test_r53_a_stop_that_the_listener_notices_ends_the_run_with_its_own_status(error: RoomctlError) -> None:

    def stops(_results: Sequence[Result]) -> None:
        raise error

    report = run(jobs_of(*[fine] * 50), concurrency=2, on_settled=stops)
    assert ended(report) == (type(error), error.exit, "applied")
    assert set(statuses(report.results)) == {"o", "s"}


class Awaited:
    """Calls that answer when told to."""

    def __init__(self) -> None:
        self.answer = threading.Event()
        self.begun = threading.Semaphore(0)

    def call(self) -> Sequence[Outcome]:
        self.begun.release()
        self.answer.wait(30)
        return [Outcome()]

    def interrupt(self, after: int) -> None:
        """Send this process Ctrl-C when so many calls wait, and a moment later let them answer."""

        def send() -> None:
            for _ in range(after):
                self.begun.acquire()
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.2)
            self.answer.set()

        threading.Thread(target=send, daemon=True).start()


def presses_ctrl_c(_results: Sequence[Result]) -> None:
    raise KeyboardInterrupt


def test_r53_after_ctrl_c_running_jobs_may_end_and_no_other_begins() -> None:
    awaited = Awaited()
    told: list[Result] = []
    awaited.interrupt(after=3)
    report = run(jobs_of(fine, *[awaited.call] * 20), concurrency=3, on_settled=told.extend)
    assert statuses(report.results) == "oooo" + "s" * 17
    assert statuses(told) == "oooo"
    assert ended(report) == (Interrupted, 130, "applied")
    assert (
        getattr(report.exit_error(report.summary("finished", "rows")), "message", "")
        == "stopped by Ctrl-C; finished 4 of 21 rows, 17 not sent"
    )


def test_what_has_no_answer_in_the_seconds_of_grace_is_unknown() -> None:
    """R53: wait up to 5 s, then unknown; a later answer changes nothing."""
    awaited = Awaited()
    started = time.monotonic()
    jobs = jobs_of(lambda: [Outcome()] if awaited.begun.acquire() else [], awaited.call, awaited.call)
    report = run(jobs, concurrency=2, on_settled=presses_ctrl_c, grace=0.2, clock=lambda: NOON)
    assert 0.2 < time.monotonic() - started < 10
    awaited.answer.set()
    time.sleep(0.05)
    lost = Result(row(2), "unknown", "roomctl was stopped before the reply arrived", at=AT)
    assert report.results[:2] == (Result(row(1), "ok", at=AT), lost)
    assert report.results[2].status in ("unknown", "skipped")
    assert ended(report) == (Interrupted, 130, "unknown")


def test_r53_a_second_ctrl_c_waits_no_longer() -> None:
    awaited = Awaited()
    started = time.monotonic()
    report = run(jobs_of(fine, fine, awaited.call), concurrency=3, on_settled=presses_ctrl_c, grace=30)
    awaited.answer.set()
    assert time.monotonic() - started < 20
    assert statuses(report.results) in ("oou", "oos", "oso", "oss")


def test_ctrl_c_before_anything_was_sent_says_so() -> None:
    report = run(jobs_of(*[lambda: [Outcome("skipped")]] * 3), concurrency=1, on_settled=presses_ctrl_c, grace=0.05)
    assert ended(report) == (Interrupted, 130, "not_sent")


def test_r53_ctrl_c_while_the_last_results_are_told_loses_none() -> None:
    calls = 0

    def twice(_results: Sequence[Result]) -> None:
        nonlocal calls
        calls += 1
        if calls <= 2:
            raise KeyboardInterrupt

    report = run(jobs_of(fine), on_settled=twice)
    assert (statuses(report.results), calls) == ("o", 2)
    assert type(report.failure) is Interrupted
