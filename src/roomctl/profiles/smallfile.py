"""Reading a small file that may hold a secret: what it is, who may touch it, its bytes, of one and the same file."""

import os
import stat
import sys
from pathlib import Path
from typing import NamedTuple


class SmallFile(NamedTuple):
    """A file that was read: whether it is a regular one, its permissions, its first bytes (none where it is not).

    Others than its owner never read or write it on Windows, which has no such bits.
    """

    path: Path
    mode: int
    data: bytes

    @property
    def regular(self) -> bool:
        """Whether it is neither a folder nor a pipe nor a device."""
        return stat.S_ISREG(self.mode)

    @property
    def others_read(self) -> bool:
        """Whether others than its owner may read it."""
        return sys.platform != "win32" and bool(self.mode & 0o044)

    @property
    def others_write(self) -> bool:
        """Whether others than its owner may write it."""
        return sys.platform != "win32" and bool(self.mode & 0o022)

    def chmod(self, mode: str) -> str:
        """Write the command that mends its permissions, as it can be typed."""
        from shlex import quote

        return f"`chmod {mode} {quote(os.fspath(self.path))}`"

    def __repr__(self) -> str:
        return f"SmallFile({os.fspath(self.path)!r})"


def read_small(path: Path, most: int) -> SmallFile:
    """Read a file's first `most` bytes; a named pipe is not waited for. Raises OSError, ValueError (not a path)."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        return SmallFile(path, mode, os.read(descriptor, most) if stat.S_ISREG(mode) else b"")
    finally:
        os.close(descriptor)


def reason(error: OSError | ValueError) -> str:
    """Say why a file could not be used, in a few words of lower case that quote nothing of it."""
    if isinstance(error, OSError):
        return (error.strerror or "it cannot be used").lower()
    return "not a path"
