"""Putting a full journal aside without losing what is still open.

A full file is renamed to the next number. When more files than wanted are there, the two oldest become one that holds
only the lines of requests without a known outcome and of bulk runs that did not finish. Each step is a rename: after
a crash between two of them some lines stand twice, which readers allow for.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from roomctl import files
from roomctl.journal.book import Book, split
from roomctl.journal.ledger import FORGIVEN

if TYPE_CHECKING:
    from roomctl.journal.ledger import Ledger


def rotate(ledger: "Ledger") -> None:
    """Put the current file aside and thin out old ones; the caller holds the lock. Raises OSError."""
    segments = ledger.segments()
    number = int(segments[-1].name.split(".")[1]) + 1 if segments else 1
    ledger.current.rename(ledger.folder / f"journal.{number:06}.ndjson")
    while len(segments := ledger.segments()) > ledger.keep:
        needed = Book.of(ledger.texts()).unsettled()
        _merge(segments[0], segments[1], needed)
    files.sync_folder(ledger.folder, forgive=FORGIVEN)


def _merge(oldest: Path, second: Path, needed: set[str]) -> None:
    files.replace(second, [b"".join(_kept((oldest, second), needed))], by=second.with_suffix(".new"))
    oldest.unlink()


def _kept(paths: Iterable[Path], needed: set[str]) -> Iterable[bytes]:
    for path in paths:
        for line in split(path, path.read_bytes()):
            if Book.owner(line) in needed:
                yield line.data + b"\n"
