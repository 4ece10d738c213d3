"""Fixtures of the journal's tests: a journal in an empty folder, requests, and children that are killed."""

import os
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from roomctl.contract.operations import SOCIAL_END, Operation
from roomctl.journal import Journal
from roomctl.journal.recorder import Recorder

ROOM = "3f0c2b9e-1111-4222-8333-444455556666"


class Asked(NamedTuple):
    """A request as a client prepares it."""

    operation: Operation = SOCIAL_END
    path: str = f"/api/v1/social/end/{ROOM}"
    query: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    asked: Mapping[str, str] = {"socialId": ROOM}


class World(NamedTuple):
    """A journal's folder, and ways to open it."""

    folder: Path

    def journal(self, *, limit: int = 4 * 1024 * 1024, keep: int = 4) -> Journal:
        """Open the journal; its clock goes one second a look, from 2026-11-21T00:00:00Z."""
        ticks = count(1_795_219_200)
        return Journal(self.folder, clock=lambda: float(next(ticks)), limit=limit, keep=keep)

    def recorder(self, journal: Journal | None = None, notes: list[str] | None = None) -> Recorder:
        """Make the recorder of `social end ID --yes`; what it notes goes to `notes`."""
        heard = notes if notes is not None else []
        return Recorder(
            journal or self.journal(),
            "prod",
            "https://host.example:443",
            ["social", "end", ROOM, "--yes"],
            heard.append,
        )

    @property
    def file(self) -> Path:
        """The current file."""
        return self.folder / "journal.ndjson"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A world whose journal was never opened."""
    return World(tmp_path / "state" / "roomctl")


@pytest.fixture
def asked() -> type[Asked]:
    """The class of requests."""
    return Asked


@pytest.fixture
def begin() -> Callable[[Callable[[], None]], int]:
    """Begin a function in a child process, and give the child's number."""

    def run(work: Callable[[], None]) -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: about threads that other tests left
            pid = os.fork()
        if pid == 0:
            status = 1
            try:
                work()
                status = 0
            finally:
                os._exit(status)
        return pid

    return run


@pytest.fixture
def child(begin: Callable[[Callable[[], None]], int]) -> Callable[[Callable[[], None]], int]:
    """Run a function in a child process; the status is negative when a signal ended it."""
    return lambda work: os.waitstatus_to_exitcode(os.waitpid(begin(work), 0)[1])


@pytest.fixture
def killed_at() -> Callable[[int, float], None]:
    """Make this process kill itself at its k-th I/O step, a write being done up to a share of its bytes."""

    def arm(step: int, share: float) -> None:
        left = count(1)
        for name in ("open", "write", "fsync", "close", "rename", "replace"):
            setattr(os, name, _deadly(getattr(os, name), name, left, step, share))

    return arm


def _deadly(
    real: Callable[..., object], name: str, left: Iterator[int], step: int, share: float
) -> Callable[..., object]:
    def call(*args: object, **named: object) -> object:
        if next(left) == step:
            if name == "write" and isinstance(args[1], bytes):
                real(args[0], args[1][: int(len(args[1]) * share)])
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **named)

    return call
