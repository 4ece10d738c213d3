"""Every way in which roomctl can fail.

    RoomctlError                          exit  code
    ├── Unexpected                        1     unexpected
    ├── Declined                          1     declined
    ├── WrongCall                         2     usage
    │   ├── BadValue                      2     value
    │   ├── BadInput                      2     input
    │   ├── BadConfig                     2     config
    │   ├── Ambiguous                     2     ambiguous
    │   └── NeedsConfirmation             2     confirmation
    ├── NotAllowed                        3     key
    ├── Refused                           4     refused
    │   ├── Unintelligible                4     unintelligible
    │   └── NotFound                      4     not-found
    ├── Temporary                         5     temporary
    ├── Partial                           6     partial
    ├── OutcomeUnknown                    7     unknown
    ├── NotYet                            8     not-yet
    │   └── ExpectationFailed             8     expectation
    ├── LocalFailure                      9     local
    └── Stopped
        ├── Interrupted                   130   interrupted
        ├── PipeClosed                    141   pipe
        └── Terminated                    143   terminated

Each class carries its code (stable, for scripts), its exit code and whether running the same command again is safe.
An instance carries the message (lower case, no full stop), the next step, and what is known about the request.
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Literal

AGAIN: Final = "run the command again; if this persists, tell the service's operator"
"""The next step after a read that may be old, not whole, or contradicts itself."""
Outcome = Literal["not_sent", "refused", "unknown", "applied"]


class RoomctlError(Exception):
    """A failure that a person or a script can act on.

    `request` is "METHOD URL" without secrets, `service` an excerpt of the reply's body as text, `http` its status,
    `journal` the id of the journal entry, `details` further values for the JSON form.
    """

    code: ClassVar[str] = "unexpected"
    exit: ClassVar[int] = 1
    default_outcome: ClassVar[Outcome] = "not_sent"
    retryable: ClassVar[bool] = False

    def __init_subclass__(cls, **own: Any) -> None:
        """Take the `code`, `exit`, `default_outcome` and `retryable` of a class where they are not its parent's."""
        for name, value in own.items():
            setattr(cls, name, value)

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        outcome: Outcome | None = None,
        http: int | None = None,
        request: str = "",
        service: str = "",
        journal: str = "",
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.outcome: Outcome = outcome or self.default_outcome
        self.http = http
        self.request = request
        self.service = service
        self.journal = journal
        self.details = details or {}


class Unexpected(RoomctlError):
    """An unexpected failure: a bug in roomctl."""


class Declined(RoomctlError, code="declined"):
    """You answered no."""


class WrongCall(RoomctlError, code="usage", exit=2):
    """The command line is wrong; no write was sent."""


class BadValue(WrongCall, code="value"):
    """A value on the command line cannot be used: a time, an id, a field, an unknown view or operation."""


class BadInput(WrongCall, code="input"):
    """An input file or a body cannot be used: unreadable, not JSON or YAML, unknown field, not an image."""


class BadConfig(WrongCall, code="config"):
    """The config file, the environment or a profile cannot be used."""


class Ambiguous(WrongCall, code="ambiguous"):
    """A name matches more than one record."""


class NeedsConfirmation(WrongCall, code="confirmation"):
    """Confirmation is needed, but there is no terminal."""


class NotAllowed(RoomctlError, code="key", exit=3):
    """There is no usable key, or the service replied with 401 or 403."""


class Refused(RoomctlError, code="refused", exit=4, default_outcome="refused"):
    """The service refused the request."""


class Unintelligible(Refused, code="unintelligible"):
    """The service sent a reply that cannot be understood."""


class NotFound(Refused, code="not-found", default_outcome="not_sent"):
    """What you named is not in the service's list, or the service says that it does not exist."""


class Temporary(RoomctlError, code="temporary", exit=5, retryable=True):
    """A temporary failure of a read, or of a write that was definitely not applied."""


class Partial(RoomctlError, code="partial", exit=6):
    """Some items failed, a list may be incomplete, or an export or script failed a check."""


class OutcomeUnknown(RoomctlError, code="unknown", exit=7, default_outcome="unknown"):
    """A write was sent, no usable reply came back, and roomctl could not find out whether it took effect."""


class NotYet(RoomctlError, code="not-yet", exit=8, retryable=True):
    """A wait timed out."""


class ExpectationFailed(NotYet, code="expectation"):
    """A guard did not hold, or a check such as `roomset lint` or `plan --check` found problems; no write was sent."""


class LocalFailure(RoomctlError, code="local", exit=9):
    """A local file or the output could not be written: disk full, stdout not open."""


class Stopped(RoomctlError):
    """The process was told to stop."""


class Interrupted(Stopped, code="interrupted", exit=130):
    """Stopped by Ctrl-C."""


class PipeClosed(Stopped, code="pipe", exit=141):
    """The reader of the output closed the pipe."""


class Terminated(Stopped, code="terminated", exit=143):
    """Stopped by SIGTERM."""


def every_failure(kind: type[RoomctlError] = RoomctlError) -> Iterator[type[RoomctlError]]:
    """Give every class of failure that has a code of its own."""
    for child in kind.__subclasses__():
        if child is not Stopped:
            yield child
        yield from every_failure(child)


EXIT_MEANINGS: Final = {
    0: "done; also if the result is empty, or a list changed while being read (a warning says so; use "
    "`registration export --verify` to be sure)",
    1: "unexpected failure, or you answered no",
    2: "invalid command line, configuration or input file, or an ambiguous name; no write was sent",
    3: "no usable key, or the service replied with 401 or 403",
    4: "not found, refused, or the reply could not be understood",
    5: "temporary: safe to run again",
    6: "partial: some items failed, the service reported success for a write that had no effect, a list may be "
    "incomplete, or an export or script failed a check",
    7: "outcome unknown: a write was sent, and it is not known whether it took effect; check before you repeat it",
    8: "a guard did not hold, a check of an event file found problems, or a wait timed out; no write was sent",
    9: "local file or output failure",
    130: "Ctrl-C",
    141: "broken pipe",
    143: "SIGTERM",
}
"""What each exit code means."""
