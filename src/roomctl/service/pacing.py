"""Time, and how much of it requests take: the clock, the rate limit, the quota of repeats."""

import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple


def _uniform(low: float, high: float) -> float:
    from random import uniform

    return uniform(low, high)  # noqa: S311  (delays are spread, nothing is kept secret)


class Clock(NamedTuple):
    """The clocks, the sleep and the chance that a client uses; tests give others."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    wall: Callable[[], float] = time.time
    uniform: Callable[[float, float], float] = _uniform


CLOCK: Final = Clock()


class Quota:
    """Tokens that repeats cost and successes bring back, so that a failing service is not asked five times as often."""

    FULL = 500
    REPEAT = 14
    THROTTLED = 5

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.tokens = self.FULL

    def take(self, throttled: bool) -> bool:
        """Pay for a repeat; false, and nothing paid, where too little is left."""
        price = self.THROTTLED if throttled else self.REPEAT
        with self._lock:
            if self.tokens < price:
                return False
            self.tokens -= price
            return True

    def give(self) -> None:
        """Bring back a token for a success."""
        with self._lock:
            self.tokens = min(self.FULL, self.tokens + 1)


QUOTA: Final = Quota()
"""The quota of this process; all clients share it."""


class Hurry:
    """Whether waiting has lost its sense, since the run is to end: from then on no wait lasts, no repeat follows."""

    def __init__(self, clock: Clock) -> None:
        self._begun = threading.Event()
        self._sleep = self._begun.wait if clock is CLOCK else clock.sleep

    def begin(self) -> None:
        """End the waits of other threads now."""
        self._begun.set()

    @property
    def begun(self) -> bool:
        """Whether it is to end."""
        return self._begun.is_set()

    def sleep(self, seconds: float) -> None:
        """Sleep, unless it is to end."""
        self._sleep(seconds)


class Limiter:
    """Lets at most `rate` requests a second begin, shared by threads; None lets all of them."""

    def __init__(self, rate: float | None, clock: Clock, hurry: Hurry) -> None:
        self._apart = 0.0 if rate is None else 1.0 / rate
        self._clock = clock
        self._hurry = hurry
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        """Take the next place, and sleep until it has come."""
        if not self._apart:
            return
        with self._lock:
            now = self._clock.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._apart
        if turn > now:
            self._hurry.sleep(turn - now)
