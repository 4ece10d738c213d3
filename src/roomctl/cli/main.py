"""The root of the command line: its table of contents, and the run of one command."""

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from functools import cache, partial
from pathlib import Path
from time import strftime
from typing import Any, TextIO

from typer import Exit

from roomctl import files
from roomctl.cli.command_tree import SETTINGS, VERSION, UsageError, build
from roomctl.cli.options import Commands, Entry
from roomctl.cli.printing import report, show
from roomctl.cli.session import Answer, Session, Streams
from roomctl.cli.signals import SignalHandling
from roomctl.errors import Interrupted, LocalFailure, PipeClosed, RoomctlError, Unexpected
from roomctl.profiles import PROCESS, Environment

DEFECT = "run the command again with `--debug`, and report the file that it names"
SUMMARY = "A command-line tool for room administrators. Commands and fields call rooms `social`, as the service does."
CONTENTS = {
    "Get started": {
        "demo": "try the main tasks in the sandbox",
        "profile": "profiles: which service to use, and its key",
        "doctor": "check whether this machine is ready, and say what to fix",
        "help": "topics such as options, exit codes, output, the glossary",
    },
    "Set up and run rooms": {
        "roomset": "room sets: list, create, update, copy, tree; event files: export, plan, apply, lint",
        "social": "rooms: list, create, copy, end, watch, call-to-action items",
        "rules": "save and show the entry rules of a room set",
        "theme": "save themes, with images from files",
    },
    "Invite people, and see who came": {
        "invite": "invite people to a room",
        "user": "look up users by id",
        "registration": "an event's registrations: list, export, check, diff, stats, report",
    },
    "Audio, recordings, transcriptions": {
        "playlist": "create audio playlists",
        "recording": "recordings: list, wait for, show who was present",
        "transcription": "transcriptions: list, process, wait for",
    },
    "Preview and review writes": {
        "explain": "say what a command would do, without doing it",
        "journal": "every write and its outcome: list, show, verify, repeat",
    },
    "Scripts, rehearsals, other tools": {
        "sandbox": "the sandbox: serve, seed, snapshot, faults, log",
        "rehearse": "test how a script copes with faults",
        "api": "call any operation, by name or by method and path",
        "describe": "describe the whole tool as one JSON document",
        "completion": "print a shell completion script",
    },
}
"""The groups and commands, each in a module of its name, as they stand in the help."""


ROOT = Commands(SUMMARY, [VERSION])
ROOT.members = {
    name: Entry(f"{__package__}.{name}", line, heading)
    for heading, lines in CONTENTS.items()
    for name, line in lines.items()
}
root = cache(partial(build, "roomctl", ROOT))
"""Makes the root of the command tree, once; groups are imported when they are asked for."""


def help_of(path: Sequence[str], *, width: int = 80, formatter: Any = None) -> str:
    """Give the help of a command or group, as it is printed on a terminal of that width, or by another formatter."""
    command: Any = root()
    context = command.context_class(command, info_name="roomctl", terminal_width=width - 2, **SETTINGS)
    for word in path:
        if not hasattr(command, "members"):
            raise UsageError(f"Got unexpected extra argument ({word})", context)
        _, command, _ = command.resolve_command(context, [word])
        context = command.context_class(command, info_name=word, parent=context)
    if formatter is not None:
        context.formatter_class = lambda **_: formatter
    return f"{command.get_help(context)}\n"


def run(
    args: Sequence[str],
    *,
    environment: Environment | None = None,
    stdin: TextIO | None = sys.stdin,
    stdout: TextIO | None = sys.stdout,
    stderr: TextIO | None = sys.stderr,
) -> int:
    """Run one command and give its exit code; environment and streams can be others than the process's."""
    session = Session(environment or Environment(PROCESS), Streams(stdin, stdout, stderr), tuple(args))
    handling = SignalHandling(session)
    try:
        with (
            handling.at_work(),
            redirect_stdout(stdout or sys.stdout),
            root().make_context("roomctl", [*args] or ["--help"], obj=session) as context,
        ):
            show(session, context.command.invoke(context) or Answer())
        return 0
    except Exit as done:
        return done.exit_code
    except (Exception, KeyboardInterrupt) as error:
        return _report(session, error, handling)
    finally:
        for name in ("client", "sandbox", "stage"):
            if name in vars(session):
                vars(session)[name].close()
        handling.restore()


def _report(session: Session, error: BaseException, handling: SignalHandling) -> int:
    """Say what ended the run, a defect in one line and never as a traceback; give the exit code."""
    failure: RoomctlError = PipeClosed("the reader of the output closed the pipe")
    group_help = ""
    match error:
        case RoomctlError():
            failure = error
        case UsageError():
            from roomctl.cli.usage_errors import lacks_command, wrong_call

            failure = wrong_call(error)
            group_help = f"{error.ctx.get_help()}\n\n" if error.ctx and lacks_command(error) else ""
        case KeyboardInterrupt():
            failure = Interrupted("stopped by Ctrl-C")
        case OSError() if not isinstance(error, BrokenPipeError):
            failure = LocalFailure(f"{error.strerror or error}".lower(), outcome=handling.left)
        case Exception() if not isinstance(error, BrokenPipeError):
            failure = Unexpected(f"a bug in roomctl: {type(error).__name__}", hint=DEFECT, outcome=handling.left)
    if session.parting is not None and isinstance(failure, Interrupted):
        session.say(session.parting)  # what follows begins a line
        if not session.resume:
            return 0
    if session.given.debug and not isinstance(error, OSError | KeyboardInterrupt):
        session.say(f"debug: {_write_trace(session, error) or 'the trace could not be written'}")
    return report(session, failure, group_help)


def _write_trace(session: Session, error: BaseException) -> Path | None:
    """Write the trace of an error, without secrets, to a new private file; None where that is not possible."""
    text = "".join(traceback.format_exception(error))
    if (client := session.__dict__.get("client")) is not None:
        text = client.redact(text)
    secrets = [value for name, value in session.environment.items() if name.endswith(("KEY", "TOKEN", "SECRET"))]
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "<redacted>")
    with suppress(OSError, RoomctlError):
        folder = session.environment.folder("state")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"debug-{strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.log"
        with os.fdopen(files.create_new(path), "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return path
    return None
