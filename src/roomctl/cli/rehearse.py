"""`roomctl rehearse`: a script against a fresh sandbox for each thing that can go wrong, and what it did to it."""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from typer import Argument, Option

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.parsers import positive
from roomctl.cli.progress import progress
from roomctl.cli.session import REGISTRATIONS, Answer, Session
from roomctl.errors import BadInput, WrongCall
from roomctl.output.values import numbered

if TYPE_CHECKING:
    from roomctl.sandbox.faults import Fault
    from roomctl.sandbox.judge import Mistake

JSON = Any
NIGHTS: Final = (
    "drop-after-commit:write#1",
    "drop-before-commit:write#1",
    "reset:write#1",
    "status=500:write#1",
    "status=500,after-commit:write#1",
    "status=429,retry-after=1:write#1",
    "html:write#1",
    "truncated:write#1",
    "drop-after-commit:write#1 status=403,after=3,times=2:roomset.list",
    "status=429,retry-after=1:read#1",
    "status=503,times=2:read",
    "truncated:read#1",
    "clamp-size=2:read",
    "ignore-page:read",
    "rows-deleted=1:read#2",
    "key-revoked=1:read",
    "empty-page,page=1:read",
    "end-of-list=404:read",
    "list-field:read",
    "denied=record:write#1",
    "without=isOpen+invitedUser+invitedUserId:*",
    "uppercase-ids:read",
)
"""What a script is tried with: each line is one night, of one fault or several."""
QUIET: Final = "no fault"
commands = Commands()


class Night(NamedTuple):
    """What one night left: the exit status (None: it had to be stopped), effects, mistakes, how often what was done."""

    name: str
    exit: int | None
    effects: Mapping[str, int]
    mistakes: "list[Mistake]"
    done: Mapping[str, int]
    applied: int
    requests: int
    seconds: float
    output: str


@commands.verb(
    "rehearse",
    examples=[
        "rehearse -- ./end-rooms.sh",
        "rehearse --only --fault drop-after-commit:social.end#1 -- sh end-rooms.sh",
    ],
    exits=[6],
)
def rehearse(
    ctx: Context,
    script: Annotated[list[str], Argument(metavar="SCRIPT...", help="the script and its arguments, behind `--`")],
    only: Annotated[bool, Option("--only", help="only the faults of --fault, not the usual ones")] = False,
    longest: Annotated[
        float,
        Option(
            "--stop-after", parser=positive, metavar="SECONDS", show_default="60", help="stop a night that lasts longer"
        ),
    ] = 60.0,
    junit: Annotated[str | None, Option("--junit", metavar="FILE", help="write what was found as JUnit XML")] = None,
) -> Answer:
    """Run a script against a sandbox of its own: once as things should be, then once for each thing that goes wrong.

    The script finds the sandbox in ROOMCTL_BASE_URL and ROOMCTL_API_KEY, and roomctl's folders are others for it, so
    that nothing of yours is touched; each night begins with the same seeded world. A night is one --fault, or several
    with blanks between them. Shown are its exit status, what it changed, and its mistakes: a write sent again though it
    may have been applied, a repeat before Retry-After, pages beyond the end, and an exit status of 0 that leaves less
    or more behind than the night without a fault. Exit 6 where there is a mistake, 2 where the script asked nothing.
    """
    from roomctl.cli.sandbox.log import verdict, write_junit

    session: Session = ctx.obj
    names = [*(() if only else NIGHTS), *session.given.fault]
    if only and not names:
        raise WrongCall("`--only` needs `--fault`")
    quiet, rows = _rehearse_all(session, script, names, longest)
    if quiet.exit and quiet.requests:
        session.say(
            f"the script ended with {quiet.exit} even without a fault: what follows its success was not rehearsed"
        )
    found = [mistake for row in rows for mistake in row["mistakes"]]
    if junit is not None:
        write_junit(junit, {row["night"]: row["mistakes"] for row in rows}, "roomctl rehearse")
    session.note(f"SANDBOX: {numbered(len(rows), 'nights')}, mistakes: {len(found)}")
    nothing = not quiet.requests and not found
    return Answer(rows, "Rehearsed", _nothing_asked(quiet) if nothing else verdict(len(found), "script"))


def _rehearse_all(session: Session, script: Sequence[str], names: Sequence[str], longest: float) -> tuple[Night, JSON]:
    """Run the script through the quiet night, then through each that is named. Raises BadValue, BadInput."""
    from roomctl.sandbox.faults import parse
    from roomctl.sandbox.seed import seed
    from roomctl.sandbox.store import Store

    nights = [(name, [parse(text) for text in name.split()]) for name in names]
    with TemporaryDirectory(prefix="roomctl-rehearse-") as folder, progress(session, "nights", len(nights)) as counted:
        base = Path(folder) / "world.db"
        store = Store(base)
        seed(store, registrations=REGISTRATIONS)
        store.close()
        quiet = _night(session, script, base, QUIET, [], longest)
        rows = [_row(quiet, quiet)]
        for number, (name, faults) in enumerate(nights):
            counted.update(number, f"next: {name}")
            rows.append(_row(_night(session, script, base, name, faults, longest, usual=quiet.done), quiet))
    return quiet, rows


def _night(
    session: Session, script: Sequence[str], base: Path, name: str, faults: "Sequence[Fault]", longest: float,
    *, usual: Mapping[str, int] | None = None,
) -> Night:  # fmt: skip
    """Run a script through a night: a fresh sandbox, served with its faults. Raises BadInput where it cannot be run."""
    import secrets

    from roomctl.sandbox.changes import changes, documents
    from roomctl.sandbox.fault_store import FaultStore
    from roomctl.sandbox.judge import judge, times
    from roomctl.sandbox.serve import served
    from roomctl.sandbox.store import Store

    with TemporaryDirectory(prefix="roomctl-rehearse-") as folder:
        path = Path(folder) / "served" / "sandbox.db"
        path.parent.mkdir()
        shutil.copyfile(base, path)
        before, key = documents(path), "sandbox-" + secrets.token_urlsafe(24)
        store, stage = Store(path), FaultStore(path.with_name("sandbox-stage.db"), faults)
        start = monotonic()
        with served(store, stage, key) as port:
            status, output = _run(script, _variables(session.environment, folder, port, key), longest)
        seconds = round(monotonic() - start, 1)
        log = stage.log()
        store.close()
        stage.close()
        changed = changes(before, documents(path))
    applied = sum(bool(entry["fault"]) for entry in log)
    return Night(name, status, changed, judge(log, usual), times(log), applied, len(log), seconds, output)


def _variables(environment: Mapping[str, str], folder: str, port: int, key: str) -> dict[str, str]:
    """The person's variables without roomctl's own, which point to this night."""
    kept = {name: value for name, value in environment.items() if not name.startswith("ROOMCTL_")}
    own = {f"ROOMCTL_{name}": f"{folder}/{name.lower()}" for name in ("DATA", "STATE", "CACHE")}
    own |= {"ROOMCTL_CONFIG": f"{folder}/config.toml", "ROOMCTL_NO_INPUT": "1"}
    return {**kept, **own, "ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": key}


def _run(argv: Sequence[str], variables: Mapping[str, str], longest: float) -> tuple[int | None, str]:
    """Run a script, and stop it with all that it started when it takes too long.

    It writes to a file: of a pipe, what it left behind in the background would hold the other end.
    """
    with TemporaryFile() as said:
        try:
            script = subprocess.Popen(  # noqa: S603  (the person's own script)
                list(argv),
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise BadInput(f"cannot run {argv[0]}: {(error.strerror or str(error)).lower()}") from None
        status: int | None = None
        with script:
            try:
                status = script.wait(longest)
            except subprocess.TimeoutExpired:
                _stop(script)
            except BaseException:
                _stop(script)
                raise
        said.seek(0)
        return status, said.read().decode(errors="replace")


def _stop(script: "subprocess.Popen[bytes]") -> None:
    if hasattr(os, "killpg"):
        os.killpg(script.pid, signal.SIGKILL)
    else:  # pragma: no cover  (another system's)
        script.kill()


def _row(night: Night, quiet: Night) -> JSON:
    """Write a night down: its mistakes are the judge's, and whether its exit status says what was done."""
    mistakes = [f"{each.rule}: {each.operation}, {each.message}" for each in night.mistakes]
    if night.exit == 0 and night.effects != quiet.effects:
        mistakes.append(f"believed: exit 0, but {_words(night.effects)} instead of {_words(quiet.effects)}")
    if night.exit is None:
        mistakes.append(f"endless: stopped after {night.seconds:.0f} s")
    return {
        "night": night.name,
        "exit": night.exit,
        "effects": dict(night.effects),
        "mistakes": mistakes,
        "applied": night.applied,
        "requests": night.requests,
        "seconds": night.seconds,
        "output": night.output.splitlines()[-10:],
    }


def _words(effects: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in effects.items()) or "nothing changed"


def _nothing_asked(quiet: Night) -> WrongCall:
    """Say that no mistake proves nothing here, with what the script wrote last: most often it could not run."""
    said = quiet.output.splitlines()[-1:]
    return WrongCall(
        f"the script asked the service nothing, and ended with {quiet.exit}: nothing was rehearsed",
        hint=f"it wrote: {said[0]}" if said else "it finds the sandbox in ROOMCTL_BASE_URL and ROOMCTL_API_KEY",
    )
