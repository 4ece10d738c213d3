"""What may be repeated, when, and how often (reliability, "Repeating a request"): delays, rate, quota, clock."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from roomctl.contract.operations import Repeat
from roomctl.errors import Temporary
from roomctl.service.failures import Failed, Phase, Settlement
from roomctl.service.request import Prepared

ATTEMPTS: Final[dict[Repeat, dict[Phase, int]]] = {
    "read": {"P0": 5, "P1": 5, "P2": 5, "P3": 1},
    "patch": {"P0": 4, "P1": 4, "P2": 1, "P3": 1},
    "create": {"P0": 4, "P1": 3, "P2": 1, "P3": 1},
    "end": {"P0": 4, "P1": 3, "P2": 1, "P3": 1},
}
"""Attempts in all, by what a lost answer allows and by the phase of the last failure. A write that may have been
applied is not repeated here: `reconcile` looks first, and calls again where that has shown that it may."""

LONGEST_WAIT: Final = 120.0  # seconds that a service may ask to wait; beyond, the person decides
_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?", re.ASCII)


class Recorder(Protocol):
    """Keeps a journal of writes. `planned` and `sent` are durable when they return; what they raise stops the write."""

    def planned(self, prepared: Prepared, /) -> str:
        """Record what is about to be sent; give the entry's id."""

    def sent(self, entry: str, /) -> None:
        """Record that the first byte leaves next; also before each repeat."""

    def settled(self, entry: str, outcome: Settlement, detail: str = "", made: str = "", /) -> None:
        """Record what became of it; `made` is the id of the record that the service made."""


def phase_of(status: int, repeat: Repeat, wait: float | None) -> Phase:
    """Tell which phase a reply that is not a success belongs to."""
    if status == 429 or (status == 503 and wait is not None and repeat in ("read", "patch")):
        return "P1"
    if status in (408, 460, 499) or (status >= 500 and status != 501):
        return "P2"
    if status < 400:
        return "P3" if repeat == "read" else "P2"
    return "P3"


def attempts(repeat: Repeat, failed: Failed, retries: int | None) -> int:
    """Give the number of attempts in all after such a failure; `retries` lowers it."""
    most = ATTEMPTS[repeat][failed.phase] if failed.kind is Temporary else 1
    return most if retries is None else min(most, retries + 1)


def longest_delay(repeated: int, throttled: bool) -> float:
    """Give the upper end, in seconds, of the random delay before the next repeat, after `repeated` of them."""
    base, cap = (1.0, 60.0) if throttled else (0.5, 20.0)
    return min(cap, base * 2.0 ** min(repeated, 10))


def retry_after(headers: Sequence[tuple[bytes, bytes]], now: float) -> float | None:
    """Read `Retry-After`, seconds or a date against the reply's own `Date` (without one: `now`), as seconds from now.

    Of several the longest counts; what cannot be read is left out; None where nothing is left.
    """
    waits, moments = [], []
    for value in (value for name, value in headers if name.lower() == b"retry-after"):
        if _SECONDS.fullmatch(text := value.decode("latin-1").strip()):
            waits.append(float(text))
        elif (until := moment(value)) is not None:
            moments.append(until)
    if moments:
        dates = [moment(value) for name, value in headers if name.lower() == b"date"]
        waits.append(max(0.0, max(moments) - next((date for date in dates if date is not None), now)))
    return max(waits, default=None)


def moment(value: bytes) -> float | None:
    """Read an HTTP date, in any of its three forms, as seconds since the epoch."""
    from email.utils import mktime_tz, parsedate_tz

    parsed = parsedate_tz(value.decode("latin-1").strip()[:64])
    try:
        return None if parsed is None else float(mktime_tz(parsed))
    except (ValueError, OverflowError):
        return None


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


class Limiter:
    """Lets at most `rate` requests a second begin, shared by threads."""

    def __init__(self, rate: float, clock: Clock, sleep: Callable[[float], object]) -> None:
        self._apart = 1.0 / rate
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        """Take the next place, and sleep until it has come."""
        with self._lock:
            now = self._clock.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._apart
        if turn > now:
            self._sleep(turn - now)
