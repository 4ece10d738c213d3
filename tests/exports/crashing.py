"""Exports that die: a child is killed, or its disk fills, and another goes on. Run as a program, for it forks."""

import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from roomctl.errors import LocalFailure, RoomctlError
from roomctl.exports import manifest
from tests.exports.paged import PagedService, exported, registration
from tests.faults import killed_at

STEPS = ("open", "write", "fsync", "replace", "unlink", "ftruncate", "pread")
FORMATS = ("csv", "sqlite", "ndjson", "json", "xlsx")


def service(rows: int) -> PagedService:
    """Give a list to export; some of its rows come twice."""
    made = [registration(number) for number in range(rows)]
    return PagedService([*made[: rows // 2], *made[rows // 2 - 5 :]])


def child(work: Callable[[], None]) -> int:
    """Fork, do the work there, give the child's process id; its status is that of the error."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    with suppress(BaseException):
        try:
            work()
            status = 0
        except RoomctlError as error:
            status = error.exit
    os._exit(status)


def ended(pid: int) -> int:
    """Wait for a child; its exit code, or minus the signal that ended it."""
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def run(to: Path, rows: int, form: str, size: int = 10) -> None:
    exported(service(rows), to, format=form, size=size)


def dying(at: int, to: Path, form: str) -> None:
    """Export, and be killed at the `at`-th disk operation: before it, or after half of it was written."""
    killed_at(at, 0.5, STEPS)
    run(to, 24, form)


def expected(folder: Path, rows: int, form: str) -> bytes:
    to = folder / f"expected.{form}"
    run(to, rows, form)  # in this process, so that its children find every module loaded
    return to.read_bytes()


def problem(to: Path, data: bytes) -> str | None:
    if to.read_bytes() != data:
        return "other bytes"
    one, other = (manifest.read(manifest.path_of(each)).sha256 for each in (to, to.with_name(f"expected{to.suffix}")))
    if one != other:
        return "another hash"
    left = sorted(path.name for path in to.parent.glob(f"{to.name}*"))
    return None if left == [to.name, f"{to.name}.manifest.json"] else f"left behind: {left}"


def killed_at_every_step(folder: Path, formats: int) -> dict[str, Any]:
    kills, problems = 0, []
    for form in FORMATS[:formats]:
        data = expected(folder, 24, form)
        at = 0
        status = -9
        while status == -9:
            at += 1
            to = folder / f"{at}.{form}"
            status = ended(child(partial(dying, at, to, form)))
            if status == -9:
                kills += 1
                status = ended(child(partial(run, to, 24, form)))
                done_before = status == 2 and to.exists() and not to.with_name(f"{to.name}.part.checkpoint").exists()
                wrong = problem(to, data) if status == 0 or done_before else f"status {status}"
                problems += [f"{form} step {at}: {wrong}"] if wrong else []
                status = -9
    return {"kills": kills, "problems": problems}


def killed_at_random(folder: Path, kills: int, rows: int) -> dict[str, Any]:
    """Kill at random moments until so many kills are made; each export goes on until it is done."""
    chance = random.Random(kills)
    made, exports, problems = 0, 0, []
    expect = {form: expected(folder, rows, form) for form in FORMATS}
    while made < kills:
        form = FORMATS[exports % len(FORMATS)]
        to = folder / f"{exports}.{form}"
        for deaths in count():
            pid = child(partial(run, to, rows, form))
            time.sleep(chance.uniform(0, 0.06 + 0.01 * deaths))  # on a busy machine it comes to its end too
            os.kill(pid, signal.SIGKILL)
            status = ended(pid)
            if status != -9:
                break
        made += deaths
        wrong = problem(to, expect[form]) if status == 0 or to.exists() else f"status {status}"
        problems += [f"export {exports} of {form}: {wrong}"] if wrong else []
        exports += 1
        for path in folder.glob(f"{to.name}*"):
            path.unlink()
    return {"kills": made, "exports": exports, "problems": problems}


def full(folder: Path, levels: int) -> dict[str, Any]:
    """Let no file grow beyond a size, for many sizes; then make room and go on."""
    failed, problems = 0, []
    for form in FORMATS:
        data = expected(folder, 60, form)
        for level in range(levels):
            to = folder / f"{level}.{form}"
            limit = 200 + level * 2 * len(data) // levels
            status = ended(child(partial(limited, limit, to, form)))
            if status:
                failed += 1
                if status != LocalFailure.exit or to.exists():
                    problems.append(f"{form} {limit}: status {status}")
                run(to, 60, form)
            wrong = problem(to, data)
            problems += [f"{form} {limit}: {wrong}"] if wrong else []
    return {"failed": failed, "problems": problems}


def limited(limit: int, to: Path, form: str) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    run(to, 60, form)


if __name__ == "__main__":
    what, where, *numbers = sys.argv[1:]
    os.fsync = lambda fd: None  # a killed process loses nothing that it wrote; only a computer that stops does
    modes: dict[str, Callable[..., dict[str, Any]]]
    modes = {"steps": killed_at_every_step, "random": killed_at_random, "full": full}
    sys.stdout.write(json.dumps(modes[what](Path(where), *map(int, numbers))))
