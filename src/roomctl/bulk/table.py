"""The nouns of bulk: a row of the input, what became of it, the table of both, the report; and which are to be sent."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple

from roomctl.bulk.problems import Problem, columns_of, needed
from roomctl.contract.invitations import stood
from roomctl.contract.outcome import Outcome as Said
from roomctl.contract.outcome import Status, compared
from roomctl.errors import BadInput, ExpectationFailed, Outcome, OutcomeUnknown, Partial, RoomctlError, Stopped
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.times import told_at

VERIFY: Final = "`roomctl journal verify` checks whether they took effect"
ALREADY: Final = "the people in the failed rows are already invited, so there is nothing to correct"
STOPPED: Final = "roomctl was stopped before the reply arrived"
UNSENT: Final = "not sent: "
"""How the reason begins why nothing was sent for a row: it proves that nothing can have been done."""
STATUSES: Final[tuple[Status, ...]] = ("ok", "failed", "unknown", "skipped")
RESULT_COLUMNS: Final = ("status", "error", "id", "at", "job")
"""The columns that a result file has after those of the input: `id` is the new one, `at` the time, UTC in RFC 3339,
`job` what was done to what, and where: a room that was ended on a stage has not been ended anywhere else."""


def guards_of(job: str) -> list[str]:
    """The guards in what a job is called: `social.end at … under --max-present=5`."""
    return job.partition(" under ")[2].split()


def missing_guards(job: str, earlier: str) -> list[str] | None:
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

    @property
    def when(self) -> str:
        return told_at(self.at)

    def sealed(self, job: str, row: "Row") -> "Mark":
        """Bind what is known to the job and to whom the row names: a row that was edited or copied shows it."""
        told = (job, (row.typed or row.name).casefold(), self.status, self.error, self.id, self.at)
        return self._replace(job=_seal(job, told))

    def holds(self, job: str, row: "Row") -> bool:
        """Whether it is as it was sealed, by this job or by one that had no further guards."""
        own = self.job.rpartition(" #")[0]
        return missing_guards(job, own) == [] and self == self.sealed(own, row)


def seal_of_unread(cells: Iterable[str]) -> str:
    """What stands in place of the job in the result of a row that could not be read; it is of these cells only."""
    return _seal("unread", [cell.strip() for cell in cells])


def _seal(what: str, told: object) -> str:
    return f"{what} #{sha256(repr(told).encode()).hexdigest()[:12]}"


class Row(NamedTuple):
    """One row: the line where it begins, its values by column, the key that names it, its cells as they stood.

    `before` is what is known of it from earlier runs; None where it was never sent. `typed` is what stands in place of
    a key that was looked up; `room` the id of the room that a person is invited to, where rows are of several rooms.
    `unread` is true where its cells are not what was written; `alias` is another name of what its key names.
    """

    line: int
    columns: Mapping[str, str]
    key: str
    cells: tuple[str, ...] = ()
    before: Mark | None = None
    typed: str = ""
    room: str = ""
    unread: bool = False
    alias: str = ""

    @property
    def name(self) -> str:
        """What tells it from every other row: its key, and the room where that is one of several."""
        return f"{self.key} in {self.room}" if self.room else self.key

    @property
    def names(self) -> list[str]:
        """Its key and its alias as they are compared, each with the room."""
        return [compared(self._replace(key=each).name) for each in (self.key, self.alias) if each]

    @property
    def status(self) -> str:
        """What became of it in an earlier run; empty where it was never sent."""
        return self.before.status if self.before else ""

    @property
    def sent(self) -> bool:
        """Whether an earlier run sent it, and it has or may have taken effect."""
        return self.status in ("ok", "unknown")


class RowIndex:
    """Rows by what they name: two are the same where the key of one is the key or the alias of the other."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._keys, self._aliases = dict[str, int](), dict[str, int]()
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        for name, lines in zip(row.names, (self._keys, self._aliases), strict=False):
            lines.setdefault(name, row.line)

    def line(self, row: Row) -> int:
        """The line of a row that is the same; 0 where there is none."""
        names = row.names
        return next((self._keys[each] for each in names if each in self._keys), self._aliases.get(names[0], 0))


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
        if row.before is None or row.status != "unknown":
            return cls(row, status, why, at=at)
        return cls(row, "unknown", f"{why}; its outcome is still unknown", row.before.id, row.before.at)

    def shown(self) -> dict[str, JSON]:
        room = {"socialId": self.row.room} if self.row.room else {}
        return {
            "input": self.row.key or f"line {self.row.line}",
            **room,
            "status": self.status,
            "error": self.error or None,
            "reply": self.reply,
        }


class Table(NamedTuple):
    """An input: its rows that can be sent, those that cannot with the reasons, and how it was written.

    `headings` says how the file calls a column, empty for one that has no heading there.
    `unusable` is true where no row can be told: no header, no text; `meant` is the column that may be the missing one.
    `path` is None for standard input and arguments; `empty` counts rows of empty cells, which are left out.
    `looked_up`: its rows were found, such as those of a set; `earlier`: the result file that says what is known of
    them; `rooms`: each person has a row for each of these, and the
    hash is that of the file, `written`, and of them.
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
    meant: str = ""
    empty: int = 0
    headings: Mapping[str, str] = {}
    looked_up: bool = False
    earlier: Path | None = None
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

    def problem(self, line: int, message: str, column: str = "") -> Problem:
        """Make a problem of a line, with the heading that the file itself has for the column."""
        return Problem(line, message, self.headings.get(column, column))

    def knowing(self, known: Mapping[int, Mark]) -> "Table":
        """Replace what is known of each row by what is known here, by line."""
        rows, bad = ([row._replace(before=known.get(row.line)) for row in each] for each in (self.rows, self.bad))
        return self._replace(rows=tuple(rows), bad=tuple(bad))

    def check(self, *, skip_bad: bool = False) -> None:
        """Refuse a table of which nothing may be sent, with all of its problems. Raises BadInput."""
        if not self.problems or (skip_bad and not self.unusable):
            return
        shown = [str(problem) for problem in self.problems[:200]]
        details = {"problems": [problem._asdict() for problem in self.problems]}
        if self.unusable:
            column, _, field = self.meant.partition("=")
            wanted = self.problems[0].message.rpartition("column ")[2]
            named = (
                f"rename the column `{column}` to `{field}`"
                if field
                else f"rename one of its columns{columns_of(self.header)} to {wanted}"
            )
            kept = f"or leave the file as it is and add `--map {quote(self.meant or 'COLUMN=FIELD')}`"
            hint = f"{named}; {kept}" * ("no column" in shown[0])
            raise BadInput(f"{self.name}, {shown[0]}", hint=hint, details=details)
        number = f"{len(self.bad)} of " * bool(self.rows) + numbered(len(self.bad) + len(self.rows), "rows")
        why = f"{number} in {self.name} {'is' if len(self.bad) == 1 else 'are'} invalid; nothing was sent"
        hint = f"correct {'this row' if len(self.bad) == 1 else 'these rows'} in {self.name}{needed(self.problems)}"
        if any("not UTF-8" in each.message for each in self.problems):
            hint = f"save the whole file as UTF-8: `iconv -f WINDOWS-1252 -t UTF-8 {quote(self.name)} > new.csv`"
        hint += ", or send only the valid ones with `--skip-bad`" * bool(self.rows)
        raise BadInput("\n  ".join([why, *shown]), hint=hint, details=details)

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


def plan(table: Table, *, skip_bad: bool = False, retry_unknown: bool = False) -> Plan:
    """Divide a table into rows to send and those that stand as they are. Raises BadInput."""
    table.check(skip_bad=skip_bad)
    done = RowIndex(row for row in table.rows if row.status == "ok")
    send, carried = list[Row](), table.refused()
    for row in table.rows:
        again = row.status != "unknown" or (retry_unknown and not done.line(row))
        if row.before and (row.status == "ok" or not again):
            carried.append(Result.of(row, row.before))
        else:
            send.append(row)
            done.add(row)
    return Plan(tuple(send), tuple(carried))


class Report(NamedTuple):
    """Results in the order of the input; `stopped` says why rows were left out, `failure` what ended the run.

    `earlier` is how many rows were done before the run, `invalid` how many of those that failed were never sent.
    """

    results: tuple[Result, ...]
    stopped: str = ""
    failure: RoomctlError | None = None
    earlier: int = 0
    invalid: int = 0

    def counts(self) -> dict[str, int]:
        return {status: sum(result.status == status for result in self.results) for status in STATUSES}

    @property
    def outcome(self) -> Outcome:
        counts = self.counts()
        if counts["unknown"] or counts["ok"]:
            return "unknown" if counts["unknown"] else "applied"
        return "refused" if any(result.refused for result in self.results) else "not_sent"

    @property
    def already_invited(self) -> int:
        """How many rows failed only because the person that they name is already invited."""
        return sum(stood(Said(each.status, each.error)) for each in self.results)

    def summary(self, done: str, noun: str) -> str:
        """Say in one line what became of the rows: `invited 2 of 3 people, 1 failed; 4 others were already invited`."""
        if not self.results:
            return "nothing to do"
        counts, sent = self.counts(), len(self.results) - self.earlier
        now = counts["ok"] - self.earlier
        words = [f"{done} {'' if now == sent else f'{now} of '}{numbered(sent, noun)}"] if sent else []
        counts["not sent"] = sum(each.status == "skipped" and each.error.startswith(UNSENT) for each in self.results)
        counts["skipped"] -= counts["not sent"]
        counts |= {"failed": counts["failed"] - self.invalid, "invalid": self.invalid}
        told = ("failed", "invalid", "unknown", "skipped", "not sent")
        unsent = {"invalid": "invalid and not sent"}
        words += [f"{counts[status]} {unsent.get(status, status)}" for status in told if counts[status]]
        if counts["failed"] and (already := self.already_invited):
            some = f"{already:,} of them " if already < counts["failed"] else ""
            words = [f"{each} ({some}already invited)" if each.endswith(" failed") else each for each in words]
        others = numbered(self.earlier, "others" if sent else noun)
        before = f"{others} {'was' if self.earlier == 1 else 'were'} already {done}" if self.earlier else ""
        return "; ".join(filter(None, [", ".join(words), before, self.stopped]))

    def exit_error(
        self, message: str, *, again: str = "", fix: str = "", look: str = VERIFY, retry: str = ""
    ) -> RoomctlError | None:
        """Make the failure to end with, of which `message` is the summary; None when there is none.

        `again` says how the rest is sent, `fix` what to do before that; of unknown rows, `look` how to find out about
        them, and `retry` how to send them. Ctrl-C and its like keep their own status; else one unknown row makes 7, a
        broken disk or key its own, one failed row 6.
        """
        counts = self.counts()
        details = {"counts": counts, "stopped": self.stopped}
        settled = f"{look}; then {again}{retry}"
        if isinstance(self.failure, Stopped):
            again = settled if counts["unknown"] else again
            message = f"{self.stopped}; {message.removesuffix(f'; {self.stopped}')}"
            return type(self.failure)(message, outcome=self.outcome, details=details, hint=again)
        if counts["unknown"]:
            return OutcomeUnknown(message, details=details, hint=settled)
        if counts["failed"] and self.already_invited == counts["failed"]:
            fix, again = "", again if counts["skipped"] else ALREADY
        hint = f"{fix}, then {again}" if fix else again
        partly = counts["failed"] if isinstance(self.failure, ExpectationFailed) else counts["ok"]
        if self.failure is not None and (self.failure.exit not in (2, 8) or not partly):
            self.failure.details = {**self.failure.details, **details}
            self.failure.message = f"{message.removesuffix(f'; {self.stopped}')}; {self.failure.message}"
            self.failure.hint = self.failure.hint or hint
            if self.outcome != "not_sent":
                self.failure.outcome = self.outcome
            return self.failure
        if counts["failed"] or self.stopped:
            return Partial(message, outcome=self.outcome, details=details, hint=hint)
        return None
