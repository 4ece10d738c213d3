"""What comes after a bulk run that did not do everything: the failure it ends with, and how the rest is sent."""

import re
from shlex import quote
from typing import TYPE_CHECKING

from roomctl.bulk import Report
from roomctl.bulk.table import VERIFY, guards_of
from roomctl.cli.options import ROWS
from roomctl.cli.reply_notes import LOOKS
from roomctl.cli.session import Session
from roomctl.contract.operations import BY_NAME
from roomctl.errors import RoomctlError

if TYPE_CHECKING:
    from roomctl.cli.bulk_run import Run

RECORD = (
    "run the command again with a file that contains only the rows not yet done; next time, add `--results FILE`, "
    "and the same command can simply be run again"
)

_OF_JOB = ("--leave-open-until", "--tz")
"""Options without which it would be another job."""


def resume_options(session: Session, job: str) -> str:
    """The options with which the same command takes its result file as input, and continues the run."""
    name, maps = quote(session.given.results or ""), session.given.typed.get("--map", ())
    more = [*(f"--map {quote(each)}" for each in maps), *["--skip-bad"] * session.given.skip_bad, *guards_of(job)]
    more += [f"{name} {quote(each)}" for name in _OF_JOB for each in session.given.typed.get(name, ())]
    return " ".join([f"--from {name} --results {name}", *more])


def missing_leave_open(job: str, earlier: str) -> list[str]:
    """The option that an earlier job was given to leave rooms open, and this one was not."""
    found = re.search(r" leaving it open until (.+?) at ", earlier)
    return [f"--leave-open-until {quote(found[1])}"] if found and " leaving it open until " not in job else []


def how_to_check(job: str) -> str:
    """How to find out about rows of unknown outcome of a job."""
    operation = BY_NAME.get(job.partition(" ")[0])
    return LOOKS[None] if operation and operation.seen_in is None else VERIFY


def failure_of(
    session: Session, begun: "Run", report: Report, summary: str, left: str, *, written: bool
) -> RoomctlError | None:
    """Make the failure to end with, and say how what is `left` is done; `written` says whether the results were."""
    fix, again = _rest(session, begun, left, written=written)
    own, look, retry = [], how_to_check(begun.target), ""
    if report.outcome == "unknown":
        own = [each for each in session.journal.entries() if begun.name and each.run == begun.name]
    still_open = [each.id for each in own if each.open]
    entry = still_open[0] if len(still_open) == 1 else ""
    if not session.given.typed.keys().isdisjoint(ROWS.split()):
        retry = "; `--retry-unknown` sends the unknown rows as well"
        if look != VERIFY:
            where = "" if entry else " (`roomctl journal list --open` shows each ENTRY)"
            look = f"{look}; if it did, record that with `roomctl journal verify {entry or 'ENTRY'} --done`{where}"
            retry = "; if it did not, run it with `--retry-unknown`"
    failure = report.exit_error(summary, again=again, fix=fix, look=look, retry=retry)
    if failure and own:
        failure.journal = entry or begun.name
    return failure


def _rest(session: Session, begun: "Run", left: str, *, written: bool) -> tuple[str, str]:
    """Say what to do before what is `left` is sent, and how that is done."""
    given, fix = session.given, "fix the cause of any failures"
    if not written:
        return "", "run the same command again with `--resume`"
    if given.input is not None:  # a result file does not hold whole records
        return "", "send what is not done in another `--input`"
    same = begun.table.path or begun.table.name == "arguments"
    plain = same and not guards_of(begun.target)
    if begun.file is not None and (begun.looked_up or plain):
        return fix, "run the same command again: rows already done are skipped"
    if given.results:
        only = f"`{resume_options(session, begun.target)}` in place of its input"
        return fix, f"run the command again with {only}: rows already done are skipped"
    if begun.looked_up:
        return fix, "run the same command again: it skips rooms that are closed by then"
    return (
        (fix, RECORD) if "--from" in given.typed else ("correct what failed", f"run the command again for the {left}")
    )
