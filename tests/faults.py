"""The k-th step on a disk or on the network fails, for any k: counted in this process, under the tool or a part."""

import builtins
import errno
import io
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Self

import pytest

from tests.servers import ServerThread

DISK: tuple[str, ...] = ("open", "write", "pwrite", "fsync", "link", "rename", "replace", "unlink", "mkdir")
DISK += ("pread", "lseek", "ftruncate")
NETWORK = ("connect", "send", "recv")
FSYNC = os.fsync  # not called: what is shown here does not depend on it, and it is slow


class Faults:
    """Counts steps, but for those of a server, and fails the one of a number, or it and all after it (`forever`)."""

    def __init__(self, failing: int, code: int = errno.EIO, *, network: bool = False, forever: bool = False) -> None:
        self.failing, self.code, self.network, self.forever = failing, code, network, forever
        self.count = 0
        self.failed = ""
        self.patch = pytest.MonkeyPatch()

    def __enter__(self) -> Self:
        for name in DISK:
            self.patch.setattr(os, name, self.step(name, getattr(os, name), self.code))
        opened = self.step("open a file", io.open, self.code)
        self.patch.setattr(io, "open", opened)
        self.patch.setattr(builtins, "open", opened)
        for name in NETWORK if self.network else ():
            self.patch.setattr(socket.socket, name, self.step(name, getattr(socket.socket, name), errno.ECONNRESET))
        return self

    def __exit__(self, *_: object) -> None:
        self.patch.undo()

    def step(self, name: str, real: Callable[..., Any], code: int) -> Callable[..., Any]:
        def stepped(*args: Any, **more: Any) -> Any:
            if not isinstance(threading.current_thread(), ServerThread):
                self.count += 1
                if self.count == self.failing or (self.forever and self.count > self.failing):
                    self.failed = name
                    raise OSError(code, os.strerror(code))
            return real(*args, **more) if real is not FSYNC else None

        return stepped


def killed_at(step: int, share: float, names: Iterable[str]) -> None:
    """Make this process kill itself at its k-th I/O step, a write being done up to a share of its bytes."""
    left = count(1)

    def deadly(real: Callable[..., Any], name: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            if next(left) == step:
                if name == "write":
                    real(args[0], bytes(args[1])[: int(len(args[1]) * share)])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **named)

        return call

    for name in names:
        setattr(os, name, deadly(getattr(os, name), name))
