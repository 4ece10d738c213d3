"""`roomctl rehearse`: what a script would do in a bad night."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.options import positive
from roomctl.cli.session import Answer, Session
from roomctl.errors import WrongCall
from roomctl.output.values import numbered

if TYPE_CHECKING:
    from roomctl.cli.rehearsing import Night

JSON = Any
commands = Commands()


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
    from roomctl.cli.judging import verdict, write_junit
    from roomctl.cli.rehearsing import NIGHTS, QUIET
    from roomctl.cli.rehearsing import rehearse as played
    from roomctl.sandbox.faults import parse

    session: Session = ctx.obj
    names = [*(() if only else NIGHTS), *session.given.fault]
    if only and not names:
        raise WrongCall("`--only` needs `--fault`")
    nights = [(name, [parse(text) for text in name.split()]) for name in names]
    rows: list[JSON] = []
    tell = session.progress()
    with TemporaryDirectory(prefix="roomctl-rehearse-") as folder:
        base = _world(folder)
        quiet = played(script, base, QUIET, [], session.environment, longest=longest)
        rows.append(_row(quiet, quiet))
        for number, (name, faults) in enumerate(nights, 1):
            tell(f"night {number} of {len(nights)}: {name}")
            night = played(script, base, name, faults, session.environment, longest=longest, usual=quiet.done)
            rows.append(_row(night, quiet))
    if quiet.exit and quiet.requests:
        session.say(
            f"the script ended with {quiet.exit} even without a fault: what follows its success was not rehearsed"
        )
    found = [mistake for row in rows for mistake in row["mistakes"]]
    if junit is not None:
        write_junit(junit, {row["night"]: row["mistakes"] for row in rows}, "roomctl rehearse")
    session.note(f"SANDBOX: {numbered(len(rows), 'nights')}, mistakes: {len(found)}")
    nothing = not quiet.requests and not found
    return Answer(rows, "Rehearsed", _nothing_rehearsed(quiet) if nothing else verdict(len(found), "script"))


def _world(folder: str) -> Path:
    from roomctl.cli.rehearsing import world

    return world(Path(folder))


def _nothing_rehearsed(quiet: "Night") -> WrongCall:
    """Say that no mistake proves nothing here, with what the script wrote last: most often it could not run."""
    said = quiet.output.splitlines()[-1:]
    return WrongCall(
        f"the script asked the service nothing, and ended with {quiet.exit}: nothing was rehearsed",
        hint=f"it wrote: {said[0]}" if said else "it finds the sandbox in ROOMCTL_BASE_URL and ROOMCTL_API_KEY",
    )


def _row(night: "Night", quiet: "Night") -> JSON:
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


def _words(effects: Any) -> str:
    return ", ".join(f"{count} {what}" for what, count in effects.items()) or "nothing changed"
