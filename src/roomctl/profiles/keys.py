"""Keys: where they come from and what they may look like. A key is never shown, not even in an error."""

import re
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from roomctl.errors import NotAllowed
from roomctl.profiles.configfile import chmod, others_can, read_small, reason
from roomctl.profiles.environment import Environment
from roomctl.profiles.folders import standing_on

Note = Callable[[str], None]
LARGEST = 4096
COMMAND_SECONDS = 10.0


class Key:
    """A key that is read when it is asked for, and once; no text made of this shows it.

    `runs` names the program that reading it runs, if any.
    """

    __slots__ = ("_read", "origin", "runs")

    def __init__(self, origin: str, read: Callable[[Note], str], *, runs: str = "") -> None:
        self.origin = origin
        self.runs = runs
        self._read = read

    def value(self, note: Note) -> str:
        """Read the key. Raises NotAllowed naming its source, never its value."""
        key = self._read(note)
        self._read = lambda _: key
        return key

    def __repr__(self) -> str:
        return f"Key({self.origin!r})"


def checked_key(text: str, source: str) -> str:
    """Take a key without its one trailing newline: 8 to 512 visible ASCII characters (R2).

    Raises NotAllowed naming the source, never the value.
    """
    key = text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")
    if not key:
        raise NotAllowed(f"the key from {source} is empty")
    if not re.fullmatch(r"[\x21-\x7e]{8,512}", key):
        raise NotAllowed(
            f"the key from {source} cannot be a key: 8 to 512 visible ASCII characters, no blanks",
            hint="look whether a blank, a second line or a byte order mark came with it",
        )
    return key


def masked(key: str) -> str:
    """Write a key so that its owner knows it and nobody else does: the last four characters, of a long one only."""
    return "••••" + (key[-4:] if len(key) >= 24 else "")


def key_of(name: str, source: str | None, value: Any, path: Path, environment: Environment) -> Key:
    """The key of a profile of the config file at `path`: its source is a setting whose value was checked."""
    where = f"profile {name} in {path}"

    def read(note: Note) -> str:
        match source:
            case "api_key":
                return checked_key(value, where)
            case "api_key_env":
                return _from_variable(environment, value, name)
            case "api_key_file":
                return from_file(standing_on(path.parent, value, environment), note)
            case "api_key_command":
                return from_command(value, f"the key command of profile {name}", environment, path.parent)
        hint = f"`roomctl profile add {name} --base-url URL --replace` asks for it"
        raise NotAllowed(f"profile {name} has no key", hint=hint)

    runs = value[0] if source == "api_key_command" else ""
    return Key(f"{source} of {where}" if source else "nowhere", read, runs=runs)


def _from_variable(environment: Environment, variable: str, name: str) -> str:
    if not environment.get(variable):
        state = "empty" if variable in environment else "not set"
        raise NotAllowed(f"profile {name} takes its key from {variable}, which is {state}", hint=f"set {variable}")
    return checked_key(environment[variable], variable)


def from_file(path: Path, note: Note) -> str:
    """Read a key from a file; refused when others can write it, noted when they can read it (R51).

    Raises NotAllowed.
    """
    try:
        mode, data = read_small(path, LARGEST + 1)
    except (OSError, ValueError) as error:
        raise NotAllowed(f"cannot read the key file {path}: {reason(error)}") from None
    if not stat.S_ISREG(mode):
        raise NotAllowed(f"the key file {path} is not a file", hint="a command can print the key: `api_key_command`")
    if others_can("write", mode):
        raise NotAllowed(f"others can write the key file {path}", hint=chmod("go-w", path))
    if others_can("read", mode):
        note(f"others can read the key file {path}: {chmod('600', path)}")
    return checked_key(data.decode("ascii", "replace"), f"file {path}")


def from_command(command: Sequence[str], source: str, environment: Mapping[str, str], folder: Path) -> str:
    """Run a command and take what it prints on stdout: no shell, 10 s, stdin empty, stderr dropped (R9).

    It runs in the config file's folder, so that nothing is taken from the working directory. It stays in the terminal's
    process group: it may ask for a passphrase there. Raises NotAllowed, which shows nothing of what it printed.
    """
    from subprocess import DEVNULL, PIPE, Popen

    try:
        process = Popen(  # noqa: S603  (the person's own command, from a config file only they can write)
            command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, bufsize=0, env=environment, cwd=folder
        )
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or "not a command"
        raise NotAllowed(f"{source} cannot be run: {command[0]}: {said.lower()}") from None
    with process:
        output = _output(process, source, hint=f"run it by hand: {command[0]}")
    return checked_key(output.decode("ascii", "replace"), source)


def _output(process: Any, source: str, hint: str) -> bytes:
    """Read what a process prints, to its end, and kill it when it takes or prints too much."""
    from subprocess import TimeoutExpired
    from threading import Thread

    deadline = time.monotonic() + COMMAND_SECONDS
    data = bytearray()
    reader = Thread(target=_read_into, args=(data, process.stdout), daemon=True)
    reader.start()
    try:
        reader.join(COMMAND_SECONDS)
        late = reader.is_alive()
        if not late and len(data) <= LARGEST:
            process.wait(max(0.0, deadline - time.monotonic()))
    except TimeoutExpired:
        late = True
    finally:
        if process.poll() is None:
            process.kill()
    if late:
        raise NotAllowed(f"{source} did not answer within {COMMAND_SECONDS:g} s", hint=hint)
    if len(data) <= LARGEST and process.returncode:
        raise NotAllowed(f"{source} failed with status {process.returncode}", hint=hint)
    return bytes(data)


def _read_into(data: bytearray, stdout: IO[bytes]) -> None:
    try:
        while len(data) <= LARGEST and (piece := stdout.read(LARGEST + 1 - len(data))):
            data += piece
    except (OSError, ValueError):
        return  # the process was killed, and its output closed
