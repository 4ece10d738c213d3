"""What became of a bulk run: a result for each row, and the failure that a script should hear of."""

from typing import Final, NamedTuple

from roomctl.bulk.table import STATUSES, Result
from roomctl.errors import ExpectationFailed, Outcome, OutcomeUnknown, Partial, RoomctlError, Stopped
from roomctl.text.counted import numbered

VERIFY: Final = "`roomctl journal verify` looks for their effect"


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
        repeatable: bool = False,
        look: str = VERIFY,
    ) -> RoomctlError | None:
        """Make the failure to end with, None when there is none; `results` are the options that give the next run the
        result file, `kept` what there is where it could not be written; `repeatable`: the very command finds what is
        left; `look` says how to find out about unknown rows.

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
            unknown = "; `--retry-unknown` sends the unknown rows as well" * bool(results or kept or repeatable)
            hint = f"{look}; then {again}{unknown}"
            return OutcomeUnknown(message, details=details, hint=hint)
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


def _again(results: str, kept: str, repeatable: bool) -> tuple[str, str]:
    """What to do next for the rows that are not done; and said in full, with why that is right."""
    if kept:
        again = "run the same command again with `--resume`"
        return again, f"{again}: the result of each row is kept in {kept}"
    if repeatable:
        again = "run the same command again"
        return again, f"fix the cause, then {again}: finished rows are not resent"
    if results:
        again = f"run it again with `{results}`"
        return again, f"correct any failed rows in the result file, then {again}: finished rows are not resent"
    again = "correct the failed rows and run the command with only those"
    later = "with `--results FILE`, pass that file to `--from` to send only the remaining rows"
    return "run it again for the rows that are not done", f"{again}; {later}"
