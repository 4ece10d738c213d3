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
from typing import Any, NamedTuple

import pytest

from roomctl.cli.main import root
from roomctl.docs.completions import script
from roomctl.docs.tree import Row, tree

ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|[=>78])|[\r\x07]|.\x08")

OPTIONS = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"], "fish": ["-N", "-i"]}
TEXTS = {name: Path(__file__).with_name(f"setup.{name}").read_text("utf-8").rstrip("\n") for name in OPTIONS}
SETUPS = {name: (options, f"\n{TEXTS[name]}") for name, options in OPTIONS.items()}
AS_CONTROLLING = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


ScriptFile = Callable[[str], Path]


class Seen(NamedTuple):
    """What a Tab press left: the line as it then stood, and the text that was shown."""

    line: str
    shown: str


class Shell:
    """A shell on a terminal; its prompt is `$ `, and Ctrl-O prints the line as `<<LINE>>` and clears it."""

    def __init__(self, argv: list[str], environment: dict[str, str], folder: Path, columns: int = 160) -> None:
        self.terminal, inside = pty.openpty()
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
        command = [sys.executable, "-c", AS_CONTROLLING, *argv]
        how: Any = {"stdin": inside, "stdout": inside, "stderr": inside, "start_new_session": True}
        self.process = subprocess.Popen(command, env=environment, cwd=folder, **how)
        os.close(inside)

    def send(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def read_until(self, pattern: str, seconds: float = 20) -> str:
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
def commands() -> list[Row]:
    return tree(root())


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    from roomctl.cli.completion_cache import remember, remember_profiles

    folder = tmp_path / "cache"
    rooms = {"11111111-1111-4111-8111-000000000001": "Main Stage", "22222222-2222-4222-8222-000000000003": "Lobby"}
    rooms["11111111-1111-4111-8111-000000000002"] = "Main Hall: \"A\" & 'B'"
    seen = [("Recording", "socialRecordingId", "44444444-4444-4444-8444-000000000001", "Keynote")]
    seen += [("RoomSet", "socialRoomSetId", "33333333-3333-4333-8333-000000000001", "Autumn Summit")]
    seen += [("Social", "socialId", key, rooms[key]) for key in sorted(rooms)]
    closed = {"socialId": "22222222-2222-4222-8222-000000000009", "name": "Old Hall", "isOpen": False}
    more = [("JournalEntry", {"id": "0123456789abcdef", "operation": "social.end"}), ("Social", closed)]
    remember(folder, [*more, *((resource, {field: key, "name": name}) for resource, field, key, name in seen)])
    remember_profiles(folder, ["prod", "staging"])
    return folder


@pytest.fixture
def script_file(tmp_path: Path, commands: list[Row]) -> ScriptFile:
    """Write the script of a shell into a folder of functions; skip the test where there is no such shell."""

    def write(shell: str) -> Path:
        if shutil.which(shell) is None:
            pytest.skip(f"{shell} is not installed")
        path = tmp_path / "functions" / "_roomctl"
        path.parent.mkdir()
        path.write_text(script(shell, commands), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What zsh found in its folders of functions, kept from one start to the next."""
    return tmp_path_factory.mktemp("zsh") / "dump"


@pytest.fixture
def start(tmp_path: Path, cache: Path, script_file: ScriptFile, dump: Path) -> Iterator[Callable[..., Shell]]:
    """Start a shell by name with setup lines; python and roomctl on its PATH record that they ran."""
    running: list[Shell] = []
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("python", "python3", "roomctl"):
        program = programs / name
        program.write_text(f"#!/bin/sh\necho {name} >>{tmp_path}/started\n", encoding="utf-8")
        program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()

    def begin(name: str, more: str = "", load: str = "compinit -C -d {dump}; source {script}") -> Shell:
        path = script_file(name)
        options, setup = SETUPS[name]
        variables = {"HOME": str(home), "PATH": f"{programs}:/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        started = Shell([str(shutil.which(name)), *options], {**variables, "ROOMCTL_CACHE": str(cache)}, tmp_path)
        running.append(started)
        load = load.format(folder=path.parent, script=path, dump=dump)
        started.send(setup.format(script=path, load=load, more=more) + "\n")
        started.read_until(r"\nready[^$]*\$ ")
        return started

    yield begin
    for each in running:
        each.close()
