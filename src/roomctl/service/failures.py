"""An attempt that failed, and the error that it becomes: what is said of it, and the next step."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Literal, cast

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
        "`roomctl profile show` shows the address: check that it is the service's",
    ),
    NotAllowed: ("this key may not {what} ({why})", "ask for a key with this permission, or choose another profile"),
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
        "`roomctl profile show` shows the address; `ca_file` in the profile names the certificates to trust",
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
    "socialEventId": "ask whoever runs the event for its id: the service has no list of events",
    "socialTranscriptionId": "`roomctl transcription list` lists the transcriptions this key can see",
}


def _hint(kind: type[RoomctlError], usual: str, prepared: Prepared, failed: Failed) -> str:
    """Name the next step; after a 404 it is where the right ids can be seen, where nobody answers the address."""
    if kind is Temporary and failed.phase == "P0":
        return "check the address with `roomctl profile show`, or run the command again later"
    if kind is Refused and any(name == "sort" for name, _ in prepared.query):
        return "use `--sort-by`, which sorts the result: the field names of `--sort` are not documented"
    operation = prepared.operation
    if kind is NotFound and operation.paged and not any(param.required for param in operation.params):
        return "check the address with `roomctl profile show`"
    names = [*(param.name for param in reversed(operation.params)), operation.identity]
    where = next((_SEEN[name] for name in names if name in _SEEN), _ROOMS)
    return usual + (where if kind is NotFound else "")
