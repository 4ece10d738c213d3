"""Runs of roomctl on a terminal of a certain size: what is written to it, byte for byte."""

import fcntl
import os
import struct
import termios
import threading
from collections.abc import Mapping
from subprocess import Popen

from roomctl.cli.main import run
from roomctl.profiles import Environment
from tests.programs import tool

PROMPTS = (b"[y/N] ", b"to cancel: ")
BAR = r"(?s)\x1b\[\?25l(?:(?!\x1b\[\?25l).)*?\x1b\[\?25h\r\x1b\[1A\x1b\[2K"
"""A bar that was drawn and is gone, as it is on a slow machine where a job takes longer than a second."""


class Terminal:
    """A pseudo-terminal: `slave` is what a program writes to, `text` what it has written, `answer` what is typed."""

    def __init__(self, columns: int, lines: int = 24, answer: str = "") -> None:
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._parts: list[bytes] = []
        self._answer = answer
        self.end = threading.Event()  # a NUL was read: Linux may drop what is read after the last writer has closed
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            while part := os.read(self.master, 65_536):
                self._parts.append(part.removesuffix(b"\0"))
                if part.endswith(b"\0"):
                    self.end.set()
                if self._answer and part.endswith(PROMPTS):
                    os.write(self.master, f"{self._answer}\n".encode())
        except OSError:  # Linux says so when nobody holds the other end any more
            pass

    @property
    def text(self) -> str:
        """What was written up to now, its lines ended by a newline alone."""
        return b"".join(self._parts).decode().replace("\r\n", "\n")

    def closed(self) -> str:
        """Close the terminal when all writers have, and give what was written."""
        self._reader.join(10)
        os.close(self.master)
        return self.text


def screen(args: tuple[str, ...], variables: Mapping[str, str], columns: int, answer: str = "") -> str:
    """Run roomctl in this process on a terminal, where `answer` is typed at a question; give what stands on it."""
    terminal = Terminal(columns, answer=answer)
    with (
        os.fdopen(os.dup(terminal.slave), "w", encoding="utf-8") as out,
        os.fdopen(os.dup(terminal.slave), encoding="utf-8") as source,
        os.fdopen(terminal.slave, "w", encoding="utf-8") as err,
    ):
        run(args, environment=Environment(dict(variables)), stdin=source if answer else None, stdout=out, stderr=err)
        os.write(err.fileno(), b"\0")
        terminal.end.wait(10)
    return terminal.closed()


def started(args: tuple[str, ...], variables: Mapping[str, str], columns: int) -> tuple[Terminal, Popen[str]]:
    terminal = Terminal(columns)
    process = tool(*args, variables=variables, stdout=terminal.slave, stderr=terminal.slave)
    os.close(terminal.slave)
    return terminal, process
