"""The seam between a request and whatever answers it: the network, or a service in this process."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from roomctl.service.attempt import Attempt

Headers = Sequence[tuple[bytes, bytes]]
LATE: Final = "no answer in time"
UNREACHED: Final = "no connection in time"
CUT: Final = "the connection ended before the answer was whole"


class Call(NamedTuple):
    """A request as it leaves. `target` is path and query: a call has no origin. `fresh`: on a connection of its own."""

    method: str
    target: str
    headers: Headers
    body: bytes | None
    fresh: bool


class Answer(NamedTuple):
    """What came back: the body's chunks are read while one iterates, and raise Failed."""

    status: int
    headers: Headers
    chunks: Iterator[bytes]
    close: Callable[[], None]


class Transport(Protocol):
    """What a client needs to exchange a request for an answer. May be used from several threads."""

    def exchange(self, call: Call, attempt: Attempt, /) -> Answer:
        """Send a request within the attempt's time. Raises Failed."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


def words(error: Exception) -> str:
    """Say what an error of a transport says."""
    return str(error).lower() or "the connection broke"
