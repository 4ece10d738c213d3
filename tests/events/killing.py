"""Kills `roomset apply` at moments chosen by chance, runs it again until it is done, and says what was wrong.

A program of its own, `python -m tests.events.killing FOLDER SEED NUMBER`: each run is a fork of it, so that nothing has
to be imported anew, and dies as by `kill -9` at one of its steps: a write or sync of a file, a request before or after
it takes effect.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from roomctl.sandbox.transport import SandboxTransport
from tests.events.stage import Stage

AS_MANY = 1_000_000


def dying(at: int, counted: int) -> Callable[[], None]:
    """Make a step that dies at its so many-th call, and tells how often it was called."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        os.pwrite(counted, str(steps).encode(), 0)
        if steps == at:
            os.kill(os.getpid(), signal.SIGKILL)

    return step


def stepping(step: Callable[[], None], real: Callable[..., Any], *, after: bool = False) -> Callable[..., Any]:
    def stepped(*args: Any, **more: Any) -> Any:
        step()
        value = real(*args, **more)
        if after:
            step()
        return value

    return stepped


def forked(stage: Stage, at: int, args: list[str]) -> tuple[int, int]:
    """Run it in a child that dies at a step; give its status, -9 where it died, and how many steps it took."""
    counted = os.open(stage.folder / "steps", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    child = os.fork()
    if child == 0:
        step = dying(at, counted)
        for name in ("write", "fsync", "replace", "ftruncate"):
            setattr(os, name, stepping(step, getattr(os, name)))
        real = SandboxTransport.handle_request
        SandboxTransport.handle_request = stepping(step, real, after=True)  # type: ignore[method-assign]
        os._exit(stage.apply(*args).status)
    status = os.waitpid(child, 0)[1]
    steps = int(os.pread(counted, 20, 0) or b"0")
    os.close(counted)
    return (-9 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)), steps


def killed(stage: Stage, random: Random, most: int) -> tuple[int, list[str]]:
    """Kill it once to three times, then bring it to its end; give how often it died, and what was wrong."""
    stage.fresh()
    args = ["--results", "results.csv"] if random.random() < 0.5 else []
    died = 0
    for _ in range(random.randrange(1, 4)):
        status, _ = forked(stage, random.randrange(1, most), args)
        died += status == -9
    return died, stage.brought_to_its_end()


def main() -> None:
    folder, seed, number = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    stage, random = Stage(folder), Random(seed)
    status, most = forked(stage, AS_MANY, [])
    assert status == 0, status
    results = [killed(stage, random, most) for _ in range(number)]
    wrong = [f"case {case}: {each}" for case, (_, found) in enumerate(results) for each in found]
    print(json.dumps({"steps": most, "kills": sum(died for died, _ in results), "wrong": wrong}))


if __name__ == "__main__":
    main()
