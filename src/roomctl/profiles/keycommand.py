"""A command that prints a key: run without a shell, for at most 10 s, its output bounded and never shown (R9)."""

import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from roomctl.errors import NotAllowed
from roomctl.profiles.environment import Environment
from roomctl.profiles.keys import LARGEST, checked_key

SECONDS = 10.0


def from_command(command: Sequence[str], source: str, *, environment: Environment, folder: Path) -> str:
    """Run a command and take what it prints on stdout; its stderr is dropped, its stdin empty. Raises NotAllowed.

    It runs in the config file's folder, so that nothing is taken from the working directory. It stays in the terminal's
    process group: it may ask for a passphrase there.
    """
    nothing = subprocess.DEVNULL
    try:
        started = subprocess.Popen(  # noqa: S603  (the person's own command, from a config file only they can write)
            list(command), stdin=nothing, stdout=subprocess.PIPE, stderr=nothing, bufsize=0, env=environment, cwd=folder
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a command"
        raise NotAllowed(f"{source} cannot be run: {command[0]}: {reason.lower()}") from None
    with started as process:
        output = _output(process, source, hint=f"run it by hand: {command[0]}")
    return checked_key(output.decode("ascii", "replace"), source)


def _output(process: subprocess.Popen[bytes], source: str, hint: str) -> bytes:
    """Read what a process prints, to its end, and kill it when it takes or prints too much."""
    assert process.stdout is not None
    deadline = time.monotonic() + SECONDS
    data = bytearray()
    reader = threading.Thread(target=_read, args=(process.stdout, data), daemon=True)
    reader.start()
    try:
        reader.join(SECONDS)
        late = reader.is_alive()
        if not late and len(data) <= LARGEST:
            process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        late = True
    finally:
        if process.poll() is None:
            process.kill()
    if late:
        raise NotAllowed(f"{source} did not answer within {SECONDS:g} s", hint=hint)
    if len(data) <= LARGEST and process.returncode:
        raise NotAllowed(f"{source} failed with status {process.returncode}", hint=hint)
    return bytes(data)


def _read(stdout: IO[bytes], data: bytearray) -> None:
    try:
        while len(data) <= LARGEST and (piece := stdout.read(LARGEST + 1 - len(data))):
            data += piece
    except (OSError, ValueError):
        return  # the process was killed, and its output closed
