"""Pages made ready for the part file by a process of its own, as `aside` asks; it exists for speed alone.

Run as a program: it reads the job, then page after page from its standard input, and answers each on its standard
output until its input ends. It knows no key, no network and no file, and what it does not answer is done without it.
"""

import gc
import signal
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from roomctl import __version__
from roomctl.exports import quick
from roomctl.exports.columns import Registrations
from roomctl.exports.encoding import decode, encode
from roomctl.exports.formats import Format, Sheet, format_named

JSON = Any
SIZES = struct.Struct("<III")
"""Before a page: the bytes of the columns found so far (JSON), of its marks and of itself. Before an answer: the bytes
of the keys and of the event (both JSON) and of the encoded rows; all zero where the page is not answered."""
READY = SIZES.pack(0, 0, 0)


class Task(NamedTuple):
    """What all pages have in common. Another `version` may write other bytes, so it is not served."""

    version: str
    format: str
    guard: bool
    row_id: str


class Answer(NamedTuple):
    """A page as the part file keeps it, should all its rows be new and no column.

    Its keys, what its first row says of its event, and its encoded rows.
    """

    keys: list[str]
    event: JSON
    body: bytes


def answer_to(form: Format, task: Task, page: bytes, marks: bytes, found: Sequence[str]) -> Answer | None:
    """Make a page ready; None where it is unusual or empty, or has columns beside those found so far."""
    kept = _table if form.tabular else _lines
    return quick.or_none(marks, lambda: kept(form, task, page, marks, found))


def _lines(form: Format, task: Task, page: bytes, marks: bytes, _: Sequence[str]) -> Answer | None:
    rows = quick.lines(page, marks, task.row_id)
    if not rows:
        return None
    return Answer(rows.keys, quick.event_of(rows[0]), form.keep(rows, Sheet("", begun=True, shown=rows.shown)))


def _table(form: Format, task: Task, page: bytes, marks: bytes, found: Sequence[str]) -> Answer | None:
    rows = quick.registrations(page, marks, form.longest)
    layout = Registrations(found)
    table = quick.table(layout, rows) if rows else []
    if not table or layout.found != tuple(found):
        return None
    sheet = Sheet("", layout.names, layout.names, task.guard, begun=True, shown=rows.shown)
    return Answer(rows.keys, quick.event_of(rows[0]), form.keep(table, sheet))


def serve(pages: IO[bytes], answers: IO[bytes]) -> None:
    """Answer pages until there are no more."""
    task = Task(*decode(pages.readline()))
    if task.version != __version__:
        return
    form = format_named(task.format, Path())
    write(answers, READY)
    while len(sizes := pages.read(SIZES.size)) == SIZES.size:
        found, marks, page = map(pages.read, SIZES.unpack(sizes))
        one = answer_to(form, task, page, marks, decode(found))
        parts = (encode(one.keys), encode(one.event), one.body) if one else (b"", b"", b"")
        write(answers, SIZES.pack(*map(len, parts)), *parts)


def write(out: IO[bytes], *parts: bytes) -> None:
    """Write all of it at once."""
    for part in parts:
        out.write(part)
    out.flush()


if __name__ == "__main__":  # pragma: no cover  (a process that nobody counts lines in)
    quick.hold_memory()
    gc.disable()  # nothing that is made here holds itself
    for each in (signal.SIGINT, signal.SIGTERM):  # they are for the export, which ends this process
        signal.signal(each, signal.SIG_IGN)
    serve(sys.stdin.buffer, sys.stdout.buffer)
