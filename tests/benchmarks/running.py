"""Programs run and timed, in a home of their own, with compiled modules as an installed program has them."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

from tests.programs import ROOT, TOOL
from tests.servers import KEY

EXPORT = [*TOOL, "registration", "export", "00000000-0000-4000-8000-000000999999", "--force", "-q"]


class Took(NamedTuple):
    """Seconds on the clock, and of processors: user and system, of the program and those it waited for."""

    wall: float
    processor: float


def environment(url: str, folder: str) -> dict[str, str]:
    own = {"ROOMCTL_STATE": folder, "ROOMCTL_CACHE": folder, "ROOMCTL_CONFIG": f"{folder}/config.toml"}
    paths = {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**given, **own, **paths, "ROOMCTL_BASE_URL": url, "ROOMCTL_API_KEY": KEY}


def took(command: list[str], given: dict[str, str]) -> Took:
    """Run a command; give the time that it took. Raises CalledProcessError."""
    began = time.monotonic()
    running = subprocess.Popen(command, env=given, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    return Took(time.monotonic() - began, usage.ru_utime + usage.ru_stime)


def in_turn(own: list[str], other: list[str], given: dict[str, str], pairs: int) -> list[Took]:
    """Run two commands in turn; give the median of each, and of how many times the first is as fast as the second."""
    runs = [(took(own, given), took(other, given)) for _ in range(pairs)]
    ratios = [Took(*(theirs / ours for ours, theirs in zip(*run, strict=True))) for run in runs]
    return [Took(*map(median, zip(*times, strict=True))) for times in (*zip(*runs, strict=True), ratios)]


@contextmanager
def serving(rows: int, away: float = 0) -> Iterator[str]:
    """Serve registrations, made beforehand, from a process of its own, so many seconds away; give the address."""
    command = [sys.executable, "-m", "tests.benchmarks.registrations", str(rows), str(away)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        finally:
            server.terminate()
