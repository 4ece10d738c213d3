"""`roomctl demo`: the main job, for real, on the embedded service, each command shown before it runs."""

import io
import shlex
import tempfile
from pathlib import Path
from typing import TextIO

from roomctl.cli.lazy import Commands
from roomctl.cli.screen import fitting
from roomctl.cli.session import REGISTRATIONS, Answer, Session
from roomctl.errors import LocalFailure, RoomctlError, WrongCall
from roomctl.profiles import Environment

commands = Commands()
SCRIPT = Path(__file__).with_name("demo.txt")
"""The commands, what they are for before them, and behind them the exit status that is meant, where it is not 0."""
PEOPLE = """emailAddress,table
ada.lovelace@example.org,1
grace.hopper@example.org,2
nobody.known@example.invalid,3
"""
NEXT = """
Done: the room is ended, the registrations are in demo-registrations.csv, and the report is in demo-report.html.
Next:
  open demo-report.html in a browser
  `roomctl --sandbox roomset tree` shows a sandbox that is kept
  `roomctl profile add NAME --base-url URL` sets up your own service
  `roomctl --help` lists the rest"""


@commands.verb("demo")
def demo(session: Session) -> Answer:
    """Try the main tasks on the embedded service: rooms, invitations, rules, an ended room, an export, a report.

    Everything happens in a temporary sandbox. It leaves demo-people.csv, the export demo-registrations.csv with its
    manifest, and demo-report.html in this folder. Each command is printed before it runs; typed by hand, it does the
    same.
    """
    if (out := session.streams.stdout) is None:
        raise LocalFailure("stdout is not open, so the demo cannot print")
    _write_people(Path("demo-people.csv"))

    def show(text: str) -> None:
        out.write((fitting(session.environment, out, text) if out.isatty() else text) + "\n")
        out.flush()

    with tempfile.TemporaryDirectory(prefix="roomctl-demo-") as folder:
        show("The embedded service, in a temporary folder; nothing leaves this machine.\n")
        show('$ export ROOMCTL_DATA="$(mktemp -d)"')
        environment = Environment({**session.environment, "ROOMCTL_DATA": folder, "ROOMCTL_STATE": f"{folder}/state"})
        environment.pop("ROOMCTL_OUTPUT", None)
        event = _seed(Path(folder))
        for line in SCRIPT.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                show(f"\n{line}")
                continue
            command, _, status = line.partition("  # ")
            words = shlex.split(command.replace("EVENT", event))
            out.write(f"$ roomctl --sandbox {shlex.join(words)}\n")
            out.flush()
            for note in _run(words, environment, out, int(status or 0)):
                show(f"  {note}")
    for line in NEXT.split("\n"):
        show(line)
    return Answer()


def _write_people(path: Path) -> None:
    try:
        if path.is_symlink() or (path.exists() and path.read_text(encoding="utf-8", errors="replace") != PEOPLE):
            raise WrongCall(f"{path} exists already, and the demo did not write it", hint="change to another folder")
        path.write_text(PEOPLE, encoding="utf-8")
    except OSError as error:
        raise LocalFailure(f"cannot write {path}: {error.strerror}", hint="change to another folder") from None


def _seed(folder: Path) -> str:
    """Seed the throw-away sandbox and give the id of its event with the most registrations."""
    from roomctl.sandbox.seed import seed
    from roomctl.sandbox.store import Store

    store = Store(folder / "sandbox.db")
    summary = seed(store, registrations=REGISTRATIONS)
    store.close()
    return max(summary.events, key=lambda event: event.registrations).id


def _run(words: list[str], environment: Environment, out: TextIO, expected: int) -> list[str]:
    """Run a command on the sandbox and give its notes. Raises RoomctlError where it does not end as expected."""
    from roomctl.cli.main import run

    notes = io.StringIO()
    status = run(("--sandbox", *words), environment=environment, stdin=None, stdout=out, stderr=notes)
    if status != expected:
        raise RoomctlError(f"a step of the demo failed with exit code {status}: roomctl {shlex.join(words)}")
    return [line for line in notes.getvalue().splitlines() if not line.startswith(("SANDBOX", "profile:"))]
