"""Keys: where they come from and what they may look like. A key is never shown, not even in an error."""

import re
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from roomctl.errors import NotAllowed
from roomctl.profiles.configfile import chmod, others_can, read_small, reason
from roomctl.profiles.environment import Environment
from roomctl.text import Note
from roomctl.text.counted import numbered

LARGEST = 4096
COMMAND_SECONDS = 10.0


class Key(NamedTuple):
    """Where a key comes from, and what reads it; `runs` names the program that reading it runs, if any.

    `renewal` says where a new key belongs after this one was refused.
    """

    origin: str
    read: Callable[[Note], str]
    runs: str = ""
    renewal: str = ""


def check_key(text: str, source: str) -> str:
    """Take a key without its one trailing newline (R2). Raises NotAllowed naming the source, never the value."""
    key = text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")
    if not key:
        raise NotAllowed("no key was entered" if source == "the terminal" else f"the key from {source} is empty")
    if not re.fullmatch(r"[\x21-\x7e]{8,512}", key):
        long = f"; this one has {numbered(len(key), 'characters')}" if not 8 <= len(key) <= 512 else ""
        raise NotAllowed(
            f"the key from {source} is not valid: a key has 8 to 512 visible ASCII characters and no spaces{long}",
            hint="check its length, and look for a space, a second line or a byte order mark",
        )
    return key


def mask(key: str) -> str:
    """Write a key so that its owner knows it and nobody else does: the last four characters, of a long one only."""
    return "••••" + (key[-4:] if len(key) >= 24 else "")


def from_variable(environment: Environment, variable: str, name: str) -> str:
    if not environment.get(variable):
        state = "empty" if variable in environment else "not set"
        raise NotAllowed(
            f"profile {name} takes its key from the environment variable {variable}, which is {state}",
            hint=f"set {variable}",
        )
    return check_key(environment[variable], variable)


def from_file(path: Path, note: Note) -> str:
    """Read a key from a file; noted when others can read it (R51). Raises NotAllowed, also when they can write it."""
    try:
        mode, data = read_small(path, LARGEST + 1)
    except (OSError, ValueError) as error:
        raise NotAllowed(
            f"cannot read the key file {path}: {reason(error)}", hint="check its name and permissions"
        ) from None
    if not stat.S_ISREG(mode):
        raise NotAllowed(f"the key file {path} is not a file", hint="use `api_key_command` if a command prints the key")
    if others_can("write", mode):
        raise NotAllowed(f"others can write the key file {path}", hint=chmod("go-w", path))
    if others_can("read", mode):
        note(f"others can read the key file {path}: {chmod('600', path)}")
    return check_key(data.decode("ascii", "replace"), f"file {path}")


def from_command(command: Sequence[str], source: str, environment: Mapping[str, str], folder: Path) -> str:
    """Run a command and take what it prints on stdout: no shell, 10 s, stdin empty, stderr dropped (R9).

    It runs in the config file's folder, so that nothing is taken from the working directory. It stays in the terminal's
    process group: it may ask for a passphrase there. Raises NotAllowed, which shows nothing of what it printed.
    """
    from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
    from threading import Thread

    deadline, data = time.monotonic() + COMMAND_SECONDS, bytearray()
    try:
        process = Popen(  # noqa: S603  (the person's own command, from a config file only they can write)
            command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, bufsize=0, env=environment, cwd=folder
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "not a command"
        raise NotAllowed(f"{source} cannot be run: {command[0]}: {why.lower()}") from None

    def read_output(stdout: IO[bytes]) -> None:
        with suppress(OSError, ValueError):  # the process was killed, and its output closed
            while len(data) <= LARGEST and (piece := stdout.read(LARGEST + 1 - len(data))):
                data.extend(piece)

    with process:
        reader = Thread(target=read_output, args=(process.stdout,), daemon=True)  # a child may hold stdout for long
        reader.start()
        try:
            reader.join(COMMAND_SECONDS)
            late = reader.is_alive()
            if not late and len(data) <= LARGEST:
                process.wait(max(0.0, deadline - time.monotonic()))
        except TimeoutExpired:
            late = True
        finally:
            process.kill()
    hint = f"run it by hand ({command[0]} with its arguments) in {folder}, where roomctl runs it"
    if late:
        raise NotAllowed(f"{source} did not answer within {COMMAND_SECONDS:g} s", hint=hint)
    if len(data) <= LARGEST and process.returncode:
        raise NotAllowed(f"{source} failed with status {process.returncode}", hint=hint)
    return check_key(data.decode("ascii", "replace"), source)
