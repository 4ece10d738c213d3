"""Running jobs: bounded, in order, stopping in time, and never believing what was not seen."""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
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
    Unexpected,
)

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


def refused() -> Sequence[Outcome]:
    raise Refused("no")


def statuses(results: Sequence[Result]) -> str:
    """Write results as letters: o f u s."""
    return "".join(result.status[0] for result in results)


def ended(report: Report) -> tuple[type[RoomctlError], int, str]:
    failure = report.exit_error()
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
    assert report.results == (
        Result(row(-1), "ok"),
        *(Result(row(n), "ok", "", f"new{n}", AT, {"socialId": f"new{n}"}) for n in range(20)),
        Result(row(30), "unknown"),
    )
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


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OutcomeUnknown("no answer"), "unknown"),
        (Refused("no answer"), "failed"),
        (Temporary("no answer"), "failed"),
        (BadValue("no answer"), "failed"),
        (NotAllowed("no answer", http=403), "failed"),
        (Temporary("no answer", outcome="unknown"), "unknown"),
        (Partial("no answer", outcome="applied"), "unknown"),
    ],
)
def test_a_job_that_fails_fails_its_rows_and_one_without_an_answer_leaves_them_unknown(
    error: RoomctlError, status: Any
) -> None:
    """R40: what may have been applied is never called failed."""
    jobs = [Job(rows(1, 2), raising(error)), Job(rows(3, 1), fine)]
    report = run(jobs, clock=lambda: NOON)
    refused = error.outcome == "refused"
    assert report.results == (
        Result(row(1), status, "no answer", at=AT, refused=refused),
        Result(row(2), status, "no answer", at=AT, refused=refused),
        Result(row(3), "ok", at=AT),
    )
    assert report.failure is None
    before = row(1)._replace(before=Mark("unknown", "lost", "", "then"))
    again = run([Job((before,), raising(error))], clock=lambda: NOON).results  # what failed now settles nothing
    still = ("no answer; its outcome is still unknown", "", "then") if status == "failed" else ("no answer", "", AT)
    assert again == (Result(before, "unknown", *still, refused=refused),)


@pytest.mark.parametrize(
    ("answers", "said"), [([], "0 replies"), ([Outcome()], "1 reply"), ([Outcome()] * 3, "3 replies")]
)
def test_another_number_of_replies_than_rows_leaves_all_of_them_unknown(answers: list[Outcome], said: str) -> None:
    report = run([Job(rows(1, 2), lambda: answers)])
    assert statuses(report.results) == "uu"
    assert report.results[0].error == f"{said} came for 2 rows"


LOST = raising(OutcomeUnknown("?"))
BATCH = [refused, *[lambda: [Outcome()] * 25] * 5]


@pytest.mark.parametrize(
    ("calls", "said", "stopped"),
    [
        # who does not answer is not asked for ever; the batch is one failure in a row, and 25 of the share
        ([LOST] * 20, "u" * 10 + "s" * 10, "stopped after 10 failures in a row"),
        ([refused, *[fine] * 4] * 16, "foooo" * 10 + "s" * 30, "stopped after 10 of 50 failed"),
        ([*[refused, *[fine] * 5] * 13, refused, fine], "fooooo" * 13 + "fo", ""),
        (BATCH, "f" * 25 + "o" * 25 + "s" * 100, "stopped after 25 of 50 failed"),
    ],
)
def test_r43_a_run_that_fails_too_often_stops_unless_it_is_to_keep_going(calls: Any, said: str, stopped: str) -> None:
    count = len(said) // len(calls)
    jobs = [Job(rows(1 + count * number, count), call) for number, call in enumerate(calls)]
    report = run(jobs, concurrency=1)
    assert (statuses(report.results), report.stopped) == (said, stopped)
    known = [job._replace(rows=tuple(each._replace(before=Mark("unknown")) for each in job.rows)) for job in jobs]
    assert not {"s", "f"} & {*statuses(run(known, concurrency=1).results)}  # R40: what is unknown stays that
    going_on = run(jobs, concurrency=4, keep_going=True)
    assert (going_on.stopped, "s" in statuses(going_on.results)) == ("", False)


@pytest.mark.parametrize(
    ("error", "exit_code"),
    [
        (LocalFailure("the journal cannot be written"), 9),
        (NotAllowed("the key is not valid", http=401), 3),
        (NotAllowed("there is no key"), 3),
        (BadConfig("no such profile"), 2),
    ],
)
def test_what_would_fail_every_job_stops_the_run_even_with_keep_going(error: RoomctlError, exit_code: int) -> None:
    report = run(jobs_of(raising(error), *[fine] * 5), concurrency=1, keep_going=True)
    assert statuses(report.results) == "fsssss"
    failure = report.exit_error()
    assert failure is error
    assert (failure.exit, failure.details["counts"]["skipped"]) == (exit_code, 5)


def test_where_every_job_met_the_same_the_run_ends_as_one_write_would() -> None:
    late, denied = Temporary("HTTP 429", outcome="refused"), NotAllowed("no", http=403)
    ends = {(late, late): 5, (denied, denied): 3, (late, denied): 6, (denied, late): 6}
    for (first, second), code in ends.items():
        failure = run(jobs_of(raising(first), raising(second)), concurrency=1).exit_error()
        assert failure is not None and failure.exit == code, (first, second)
    some = run(jobs_of(raising(late), fine), concurrency=1).exit_error()
    assert type(some) is Partial


def test_a_defect_leaves_its_row_unknown_and_stops_the_run() -> None:
    """R8: its text is not shown, for nobody knows what stands in it."""
    report = run(jobs_of(fine, raising(ZeroDivisionError("secret")), fine), concurrency=1)
    assert [(result.status, result.error) for result in report.results] == [
        ("ok", ""),
        ("unknown", "unexpected failure: ZeroDivisionError"),
        ("skipped", "not sent: unexpected failure: ZeroDivisionError"),
    ]
    assert type(report.failure) is Unexpected
    assert type(report.exit_error()) is OutcomeUnknown


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
        """Wait to be told."""
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
    assert getattr(report.exit_error(), "message", "") == "stopped by Ctrl-C; finished 4 of 21 rows, 17 skipped"


def test_what_has_no_answer_in_the_seconds_of_grace_is_unknown() -> None:
    """R53: wait up to 5 s, then unknown; a later answer changes nothing."""
    awaited = Awaited()
    started = time.monotonic()
    jobs = jobs_of(lambda: [Outcome()] if awaited.begun.acquire() else [], awaited.call, awaited.call)
    report = run(jobs, concurrency=2, on_settled=presses_ctrl_c, grace=0.2, clock=lambda: NOON)
    assert 0.2 < time.monotonic() - started < 10
    awaited.answer.set()
    time.sleep(0.05)
    assert report.results[:2] == (
        Result(row(1), "ok", at=AT),
        Result(row(2), "unknown", "roomctl was stopped before the reply came", at=AT),
    )
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
