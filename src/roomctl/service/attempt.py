"""One attempt to send one request: how much of its time is left, and what has left this machine."""

from collections.abc import Callable


class Overdue(Exception):
    """The attempt's time is over."""


class Attempt:
    """A deadline (monotonic, R56) and a memory. `departing` is called once, just before the first byte may leave.

    `departed`: a byte of the request has left. `heard`: one came back. `ended`: the other side closed the connection.
    """

    __slots__ = ("_announced", "_deadline", "_departing", "_monotonic", "departed", "ended", "heard")

    def __init__(self, seconds: float, monotonic: Callable[[], float], departing: Callable[[], None]) -> None:
        self._monotonic = monotonic
        self._deadline = monotonic() + seconds
        self._departing = departing
        self._announced = False
        self.departed = False
        self.heard = False
        self.ended = False

    def left(self) -> float:
        """Give the seconds that are left. Raises Overdue."""
        left = self._deadline - self._monotonic()
        if left <= 0:
            raise Overdue
        return left

    def depart(self) -> None:
        """Say that the request leaves now; what `departing` raises stops it."""
        if not self._announced:
            self._departing()
            self._announced = True
