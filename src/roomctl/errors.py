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
    meaning: ClassVar[str] = "unexpected failure"
    default_outcome: ClassVar[Outcome] = "not_sent"
    retryable: ClassVar[bool] = False

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


class Declined(RoomctlError):
    """You answered no."""

    code = "declined"
    meaning = "the person declined"


class WrongCall(RoomctlError):
    """The command line is wrong; no write was sent."""

    code = "usage"
    exit = 2
    meaning = "invalid command line, configuration or input file, or an ambiguous name; no write was sent"


class BadValue(WrongCall):
    """A value on the command line cannot be used: a time, an id, a field, an unknown view or operation."""

    code = "value"


class BadInput(WrongCall):
    """An input file or a body cannot be used: unreadable, not JSON or YAML, unknown field, not an image."""

    code = "input"


class BadConfig(WrongCall):
    """The config file, the environment or a profile cannot be used."""

    code = "config"


class Ambiguous(WrongCall):
    """A name matches more than one record."""

    code = "ambiguous"


class NeedsConfirmation(WrongCall):
    """Confirmation is needed, but there is no terminal."""

    code = "confirmation"


class NotAllowed(RoomctlError):
    """There is no usable key, or the service replied with 401 or 403."""

    code = "key"
    exit = 3
    meaning = "no usable key, or the service replied with 401 or 403"


class Refused(RoomctlError):
    """The service refused the request."""

    code = "refused"
    exit = 4
    meaning = "not found, refused, or the reply could not be understood"
    default_outcome: ClassVar[Outcome] = "refused"


class Unintelligible(Refused):
    """The service sent a reply that cannot be understood."""

    code = "unintelligible"


class NotFound(Refused):
    """What you named is not in the service's list, or the service says that it does not exist."""

    code = "not-found"
    default_outcome: ClassVar[Outcome] = "not_sent"


class Temporary(RoomctlError):
    """A temporary failure of a read, or of a write that was definitely not applied."""

    code = "temporary"
    exit = 5
    meaning = "temporary: safe to run again"
    retryable = True


class Partial(RoomctlError):
    """Some items failed, a list may be incomplete, or an export or script failed a check."""

    code = "partial"
    exit = 6
    meaning = "partial: some items failed, a list may be incomplete, or an export or script failed a check"


class OutcomeUnknown(RoomctlError):
    """A write was sent, no usable reply came back, and roomctl could not find out whether it took effect."""

    code = "unknown"
    exit = 7
    meaning = (
        "outcome unknown: a write was sent, and it is not known whether it took effect; check before you repeat it"
    )
    default_outcome: ClassVar[Outcome] = "unknown"


class NotYet(RoomctlError):
    """A wait timed out."""

    code = "not-yet"
    exit = 8
    meaning = "a guard did not hold, a check of an event file found problems, or a wait timed out; no write was sent"
    retryable = True


class ExpectationFailed(NotYet):
    """A guard did not hold, or a check such as `roomset lint` or `plan --check` found problems; no write was sent."""

    code = "expectation"


class LocalFailure(RoomctlError):
    """A local file or the output could not be written: disk full, stdout not open."""

    code = "local"
    exit = 9
    meaning = "local file or output failure"


class Stopped(RoomctlError):
    """The process was told to stop."""


class Interrupted(Stopped):
    """Stopped by Ctrl-C."""

    code = "interrupted"
    exit = 130
    meaning = "Ctrl-C"


class PipeClosed(Stopped):
    """The reader of the output closed the pipe."""

    code = "pipe"
    exit = 141
    meaning = "broken pipe"


class Terminated(Stopped):
    """Stopped by SIGTERM."""

    code = "terminated"
    exit = 143
    meaning = "SIGTERM"


def every_failure(kind: type[RoomctlError] = RoomctlError) -> Iterator[type[RoomctlError]]:
    """Give every class of failure that has a code of its own."""
    for child in kind.__subclasses__():
        if child is not Stopped:
            yield child
        yield from every_failure(child)


def exit_meanings() -> dict[int, str]:
    """Say what each exit code means, in their order."""
    changed = "a list changed while being read (a warning says so; use `registration export --verify` to be sure)"
    meanings = {0: f"done; also if the result is empty, or {changed}"}
    for kind in every_failure():
        meanings.setdefault(kind.exit, kind.meaning)
    meanings[1] = "unexpected failure, or you answered no"
    return dict(sorted(meanings.items()))
