"""The keys of a long list that memory is not to hold (R35).

Most lists never show a key twice, so a key is only noted: in a filter of fixed size in memory, and at the end of a
temporary file, which is on disk from 2 MB on. The file is searched when the filter says that a key may be there
already; when that happens often (a second pass over the list), the keys move to a hash table on disk. Neither file has
a name that could be left behind.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO
from weakref import finalize

from roomctl.errors import LocalFailure
from roomctl.exports.digestfile import DigestFile

MOST_SEARCHES = 64
_BITS = 25
_MASK = (1 << _BITS) - 1
_CHUNK = 1 << 20
_IN_MEMORY = 50_000 * 37  # bytes: with the 150,000 ids of the set before it, 200,000 are in memory


class Spilled:
    """A set of keys on disk: `count` of them, looked for `searches` times. Memory: 6 MiB, however many there are."""

    def __init__(self) -> None:
        self.count = 0
        self._filter = bytearray(1 << (_BITS - 3))
        self.searches = 0
        self._table: DigestFile | None = None
        with _on_disk():
            self._log: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  it lives as long as the set
            finalize(self, self._log.close)
            self._log.write(b"\n")

    def fresh(self, keys: set[str]) -> set[str]:
        """Add keys; give those that are new."""
        with _on_disk():
            new = self._noted(keys) if self._table is None else _tabled(self._table, keys)
        self.count += len(new)
        return new

    def _noted(self, keys: set[str]) -> set[str]:
        doubtful = self._known(keys)
        new = keys - doubtful
        self._log.write(_lines(new))
        self.searches += len(doubtful)
        if self.searches > MOST_SEARCHES:
            self._table = self._tabulated()
            return new | _tabled(self._table, doubtful)
        found = {key for key in doubtful if self._logged(_lines([key]))}
        self._log.write(_lines(doubtful - found))
        return keys - found

    def _known(self, keys: set[str]) -> set[str]:
        """Note keys in the filter, four bits for each; give those that may have been noted before.

        A line for each bit: loops and calls would take a tenth of the time of a long export.
        """
        bits, known = self._filter, set()
        for key in keys:
            code = hash(key)
            step = code >> 32
            a, b, c, d = code & _MASK, code + step & _MASK, code + 2 * step & _MASK, code + 3 * step & _MASK
            if (
                bits[a >> 3] & 1 << (a & 7)
                and bits[b >> 3] & 1 << (b & 7)
                and bits[c >> 3] & 1 << (c & 7)
                and bits[d >> 3] & 1 << (d & 7)
            ):
                known.add(key)
                continue
            bits[a >> 3] |= 1 << (a & 7)
            bits[b >> 3] |= 1 << (b & 7)
            bits[c >> 3] |= 1 << (c & 7)
            bits[d >> 3] |= 1 << (d & 7)
        return known

    def _logged(self, line: bytes) -> bool:
        wanted = b"\n" + line
        self._log.seek(0)
        rest = b""
        try:
            while chunk := self._log.read(_CHUNK):
                if wanted in rest + chunk:
                    return True
                rest = (rest + chunk)[-len(line) :]
            return False
        finally:
            self._log.seek(0, 2)

    def _tabulated(self) -> DigestFile:
        table = DigestFile()
        self._log.seek(1)
        for line in self._log:
            table.add(line)
        self._log.close()
        return table


def _tabled(table: DigestFile, keys: set[str]) -> set[str]:
    return {key for key in keys if table.add(_lines([key]))}


@contextmanager
def _on_disk() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise LocalFailure(f"cannot keep the ids of the list in a temporary file: {why}") from error


def _lines(keys: Collection[str]) -> bytes:
    """Write keys, each as a line that holds no other line break."""
    text = "\n".join([*keys, ""])
    if "\\" in text or text.count("\n") > len(keys):
        text = "".join([key.replace("\\", "\\\\").replace("\n", "\\n") + "\n" for key in keys])
    return text.encode("utf-8", "surrogatepass")
