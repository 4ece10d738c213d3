"""The rate limit and the quota, shared by threads."""

import threading

from roomctl.service.pacing import CLOCK, Clock, Hurry, Limiter, Quota


class Time:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.sleeps: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(round(seconds, 6))
        self.now += seconds

    @property
    def clock(self) -> Clock:
        return Clock(monotonic=lambda: self.now, sleep=self.sleep)


def test_requests_begin_no_faster_than_the_rate() -> None:
    time = Time()
    limiter = Limiter(4.0, time.clock, Hurry(time.clock))
    for _ in range(4):
        limiter.wait()
    assert time.sleeps == [0.25, 0.25, 0.25]
    time.now += 10
    limiter.wait()
    limiter.wait()
    assert time.sleeps == [0.25] * 4


def test_without_a_rate_nobody_waits() -> None:
    time = Time()
    limiter = Limiter(None, time.clock, Hurry(time.clock))
    for _ in range(100):
        limiter.wait()
    assert time.sleeps == []


def test_threads_share_one_rate() -> None:
    sleeps: list[float] = []
    clock = Clock(monotonic=lambda: 5.0, sleep=lambda seconds: sleeps.append(round(seconds, 6)))
    limiter = Limiter(10.0, clock, Hurry(clock))
    threads = [threading.Thread(target=limiter.wait) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sleeps) == [round(number / 10, 6) for number in range(1, 20)]


def test_the_quota_never_falls_below_nothing_nor_rises_above_full() -> None:
    """R18."""
    quota = Quota()
    quota.give()
    assert quota.tokens == 500
    assert [quota.take(throttled=False) for _ in range(36)] == [True] * 35 + [False]
    assert quota.tokens == 10
    assert [quota.take(throttled=True) for _ in range(3)] == [True, True, False]
    quota.give()
    assert quota.tokens == 1


def test_r53_in_a_hurry_no_wait_lasts() -> None:
    hurry = Hurry(CLOCK)
    waiting = threading.Thread(target=hurry.sleep, args=(60,))
    waiting.start()
    hurry.begin()
    waiting.join(20)
    assert (waiting.is_alive(), hurry.begun) == (False, True)
