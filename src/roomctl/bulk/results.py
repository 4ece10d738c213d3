"""The result file: the input's columns, then what became of each row. It is the next input.

While a run goes on, each result is a JSON line in `FILE.part`, written at once and made durable once a second: after a
kill every result that was written is there; after a loss of power the journal, which is durable for every request,
says of the rows of the last second what is known. At the end the whole table is written beside it, made durable, and
renamed to its name; when the journal has heard of that, `FILE.part` goes. The input itself may be replaced so.
"""

import csv
import errno
import json
import os
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from roomctl import files
from roomctl.bulk.table import RESULT_COLUMNS, STATUSES, Mark, Result, Table, missing_guards, seal_of_unread
from roomctl.errors import BadInput, LocalFailure, WrongCall
from roomctl.text.safe import safe

NO_SPACE: Final = "free some space, or name another file with `--results`; `--resume` continues a run that has begun"
SYNC: Final = 1.0
"""Seconds that a result may wait to be durable."""


class ResultsFile:
    """The result file of one run over a table; `job` says in words what it does, `options` are those that resume it."""

    def __init__(self, path: Path, table: Table, *, force: bool = False, job: str = "", options: str = "") -> None:
        self.path = path
        self.part = path.parent / f"{path.name}.part"
        self.run = ""
        self._table, self._force, self._job, self._options = table, force, job, options
        self._file, self._synced = -1, 0.0

    def start(self, run: str = "") -> None:
        """Begin a run; `run` is its name in the journal. Raises WrongCall where files are in the way, LocalFailure."""
        self.check()
        if self._is_written():  # what is left of a run that the journal knows to be over
            self.part.unlink()
        with _failing(self.part):
            try:
                self._file = files.create_new(self.part, os.O_APPEND)
            except FileExistsError as error:
                with suppress(LocalFailure):  # a link, or what cannot be opened: nothing that runs
                    self._open()
                self.close()
                raise WrongCall(
                    f"an earlier run is unfinished: {self.part} exists",
                    hint="resume it with `--resume` and its own input, or remove the file to send everything again",
                ) from error
        self._hold()
        self.run = run
        try:
            self._append([self._head()])
        except LocalFailure:  # an empty file would be in the way of the next run
            self.close()
            self.part.unlink()
            raise

    def resume(self) -> dict[int, Mark]:
        """Resume a run, named in `run` from then on; give what is known of lines. Raises BadInput, WrongCall."""
        self._force = self._force or self._is_written()
        self.check()
        if not os.path.lexists(self.part):
            self.start()
            return {}
        self._open()
        with _failing(self.part):
            return self._known()

    def append(self, results: Iterable[Result]) -> None:
        marks = ((each.row.line, self._mark(each).sealed(self._job, each.row)) for each in results)
        self._append({"line": line, **mark._asdict()} for line, mark in marks)

    def finish(self, results: Sequence[Result], record: Callable[[str], None] = lambda _: None) -> None:
        """Write the whole table in the order of the input under its final name, and `record` its SHA-256.

        Raises LocalFailure; the part stays.
        """
        new = self.path.with_name(self.path.name + ".new")
        with _failing(self.path, hint=f"look at {self.part}, which has the result of each row"):
            text = self._text(results)
            digest = sha256(text).hexdigest()
            with files.anew(new) as file:
                files.write(file, text)
            self._append([{"written": digest}])
            self._publish(new)
            files.sync_folder(self.path.parent, forgive=(errno.EINVAL,))  # a file system that cannot do that
        record(digest)
        with _failing(self.part):
            held, self._file = self._file, -1
            files.remove_held(self.part, held)

    def discard(self, known: Container[str]) -> None:
        """Remove the part of a killed run of this job, if the journal knows it; else raise WrongCall."""
        head = unfinished(self.path)
        if head.get("job") != self._job:
            return
        if head.get("run") in known:
            with suppress(OSError):
                self.part.unlink()
            return
        self._open()  # refused while a process, with whatever journal, is working on it
        self.close()
        raise WrongCall(
            f"{self.part} is left over from a run that this machine's journal does not know",
            hint="resume it where it ran; or check what was done, and remove the file",
        )

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def check(self) -> None:
        """Refuse a result file that must not be replaced, or would have two columns of one name. Raises WrongCall."""
        twice = ", ".join(each for each in self._table.header if each.casefold() in RESULT_COLUMNS)
        if twice and not self.part.exists():
            why = f"{self._table.name} has columns that have the names of result columns: {twice}; nothing was sent"
            raise WrongCall(why, hint="rename them in the file, or leave out `--results`")
        if self.path.is_symlink():
            raise WrongCall(f"the result file is a symbolic link: {self.path}", hint="name the file that it points to")
        if self.path.exists() and not self.path.is_file():
            raise WrongCall(f"the result file is not a file: {self.path}", hint="name a file that can be replaced")
        if self.path.exists() and not (self._force or self.replaces_input):
            raise WrongCall(
                f"the result file already exists: {self.path}",
                hint="`--resume` resumes its unfinished run"
                if self.part.exists()
                else f"to continue an earlier run, correct its failed rows in {self.path} and give `{self._options}` "
                "instead of the input; to redo every row, even those marked `ok`, add `--force`; or name another file",
            )
        if not self.path.parent.is_dir():
            why = f"the results cannot be written: no such folder: {self.path.parent}; nothing was sent"
            raise LocalFailure(why, hint="create the folder, or choose another one")

    @property
    def replaces_input(self) -> bool:
        sources = filter(None, (self._table.path, self._table.earlier))
        return self.path.exists() and any(map(self.path.samefile, sources))

    def _is_written(self) -> bool:
        """Whether a run was killed when its result file was written, and its part not yet removed."""
        try:
            last = _record(self.part.read_bytes().rstrip(b"\n").rpartition(b"\n")[2])
            return last.get("written") == sha256(self.path.read_bytes()).hexdigest()
        except OSError:
            return False

    def _open(self) -> None:
        with _failing(self.part):
            self._file = files.open_own(self.part, os.O_RDWR | os.O_APPEND)
        self._hold()

    def _hold(self) -> None:
        try:
            files.lock(self._file, wait=False)
        except OSError as error:
            self.close()
            raise WrongCall(
                f"another process is working on this run: {self.part}", hint="wait until it has finished"
            ) from error

    def _known(self) -> dict[int, Mark]:
        with os.fdopen(os.dup(self._file), "rb") as copy:
            copy.seek(0)
            text = copy.read()
        if text and not text.endswith(b"\n"):  # the process died in the middle of a line
            os.ftruncate(self._file, len(text[: text.rfind(b"\n") + 1]))
        records = [_record(line) for line in text.split(b"\n")]
        head = next((record for record in records if "sha256" in record), {})
        if not head:
            self._append([self._head()])
        elif head["sha256"] != self._table.sha256:
            raise BadInput(f"the input differs from that of {self.part}: {head.get('input')}")
        elif missing_guards(self._job, head.get("job", self._job)) != []:
            raise BadInput(f"{self.part} was started by another job: {head['job']}; this one is {self._job}")
        self.run = str(head.get("run", ""))
        rows, known = {row.line: row for row in self._table.rows}, dict[int, Mark]()
        for record in records:
            texts = [record.get(field) for field in Mark._fields]
            if type(record.get("line")) is not int or texts[0] not in STATUSES:
                continue
            row, mark = rows.get(record["line"]), Mark(*texts)  # type: ignore[arg-type]  # the seal covers them
            if row is None or not mark.holds(self._job, row):
                hint = "remove the file; `--resume` then relies on the journal, which has every request that was sent"
                raise BadInput(f"{self.part} has results that were edited", hint=hint)
            known[row.line] = mark._replace(job="")
        return known

    def _head(self) -> dict[str, Any]:
        table = self._table
        keys = [row.key for row in table.rows] if table.looked_up else [*table.rooms]
        found = {"keys": keys} if keys else {}
        return {"input": table.name, "sha256": table.sha256, "run": self.run, "job": self._job, **found}

    def _append(self, records: Iterable[Mapping[str, Any]]) -> None:
        data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
        with _failing(self.part):
            size = os.fstat(self._file).st_size
            if os.write(self._file, data) != len(data):
                os.ftruncate(self._file, size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if time.monotonic() - self._synced >= SYNC:
                os.fsync(self._file)
                self._synced = time.monotonic()

    def _text(self, results: Sequence[Result]) -> bytes:
        out = _Lines()
        writer = csv.writer(out, delimiter=self._table.delimiter)
        writer.writerow((*self._table.header, *RESULT_COLUMNS))
        for result in sorted(results, key=lambda result: result.row.line):
            mark = self._mark(result)
            if mark.at or mark.id or mark.status in ("ok", "unknown"):  # what the next run is to take for proof
                mark = mark.sealed(self._job, result.row)
            missing = len(self._table.header) - len(result.row.cells)  # of a row that could not be split into cells
            cells = (*result.row.cells, *[""] * missing)
            if result.row.unread and not mark.job:
                mark = mark._replace(job=seal_of_unread(cells))
            writer.writerow((*cells, *mark))
        text = "".join(out).encode("utf-8", "backslashreplace")
        return b"\xef\xbb\xbf" + text if self._table.bom else text

    def _mark(self, result: Result) -> Mark:
        return Mark(result.status, safe(result.error, cell=True), safe(result.id, cell=True), result.at)

    def _publish(self, new: Path) -> None:
        if not (self._force or self.replaces_input):
            try:
                self.path.hardlink_to(new)
                new.unlink()
                return
            except OSError:  # a file system without hard links, unless something has the name
                if self.path.exists():
                    raise
        new.replace(self.path)


def unfinished(path: Path) -> dict[str, Any]:
    """What the unfinished file of a killed run says of that run; empty where there is none.

    `sha256` is that of its input; `keys` are those of its rows in their order where these were looked up, or of the
    rooms that each row was for.
    """
    with suppress(OSError):
        return _record((path.parent / f"{path.name}.part").read_bytes().split(b"\n")[0])
    return {}


class _Lines(list[str]):
    """Takes rows from a CSV writer that ends them with CRLF, and so quotes cells with CR, and ends them with LF."""

    def write(self, text: str) -> None:
        self.append(text.removesuffix("\r\n") + "\n")


def _record(line: bytes) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        record = json.loads(line)
        if isinstance(record, dict):
            return record
    return {}


@contextmanager
def _failing(path: Path, hint: str = NO_SPACE) -> Iterator[None]:
    """Say of what goes wrong on disk that the results cannot be written. Raises LocalFailure."""
    try:
        yield
    except OSError as error:
        hint = hint if path.parent.exists() else "create the folder again"
        raise LocalFailure(f"the results cannot be written: {path} ({error.strerror or error})", hint=hint) from error
