"""Keys: where they come from and what they may look like. A key is never shown, not even in an error."""

import re
from collections.abc import Callable
from pathlib import Path

from roomctl.errors import NotAllowed
from roomctl.profiles.smallfile import read_small, reason

Note = Callable[[str], None]
LARGEST = 4096
_KEY = r"[\x21-\x7e]{8,512}"
_SHOWN, _LONG_ENOUGH_TO_SHOW = 4, 24


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
    if not re.fullmatch(_KEY, key):
        raise NotAllowed(
            f"the key from {source} cannot be a key: 8 to 512 visible ASCII characters, no blanks",
            hint="look whether a blank, a second line or a byte order mark came with it",
        )
    return key


def masked(key: str) -> str:
    """Write a key so that its owner knows it and nobody else does: the last four characters, of a long one only."""
    return "••••" + (key[-_SHOWN:] if len(key) >= _LONG_ENOUGH_TO_SHOW else "")


def from_file(path: Path, note: Note) -> str:
    """Read a key from a file; refused when others can write it, noted when they can read it (R51).

    Raises NotAllowed.
    """
    try:
        found = read_small(path, LARGEST + 1)
    except (OSError, ValueError) as error:
        raise NotAllowed(f"cannot read the key file {path}: {reason(error)}") from None
    if not found.regular:
        raise NotAllowed(f"the key file {path} is not a file", hint="a command can print the key: `api_key_command`")
    if found.others_write:
        raise NotAllowed(f"others can write the key file {path}", hint=found.chmod("go-w"))
    if found.others_read:
        note(f"others can read the key file {path}: {found.chmod('600')}")
    return checked_key(found.data.decode("ascii", "replace"), f"file {path}")
