"""Keys: where they come from and what they may look like. A key is never shown, not even in an error."""

import os
import re
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from roomctl.errors import NotAllowed

_KEY = re.compile(r"[\x21-\x7e]{8,512}", re.ASCII)
LARGEST = 4096
SECONDS = 10


def checked_key(text: str, source: str) -> str:
    """Take a key, 8 to 512 visible ASCII characters, without its trailing newline. Raises NotAllowed naming its source."""
    key = text.removesuffix("\n").removesuffix("\r")
    if not key:
        raise NotAllowed(f"the key from {source} is empty")
    if not _KEY.fullmatch(key):
        raise NotAllowed(
            f"the key from {source} cannot be a key: 8 to 512 visible ASCII characters, no blanks",
            hint="look whether a blank, a second line or quotes came with it",
        )
    return key


def masked(key: str) -> str:
    """Write a key so that its owner knows it and nobody else does: the last four characters of a long one."""
    return "********" + (key[-4:] if len(key) >= 24 else "")


def from_file(path: Path, notes: list[str]) -> str:
    """Read a key from a file; refused when others can write it, noted when they can read it. Raises NotAllowed."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise NotAllowed(f"the key file {path} is not a file")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a path"
        raise NotAllowed(f"cannot read the key file {path}: {reason.lower()}") from None
    if sys.platform != "win32":
        if mode & 0o022:
            raise NotAllowed(f"the key file {path} can be written by others", hint=f"`chmod go-w {path}`")
        if mode & 0o044:
            notes.append(f"the key file {path} can be read by others: `chmod 600 {path}`")
    return checked_key(data.decode("ascii", "replace"), str(path))


def from_command(command: Sequence[str], profile: str) -> str:
    """Run a command, without a shell, for at most 10 s, and take what it prints. Raises NotAllowed; shows no output."""
    import subprocess

    source = f"the key command of profile {profile}"
    try:
        done = subprocess.run(  # noqa: S603  (the person's own command, from their private config file)
            list(command), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False, close_fds=True
        )
    except subprocess.TimeoutExpired:
        raise NotAllowed(f"{source} did not answer within {SECONDS} s", hint=f"run it by hand: {command[0]}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a command"
        raise NotAllowed(f"{source} cannot be run: {os.fspath(command[0])}: {reason.lower()}") from None
    if done.returncode:
        raise NotAllowed(f"{source} failed with status {done.returncode}", hint=f"run it by hand: {command[0]}")
    return checked_key(done.stdout[: LARGEST + 1].decode("ascii", "replace"), source)
