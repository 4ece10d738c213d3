"""Real shells on a terminal of their own: type a line, press Tab, see what stands there and what was shown."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from roomctl.manual.tree import Node, tree

ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|[=>78])|[\r\x07]|.\x08")


AS_CONTROLLING = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Seen(NamedTuple):
    """What a Tab press left: the line as it then stood, and the text that was shown."""

    line: str
    shown: str


class Shell:
    """A shell on a terminal; its prompt is `$ `, and Ctrl-O prints the line as `<<LINE>>` and clears it."""

    def __init__(self, argv: list[str], environment: dict[str, str], folder: Path) -> None:
        self.terminal, inside = pty.openpty()
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 160, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", AS_CONTROLLING, *argv],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        os.close(inside)

    def send(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def read_until(self, pattern: str, seconds: float = 20) -> str:
        """Read until a pattern appears; the text so far, without escapes."""
        raw, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                raw += os.read(self.terminal, 65536)
                text = ESCAPES.sub("", raw.decode("utf-8", "replace"))
                if re.search(pattern, text):
                    return text
        raise AssertionError(f"{pattern!r} did not appear in {raw!r}")

    def tab(self, line: str, times: int = 1) -> Seen:
        """Type a line and press Tab; then Ctrl-O, which prints the line and clears it."""
        self.send(line + "\t" * times + "\x0f")
        text = self.read_until(r"<<[^\n]*>>[^$]*\$ ")
        found = re.search(r"<<([^\n]*)>>", text)
        assert found is not None
        return Seen(found[1], text[: found.start()])

    def close(self) -> None:
        os.close(self.terminal)
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="session")
def commands() -> Node:
    """The command tree."""
    return tree()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache folder with profiles and ids such as roomctl leaves."""
    from roomctl.cli.recent import remember, remember_profiles

    folder = tmp_path / "cache"
    remember(
        folder,
        "room",
        [
            ("11111111-1111-4111-8111-000000000001", "Main Stage"),
            ("11111111-1111-4111-8111-000000000002", "Main Hall: \"A\" & 'B'"),
            ("22222222-2222-4222-8222-000000000003", "Lobby"),
        ],
    )
    remember(folder, "roomset", [("33333333-3333-4333-8333-000000000001", "Autumn Summit")])
    remember(folder, "recording", [("44444444-4444-4444-8444-000000000001", "Keynote")])
    remember_profiles(folder, ["prod", "staging"])
    return folder


@pytest.fixture
def shell(tmp_path: Path, cache: Path) -> Iterator[Callable[[str, list[str], str], Shell]]:
    """Start a shell by name with options and setup lines; python and roomctl on its PATH record that they ran."""
    running: list[Shell] = []
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("python", "python3", "roomctl"):
        program = programs / name
        program.write_text(f"#!/bin/sh\necho {name} >>{tmp_path}/started\n", encoding="utf-8")
        program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()

    def start(name: str, options: list[str], setup: str) -> Shell:
        found = shutil.which(name)
        if found is None:
            pytest.skip(f"{name} is not installed")
        path = f"{programs}:/usr/bin:/bin"
        variables = {"HOME": str(home), "PATH": path, "TERM": "xterm", "LC_ALL": "C.UTF-8", "ROOMCTL_CACHE": str(cache)}
        started = Shell([found, *options], variables, tmp_path)
        running.append(started)
        started.send(setup + "\n")
        started.read_until(r"\nready[^$]*\$ ")
        return started

    yield start
    for each in running:
        each.close()
