"""What the journal knows: requests with their states, and bulk runs.

    planned ──▶ sent ──▶ confirmed | partial | refused | unknown | not_sent
    unknown ──▶ confirmed | refused | not_sent          (looked at later)
    confirmed ──▶ unknown                               (a later look belies the reply)

`planned` without `sent` is certainly not sent; `sent` and `unknown` may have been applied; of what is `partial`, the
service answered for each record, and not of each that it was done.
"""

import os
import sys
from typing import Any, Final, Literal, NamedTuple, get_args

State = Literal["planned", "sent", "confirmed", "partial", "refused", "unknown", "not_sent"]
RowStatus = Literal["ok", "failed", "unknown"]

STATES: Final[tuple[State, ...]] = get_args(State)
FINAL: Final = ("confirmed", "partial", "refused", "not_sent")
ROW_STATUSES: Final[tuple[RowStatus, ...]] = ("ok", "failed", "unknown")


class Entry(NamedTuple):
    """One write: what was asked of whom, and what became of it.

    Times are UTC in RFC 3339, empty where it has not come so far. `body` is its SHA-256 in hexadecimal,
    empty without one. `run` and `rows` name the bulk run and the lines of its input that the request stands for; `made`
    is the id of the record that it made, `about` of the one that it was to change.
    """

    id: str
    state: State
    operation: str
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    body: str
    profile: str
    origin: str
    command: str
    pid: int
    planned: str
    sent: str = ""
    settled: str = ""
    detail: str = ""
    run: str = ""
    rows: tuple[int, ...] = ()
    made: str = ""
    about: str = ""

    @property
    def open(self) -> bool:
        return self.state not in FINAL

    @property
    def running(self) -> bool:
        """Whether it is open and a process with the number of the one that made it is there."""
        return self.state in ("planned", "sent") and alive(self.pid)

    def shown(self) -> dict[str, Any]:
        return {**self._asdict(), "query": [list(pair) for pair in self.query], "rows": list(self.rows)}


class Run(NamedTuple):
    """One bulk run: its input, how many rows it has, what is done with them, and whether it came to its end."""

    id: str
    input: str
    sha256: str
    rows: int
    command: str
    profile: str
    pid: int
    begun: str
    target: str = ""
    finished: str = ""

    def shown(self) -> dict[str, Any]:
        return self._asdict()


class RowState(NamedTuple):
    status: RowStatus
    entry: str
    at: str
    detail: str = ""


TORN: Final = "half-written or damaged"


class Damage(NamedTuple):
    """A line of the journal that cannot be used."""

    file: str
    line: int
    why: str

    def __str__(self) -> str:
        return f"{self.file} line {self.line}: {self.why}"

    @property
    def torn(self) -> bool:
        """Whether it is what a process leaves that dies while it writes: of that line nothing has followed."""
        return self.why == TORN


def alive(pid: int) -> bool:
    if sys.platform == "win32":  # pragma: no cover  (another system's; there, `os.kill` would end the process)
        if not 0 < pid < 1 << 32:
            return False
        import ctypes

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        process = kernel.OpenProcess(0x1000, False, pid)  # to ask, and no more
        if process:
            kernel.CloseHandle(ctypes.c_void_p(process))
        return bool(process) or ctypes.get_last_error() != 87  # no process has this number
    try:
        os.kill(max(pid, 1), 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return pid > 0
