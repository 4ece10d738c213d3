"""What was sent and what became of it (promises R41, R53).

Every write is recorded before it leaves and again when its outcome is known, durably each time, without bodies and
secrets, as JSON lines: they cost a fifth of SQLite, survive a half-written one, and any tool reads them.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roomctl import files
from roomctl.errors import Ambiguous, BadValue, LocalFailure, WrongCall
from roomctl.journal.ledger import Ledger
from roomctl.journal.recorder import Tie, asked, words

if TYPE_CHECKING:  # at run time it would only cost start-up
    from typing import TypeVar

    from roomctl.journal.book import Book, Entry, Run

    Thing = TypeVar("Thing", bound=Entry | Run)


@dataclass(eq=False)
class Journal(Ledger):
    """The journal in a folder, shared with other processes; a bulk run is locked for as long as its process lives."""

    tie: Tie = field(default_factory=Tie)
    _read: "tuple[list[tuple[Path, bytes]], Book] | None" = None
    _held: dict[str, int] = field(default_factory=dict)

    # What was written

    def entries(self, *, profile: str = "") -> "list[Entry]":
        """List the requests, newest first. Raises LocalFailure when the journal cannot be read."""
        return _newest_first(self.book().entries, profile=profile)

    def open_entries(self) -> "list[Entry]":
        """List the requests without a known outcome (planned, sent, unknown), newest first. Raises LocalFailure."""
        return [entry for entry in self.entries() if entry.open]

    def asked_before(self, requests: Sequence[Any], origin: str) -> "list[Entry]":
        """List earlier requests for the same whose outcome is unknown, newest first. Raises LocalFailure."""
        known = ((each.operation.name, each.operation.method, each.path, each.query, each.digest) for each in requests)
        wanted = {asked(*each) for each in known}
        text = b"".join(text for _, text in self.read())
        if not any(each.encode() in text for each in wanted):  # a long journal is parsed only for what is there
            return []
        sent = [each for each in self.open_entries() if each.state != "planned" and each.origin == origin]
        return [each for each in sent if asked(*each[2:7]) in wanted]

    def times_made(self, key: str, origin: str) -> int:
        """Count the requests to a service that made the record with this id. Raises LocalFailure."""
        if not any(b'"made":"%b"' % key.encode() in text for _, text in self.read()):
            return 0
        return sum((each.made, each.origin) == (key, origin) for each in self.entries())

    def get(self, text: str) -> "Entry":
        """Find a request by its id or the beginning of it. Raises BadValue, Ambiguous, LocalFailure."""
        return _one("journal entry", text, self.book().entries)

    def find(self, text: str) -> "Entry | Run":
        """Find a request or a bulk run by its id or the beginning of it. Raises BadValue, Ambiguous, LocalFailure."""
        things: Mapping[str, Entry | Run] = {**self.book().entries, **self.book().runs}
        return _one("journal entry or bulk run", text, things)

    def resolve(self, entry_id: str, outcome: str, detail: str = "", made: str = "") -> None:
        """Record what a later look has shown of a request that is open, or belied. Raises WrongCall, BadValue."""
        entry = self.get(entry_id)
        if not entry.open and (entry.state, outcome) != ("confirmed", "unknown"):
            raise WrongCall(f"journal entry {entry.id} is settled: {entry.state}")
        more = {"detail": detail} | ({"made": made} if made else {}) | ({} if entry.open else {"after": entry.state})
        self.append({"entry": entry.id, "state": outcome, **more})

    def book(self) -> "Book":
        """Read everything at once; what did not change is not read anew. Raises LocalFailure."""
        from roomctl.journal.book import Book

        files = self.read()
        if self._read is None or self._read[0] != files:
            self._read = files, Book(files)
        return self._read[1]

    # Bulk runs

    def begin_run(
        self, source: Path | str, sha256: str, rows: int, command: Sequence[str], profile: str = "", *, target: str = ""
    ) -> str:
        """Record, durably, the beginning of a bulk run over so many rows, and name it. Raises LocalFailure.

        `source` is a file, with its hash, or names what is none; `target` says what is done with each row.
        """
        name = os.urandom(8).hex()
        self._hold(name)
        path = str(source.absolute() if isinstance(source, Path) else source)
        facts = {"input": path, "sha256": sha256, "command": words(command), "profile": profile}
        state = {"v": 1, "run": name, "state": "begun", "rows": rows, "pid": os.getpid()}
        self.append({**state, **facts, "target": target})
        return name

    def resume_run(self, run: str) -> None:
        """Go on with a run. Raises WrongCall where it is over, or going on in another process, LocalFailure."""
        self._hold(run)
        if self.book().runs[run].finished:  # by its own process, since it was looked for
            self._release(run)
            raise WrongCall(f"bulk run {run} is finished: there is nothing to resume")
        self.append({"run": run, "state": "resumed", "pid": os.getpid()})

    def finish_run(self, run: str, results: str = "", lines: Sequence[int] = ()) -> None:
        """Record that a run is over: its results are kept, or it is given up. Raises WrongCall, LocalFailure.

        `results` is the SHA-256 of its result file, `lines` are those of the input that its rows stand for, in order.
        """
        self._hold(run)
        known = {} if tuple(lines) == tuple(range(2, len(lines) + 2)) else {"lines": lines}
        self.append({"run": run, "state": "finished", "results": results, **known})
        self._release(run)

    def rows_settled(self, run: str, statuses: Mapping[int, str]) -> None:
        """Record what became of rows of a run: ok, failed or unknown; durable with the next line that is."""
        from roomctl.journal.book import ROW_STATUSES

        rows = {status: [row for row, its in statuses.items() if its == status] for status in ROW_STATUSES}
        known: dict[str, Any] = {status: found for status, found in rows.items() if found}
        self.append({"run": run, "state": "rows", **known}, synced=False)

    def mark_unknown(self, run: str, unknown: Mapping[int, str]) -> None:
        """Record that requests of a run have no known outcome, though answered: none of their rows is seen done.

        `unknown` says of each such row why. Raises LocalFailure.
        """
        for entry in self.entries() if unknown else ():
            if entry.run == run and entry.rows and entry.state == "confirmed" and unknown.keys() >= {*entry.rows}:
                self.resolve(entry.id, "unknown", unknown[entry.rows[0]])

    @contextmanager
    def tied(self, run: str, rows: Sequence[int]) -> Iterator[None]:
        """Record the requests that this thread makes meanwhile as those of rows of a run."""
        self.tie.run, self.tie.rows = run, tuple(rows)
        try:
            yield
        finally:
            self.tie.run, self.tie.rows = "", ()

    def runs(self, *, sha256: str = "", profile: str = "", target: str = "", unfinished: bool = False) -> "list[Run]":
        """List the bulk runs, newest first: of one input, profile, target; to resume. Raises LocalFailure."""
        found = _newest_first(self.book().runs, sha256=sha256, profile=profile, target=target)
        return [run for run in found if run.resumable or not unfinished]

    @contextmanager
    def alone(self, name: str, what: str) -> Iterator[None]:
        """Keep other processes from doing the same meanwhile. Raises WrongCall while one does, LocalFailure."""
        self._hold(name, what)
        try:
            yield
        finally:
            self._release(name)

    def _hold(self, run: str, what: str = "") -> None:
        """Lock a run for this process. Raises WrongCall while another process goes on with it, LocalFailure."""
        what = what or f"bulk run {run}"
        if run in self._held:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = files.open_own(self.folder / f"run-{run}.lock")
        except OSError as error:
            raise LocalFailure(f"{what} cannot be locked: {error.strerror or error}") from error
        try:
            files.lock(lock, wait=False)
        except OSError as error:
            os.close(lock)
            raise WrongCall(f"{what} is still running in another process", hint="wait until it has finished") from error
        self._held[run] = lock

    def _release(self, run: str) -> None:
        files.remove_held(self.folder / f"run-{run}.lock", self._held.pop(run))


def _newest_first(things: "Mapping[str, Thing]", **wanted: str) -> "list[Thing]":
    return [
        thing
        for thing in reversed(list(things.values()))
        if all(not value or getattr(thing, field) == value for field, value in wanted.items())
    ]


def _one(kind: str, text: str, things: "Mapping[str, Thing]") -> "Thing":
    wanted = text.lower()
    if wanted in things:
        return things[wanted]
    found = [name for name in things if wanted and name.startswith(wanted)]
    if len(found) > 1:
        raise Ambiguous(f"{len(found)} begin with `{text}`: {', '.join(found)}", hint="give more of the id")
    if not found:
        raise BadValue(f"no {kind} has the id {text}", hint="`roomctl journal list` shows the ids")
    return things[found[0]]
