"""A set of 128-bit digests in a temporary file: an open hash table, read and written in place.

The file has no name, so it vanishes with the process, however that ends. Two keys of one digest are not to be expected
in the life of the universe. A key costs a few microseconds, present or not, whatever the size of the set.
"""

import os
from hashlib import blake2b
from tempfile import TemporaryFile
from typing import IO
from weakref import finalize

from roomctl import files

_WIDTH = 16
_EMPTY = bytes(_WIDTH)
_CHUNK = 4_096


class DigestFile:
    """A set of byte strings; `count` of them. `slots` is a power of two; the file grows when half of them are taken."""

    def __init__(self, slots: int = 1 << 22) -> None:
        self.count = 0
        self._make(slots)

    def add(self, key: bytes) -> bool:
        """Add a key; say whether it is new."""
        if not self._put(blake2b(key, digest_size=_WIDTH).digest()):
            return False
        self.count += 1
        if self.count * 2 > self._mask:
            self._grow()
        return True

    def _make(self, slots: int) -> None:
        self._file: IO[bytes] = TemporaryFile(buffering=0)  # noqa: SIM115  it lives as long as the set
        finalize(self, self._file.close)
        self._fd = self._file.fileno()
        os.ftruncate(self._fd, slots * _WIDTH)
        self._mask = slots - 1

    def _put(self, digest: bytes) -> bool:
        place = int.from_bytes(digest[:8]) & self._mask
        while (found := files.read_at(self._fd, _WIDTH, place * _WIDTH)) != _EMPTY:
            if found == digest:
                return False
            place = (place + 1) & self._mask
        files.write_at(self._fd, digest, place * _WIDTH)
        return True

    def _grow(self) -> None:
        old, slots = self._file, self._mask + 1
        self._make(slots * 4)
        with old:
            old.seek(0)
            while chunk := old.read(_CHUNK * _WIDTH):
                for start in range(0, len(chunk), _WIDTH):
                    if (digest := chunk[start : start + _WIDTH]) != _EMPTY:
                        self._put(digest)
