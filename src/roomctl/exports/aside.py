"""A second process that makes pages ready while this one reads and writes; it exists for speed alone.

What it makes is used only where all that it took for granted holds, and whatever is wrong with it, its pages are made
here: an export is the same with it and without it.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from threading import BoundedSemaphore, Event, Lock, Thread
from typing import IO, TYPE_CHECKING, Any

from roomctl import __version__
from roomctl.exports import made
from roomctl.exports.encoding import decode, encode
from roomctl.exports.job import Job
from roomctl.exports.pages import Decode, MadeRows

if TYPE_CHECKING:
    from subprocess import Popen

AFTER = 6  # pages; a shorter list is read before a process has started
ROWS = 200  # of such a page
_PLACES = 2  # pages that it may have: one in hand, and the next; what else comes is made ready here, at the same time
_PIPE = 1 << 20  # bytes
_TRIES = 10  # answers that may be useless; beside these, one in four
PATIENCE = 30  # seconds; an answer takes milliseconds


@contextmanager
def decoding(job: Job, here: Decode | None, found: Callable[[], tuple[str, ...]]) -> Iterator[Decode | None]:
    """Give what decodes pages: `here`, or with it a second process, which ends with the context.

    `found` gives the columns found so far.
    """
    if here is None or not _pays(job):
        yield here
        return
    aside = Aside(job, here, found)
    try:
        yield aside
    finally:
        aside.dismiss()


def _pays(job: Job) -> bool:
    """Whether a process can be had, a second processor for it, and threads that wait for it; it is told of no zone."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    python = sys.executable and not hasattr(sys, "frozen") and sys.platform != "win32"
    return bool(python) and processors > 1 and job.concurrency > 1 and job.zone is None


class Aside:
    """Decodes pages; once it is plain that the list is long, a process of its own makes about every other ready."""

    def __init__(self, job: Job, here: Decode, found: Callable[[], tuple[str, ...]]) -> None:
        self._task = made.Task(__version__, job.format.name, job.guard, job.operation.row_id or "")
        self._here = here
        self._found = found
        self._full = count(1)  # full pages made here
        self._asked = self._useless = 0  # threads add to them without a lock: about right is enough
        self._places = BoundedSemaphore(_PLACES)
        self._asking = Lock()
        self._answered = Lock()  # of the last page that was asked for
        self.over = Event()
        self.ready = False
        self.process: Popen[bytes] | None = None

    def __call__(self, page: bytes, marks: bytes) -> list[Any] | None:
        """Give the rows of a page, made ready where that is possible."""
        rows = self._from_process(page, marks) if self.ready else None
        if rows is not None:
            return rows
        plain = self._here(page, marks)
        if plain is not None and len(plain) >= ROWS and next(self._full) == AFTER:
            with suppress(RuntimeError):  # no more threads to be had
                Thread(target=self._start, name="roomctl-aside", daemon=True).start()
        return plain

    def dismiss(self) -> None:
        """End the process, whatever it is doing; who waits for it goes on without."""
        self.over.set()
        self._give_up()
        with self._asking, self._answered:
            if self.process and self.process.stdin and self.process.stdout:
                self.process.wait()
                self.process.stdout.close()
                with suppress(OSError):  # half of a page, for nobody
                    self.process.stdin.close()

    def _give_up(self) -> None:
        """Ask nothing more, and end the process; who waits for an answer gets none."""
        self.ready = False
        if self.process:
            self.process.kill()

    def _start(self) -> None:
        with self._asking, suppress(Exception):  # whatever it is, there is no second process then
            if not self.over.is_set():
                self._hire()
        self._watch()

    def _hire(self) -> None:
        from subprocess import DEVNULL, PIPE, Popen

        self.process = Popen(  # noqa: S603  (this Python, and a module of ours)
            [sys.executable, "-S", "-P", "-m", made.__name__],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=_environment(),
        )
        _widen(self.process.stdin, self.process.stdout)
        if self.over.is_set():  # `dismiss` may have seen no process; it waits for this to end
            self.process.kill()
        self._send(encode(self._task), b"\n")
        self.ready = self._received(made.SIZES.size) == made.READY and not self.over.is_set()

    def _watch(self) -> None:
        """Give up once the page that was asked for last has waited for so long: the process stands still."""
        last = self._answered
        while self.ready and not self.over.wait(PATIENCE):
            if last is self._answered and last.locked():
                self._give_up()
            last = self._answered

    def _from_process(self, page: bytes, marks: bytes) -> MadeRows | None:
        """Have a page made ready; None where it was not, for whatever reason."""
        if not self._places.acquire(blocking=False):
            return None
        try:
            found = self._found()
            answer = self._answer(encode(found), marks, page)
        except (OSError, ValueError, EOFError):  # it is gone, or says what nobody understands
            return None
        finally:
            self._places.release()
        self._asked += 1
        if answer is None:
            self._was_useless()
            return None
        return MadeRows(answer.keys, answer.body, answer.event, found, lambda: self._again(page, marks))

    def _answer(self, *page: bytes) -> made.Answer | None:
        """Ask, and read the answer once those to earlier pages are read. What comes after half of one is no answer."""
        answered = Lock()
        with answered:
            try:
                with self._asking:
                    before, self._answered = self._answered, answered
                    self._send(made.SIZES.pack(*map(len, page)), *page)
                with before:
                    return self._heard()
            except BaseException:
                self._give_up()
                raise

    def _heard(self) -> made.Answer | None:
        if not self.ready:  # an earlier answer may not have been read to its end
            raise EOFError
        keys, event, body = made.SIZES.unpack(self._received(made.SIZES.size))
        if not keys:
            return None
        answer = made.Answer(decode(self._received(keys)), decode(self._received(event)), self._received(body))
        if type(answer.keys) is not list or set(map(type, answer.keys)) != {str}:
            raise ValueError("not the keys of a page")
        return answer

    def _again(self, page: bytes, marks: bytes) -> list[Any] | None:
        """Decode a page here that was made ready for nothing."""
        self._was_useless()
        return self._here(page, marks)

    def _was_useless(self) -> None:
        self._useless += 1
        if self._useless > _TRIES + self._asked // 4:
            self._give_up()

    def _send(self, *parts: bytes) -> None:
        assert self.process and self.process.stdin
        made.write(self.process.stdin, *parts)

    def _received(self, size: int) -> bytes:
        assert self.process and self.process.stdout
        data = self.process.stdout.read(size)
        if len(data) < size:
            raise EOFError
        return data


def _widen(*pipes: IO[bytes] | None) -> None:
    """Have a page pass in one go, where the system lets it: neither process then waits for the other's turn."""
    import fcntl

    for pipe in pipes:
        if pipe and hasattr(fcntl, "F_SETPIPE_SZ"):
            with suppress(OSError):
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def _environment() -> dict[str, str]:
    """Give all that the process is told of this one's: where its modules are."""
    own = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONPYCACHEPREFIX": sys.pycache_prefix or ""}
    return {**own, "PYTHONDONTWRITEBYTECODE": "1" if sys.dont_write_bytecode else ""}
