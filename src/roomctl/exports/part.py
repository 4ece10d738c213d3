"""The unfinished export: rows in `FILE.part`, facts about each page in `FILE.part.facts`, and in `FILE.part.checkpoint`
how far it has come, put in place once the rows and facts that it speaks of are durable. One process holds it.

Rows are kept as their format writes them; for some formats the part is what the file will be, but for its end.
"""

import errno
import json
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from roomctl import files
from roomctl.contract.operations import USUAL_SIZE
from roomctl.errors import BadInput, LocalFailure
from roomctl.exports.formats import Kept
from roomctl.exports.jsonrows import decode, encode
from roomctl.service.distinct import digest
from roomctl.text import JSON

Mark = tuple[int, str]  # a place in a file: how many bytes are before it, and their sha256 in hex
START: Mark = (0, sha256(b"").hexdigest())
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CHUNK = 1 << 20
_REST = 0.2  # seconds between two checkpoints: no more work than that is done again after a crash


@contextmanager
def doing(what: str, path: Path) -> Iterator[None]:
    """Turn an OSError into a LocalFailure that says what could not be done, with which file, and what to do next."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        hint = "free some space, then run the same command again to resume"
        raise LocalFailure(f"cannot {what} {path}: {why}", hint=hint if error.errno in _FULL else "") from error


def beside(path: Path, ending: str) -> Path:
    """Give the path of a file that belongs to `path`: its name with `ending` appended."""
    return path.with_name(path.name + ending)


def replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Put `pieces` in place of the file at `path`, durably."""
    with doing("write", path):
        files.replace(path, pieces, by=beside(path, ".new"))
        files.sync_folder(path.parent)


def sha256_of(path: Path) -> str:
    with doing("read", path), path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


class Progress(NamedTuple):
    """How far an export has come. `rows_mark` and `facts_mark` say of which bytes of the part it speaks.

    `seal` identifies what is exported and how, `tool` which roomctl began. `page` is the next one, of pass `passes`.
    Rows: `received` = `rows` (written) + `flagged` + `duplicates_dropped` + `repeated` (of later passes) + `left_out`.
    `unshown` counts those of which an enrichment is not shown, wherever they went, `unnamed` those written without id.
    `doubt` is why the list may be incomplete, as the passes whose rows are in the file have seen it, and the last one,
    `end` how it ended. `gone` counts the rows that the last pass of `verify` no longer showed.

    Of the pass under way: `added` counts the rows that it brought, `order` is a digest of its keys in their order (None
    where not all were counted), `mark` one of those of its last page; `order_before` is that of the pass before it.
    `first_rows` is the number of rows of its first page, `first_mark` a digest of their keys, `short` a later page that
    had fewer, and how many; `total` and `total_pages` are what the service said of the list. `not_valid` counts rows
    that say that they are deleted or not valid, by the field that says so.
    """

    seal: str
    tool: str
    size: int
    started: str
    passes: int = 1
    page: int = 0
    ended: bool = False
    rows_mark: Mark = START
    facts_mark: Mark = START
    pages: int = 0
    received: int = 0
    rows: int = 0
    flagged: int = 0
    duplicates_dropped: int = 0
    repeated: int = 0
    left_out: int = 0
    unshown: int = 0
    unnamed: int = 0
    drift_seen: bool = False
    gone: int = 0
    resumed: int = 0
    found: tuple[str, ...] = ()
    first: str | None = None
    last: str | None = None
    event: JSON = None
    added: int = 0
    order: str | None = ""
    order_before: str | None = None
    mark: str = ""
    doubt: str = ""
    end: str = ""
    first_rows: int = 0
    first_mark: str = ""
    short: tuple[int, int] = (0, 0)
    total: int | None = None
    total_pages: int = 0
    not_valid: dict[str, int] = {}  # noqa: RUF012  never changed


@dataclass(eq=False)
class Tail:
    """An open file that is written at its end; `mark` is where that is. Until it is synced, bytes may be lost."""

    path: Path
    file: int
    mark: Mark = START
    _hash: Any = field(default_factory=sha256)

    def append(self, data: bytes) -> None:
        with doing("write", self.path):
            files.write(self.file, data)
        self._hash.update(data)
        self.mark = self.mark[0] + len(data), self._hash.hexdigest()

    def rewind(self, mark: Mark) -> bool:
        """Cut off what lies beyond a mark; False where what lies before is not what it says (R33)."""
        end, digest_before = self.mark = mark
        self._hash = sha256()
        with doing("read", self.path):
            for start in range(0, end, _CHUNK):
                self._hash.update(files.read_at(self.file, min(_CHUNK, end - start), start))
            if self._hash.hexdigest() != digest_before:
                return False
            os.ftruncate(self.file, end)
            os.lseek(self.file, end, os.SEEK_SET)
        return True


class Part:
    """The files of an unfinished export, locked; `created`: there was none. Raises LocalFailure where it is in use."""

    def __init__(self, path: Path) -> None:
        file, self.created = _open_locked(path)
        self.rows = Tail(path, file)
        self._checkpoint, facts = beside(path, ".checkpoint"), beside(path, ".facts")
        self._due = 0.0
        try:
            self._facts = Tail(facts, _open_locked(facts)[0])
        except BaseException:
            os.close(file)
            raise

    @property
    def empty(self) -> bool:
        return all(tail.file < 0 or os.fstat(tail.file).st_size == 0 for tail in (self.rows, self._facts))

    def progress(self, fresh: Progress) -> Progress:
        """Give the progress of an export that was begun, by an earlier run or, as `fresh`, by this one.

        Without the rows of an earlier run there is nothing to go on with; only its file may be there, under its own
        name. Raises BadInput where another export or another roomctl began it (R33), LocalFailure where the checkpoint
        is not what was written (R49).
        """
        part = self.rows.path
        has_checkpoint = self._checkpoint.exists()
        if not has_checkpoint and os.fstat(self.rows.file).st_size:
            raise BadInput(f"{part} exists and has no checkpoint", hint=f"remove {part} to start again")
        if self.empty or not has_checkpoint:
            return fresh
        with doing("read", self._checkpoint):
            data = self._checkpoint.read_bytes()
        try:
            read = json.loads(data)
        except (ValueError, RecursionError):
            read = None
        found: dict[str, JSON] = read if type(read) is dict else {}
        sealed = {name: value for name, value in found.items() if name != "sha256"}  # it shows damage and edits (R49)
        intact = sealed.keys() == set(Progress._fields) and found.get("sha256") == digest(sealed)
        if self.created and not (intact and found["ended"] and found["seal"] == fresh.seal):
            return fresh
        start_over = f"finish it with the command that began it, or remove {part} to start again"
        if found.get("tool", fresh.tool) != fresh.tool:
            raise BadInput(f"{part} was started by another version: {found['tool']}", hint=start_over)
        if not intact:
            hint = f"remove {part} and run the command again to start again"
            raise LocalFailure(f"the checkpoint of {part} was changed or damaged; nothing was requested", hint=hint)
        if found["seal"] != fresh.seal:
            why = "belongs to another export: another service, query, page size, key, format or set of columns"
            if found["size"] not in (fresh.size, USUAL_SIZE):  # which a service may have chosen
                why = f"was begun with page size {found['size']}, not {fresh.size}"
            raise BadInput(f"{part} {why}", hint=start_over)
        facts: dict[str, Any] = {name: tuple(value) if type(value) is list else value for name, value in sealed.items()}
        return Progress(**facts)

    def rewind(self, progress: Progress) -> None:
        """Bring the files to where the progress is. Raises LocalFailure where they are not what it says (R33)."""
        if not (self.rows.rewind(progress.rows_mark) and self._facts.rewind(progress.facts_mark)):
            raise LocalFailure(
                f"{self.rows.path} does not match its checkpoint: it was changed or damaged",
                hint=f"remove {self.rows.path} and run the command again: it starts from the beginning",
            )
        self.checkpoint(progress, last=True)
        self._due = 0.0

    def append(self, facts: dict[str, JSON], body: bytes) -> tuple[Mark, Mark]:
        """Keep a page: its encoded rows, and facts about it, to which `bytes` are added; give where both end now."""
        self.rows.append(body)
        self._facts.append(encode({**facts, "bytes": len(body)}) + b"\n")
        return self.rows.mark, self._facts.mark

    def checkpoint(self, progress: Progress, *, last: bool = False) -> None:
        """Make what was kept durable, then put the progress that speaks of it in place, sealed (R33, R49).

        When pages come faster than the disk can promise, one checkpoint stands for several; the `last` is always made.
        """
        began = monotonic()
        if began < self._due and not last:
            return
        for tail in (self.rows, self._facts):
            with doing("write", tail.path):
                os.fsync(tail.file)
        facts = progress._asdict()
        replace(self._checkpoint, [json.dumps({**facts, "sha256": digest(facts)}).encode()])
        ended = monotonic()
        self._due = ended + max(_REST, 4 * (ended - began))

    def facts(self) -> Iterator[dict[str, JSON]]:
        path, (left, _) = self._facts.path, self._facts.mark
        with doing("read", path), path.open("rb") as file:
            while left > 0:
                line = file.readline()
                left -= len(line)
                yield decode(line)

    def __iter__(self) -> Iterator[Kept]:
        path = self.rows.path
        with doing("read", path), path.open("rb") as file:
            for facts in self.facts():
                if facts["bytes"]:
                    yield Kept(facts["width"], file.read(facts["bytes"]))

    def remove(self) -> None:
        if not files.RENAMED_OPEN:
            self.close()
        with doing("remove", self.rows.path):
            for path in (self.rows.path, self._facts.path, self._checkpoint):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        for tail in (self._facts, self.rows):
            if tail.file >= 0:
                os.close(tail.file)
            tail.file = -1


def _open_locked(path: Path) -> tuple[int, bool]:
    """Open or create a file and lock it. Raises LocalFailure where another process holds it, or has just removed it."""
    with doing("open", path):
        try:
            file, created = files.create_new(path), True
        except FileExistsError:
            file, created = files.open_own(path, os.O_RDWR), False
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise BadInput(f"not a file: {path}")
            files.lock(file, wait=False)
            if not os.path.samestat(os.fstat(file), os.lstat(path)):
                raise FileNotFoundError
        except BaseException as error:
            os.close(file)
            if not isinstance(error, BlockingIOError | FileNotFoundError):
                raise
            busy = f"another roomctl is exporting to this file: {path.with_suffix('')}"
            raise LocalFailure(busy, hint="wait for it, or choose another file") from None
    return file, created
