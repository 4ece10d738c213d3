"""`roomctl demo`: the main job, for real, on the embedded service, each command shown before it runs."""

import contextlib
import io
import shlex
import tempfile
from pathlib import Path
from typing import NamedTuple, TextIO

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.screen import fitting
from roomctl.cli.session import Answer, Session
from roomctl.errors import LocalFailure, RoomctlError, WrongCall

commands = Commands()
PEOPLE = """emailAddress,table
ada.lovelace@example.org,1
grace.hopper@example.org,2
nobody.known@example.invalid,3
"""
SET, ROOM = "Demo Evening", "Demo Lounge"
GUESTS, EXPORTED = "demo-people.csv", "demo-registrations.csv"
NEXT = (
    "`roomctl --sandbox roomset tree` looks around in a sandbox that stays",
    "`roomctl profile add NAME --base-url URL` names your own service",
    "`roomctl --help` lists the rest",
)


class Step(NamedTuple):
    """One command of the demo: what it is for, its words, and the exit status that it is meant to have."""

    purpose: str
    words: tuple[str, ...]
    expected: int = 0


def steps(event: str) -> list[Step]:
    """The commands of the demo, in order; `event` is the seeded event whose registrations are exported."""
    unknown = "people, from a CSV; one of them is unknown to the service, and roomctl says so with exit code 6"
    rule = ("--rule", "emailAddress,ENDS_WITH,@example.org")
    return [
        Step("a room set, and a room in it", ("roomset", "create", "--name", SET)),
        Step("", ("social", "create", "--name", ROOM, "--room-set", SET, "--guests")),
        Step(unknown, ("invite", "send", ROOM, "--from", GUESTS, "--yes"), 6),
        Step(
            "entry rules", ("rules", "save", SET, "--name", "Doors", "--entry-option", "CUSTOM_RULES", *rule, "--yes")
        ),
        Step("what stands now", ("roomset", "tree", SET)),
        Step("end the room: people would be asked, a job says --yes", ("social", "end", ROOM, "--yes")),
        Step("the registrations of an event", ("registration", "export", event, "--to", EXPORTED, "--force")),
    ]


@commands.verb("demo", examples=["demo", "demo && column -s, -t demo-registrations.csv | head"])
def demo(ctx: Context) -> Answer:
    """See the main job done on the embedded service: rooms, invitations, rules, an ended room, an export.

    Everything happens in a throw-away sandbox. Only two files stay in this folder: demo-people.csv, and the export,
    demo-registrations.csv, with its manifest. Each command is printed before it runs: typed by hand, it does the same.
    """
    session: Session = ctx.obj
    if (out := session.streams.stdout) is None:
        raise LocalFailure("stdout is not open: the demo has nowhere to show itself")
    _write(Path(GUESTS), PEOPLE)
    with tempfile.TemporaryDirectory(prefix="roomctl-demo-") as folder:
        event = _world(out, folder)
        for step in steps(event):
            _run(session, out, folder, step)
    left = f"left in this folder: {GUESTS}, {EXPORTED} and its manifest; all else is gone"
    for line in ("", "Done.", left, "Next:", *(f"  {each}" for each in NEXT)):
        out.write(fitting(session.environment, out, line) + "\n")
    return Answer()


def _write(path: Path, text: str) -> None:
    try:
        if path.is_symlink() or (path.exists() and path.read_text(encoding="utf-8", errors="replace") != text):
            raise WrongCall(f"{path} is there already, and not the demo's", hint="change to a folder of your own")
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LocalFailure(f"cannot write {path}: {error.strerror}", hint="change to a folder of your own") from None


def _world(out: TextIO, folder: str) -> str:
    """Seed the throw-away sandbox and give the id of its event with the most registrations."""
    from roomctl.sandbox.seed import seed
    from roomctl.sandbox.store import Store

    out.write("The embedded service, in a throw-away folder; nothing leaves this machine.\n\n")
    out.write('$ export ROOMCTL_DATA="$(mktemp -d)"\n')
    store = Store(Path(folder) / "data" / "sandbox.db")
    summary = seed(store, registrations=250)
    store.close()
    return max(summary.events, key=lambda event: event.registrations).id


def _run(session: Session, out: TextIO, folder: str, step: Step) -> None:
    from roomctl.cli.main import run
    from roomctl.profiles import Environment

    if step.purpose:
        out.write("\n" + fitting(session.environment, out, f"# {step.purpose}") + "\n")
    out.write("$ roomctl --sandbox " + shlex.join(step.words) + "\n")
    out.flush()
    notes = io.StringIO()
    inner = Environment(
        {
            **session.environment,
            **{f"ROOMCTL_{name}": f"{folder}/{name.lower()}" for name in ("DATA", "STATE", "CACHE")},
        }
    )
    with contextlib.suppress(KeyError):
        del inner["ROOMCTL_OUTPUT"]
    status = run(("--sandbox", *step.words), environment=inner, stdin=None, stdout=out, stderr=notes)
    said = [line for line in notes.getvalue().splitlines() if not line.startswith(("SANDBOX", "profile:"))]
    out.writelines(fitting(session.environment, out, f"  {line}") + "\n" for line in said)
    if status != step.expected:
        raise RoomctlError(f"the demo's step failed with exit code {status}: roomctl {shlex.join(step.words)}")
