"""`roomctl demo`: the main job, for real, in a sandbox, each command shown before it runs."""

import io
import os
import shlex
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from roomctl.cli.main import run
from roomctl.cli.options import Commands
from roomctl.cli.session import REGISTRATIONS, Session
from roomctl.cli.terminal import fitting
from roomctl.errors import LocalFailure, RoomctlError, WrongCall
from roomctl.profiles import Environment
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store

commands = Commands()
SCRIPT = Path(__file__).with_name("demo.txt")
"""The people to invite; the commands, after what they are for, with the exit code where it is not 0; the end."""


@commands.verb("demo")
def demo(session: Session) -> None:
    """Try the main tasks in the sandbox: rooms, invitations, rules, ending a room, exporting, reporting."""
    if (out := session.streams.stdout) is None:
        raise LocalFailure("stdout is not open, so the demo cannot print")
    people, commands, end = SCRIPT.read_text(encoding="utf-8").split("---\n")
    file = Path("demo-people.csv")
    if os.path.lexists(file) and file.read_text(encoding="utf-8", errors="replace") != people:
        raise WrongCall(f"{file} already exists, and was not written by the demo", hint="change to another folder")
    file.write_text(people, encoding="utf-8")

    def show(text: str) -> None:
        text = fitting(session.environment, out, text) if out.isatty() else text
        out.write(f"{text}\n")
        out.flush()

    with tempfile.TemporaryDirectory(prefix="roomctl-demo-") as folder:
        show("Using a sandbox in a temporary folder; nothing leaves this machine.\n")
        show('$ export ROOMCTL_DATA="$(mktemp -d)"')
        own = {f"ROOMCTL_{name}": f"{folder}/{name.lower()}" for name in ("STATE", "CACHE")}
        environment = Environment({**session.environment, "ROOMCTL_DATA": folder, **own})
        environment.pop("ROOMCTL_OUTPUT", None)
        with closing(Store(Path(folder, "sandbox.db"))) as store:
            events = seed(store, registrations=REGISTRATIONS)
        event = max(events, key=lambda event: event.registrations).id
        for line in commands.splitlines():
            if line.startswith("#"):
                show(f"\n{line}")
                continue
            command, _, expected = line.partition("  # ")
            words = ["--sandbox", *shlex.split(command.replace("EVENT", event))]
            show(f"$ roomctl {shlex.join(words)}")
            status = run(words, environment=environment, stdin=None, stdout=out, stderr=_Notes(show))
            if status != int(expected or 0):
                raise RoomctlError(f"a step of the demo failed with exit code {status}: roomctl {shlex.join(words)}")
    for line in ("", *end.splitlines()):
        show(line)


class _Notes(io.StringIO):
    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__()
        self._show = show

    def write(self, text: str) -> int:
        for line in text.splitlines():
            if not line.startswith(("SANDBOX", "profile:")):
                self._show(line)
        return len(text)
