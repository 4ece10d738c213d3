"""`roomctl sandbox log`: what the sandbox was asked, and what the client did wrong."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from roomctl.cli.command_tree import Commands
from roomctl.cli.options import flag, option
from roomctl.cli.parsers import at_least
from roomctl.cli.session import Answer, Session
from roomctl.errors import LocalFailure, Partial, RoomctlError, WrongCall
from roomctl.output.values import numbered
from roomctl.sandbox import judge as judging
from roomctl.text.times import stamp

commands = Commands()


@commands.verb("log", exits=[6])
def log(
    session: Session,
    judge: bool = flag("--judge", "report what the client did wrong; exit 6 if anything"),
    junit: str | None = option("--junit", "with --judge: write the findings as JUnit XML", "FILE"),
    after: int = option("--after", "only requests after this one", "N", at_least(0), default=0),
    clear: bool = flag("--clear", "empty the log instead"),
) -> Answer:
    """Show every request to the sandbox: its time, operation and status, the fault applied, whether it took effect.

    With --judge, show mistakes instead: a write sent again though it may have been applied, a retry before Retry-After,
    pages requested past the end. The log keeps the last 10,000 requests, without keys and secrets. It keeps the hash of
    each body, and small bodies in full, under `sent`.
    """
    if junit is not None and not judge:
        raise WrongCall("`--junit` writes what `--judge` finds: give both")
    if clear and (judge or after):
        raise WrongCall(
            f"`--clear` and `{'--judge' if judge else '--after'}` cannot be used together: it empties the whole log",
            hint="`roomctl sandbox log --judge` first, then `roomctl sandbox log --clear`",
        )
    stage = session.open_stage()
    entries, cleared = stage.log(after), stage.forget() if clear else 0
    stage.close()
    if clear:
        session.note(f"SANDBOX: removed {numbered(cleared, 'requests')} from the log")
        return Answer()
    if not judge:
        rows = [entry | {name: stamp(entry[name]) for name in ("at", "answered")} for entry in entries]
        return Answer(rows, "SandboxRequest")
    mistakes = judging.judge(entries)
    if junit is not None:
        write_junit(junit, judging.cases(mistakes), "roomctl sandbox log")
    session.note(f"SANDBOX: {numbered(len(entries), 'requests')} judged, {numbered(len(mistakes), 'mistakes')}")
    return Answer([each._asdict() for each in mistakes], "Mistake", verdict([each.rule for each in mistakes]))


def verdict(kinds: Sequence[str], who: str = "client") -> RoomctlError | None:
    """Make the failure that mistakes of some kinds are, with what to do about each kind; None where there are none."""
    if not kinds:
        return None
    advice = [judging.ADVICE[each] for each in dict.fromkeys(kinds)]
    return Partial(f"the {who} made {numbered(len(kinds), 'mistakes')}", hint="; ".join(advice))


def write_junit(name: str, found: Mapping[str, Sequence[str]], title: str) -> None:
    """Write the judgement for a CI. Raises LocalFailure."""
    try:
        Path(name).write_text(judging.junit(found, title), encoding="utf-8")
    except OSError as error:
        raise LocalFailure(f"cannot write {name}: {(error.strerror or str(error)).lower()}") from None
