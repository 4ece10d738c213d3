"""Bulk runs in the journal: begun, resumed after a crash, finished, and what is known of each row.

A run is held by a lock on a file of its own for as long as its process lives, so that two processes never go on with
the same run.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from roomctl import files
from roomctl.errors import BadInput, LocalFailure, WrongCall
from roomctl.journal.entries import ROW_STATUSES, Run
from roomctl.journal.ledger import Ledger
from roomctl.journal.recorder import stamp


class Runs:
    """The bulk runs that this process has begun or goes on with."""

    def __init__(self, ledger: Ledger, clock: Callable[[], float]) -> None:
        self._ledger = ledger
        self._clock = clock
        self._locks: dict[str, int] = {}

    def begin(self, input_path: Path, sha256: str, rows: int, command: str, profile: str, target: str) -> str:
        """Record the beginning of a run, durably, and name it; `target` says what is done. Raises LocalFailure."""
        name = os.urandom(8).hex()
        record = self._step(name, "begun") | {
            "v": 1,
            "input": str(input_path.absolute()),
            "sha256": sha256,
            "rows": rows,
            "command": command,
            "profile": profile,
            "target": target,
            "pid": os.getpid(),
        }
        self._hold(name)
        self._ledger.append(record)
        return name

    def resume(self, run: Run, sha256: str) -> None:
        """Go on with a run that did not finish. Raises BadInput for another input, WrongCall while it still runs."""
        if run.finished:
            raise WrongCall(f"bulk run {run.id} is finished: there is nothing to resume")
        if sha256 != run.sha256:
            raise BadInput(f"the input is not the one that bulk run {run.id} began with: {run.input}")
        self._hold(run.id)
        self._ledger.append(self._step(run.id, "resumed") | {"pid": os.getpid()})

    def release(self, run: str) -> None:
        """Let a run go that this process holds, finished or not."""
        files.remove_held(self._lock_file(run), self._locks.pop(run))

    def rows(self, run: str, statuses: Mapping[int, str]) -> None:
        """Record what became of rows: ok, failed or unknown. Raises LocalFailure.

        Survives a kill, and a loss of power only with the next durable line: until then such a row counts as its
        request says.
        """
        grouped = {status: [row for row, its in statuses.items() if its == status] for status in ROW_STATUSES}
        self._ledger.append(
            self._step(run, "rows") | {status: rows for status, rows in grouped.items() if rows}, synced=False
        )

    def finish(self, run: str) -> None:
        """Record that a run is over, and let it go. Raises WrongCall while another process goes on with it."""
        self._hold(run)
        self._ledger.append(self._step(run, "finished"))
        self.release(run)

    def _step(self, run: str, state: str) -> dict[str, Any]:
        return {"run": run, "state": state, "at": stamp(self._clock())}

    def _lock_file(self, run: str) -> Path:
        return self._ledger.folder / f"run-{run}.lock"

    def _hold(self, run: str) -> None:
        if run in self._locks:
            return
        try:
            self._ledger.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = files.open_own(self._lock_file(run))
        except OSError as error:
            raise LocalFailure(f"bulk run {run} cannot be locked: {error.strerror or error}") from error
        try:
            files.lock(lock, wait=False)
        except OSError as error:
            os.close(lock)
            raise WrongCall(
                f"bulk run {run} is still going on in another process", hint="wait until it has ended"
            ) from error
        self._locks[run] = lock
