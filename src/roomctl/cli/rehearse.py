"""`roomctl rehearse`: a script against a fresh sandbox for each thing that can go wrong, and what it did to it."""

import os
import secrets
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic
from typing import Final, NamedTuple

from roomctl.cli.options import Commands, argument, flag, option
from roomctl.cli.parsers import positive
from roomctl.cli.progress import progress
from roomctl.cli.sandbox import verdict
from roomctl.cli.session import JSON, REGISTRATIONS, Answer, Session
from roomctl.contract.operations import BY_NAME
from roomctl.errors import BadInput, Partial, RoomctlError, WrongCall
from roomctl.output.columns import counts
from roomctl.sandbox.faults import Fault, FaultStore, parse, tagged
from roomctl.sandbox.judge import changes, documents, effects, for_each_write, judge, times
from roomctl.sandbox.seed import seed
from roomctl.sandbox.serve import served
from roomctl.sandbox.store import Store
from roomctl.text.counted import first, numbered

NIGHTS: Final = Path(__file__).with_name("rehearse.txt")
"""What a script is tried with: each line is one night, of one fault or several; `#each` makes it one for each write."""
NEVER_APPLIED: Final = (
    "check the operation and `#n` of each fault; if the script found files from an earlier run, have it write elsewhere"
)
commands = Commands()


class Night(NamedTuple):
    """What one night left: exit code (None: it had to be stopped), changes, the sandbox's log, seconds, output.

    `changed` leaves out what may differ from run to run, `exact` has all but ids and times. `idle` are those of its
    faults that met no request; `same_data`: none of them changes what a list shows.
    """

    name: str
    exit: int | None
    changed: Counter[tuple[str, str]]
    exact: Counter[tuple[str, str]]
    log: list[JSON]
    seconds: float
    stdout: str
    stderr: str
    idle: list[str]
    same_data: bool

    @property
    def output(self) -> list[str]:
        return [*self.stderr.splitlines(), *self.stdout.splitlines()][-10:]


@commands.verb("rehearse", exits=[6])
def rehearse(
    session: Session,
    script: list[str] = argument("-- SCRIPT [ARG]..."),
    only: bool = flag("--only", needs="--fault"),
    longest: float = option("--stop-after", "SECONDS", positive, default=60.0, show_default="60"),
) -> Answer:
    """Run a script against a sandbox of its own: first without faults, then once for each fault, or pair of faults."""
    lines = [] if only else NIGHTS.read_text(encoding="utf-8").splitlines()
    quiet, *others = _run_nights(session, script, lines, longest)
    again = others.pop() if others else quiet
    rows = [_row(night, quiet, again) for night in (quiet, *others)]
    mistakes = [text.partition(":")[0] for row in rows for text in row["mistakes"]]
    idle = sum(not row["applied"] for row in rows[1:])
    unmet = f", {numbered(idle, 'faults')} never applied" if idle and quiet.log else ""
    others_told = f"{numbered(len(others), 'runs')} with faults, 2 without"
    runs = "1 run, without faults" if again is quiet else others_told
    session.note(f"SANDBOX: {runs}; {numbered(len(mistakes), 'mistakes')}{unmet}")
    if not quiet.log and not mistakes:  # that there is no mistake proves nothing
        why = f"the script sent no requests and exited with {quiet.exit}, so nothing was rehearsed"
        way = "have the script call roomctl, or a client that reads ROOMCTL_BASE_URL and ROOMCTL_API_KEY"
        if "SANDBOX:" in quiet.stderr:
            way = "take `--sandbox` out of the script: its commands find the sandbox of the rehearsal without it"
        elif words := _last_words(quiet):
            way = words.removeprefix("; ")
        return Answer(rows, "Rehearsed", WrongCall(why, hint=way))
    session.doubt = _doubt(session, quiet, others, again)
    return Answer(rows, "Rehearsed", verdict(mistakes, "script"))


def _doubt(session: Session, quiet: Night, others: Sequence[Night], again: Night) -> RoomctlError | None:
    """Say why the nights prove less than they seem to; None where they do not."""
    unmet = [fault for night in others if night.name in session.given.fault for fault in night.idle]
    if again is quiet:
        why = f"the script ended with {quiet.exit} even without faults, so none was tried{_last_words(quiet)}"
        return Partial(why, hint="correct the script first: what it does after a success cannot be rehearsed")
    if (again.exit, again.changed) != (quiet.exit, quiet.changed):
        told = counts(effects(again.changed)) or "nothing changed"
        session.say(f"a second run without faults differs: exit {again.exit}, {told}{_last_words(again)}")
    elif not quiet.changed and (not quiet.stdout or quiet.stdout != again.stdout):
        why = "the script changed nothing, and its standard output is empty or different each time"
        session.say(f"{why}: whether an exit code of 0 was right could not be checked")
    if unmet:
        return Partial(f"never applied: {', '.join(first(unmet))}", hint=NEVER_APPLIED)
    if again.exit:
        return Partial("the script fails when it is run again", hint="have it write to a new temporary folder")
    return None


def _last_words(night: Night) -> str:
    written = night.stderr.splitlines() or night.output
    failed = [line for line in written if "error[" in line]
    return f"; the script wrote: {(failed or written)[-1].strip()}" if written else ""


def _run_nights(session: Session, script: Sequence[str], lines: Sequence[str], longest: float) -> list[Night]:
    """Run the script through a night without a fault and, unless it fails in that, the built-in ones, each `--fault`,
    and one without once more. Raises BadValue, BadInput.
    """
    given = {name: [parse(text) for text in name.split()] for name in session.given.fault}
    with TemporaryDirectory(prefix="roomctl-rehearse-") as folder, progress(session, "runs") as counted:
        base = Path(folder) / "world.db"
        with closing(Store(base)) as store:
            seed(store, registrations=REGISTRATIONS)
        nights = [_run_night(session, script, base, "no fault", [], longest)]
        if nights[0].exit != 0:
            return nights
        # of a script that asks nothing no fault can be applied
        names = for_each_write(lines, nights[0].log) if nights[0].log else ()
        faults = {name: [parse(text) for text in name.split()] for name in names} | given
        counted.total = 2 + len(faults)
        for name, night in {**faults, "no fault": []}.items():
            counted.update(len(nights), f"next: {name}")
            nights.append(_run_night(session, script, base, name, night, longest))
    return nights


def _run_night(
    session: Session, script: Sequence[str], base: Path, name: str, faults: Sequence[Fault], longest: float
) -> Night:
    """Run a script through a night: a fresh sandbox, served with its faults. Raises BadInput where it cannot be run."""
    with TemporaryDirectory(prefix="roomctl-rehearse-") as folder:
        path = Path(folder) / "served" / "sandbox.db"
        path.parent.mkdir()
        shutil.copyfile(base, path)
        before, key = documents(path), "sandbox-" + secrets.token_urlsafe(24)
        variables = {name: value for name, value in session.environment.items() if not name.startswith("ROOMCTL_")}
        variables |= {f"ROOMCTL_{name}": f"{folder}/{name.lower()}" for name in ("DATA", "STATE", "CACHE")}
        variables |= {"ROOMCTL_CONFIG": f"{folder}/config.toml", "ROOMCTL_NO_INPUT": "1", "ROOMCTL_API_KEY": key}
        with closing(Store(path)) as store, closing(FaultStore(path.with_name("sandbox-stage.db"), faults)) as stage:
            with served(store, stage, key) as port:
                variables["ROOMCTL_BASE_URL"] = f"http://127.0.0.1:{port}"
                start = monotonic()
                status, stdout, stderr = _run(script, variables, longest)
            seconds, log = round(monotonic() - start, 1), stage.log()
            idle = [str(each.fault) for each in stage.faults() if not each.fired]
        changed, exact = (changes(before, documents(path), exact=exact) for exact in (False, True))
        same_data = not any(tagged(each.fault, "data") for each in faults)
        return Night(name, status, changed, exact, log, seconds, stdout, stderr, idle, same_data)


def _run(argv: Sequence[str], variables: Mapping[str, str], longest: float) -> tuple[int | None, str, str]:
    """Run a script, and stop it with all that it started when it takes too long. Raises BadInput."""
    # what it leaves behind in the background would hold the other end of a pipe
    with TemporaryFile() as stdout, TemporaryFile() as stderr:
        try:
            script = subprocess.Popen(  # noqa: S603  (the person's own script)
                argv,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        except OSError as error:
            runner = _runner(Path(argv[0])) if Path(argv[0]).is_file() else ""
            hint = f"give its path, or the program that runs it: `roomctl rehearse {runner}`" if runner else ""
            raise BadInput(f"cannot run {argv[0]}: {(error.strerror or str(error)).lower()}", hint=hint) from None
        status: int | None = None
        with script:
            try:
                with suppress(subprocess.TimeoutExpired):
                    status = script.wait(longest)
            finally:
                if status is None and hasattr(os, "killpg"):
                    os.killpg(script.pid, signal.SIGKILL)
                elif status is None:  # pragma: no cover  (another system's)
                    script.kill()
        for file in (stdout, stderr):
            file.seek(0)
        written, said = (file.read().decode(errors="replace") for file in (stdout, stderr))
        return status, written, said


def _runner(script: Path) -> str:
    """What runs a script in this folder that a shell would not find: itself, or the shell of its first line."""
    if os.access(script, os.X_OK):
        return f"./{script}"
    first = script.read_bytes()[:100].partition(b"\n")[0].decode(errors="replace")
    return f"{Path(first).name if first.startswith('#!') else 'sh'} {script}"


def _differs(night: Night, quiet: Night, again: Night) -> str:
    """Say in what a night differs from both of those without a fault; empty where it does not."""
    done, usual = (counts(effects(each.changed)) or "nothing changed" for each in (night, quiet))
    if done != usual:
        return f"{done}; without faults: {usual}"
    if night.changed != quiet.changed or (quiet.exact == again.exact != night.exact):
        return f"{done}; its values differ from those of the run without faults"
    comparable = not quiet.changed and night.same_data and quiet.stdout == again.stdout
    unlike = comparable and night.stdout.lower() != quiet.stdout.lower()
    return "the output differs from that of the run without faults" if unlike else ""


def _unanswered(night: Night, quiet: Night) -> str:
    """Say what was asked for, and came only without faults; a look at what a write has changed may fail."""
    came, usual = ({each["operation"] for each in one.log if each["status"] == 200} for one in (night, quiet))
    asked = [each["operation"] for each in night.log if each["operation"] in BY_NAME]
    looks = {BY_NAME[each].readback for each in asked}
    missed = next(
        (each for each in asked if each in usual and each not in {*came, *looks} and not BY_NAME[each].writes), ""
    )
    return f"no request for {missed} succeeded" if missed else ""


def _row(night: Night, quiet: Night, again: Night) -> JSON:
    found = judge(night.log, times(quiet.log) if night is not quiet else None)
    mistakes = [f"{each.rule}: {each.operation}, {each.message}" for each in found]
    if night.exit == 0 and quiet.exit == 0 and (other := _differs(night, quiet, again) or _unanswered(night, quiet)):
        mistakes.append(f"false success: exit 0, but {other}")
    if night.exit is None:
        mistakes.append(f"endless: stopped after {night.seconds:.0f} s")
    return {
        "run": night.name,
        "exit": night.exit,
        "effects": effects(night.changed),
        "mistakes": mistakes,
        "applied": sum(bool(entry["fault"]) for entry in night.log),
        "requests": len(night.log),
        "seconds": night.seconds,
        "output": night.output,
    }
