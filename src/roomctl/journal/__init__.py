"""What was sent and what became of it (promises R41, R53).

Every write is recorded before it leaves and again when its outcome is known, durably each time, in `journal.ndjson` in
the state folder: JSON lines, because they cost a single command least (1.2 million instructions for lock, write and
fsync of three lines, 6.2 million with SQLite), survive a half-written one, and any tool reads them. No bodies, no
secrets.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from roomctl.errors import Ambiguous, BadValue, WrongCall
from roomctl.journal.ledger import KEEP, LIMIT, Ledger
from roomctl.journal.recorder import Place, Recorder, stamp, words

if TYPE_CHECKING:  # at run time it would only cost start-up
    from typing import Protocol, TypeVar

    from roomctl.journal.book import Book
    from roomctl.journal.entries import Damage, Entry, RowState, Run
    from roomctl.journal.runs import Runs

    class HasProfile(Protocol):
        """What the journal wants to know of the settings in force."""

        @property
        def profile(self) -> str: ...

    Thing = TypeVar("Thing", bound=Entry | Run)


class Journal:
    """The journal in a folder; opened by the first line that is written or read, and shared with other processes."""

    def __init__(
        self, folder: Path, *, clock: Callable[[], float] = time.time, limit: int = LIMIT, keep: int = KEEP
    ) -> None:
        self._ledger = Ledger(folder, limit=limit, keep=keep)
        self._clock = clock
        self._here = threading.local()
        self._read: tuple[list[tuple[Path, bytes]], Book] | None = None

    def recorder(
        self, settings: "HasProfile", argv: Sequence[str], *, note: Callable[[str], None] = lambda _text: None
    ) -> Recorder:
        """Make the recorder of one command; `argv` is kept without values, `note` hears of outcomes not written."""
        return Recorder(self._ledger, settings.profile, words(argv), place=self._place, note=note, clock=self._clock)

    def _place(self) -> Place:
        place: Place = getattr(self._here, "place", ("", ()))
        return place

    # What was written

    def entries(self, *, state: str = "", profile: str = "", operation: str = "") -> "list[Entry]":
        """List the requests, newest first. Raises LocalFailure when the journal cannot be read."""
        wanted = {"state": state, "profile": profile, "operation": operation}
        return [
            entry
            for entry in reversed(self.book().entries.values())
            if all(not value or getattr(entry, field) == value for field, value in wanted.items())
        ]

    def open_entries(self) -> "list[Entry]":
        """List the requests without a known outcome (planned, sent, unknown), newest first. Raises LocalFailure."""
        return [entry for entry in self.entries() if entry.open]

    def get(self, text: str) -> "Entry":
        """Find a request by its id or the beginning of it. Raises BadValue, Ambiguous, LocalFailure."""
        return _one("journal entry", text, self.book().entries)

    def damage(self) -> "list[Damage]":
        """List the lines that cannot be used: half-written, damaged, contradictory. Raises LocalFailure."""
        return self.book().damage

    def resolve(self, entry_id: str, outcome: str, detail: str = "") -> None:
        """Record what a later look has shown of an open request. Raises WrongCall, BadValue, LocalFailure."""
        entry = self.get(entry_id)
        if not entry.open:
            raise WrongCall(f"journal entry {entry.id} is settled: {entry.state}")
        record = {"entry": entry.id, "state": outcome, "at": stamp(self._clock()), "detail": detail}
        self._ledger.append(record)

    def book(self) -> "Book":
        """Read everything at once; what did not change is not read anew. Raises LocalFailure."""
        from roomctl.journal.book import Book

        files = self._ledger.read()
        if self._read is None or self._read[0] != files:
            self._read = files, Book.of(files)
        return self._read[1]

    # Bulk runs

    @cached_property
    def _runs(self) -> "Runs":
        from roomctl.journal.runs import Runs

        return Runs(self._ledger, self._clock)

    def begin_run(
        self,
        input_path: Path,
        sha256: str,
        rows: int,
        command: Sequence[str],
        profile: str = "",
        *,
        target: str = "",
    ) -> str:
        """Record the beginning of a bulk run over a file of so many rows, and name it. Raises LocalFailure.

        `target` says what is done with each row: the operation and what it is about.
        """
        return self._runs.begin(input_path, sha256, rows, words(command), profile, target)

    def resume_run(self, run: str, sha256: str) -> "Run":
        """Go on with a run by its id or the beginning of it. Raises BadInput for another input, WrongCall."""
        found = self.run(run)
        self._runs.resume(found, sha256)
        if self.run(found.id).finished:  # by its own process, between the look and the lock
            self._runs.release(found.id)
            raise WrongCall(f"bulk run {found.id} is finished: there is nothing to resume")
        return found

    def finish_run(self, run: str) -> None:
        """Record that a run is over: its results are kept, or it is given up. Raises WrongCall, LocalFailure."""
        self._runs.finish(run)

    def rows_settled(self, run: str, statuses: Mapping[int, str]) -> None:
        """Record what became of rows of a run: ok, failed or unknown. Raises LocalFailure."""
        self._runs.rows(run, statuses)

    @contextmanager
    def tied(self, run: str, rows: Sequence[int]) -> Iterator[None]:
        """Tie the requests that this thread plans inside to rows of a run."""
        self._here.place = (run, tuple(rows))
        try:
            yield
        finally:
            self._here.place = ("", ())

    def run(self, text: str) -> "Run":
        """Find a run by its id or the beginning of it. Raises BadValue, Ambiguous, LocalFailure."""
        return _one("bulk run", text, self.book().runs)

    def runs(self, *, sha256: str = "", profile: str = "", target: str = "", unfinished: bool = False) -> "list[Run]":
        """List the bulk runs, newest first: of one input, profile, target; that did not finish. Raises LocalFailure."""
        wanted = {"sha256": sha256, "profile": profile, "target": target}
        return [
            run
            for run in reversed(self.book().runs.values())
            if all(not value or getattr(run, field) == value for field, value in wanted.items())
            and not (unfinished and run.finished)
        ]

    def row_states(self, run: str) -> "dict[int, RowState]":
        """Say what became of each row of a run; a row that is not named was never sent. Raises LocalFailure."""
        return self.book().rows.get(run, {})


def _one(kind: str, text: str, things: "Mapping[str, Thing]") -> "Thing":
    wanted = text.lower()
    if wanted in things:
        return things[wanted]
    found = [name for name in things if wanted and name.startswith(wanted)]
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} begin with `{text}`: {', '.join(found)}", hint="give more of the id")
    if not found:
        raise BadValue(f"there is no {kind} with this id: {text}", hint="`roomctl journal list` shows the ids")
    return things[found[0]]
