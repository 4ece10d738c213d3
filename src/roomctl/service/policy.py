"""What follows from an attempt that failed: what may be repeated, when, and how often; else the error that it becomes.

With the delays, the rate, the quota and the clock of repeats (reliability, "Repeating a request").
"""

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Literal, NamedTuple, Protocol, cast

from roomctl.contract.operations import Repeat
from roomctl.errors import (
    AGAIN,
    BadConfig,
    NotAllowed,
    NotFound,
    Outcome,
    OutcomeUnknown,
    Refused,
    RoomctlError,
    Temporary,
    Unintelligible,
)
from roomctl.service.request import Prepared

Phase = Literal["P0", "P1", "P2", "P3"]
"""P0 nothing left this machine; P1 the service said "not now"; P2 it may have been applied; P3 final."""
Settlement = Literal["confirmed", "partial", "refused", "unknown", "not_sent"]
_SETTLEMENTS: Final[dict[Phase, Settlement]] = {"P0": "not_sent", "P1": "refused", "P2": "unknown", "P3": "refused"}


@dataclass(eq=False)
class Failed(Exception):
    """One attempt that failed. `kind` is the error that it becomes where nothing can be done about it.

    `why` says in words what happened; `wait` is the service's own lower bound in seconds, None where it named none;
    `hint` is the next step where there is a better one than usual, `details` are for the JSON form of the error.
    """

    phase: Phase
    why: str
    _: KW_ONLY
    kind: type[RoomctlError] = Temporary
    status: int | None = None
    wait: float | None = None
    excerpt: str = ""
    hint: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def settlement(self) -> Settlement:
        return "not_sent" if self.kind is BadConfig else _SETTLEMENTS[self.phase]

    def error(self, prepared: Prepared, what: str, hint: str, entry: str, details: Mapping[str, Any]) -> RoomctlError:
        """Make the error that it becomes. `what` says in words what was asked, `entry` is the journal's."""
        writes = prepared.operation.writes
        kind = OutcomeUnknown if writes and self.phase == "P2" else self.kind
        message, usual = _MESSAGES[401 if kind is NotAllowed and self.status == 401 else kind]
        if kind is Unintelligible and not writes and self.details.get("answered") == "denial":
            message, usual = "the service reported a failure when asked to {what}: {why}", AGAIN
        proof = "the reply shows only part of it" if self.details.get("answered") == "part" else ""
        shown = "the reply does not show that it took effect" if "answered" in self.details else "got no usable reply"
        came = proof or shown
        return kind(
            message.format(what=what, why=self.why, came=came),
            hint=hint or self.hint or _hint(kind, usual, prepared, self),
            outcome=cast(Outcome, self.settlement) if writes else "refused" if issubclass(kind, Refused) else None,
            http=self.status,
            request=f"{prepared.operation.method} {prepared.url}",
            service=self.excerpt,
            journal=entry,
            details={"phase": self.phase, **self.details, **details},
        )


_MESSAGES: Final[dict[type[RoomctlError] | int, tuple[str, str]]] = {
    OutcomeUnknown: (
        "sent a request to {what}, but {came}: {why}",
        "check whether it was done before you resend it",
    ),
    Unintelligible: (
        "could not {what}, because the service's reply could not be understood: {why}",
        "`roomctl profile show PROFILE` shows the address: check that it is the service's",
    ),
    NotAllowed: (
        "this key is not allowed to {what} ({why})",
        "ask for a key with this permission, or choose another profile",
    ),
    401: (
        "could not {what}: the service does not accept this key ({why})",
        "`roomctl profile show PROFILE` shows the settings in use",
    ),
    NotFound: ("could not {what}: not found ({why})", "check the id; "),
    Refused: (
        "the service refused to {what} ({why})",
        "`--dry-run` prints what would be sent; the service's reply may say why it refused",
    ),
    BadConfig: (
        "could not {what}: {why}",
        "`roomctl profile show PROFILE` shows the address; `ca_file` in the profile, or ROOMCTL_CA_FILE, names the "
        "certificates to trust",
    ),
    Temporary: ("could not {what}: {why}", "run the command again later"),
}
"""What is said of each kind of failure, and the next step."""
_ROOMS: Final = "`roomctl roomset tree` shows your rooms"
_SEEN: Final[dict[str, str]] = {
    "configurationId": "`roomctl rules get SET` shows the rules that the set's rooms use",
    "socialId": _ROOMS,
    "socialRoomSetId": _ROOMS,
    "userId": "find user ids in rooms, recordings and registrations: the service has no list of users",
    "socialEventId": "ask whoever runs the event for the right one: the service has no list of events",
    "socialTranscriptionId": "`roomctl transcription list` lists the transcriptions this key can see",
}


def _hint(kind: type[RoomctlError], usual: str, prepared: Prepared, failed: Failed) -> str:
    """Name the next step; after a 404 it is where the right ids can be seen, where nobody answers the address."""
    if kind is Temporary and failed.phase == "P0":
        return "check the address with `roomctl profile show PROFILE`, or run the command again later"
    if kind is Refused and any(name == "sort" for name, _ in prepared.query):
        return "use `--sort-by`, which sorts the result: the field names of `--sort` are not documented"
    operation = prepared.operation
    if kind is NotFound and operation.paged and not any(param.required for param in operation.params):
        return "check the address with `roomctl profile show PROFILE`"
    names = [*(param.name for param in reversed(operation.params)), operation.identity]
    where = next((_SEEN[name] for name in names if name in _SEEN), _ROOMS)
    return usual + (where if kind is NotFound else "")


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
