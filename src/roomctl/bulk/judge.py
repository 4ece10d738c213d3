"""When to stop: 10 requests in a row without a row that went well, or 20 % of the rows once 50 were tried (R43)."""

from collections.abc import Sequence
from typing import Final

from roomctl.bulk.rows import Result
from roomctl.errors import RoomctlError

IN_A_ROW: Final = 10
"""Jobs without a row that went well, one after the other, after which no more are started (R43)."""
TRIED: Final = 50
"""Rows after which their share counts."""
SHARE: Final = 5
"""One row in so many may fail: 20 %."""


class Judge:
    """Decides when no more jobs are started. Not for several threads at once."""

    def __init__(self, keep_going: bool) -> None:
        self.reason = ""
        self.failure: RoomctlError | None = None
        self._keep_going = keep_going
        self._in_a_row = self._tried = self._bad = 0

    def hear(self, results: Sequence[Result]) -> None:
        """Count the results of one job."""
        statuses = [result.status for result in results if result.status != "skipped"]
        if not statuses:
            return
        bad = sum(status != "ok" for status in statuses)
        self._tried += len(statuses)
        self._bad += bad
        self._in_a_row = self._in_a_row + 1 if bad == len(statuses) else 0
        if self._keep_going:
            return
        if self._in_a_row >= IN_A_ROW:
            self.stop(f"{IN_A_ROW} failures in a row")
        elif self._tried >= TRIED and self._bad * SHARE >= self._tried:
            self.stop(f"{self._bad} of {self._tried} failed")

    def stop(self, reason: str, failure: RoomctlError | None = None) -> None:
        """Stop for a reason; the first one stays."""
        self.reason = self.reason or reason
        self.failure = self.failure or failure
