"""Checkpoints written beside the reading: the next page is not waited for while the disk makes the last one durable."""

from pathlib import Path
from threading import Condition, Thread
from time import monotonic

from roomctl.exports import checkpoint
from roomctl.exports.checkpoint import Progress
from roomctl.exports.part import Part

_REST = 0.2  # seconds; no more work than that is done again after a crash


class Keeper:
    """Makes data durable, then the checkpoint that speaks of it (R33), after each page.

    When pages come faster than the disk can promise, one checkpoint stands for several, and between two the disk rests
    for as long as the last took, and for `_REST` at least. A failure is raised by the next call.
    """

    def __init__(self, part: Part, path: Path) -> None:
        self._part = part
        self._path = path
        self._change = Condition()
        self._next: Progress | None = None
        self._ending = False
        self._failure: BaseException | None = None
        self._thread = Thread(target=self._work, name="roomctl-checkpoint", daemon=True)
        self._thread.start()

    def keep(self, progress: Progress) -> None:
        """Have what was written so far, and `progress` which speaks of it, made durable soon."""
        with self._change:
            self._next = progress
            self._change.notify()
        if self._failure:
            raise self._failure

    def finish(self) -> None:
        """Wait until the last progress is durable."""
        with self._change:
            self._ending = True
            self._change.notify()
        self._thread.join()
        if self._failure:
            raise self._failure

    def _work(self) -> None:
        try:
            rest = 0.0
            while (progress := self._take(rest)) is not None:
                began = monotonic()
                self._part.sync()
                checkpoint.save(self._path, progress)
                rest = max(_REST, monotonic() - began)
        except BaseException as failure:  # it belongs to whoever exports
            self._failure = failure

    def _take(self, rest: float) -> Progress | None:
        with self._change:
            self._change.wait_for(lambda: self._ending, rest)
            self._change.wait_for(lambda: self._ending or self._next is not None)
            progress, self._next = self._next, None
            return progress
