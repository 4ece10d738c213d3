"""One request from its plan to its outcome: attempts, delays, the journal, and what is said when it fails."""

from collections.abc import Callable
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

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
    Hurry,
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
_STANDING: dict[Phase, Settlement] = {"P0": "not_sent", "P1": "refused", "P2": "unknown", "P3": "refused"}


class Shared(NamedTuple):
    """What all requests of a client share. `under_way` holds the writes whose answer is awaited."""

    transport: "Transport"
    seconds: float
    retries: int | None
    limiter: Limiter
    hurry: Hurry
    quota: Quota
    clock: Clock
    recorder: Recorder | None
    note: Callable[[str], None]
    log: Callable[[str], None] | None
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
        self._headers = headers
        self._what = what
        self._read = read
        self._entry = ""
        self._standing: Settlement = "not_sent"
        self._detail = "stopped before it was sent"
        self._sent_at = ""
        self.attempts = 0
        self.status = 0

    def run(self) -> JSON:
        """Send until there is an outcome, and settle the journal whatever happens. Raises errors.*."""
        if self._prepared.operation.writes and self._shared.recorder is not None:
            self._entry = self._shared.recorder.planned(self._prepared)
        try:
            return self._value()
        finally:
            if self._entry and self._shared.recorder is not None:
                self._shared.recorder.settled(self._entry, self._standing, self._detail)

    def _value(self) -> JSON:
        while True:
            self.attempts += 1
            try:
                value = self._once()
            except Failed as failed:
                self._settle(failed)
                self._wait(failed)
            else:
                self._shared.quota.give()
                operation = self._prepared.operation
                done = not (operation.many and operation.writes) or done_for_all(self._prepared, value)
                self._standing, self._detail = "confirmed" if done else "partial", f"HTTP {self.status}"
                return value

    def _once(self) -> JSON:
        shared = self._shared
        shared.limiter.wait()
        if shared.hurry.begun and self._prepared.operation.writes:
            raise Failed("P0", "roomctl was stopped before it was sent")
        self._log(f"attempt {self.attempts}: {self._prepared.method} {self._prepared.url}")
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
            self._log(f"attempt {self.attempts}: HTTP {answer.status}{_assumed(answer.headers)}")
            return self._read(answer, shared.clock.wall())

    def _record_sent(self) -> None:
        """Journal that the first byte leaves next; from here on an interruption leaves the outcome unknown."""
        if not self._prepared.operation.writes:
            return
        if self._shared.recorder is not None:
            self._shared.recorder.sent(self._entry)
        self._sent_at = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(self._shared.clock.wall()))
        self._standing, self._detail = "unknown", "stopped before an answer came"
        self._shared.under_way.add(self)

    def _settle(self, failed: Failed) -> None:
        self._standing = "not_sent" if failed.kind is BadConfig else _STANDING[failed.phase]
        failed.why = self._shared.redact(failed.why)
        self._detail = failed.why
        self._log(f"attempt {self.attempts} failed ({failed.phase}): {failed.why}")

    def _wait(self, failed: Failed) -> None:
        """Wait before the next attempt, where there may be one. Raises what the failure means."""
        shared = self._shared
        most = attempts(self._prepared.operation.repeat, failed, shared.retries)
        asked = failed.wait or 0.0
        if self.attempts >= most or shared.hurry.begun:
            raise self._error(failed) from None
        if asked > LONGEST_WAIT:
            raise self._error(failed, f"the service asks to wait {asked:.0f} s: run it again then") from None
        if not shared.quota.take(failed.throttled):
            raise self._error(failed, "many requests failed, so none is repeated any more: run it later") from None
        delay = max(asked, shared.clock.uniform(0.0, longest_delay(self.attempts - 1, failed.throttled)))
        shared.note(f"could not {self._what}: {failed.why}; attempt {self.attempts + 1} of {most} in {delay:.1f} s")
        shared.hurry.sleep(delay)
        if shared.hurry.begun:
            raise self._error(failed) from None

    def _log(self, line: str) -> None:
        if self._shared.log is not None:
            self._shared.log(self._shared.redact(line))

    def _error(self, failed: Failed, hint: str = "") -> RoomctlError:
        prepared = self._prepared
        writes = prepared.operation.writes
        kind = OutcomeUnknown if writes and failed.phase == "P2" else failed.kind
        details: dict[str, Any] = {"phase": failed.phase, "attempts": self.attempts, **failed.details}
        if self._sent_at:
            details["sent_at"] = self._sent_at
        if failed.wait is not None:
            details["retry_after"] = failed.wait
        return kind(
            _MESSAGES[kind][0].format(what=self._what, why=failed.why),
            hint=hint or failed.hint or _hint(kind, prepared, failed),
            outcome=cast(Outcome, self._standing) if writes else "refused" if issubclass(kind, Refused) else None,
            http=failed.status,
            request=f"{prepared.method} {prepared.url}",
            service=failed.excerpt,
            journal=self._entry,
            details=details,
        )


_REFUSED: Final = "the service refused to {what} ({why})"
_MESSAGES: Final[dict[type[RoomctlError], tuple[str, str]]] = {
    OutcomeUnknown: (
        "asked to {what}, and no answer came that can be believed: {why}",
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
        return (
            "which names `--sort` takes is not documented: `roomctl doctor --probe` tries some, `--sort-by` sorts here"
        )
    asked = [_SEEN[param.name] for param in prepared.operation.params if param.name in _SEEN]
    where = asked[0] if asked else "`roomctl roomset tree` shows the rooms that are"
    return _MESSAGES[kind][1] + (where if kind is NotFound else "")


def _assumed(headers: Headers) -> str:
    """Say which gaps of the interface an answer of the sandbox rests on."""
    found = [value.decode("latin-1") for name, value in headers if name.lower() == b"x-sandbox-assumption"]
    return f", assuming {', '.join(found)}: `roomctl help gaps`" if found else ""
