"""The nouns of bulk: a row of the input, what became of it, the table of both, the report; and which are to be sent."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from roomctl.contract.outcome import Status
from roomctl.errors import BadInput, ExpectationFailed, Outcome, OutcomeUnknown, Partial, RoomctlError, Stopped
from roomctl.text.counted import numbered

JSON = Any
VERIFY: Final = "`roomctl journal verify` checks whether they took effect"
STOPPED: Final = "roomctl was stopped before the reply arrived"
STATUSES: Final[tuple[Status, ...]] = ("ok", "failed", "unknown", "skipped")
RESULT_COLUMNS: Final = ("status", "error", "id", "at", "job")
"""The columns that a result file has after those of the input: `id` is the new one, `at` the time, UTC in RFC 3339,
`job` what was done to what, and where: a room that was ended on a stage has not been ended anywhere else."""

NO_COLUMN: Final = "rename the column in the file, or name it with `--map COLUMN=FIELD`"
CORRECT: Final = "correct any failed rows in the result file"
RAW: Final = "raw"
"""A column more, where rows have more or fewer cells than the header: such a row as it stood."""


def guards_of(job: str) -> list[str]:
    """The guards in what a job is called: `social.end at … under --max-present=5`."""
    return job.partition(" under ")[2].split()


def lacking(job: str, earlier: str) -> list[str] | None:
    """The guards of an earlier job that this one was not given, whatever their values; None for another job."""
    if job.partition(" under ")[0] != earlier.partition(" under ")[0]:
        return None
    names = {each.partition("=")[0] for each in guards_of(job)}
    return [each for each in guards_of(earlier) if each.partition("=")[0] not in names]


class Mark(NamedTuple):
    """What is known of a row from before: from a result file, an unfinished one, or the journal."""

    status: Status
    error: str = ""
    id: str = ""
    at: str = ""
    job: str = ""

    def sealed(self, job: str, row: "Row") -> "Mark":
        """Bind what is known to the job and to whom the row names: a row that was edited or copied shows it."""
        told = (job, (row.typed or row.name).casefold(), self.status, self.error, self.id, self.at)
        return self._replace(job=f"{job} #{sha256(repr(told).encode()).hexdigest()[:12]}")

    def holds(self, job: str, row: "Row") -> bool:
        """Whether it is as it was sealed, by this job or one that had no guard more."""
        own = self.job.rpartition(" #")[0]
        return lacking(job, own) == [] and self == self.sealed(own, row)


class Row(NamedTuple):
    """One row: the line where it begins, its values by column, the key that names it, its cells as they stood.

    `before` is what an earlier result file says of it; None where it was never sent. `raw` are its cells where they
    are more or fewer than the header's: the result file keeps them, so that the row stays bad until it is mended.
    `typed` is what stands in place of a key that was looked up; `room` the id of the room that a person is invited to,
    where rows are of several rooms.
    """

    line: int
    columns: Mapping[str, str]
    key: str
    cells: tuple[str, ...] = ()
    before: Mark | None = None
    raw: tuple[str, ...] = ()
    typed: str = ""
    room: str = ""

    @property
    def name(self) -> str:
        """What tells it from every other row: its key, and the room where that is one of several."""
        return f"{self.key} in {self.room}" if self.room else self.key

    @property
    def sent(self) -> bool:
        """Whether an earlier run sent it, and it has or may have taken effect."""
        return self.before is not None and self.before.status in ("ok", "unknown")


class Result(NamedTuple):
    """What became of a row; `reply` is the service's record of it, `refused` of a failure that the service answered."""

    row: Row
    status: Status
    error: str = ""
    id: str = ""
    at: str = ""
    reply: JSON = None
    refused: bool = False

    @classmethod
    def of(cls, row: Row, mark: Mark) -> "Result":
        return cls(row, mark.status, mark.error, mark.id, mark.at)

    @classmethod
    def unsent(cls, row: Row, status: Status, why: str, at: str = "") -> "Result":
        """Say why a row was not sent, or not again: one of unknown outcome stays that (R40)."""
        if row.before is None or row.before.status != "unknown":
            return cls(row, status, why, at=at)
        return cls(row, "unknown", f"{why}; its outcome is still unknown", row.before.id, row.before.at)

    def shown(self) -> dict[str, JSON]:
        room = {"socialId": self.row.room} if self.row.room else {}
        return {"input": self.row.key, **room, "status": self.status, "error": self.error or None, "reply": self.reply}


class Problem(NamedTuple):
    """What is wrong with a line of the input; no cell is repeated, which may hold a secret (R8)."""

    line: int
    message: str
    column: str = ""

    def __str__(self) -> str:
        return f"line {self.line}: " + (f"{self.column}: " if self.column else "") + self.message


class Table(NamedTuple):
    """An input: its rows that can be sent, those that cannot with the reasons, and how it was written.

    `unusable` is true where no row can be told: no header, no text. `path` is None for standard input and arguments;
    `empty` counts rows of empty cells, which are left out. `looked_up`: its rows were found, such as those of a set;
    `rooms`: each person has a row for each of these, and the hash is that of the file, `written`, and of them.
    """

    name: str
    path: Path | None = None
    sha256: str = ""
    header: tuple[str, ...] = ()
    delimiter: str = ","
    bom: bool = False
    rows: tuple[Row, ...] = ()
    bad: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()
    unusable: bool = False
    empty: int = 0
    looked_up: bool = False
    rooms: tuple[str, ...] = ()
    written: str = ""

    @classmethod
    def of(cls, filled: Iterable[tuple[str, str]], *header: str) -> "Table":
        """Make the table of arguments, each with its column; their lines are their places, from 1."""
        rows = tuple(
            Row(line, {column: value}, value, tuple(value if column == each else "" for each in header))
            for line, (column, value) in enumerate(filled, 1)
        )
        return cls(
            "arguments", None, sha256(repr([each.columns for each in rows]).encode()).hexdigest(), header, rows=rows
        )

    def check(self, *, skip_bad: bool = False) -> None:
        """Refuse a table of which nothing may be sent, with all of its problems. Raises BadInput."""
        if not self.problems or (skip_bad and not self.unusable):
            return
        first, *others = self.problems[:200]
        why, hint = f"{self.name}, {first}", NO_COLUMN if "no column" in first.message else ""
        if not self.unusable:
            number, one = f"{len(self.bad)} of {numbered(len(self.bad) + len(self.rows), 'rows')}", len(self.bad) == 1
            why = f"{number} in {self.name} {'is' if one else 'are'} invalid; nothing was sent"
            others = [first, *others]
            valid = ", or send only the valid ones with `--skip-bad`" * bool(self.rows)
            hint = f"fix {'this row' if one else 'these rows'}{valid}"
        details = {"problems": [problem._asdict() for problem in self.problems]}
        raise BadInput("\n  ".join([why, *map(str, others)]), hint=hint, details=details)

    def refused(self) -> list[Result]:
        """List the rows that cannot be sent as failed, each with its reasons; what was sent stays what it is."""
        reasons: dict[int, list[str]] = {}
        for problem in self.problems:
            reasons.setdefault(problem.line, []).append(str(problem).partition(": ")[2])
        return [
            Result.of(row, row.before)
            if row.before and row.sent
            else Result(row, "failed", "; ".join(reasons[row.line]))
            for row in self.bad
        ]


class Plan(NamedTuple):
    send: tuple[Row, ...]
    carried: tuple[Result, ...]


def plan(
    table: Table, *, skip_bad: bool = False, retry_unknown: bool = False, known: Mapping[int, Mark] | None = None
) -> Plan:
    """Divide a table; `known` says what became of lines in a run that did not finish. Raises BadInput."""
    table.check(skip_bad=skip_bad)
    marks = {row.line: mark for row in table.rows if (mark := (known or {}).get(row.line, row.before))}
    taken = {row.name.casefold() for row in table.rows if row.line in marks and marks[row.line].status == "ok"}
    send: list[Row] = []
    carried = table.refused()
    for row in table.rows:
        mark = marks.get(row.line)
        again = retry_unknown and row.name.casefold() not in taken
        if mark and (mark.status == "ok" or (mark.status == "unknown" and not again)):
            carried.append(Result.of(row, mark))
        else:
            send.append(row._replace(before=mark))
            taken.add(row.name.casefold())
    return Plan(tuple(send), tuple(carried))


def recovered(part: Mapping[int, Mark], journal: Mapping[int, Any]) -> dict[int, Mark]:
    """Put together what an unfinished result file and the journal know of a run, by line.

    Done is done, whoever says so. Else the journal is right where it has something to say: it is written first, so a
    row that was tried once more, and of which the file knows only the first time, counts as the journal says.
    """
    marks = dict(part)
    for line, state in journal.items():
        old = marks.get(line)
        if old is None or old.status not in ("ok", state.status):
            marks[line] = Mark(state.status, "" if state.status == "ok" else state.detail or STOPPED, "", state.at)
    return marks


class Report(NamedTuple):
    """Results in the order of the input; `stopped` says why rows were left out, `failure` what ended the run.

    `earlier` is how many rows were done before the run.
    """

    results: tuple[Result, ...]
    stopped: str = ""
    failure: RoomctlError | None = None
    earlier: int = 0

    def counts(self) -> dict[str, int]:
        return {status: sum(result.status == status for result in self.results) for status in STATUSES}

    @property
    def outcome(self) -> Outcome:
        counts = self.counts()
        if counts["unknown"] or counts["ok"]:
            return "unknown" if counts["unknown"] else "applied"
        return "refused" if any(result.refused for result in self.results) else "not_sent"

    def summary(self, done: str = "finished", noun: str = "rows") -> str:
        """Say in one line how many went how: `invited 2 of 3 people, 1 failed, 4 were already invited`."""
        if not self.results:
            return "nothing to do"
        counts, sent = self.counts(), len(self.results) - self.earlier
        now = counts["ok"] - self.earlier
        words = [f"{done} {'' if now == sent else f'{now} of '}{numbered(sent, noun)}"] if sent else []
        words += [f"{counts[status]} {status}" for status in ("failed", "unknown", "skipped") if counts[status]]
        if self.earlier:
            before = f"{self.earlier:,}" if sent else numbered(self.earlier, noun)
            words.append(f"{before} {'was' if self.earlier == 1 else 'were'} already {done}")
        return "; ".join(filter(None, [", ".join(words), self.stopped]))

    def exit_error(
        self,
        done: str = "finished",
        noun: str = "rows",
        *,
        results: str = "",
        kept: str = "",
        repeatable: str = "",
        look: str = VERIFY,
    ) -> RoomctlError | None:
        """Make the failure to end with, None when there is none; `results` are the options that give the next run the
        result file, `kept` what there is where it could not be written; `repeatable` what to do
        before the very command, which finds what is left; `look` says how to find out about unknown rows.

        Ctrl-C and its like keep their own status; else one unknown row makes 7, a broken disk or key its own, one
        failed row 6.
        """
        counts = self.counts()
        details = {"counts": counts, "stopped": self.stopped}
        again, why = _again(results, kept, repeatable)
        message = self.summary(done, noun)
        if isinstance(self.failure, Stopped):
            message = f"{self.stopped}; {message.removesuffix(f'; {self.stopped}')}"
            return type(self.failure)(message, outcome=self.outcome, details=details, hint=again)
        if counts["unknown"]:
            unknown = "; `--retry-unknown` sends the unknown rows as well" * any((results, kept, repeatable))
            return OutcomeUnknown(message, details=details, hint=f"{look}; then {again}{unknown}")
        partly = counts["failed"] if isinstance(self.failure, ExpectationFailed) else counts["ok"]
        if self.failure is not None and (self.failure.exit not in (2, 8) or not partly):
            self.failure.details = {**self.failure.details, **details}
            self.failure.message = f"{message.removesuffix(f'; {self.stopped}')}; {self.failure.message}"
            self.failure.hint = self.failure.hint or why
            if self.outcome != "not_sent":
                self.failure.outcome = self.outcome
            return self.failure
        if counts["failed"] or self.stopped:
            return Partial(message, outcome=self.outcome, details=details, hint=why)
        return None


def _again(results: str, kept: str, repeatable: str) -> tuple[str, str]:
    if kept:
        again = "run the same command again with `--resume`"
        return again, f"{again}: the result of each row is kept in {kept}"
    if repeatable:
        again = "run the same command again"
        return again, f"{repeatable}, then {again}: finished rows are not resent"
    if results:
        again = f"run the command again with `{results}`"
        return again, f"{CORRECT}, then {again}: finished rows are not resent"
    again = "correct the failed rows and run the command with only those"
    later = "next time, add `--results FILE`; a later run with `--from FILE` then sends only the remaining rows"
    return "run the command again for the rows that are not done", f"{again}; {later}"
