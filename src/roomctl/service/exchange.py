"""One request from its plan to its outcome: attempts, delays, the journal, and what is said when it fails."""

from collections.abc import Callable
from threading import Event
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from roomctl.contract.records import folded
from roomctl.errors import (
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
from roomctl.service.policy import (
    LONGEST_WAIT,
    Clock,
    Failed,
    Limiter,
    Phase,
    Quota,
    Recorder,
    Settlement,
    attempts,
    longest_delay,
)
from roomctl.service.reply import done_for_all
from roomctl.service.request import Headers, Prepared

if TYPE_CHECKING:
    from roomctl.service.attempt import Attempt
    from roomctl.service.transport import Answer, Transport

JSON = Any
_ASSUMPTION: Final = b"x-sandbox-assumption"  # names the gaps of the interface that an answer of the sandbox rests on
_STANDING: Final[dict[Phase, Settlement]] = {"P0": "not_sent", "P1": "refused", "P2": "unknown", "P3": "refused"}


class Shared(NamedTuple):
    """What all requests of a client share.

    `stopping` is set when the run is to end: from then on no wait lasts (`sleep`), no repeat follows. `log` redacts.
    `under_way` holds the writes whose answer is awaited.
    """

    transport: "Transport"
    seconds: float
    retries: int | None
    limiter: Limiter | None
    stopping: Event
    sleep: Callable[[float], object]
    quota: Quota
    clock: Clock
    recorder: Recorder | None
    note: Callable[[str], None]
    log: Callable[[str], None]
    redact: Callable[[str], str]
    under_way: set[object]


class Exchange:
    """One request and its reply. `what` says in words what is asked, for messages: "end room 3f0c…".

    `headers` go with the request as they are; `read` is given an answer and the time, and gives the value or raises
    Failed.
    """

    def __init__(
        self, shared: Shared, prepared: Prepared, headers: Headers, what: str, read: "Callable[[Answer, float], JSON]"
    ) -> None:
        self._shared = shared
        self._prepared = prepared
        self._writes = prepared.operation.writes
        self._recorder = shared.recorder if self._writes else None
        self._headers = headers
        self._what = what
        self._read = read
        self._entry = ""
        self._standing: Settlement = "not_sent"
        self._detail = "stopped before it was sent"
        self._sent_at = self._made = ""
        self.attempts = 0
        self.status = 0

    def run(self) -> JSON:
        """Send until there is an outcome, and settle the journal whatever happens. Raises errors.*."""
        if self._recorder is not None:
            self._entry = self._recorder.planned(self._prepared)
        try:
            while True:
                self.attempts += 1
                try:
                    value = self._attempt()
                except Failed as failed:
                    self._settle(failed)
                    self._wait(failed)
                else:
                    break
            self._shared.quota.give()
            whole = not (self._writes and self._prepared.operation.many) or done_for_all(self._prepared, value)
            self._standing, self._detail = "confirmed" if whole else "partial", f"HTTP {self.status}"
            if self._prepared.operation.repeat == "create" and isinstance(value, dict):
                self._made = folded(value.get(self._prepared.operation.row_id or ""))
            return value
        finally:
            if self._recorder is not None and self._entry:
                self._recorder.settled(self._entry, self._standing, self._detail, self._made)

    def _attempt(self) -> JSON:
        shared = self._shared
        if shared.limiter is not None:
            shared.limiter.wait()
        if shared.stopping.is_set() and self._writes:
            raise Failed("P0", "roomctl was stopped before it was sent")
        shared.log(f"attempt {self.attempts}: {self._prepared.method} {self._prepared.url}")
        from roomctl.service.attempt import Attempt

        attempt = Attempt(shared.seconds, self._record_sent)
        try:
            return attempt.run(lambda: self._receive(attempt))
        finally:
            shared.under_way.discard(self)

    def _receive(self, attempt: "Attempt") -> JSON:
        """Send, and read the reply; runs in the attempt's thread."""
        shared = self._shared
        with shared.transport.send(self._prepared, self._headers, attempt) as answer:
            self.status = answer.status
            gaps = [value.decode("latin-1") for name, value in answer.headers if name.lower() == _ASSUMPTION]
            assumed = f", assuming {', '.join(gaps)}: `roomctl help gaps`" if gaps else ""
            shared.log(f"attempt {self.attempts}: HTTP {answer.status}{assumed}")
            return self._read(answer, shared.clock.wall())

    def _record_sent(self) -> None:
        """Journal that the first byte leaves next; from here on an interruption leaves the outcome unknown."""
        if not self._writes:
            return
        if self._recorder is not None:
            self._recorder.sent(self._entry)
        self._sent_at = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(self._shared.clock.wall()))
        self._standing, self._detail = "unknown", "stopped before an answer came"
        self._shared.under_way.add(self)

    def _settle(self, failed: Failed) -> None:
        self._standing = "not_sent" if failed.kind is BadConfig else _STANDING[failed.phase]
        self._detail = failed.why = self._shared.redact(failed.why)
        self._shared.log(f"attempt {self.attempts} failed ({failed.phase}): {failed.why}")

    def _wait(self, failed: Failed) -> None:
        """Wait before the next attempt, where there may be one. Raises what the failure means."""
        shared = self._shared
        most = attempts(self._prepared.operation.repeat, failed, shared.retries)
        asked, hint = failed.wait or 0.0, ""
        throttled = failed.phase == "P1"  # the service asked for fewer requests
        if self.attempts < most and not shared.stopping.is_set():
            if asked > LONGEST_WAIT:
                hint = f"the service asks to wait {asked:.0f} s: run it again then"
            elif not shared.quota.take(throttled):
                hint = "many requests failed, so none is repeated any more: run it later"
            else:
                delay = max(asked, shared.clock.uniform(0.0, longest_delay(self.attempts - 1, throttled)))
                next_one = f"attempt {self.attempts + 1} of {most} in {delay:.1f} s"
                shared.note(f"could not {self._what}: {failed.why}; {next_one}")
                shared.sleep(delay)
                if not shared.stopping.is_set():
                    return
        raise self._error(failed, hint) from None

    def _error(self, failed: Failed, hint: str) -> RoomctlError:
        prepared = self._prepared
        kind = OutcomeUnknown if self._writes and failed.phase == "P2" else failed.kind
        sent: dict[str, Any] = {"sent_at": self._sent_at} if self._sent_at else {}
        came = "the answer proves nothing" if "answered" in failed.details else "no answer came that can be believed"
        wait = {"retry_after": failed.wait} if failed.wait is not None else {}
        return kind(
            _MESSAGES[kind][0].format(what=self._what, why=failed.why, came=came),
            hint=hint or failed.hint or _hint(kind, prepared, failed),
            outcome=cast(Outcome, self._standing) if self._writes else "refused" if issubclass(kind, Refused) else None,
            http=failed.status,
            request=f"{prepared.method} {prepared.url}",
            service=failed.excerpt,
            journal=self._entry,
            details={"phase": failed.phase, "attempts": self.attempts, **failed.details, **sent, **wait},
        )


_REFUSED: Final = "the service refused to {what} ({why})"
_MESSAGES: Final[dict[type[RoomctlError], tuple[str, str]]] = {
    OutcomeUnknown: (
        "asked to {what}, and {came}: {why}",
        "look whether it was done before it is repeated",
    ),
    Unintelligible: (
        "asked to {what}, the service answered what cannot be understood: {why}",
        "`roomctl profile show` shows the address: is it the service's?",
    ),
    NotAllowed: (
        "the service does not let this key {what} ({why})",
        "`roomctl profile check` asks whether the key is accepted",
    ),
    NotFound: (_REFUSED, "is the id right, and visible to this key? "),
    Refused: (_REFUSED, "`-v` shows what was asked of whom"),
    BadConfig: (
        "could not {what}: {why}",
        "`roomctl profile show` shows the address; `ca_file` in the profile names the certificates to trust",
    ),
    Temporary: ("could not {what}: {why}", "run it again later"),
}
"""What is said of each kind of failure, and the next step."""
_SEEN: Final[dict[str, str]] = {
    "userId": "the service has no list of users: ids stand in rooms, recordings and registrations",
    "socialEventId": "the service has no list of events",
}


def _hint(kind: type[RoomctlError], prepared: Prepared, failed: Failed) -> str:
    """Name the next step; after a 404 it is where the right ids can be seen, where nobody answers the address."""
    if kind is Temporary and failed.phase == "P0":
        return "is the address right? `roomctl profile show` says where it comes from; else run it again later"
    if kind is Refused and any(name == "sort" for name, _ in prepared.query):
        return "which names `--sort` takes is not documented: `--sort-by` sorts here"
    asked = [_SEEN[param.name] for param in prepared.operation.params if param.name in _SEEN]
    where = asked[0] if asked else "`roomctl roomset tree` shows the rooms that are"
    return _MESSAGES[kind][1] + (where if kind is NotFound else "")
