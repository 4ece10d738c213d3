"""One request from its plan to its outcome: attempts, delays, the journal, and what is said when it fails."""

from collections.abc import Callable
from time import gmtime, strftime
from typing import Any, Final, NamedTuple, cast

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
from roomctl.service.attempt import Attempt
from roomctl.service.pacing import Clock, Hurry, Limiter, Quota
from roomctl.service.policy import (
    LONGEST_WAIT,
    Failed,
    Phase,
    Recorder,
    Settlement,
    attempts,
    longest_delay,
)
from roomctl.service.prepared import Prepared
from roomctl.service.replies import Decode, done_for_all, received
from roomctl.service.transport import Answer, Call, Headers, Transport

JSON = Any
_STANDING: dict[Phase, Settlement] = {"P0": "not_sent", "P1": "refused", "P2": "unknown", "P3": "refused"}


class Means(NamedTuple):
    """What all requests of a client share. `under_way` holds the writes whose answer is awaited."""

    transport: Transport
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


class Sending:
    """One request on its way. `what` says in words what is asked, for messages: "end room 3f0c…"."""

    def __init__(
        self,
        means: Means,
        prepared: Prepared,
        call: Call,
        what: str,
        decode: Decode | None = None,
        list_field: str | None = None,
    ) -> None:
        self._means = means
        self._prepared = prepared
        self._call = call
        self._what = what
        self._decode = decode
        self._list_field = list_field
        self._entry = ""
        self._standing: Settlement = "not_sent"
        self._detail = "stopped before it was sent"
        self._sent_at = ""
        self.attempts = 0
        self.status = 0

    def run(self) -> JSON:
        """Send until there is an outcome, and settle the journal whatever happens. Raises errors.*."""
        if self._prepared.operation.writes and self._means.recorder is not None:
            self._entry = self._means.recorder.planned(self._prepared)
        try:
            return self._value()
        finally:
            if self._entry and self._means.recorder is not None:
                self._means.recorder.settled(self._entry, self._standing, self._detail)

    def _value(self) -> JSON:
        while True:
            self.attempts += 1
            try:
                value = self._once()
            except Failed as failed:
                self._fell(failed)
                self._wait(failed)
            else:
                self._means.quota.give()
                done = done_for_all(self._prepared, value)
                self._standing, self._detail = "confirmed" if done else "partial", f"HTTP {self.status}"
                return value

    def _once(self) -> JSON:
        means = self._means
        means.limiter.wait()
        if means.hurry.begun and self._prepared.operation.writes:
            raise Failed("P0", "roomctl was stopped before it was sent")
        self._log(f"attempt {self.attempts}: {self._prepared.method} {self._prepared.url}")
        attempt = Attempt(means.seconds, means.clock.monotonic, self._departing)
        answer: Answer | None = None
        try:
            answer = means.transport.exchange(self._call, attempt)
            self.status = answer.status
            self._log(f"attempt {self.attempts}: HTTP {answer.status}{_assumed(answer.headers)}")
            now = means.clock.wall()
            return received(self._prepared, answer, means.redact, now, self._decode, self._list_field)
        finally:
            means.under_way.discard(self)
            if answer is not None:
                answer.close()

    def _departing(self) -> None:
        """Journal that the first byte leaves next; from here on an interruption leaves the outcome unknown."""
        if not self._prepared.operation.writes:
            return
        if self._means.recorder is not None:
            self._means.recorder.sent(self._entry)
        self._sent_at = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(self._means.clock.wall()))
        self._standing, self._detail = "unknown", "stopped before an answer came"
        self._means.under_way.add(self)

    def _fell(self, failed: Failed) -> None:
        self._standing = "not_sent" if failed.kind is BadConfig else _STANDING[failed.phase]
        self._detail = failed.why
        self._log(f"attempt {self.attempts} failed ({failed.phase}): {failed.why}")

    def _wait(self, failed: Failed) -> None:
        """Wait before the next attempt, where there may be one. Raises what the failure means."""
        means = self._means
        most = attempts(self._prepared.operation.repeat, failed, means.retries)
        asked = failed.wait or 0.0
        if self.attempts >= most or means.hurry.begun:
            raise self._error(failed) from None
        if asked > LONGEST_WAIT:
            raise self._error(failed, f"the service asks to wait {asked:.0f} s: run it again then") from None
        if not means.quota.take(failed.throttled):
            raise self._error(failed, "many requests failed, so none is repeated any more: run it later") from None
        delay = max(asked, means.clock.uniform(0.0, longest_delay(self.attempts - 1, failed.throttled)))
        means.note(f"could not {self._what}: {failed.why}; attempt {self.attempts + 1} of {most} in {delay:.1f} s")
        means.hurry.sleep(delay)
        if means.hurry.begun:
            raise self._error(failed) from None

    def _log(self, line: str) -> None:
        if self._means.log is not None:
            self._means.log(self._means.redact(line))

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
            _MESSAGES[kind].format(what=self._what, why=failed.why),
            hint=hint or failed.hint or _hint(kind, prepared, failed),
            outcome=cast(Outcome, self._standing) if writes else "refused" if issubclass(kind, Refused) else None,
            http=failed.status,
            request=f"{prepared.method} {prepared.url}",
            service=failed.excerpt,
            journal=self._entry,
            details=details,
        )


_REFUSED: Final = "the service refused to {what} ({why})"
_MESSAGES: Final[dict[type[RoomctlError], str]] = {
    OutcomeUnknown: "asked to {what}, and no answer came that can be believed: {why}",
    Unintelligible: "asked to {what}, the service answered what cannot be understood: {why}",
    NotAllowed: "the service does not let this key {what} ({why})",
    NotFound: _REFUSED,
    Refused: _REFUSED,
    BadConfig: "could not {what}: {why}",
    Temporary: "could not {what}: {why}",
}
_HINTS: Final[dict[type[RoomctlError], str]] = {
    OutcomeUnknown: "look whether it was done before it is repeated",
    Unintelligible: "`roomctl profile show` shows the address: is it the service's?",
    NotAllowed: "`roomctl profile check` asks whether the key is accepted",
    NotFound: "is the id right, and visible to this key? ",
    Refused: "`-v` shows what was asked of whom",
    BadConfig: "`roomctl profile show` shows the address; `ca_file` in the profile names the certificates to trust",
    Temporary: "run it again later",
}


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
    return _HINTS.get(kind, "") + (where if kind is NotFound else "")


def _assumed(headers: Headers) -> str:
    """Say which gaps of the interface an answer of the sandbox rests on."""
    found = [value.decode("latin-1") for name, value in headers if name.lower() == b"x-sandbox-assumption"]
    return f", assuming {', '.join(found)}: `roomctl help gaps`" if found else ""
