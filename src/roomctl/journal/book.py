"""What the journal knows: its lines, folded into requests with their states, bulk runs and rows.

    planned ──▶ sent ──▶ confirmed | partial | refused | unknown | not_sent
    unknown ──▶ confirmed | refused | not_sent          (looked at later)
    unknown ──▶ not_done                                (a person has looked)
    confirmed ──▶ unknown                               (a later look belies the reply)

`planned` without `sent` is certainly not sent; `sent` and `unknown` may have been applied; of what is `partial`, the
service answered for each record, and not of each that it was done.

Lines that cannot be read are reported and skipped: the others still count.
"""

import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

from roomctl.contract.operations import BY_NAME

VERSION = 1
State = Literal["planned", "sent", "confirmed", "partial", "refused", "unknown", "not_done", "not_sent"]
RowStatus = Literal["ok", "failed", "unknown"]

STATES: Final[tuple[State, ...]] = get_args(State)
FINAL: Final = ("confirmed", "partial", "refused", "not_done", "not_sent")
NOT_DONE: Final = ("planned", "refused", "not_done", "not_sent")
"""The states of what certainly had no effect."""
ROW_STATUSES: Final[tuple[RowStatus, ...]] = ("ok", "failed", "unknown")
MARKED: Final = "marked as "
BY_HAND: Final = (MARKED, "marked by hand as ", "recorded by a person as ")  # the others by earlier versions


class Entry(NamedTuple):
    """One write: what was asked of whom, and what became of it.

    Times are UTC, `body` is its SHA-256; what has not come, or is not there, is empty. `run` and `rows` are the bulk
    run and the lines of its input; `made` is the id of the record that it made, `about` of the one it was to change.
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
        return self.state in ("planned", "sent") and alive(self.pid)

    def shown(self) -> dict[str, Any]:
        return {**self._asdict(), "query": [list(pair) for pair in self.query], "rows": list(self.rows)}


class Run(NamedTuple):
    """One bulk run: its input, how many rows it has, what is done with them, and whether it came to its end.

    `results` is the SHA-256 of its result file; `lines` are those of the input, none where its rows are all of them.
    """

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
    results: str = ""
    lines: tuple[int, ...] = ()

    @property
    def resumable(self) -> bool:
        """Whether it stopped early, and had a file to go on with."""
        return bool(self.sha256) and not self.finished


class RowState(NamedTuple):
    status: RowStatus
    entry: str
    at: str
    detail: str = ""


TORN: Final = "half-written"
_TORN = re.compile(rb'\{(?:"(?!.*\{")[ -~]*)?(?<!\})')
"""The beginning of a single record: no text in JSON has a bare quote, so a second record would show."""


class Damage(NamedTuple):
    file: str
    line: int
    why: str

    def __str__(self) -> str:
        return f"{self.file} line {self.line}: {self.why}"

    @property
    def torn(self) -> bool:
        """Whether it is what a process that dies while it writes leaves behind."""
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


class Book:
    """The journal as of one moment, read from its files, oldest first."""

    def __init__(self, files: Iterable[tuple[Path, bytes]]) -> None:
        self.entries: dict[str, Entry] = {}
        self.runs: dict[str, Run] = {}
        self.rows: dict[str, dict[int, RowState]] = {}
        self.damage: list[Damage] = []
        self._rows_before: dict[str, dict[int, RowState | None]] = {}
        self._planless: dict[str, Damage] = {}
        for path, text in files:
            for number, data in enumerate(text.split(b"\n"), 1):
                if data:
                    self._add(data, path.name, number)
        self.damage += self._planless.values()

    def _add(self, data: bytes, file: str, number: int) -> None:
        try:
            record = json.loads(data)
            if record.get("v", VERSION) != VERSION:
                raise _Unusable("written by a newer roomctl")
            if "entry" in record:
                self._add_to_entry(record, file, number)
            else:
                self._add_to_run(record)
        except (AttributeError, ValueError, TypeError, KeyError, RecursionError) as error:
            self.damage.append(Damage(file, number, _why(error, data)))

    def unsettled(self) -> set[str]:
        """Name what must not be forgotten: open requests, runs that did not finish, and all that these sent."""
        runs = {run.id for run in self.runs.values() if run.resumable}
        return runs | {entry.id for entry in self.entries.values() if entry.open or entry.run in runs}

    def _add_to_entry(self, record: dict[str, Any], file: str, number: int) -> None:
        name, state = _text(record["entry"]), record["state"]
        if state not in STATES:
            raise ValueError
        if state == "planned":
            self.entries.setdefault(name, _planned(record))
        elif entry := self.entries.get(name):
            if entry.state in FINAL and record.get("after") != entry.state:
                if state in FINAL and state != entry.state:
                    raise _Unusable(f"entry {name}: {state} after {entry.state}")
                return
            at = _text(record["at"])
            if state == "sent":
                entry = entry._replace(state="sent", sent=entry.sent or at)
            else:
                detail, made = _text(record.get("detail", "")), _text(record.get("made", entry.made))
                entry = entry._replace(state=state, settled=at, detail=detail, made=made)
            self.entries[name] = entry
            rows = self.rows.setdefault(entry.run, {})
            before = self._rows_before.setdefault(name, {row: rows.get(row) for row in entry.rows})
            for row in entry.rows:
                if row_state := _after(rows.get(row), before[row], entry):
                    rows[row] = row_state
                else:
                    rows.pop(row, None)
        else:  # what it was nobody knows; it is no damage once it is settled (R41)
            self._planless.pop(name, None)
            if state not in FINAL:
                why = f"entry {name} was sent, but the line that describes it cannot be used"
                self._planless[name] = Damage(file, number, why)

    def _add_to_run(self, record: dict[str, Any]) -> None:
        name, state, at = _text(record["run"]), record["state"], _text(record["at"])
        if state == "begun":
            texts: dict[str, Any] = {field: _text(record[field]) for field in ("input", "sha256", "command", "profile")}
            rows, pid, target = _number(record["rows"]), _number(record["pid"]), _text(record.get("target", ""))
            self.runs.setdefault(name, Run(id=name, rows=rows, pid=pid, begun=at, target=target, **texts))
        elif state == "finished" and name in self.runs:
            results, lines = _text(record.get("results", "")), tuple(map(_number, record.get("lines", ())))
            self.runs[name] = self.runs[name]._replace(finished=at, results=results, lines=lines)
        elif state == "rows":
            found = self.rows.setdefault(name, {})
            for status in ROW_STATUSES:
                for row in record.get(status, ()):
                    known = found.get(_number(row), RowState(status, "", at))
                    found[row] = RowState(status, known.entry, at, known.detail if known.status == status else "")


def _why(error: Exception, data: bytes) -> str:
    return error.args[0] if type(error) is _Unusable else TORN if _TORN.fullmatch(data) else "damaged"


class _Unusable(ValueError):
    """A line that is understood, and still cannot be used."""


def _planned(record: dict[str, Any]) -> Entry:
    names = ("operation", "method", "path", "body", "profile", "origin", "command")
    texts: dict[str, Any] = {name: _text(record[name]) for name in names}
    texts |= {name: _text(record.get(name, "")) for name in ("run", "about")}
    return Entry(
        id=_text(record["entry"]),
        state="planned",
        query=tuple((_text(key), _text(value)) for key, value in record["query"]),
        pid=_number(record["pid"]),
        planned=_text(record["at"]),
        rows=tuple(map(_number, record.get("rows", ()))),
        **texts,
    )


def _after(now: RowState | None, before: RowState | None, entry: Entry) -> RowState | None:
    """What is known of a row after a line about one of its requests; each of them may have taken effect."""
    own = _row_state(entry)
    if now and now.entry not in ("", entry.id) and entry.settled and (own is None or own.status != "ok"):
        return now  # an earlier request: a later one says more
    if own is None or (own.status == "failed" and before and before.status == "unknown"):
        return before
    return own


def _row_state(entry: Entry) -> RowState | None:
    many = entry.operation in BY_NAME and BY_NAME[entry.operation].many
    match entry.state:
        case "sent" | "unknown":
            return RowState("unknown", entry.id, entry.settled or entry.sent, entry.detail)
        case "refused" | "not_done":
            return RowState("failed", entry.id, entry.settled, entry.detail)
        case "confirmed" if (len(entry.rows) == 1 and not many) or entry.detail.startswith(BY_HAND):
            return RowState("ok", entry.id, entry.settled)
        case "confirmed" | "partial":  # the reply had a record for each row, which may carry an error: the run tells
            return RowState("unknown", entry.id, entry.settled, "a reply arrived, but its part for this row is lost")
    return None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value
