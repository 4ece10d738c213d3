"""R41: whatever happens to the process or the disk, the journal names every request without a known outcome."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from roomctl.errors import LocalFailure
from tests.conftest import soak
from tests.faults import Faults, killed_at
from tests.journal.worlds import Asked, World, life
from tests.programs import started

Child = Callable[[Callable[[], None]], int]
STEPS = ("open", "write", "fsync", "close", "rename", "replace")
DONE = ("confirmed", "refused", "unknown", "not_sent")


def check(world: World, heard: list[str], outcome: str, deaths: int) -> None:
    """Compare what the journal says with what a dead process is known to have done."""
    known = world.states()
    for line in heard:
        step, entry = line.split()
        allowed = {"planned": {"planned", "sent", outcome}, "settled": {outcome}}.get(step, {"sent", outcome})
        assert known[entry] in allowed, (line, known[entry])
    assert len(world.journal().book().damage) <= deaths


def heard_of(path: Path) -> list[str]:
    return path.read_text().split("\n")[:-1] if path.exists() else []


@pytest.mark.parametrize("share", [0.0, 0.5, 0.97, 1.0])
@pytest.mark.parametrize(("used", "limit"), [(0, 2**20), (12, 600)], ids=["a write", "a rotation"])
def test_a_process_killed_at_any_step_leaves_the_truth_and_loses_nothing_that_is_open(
    world: World, child: Child, tmp_path: Path, share: float, used: int, limit: int
) -> None:
    """R41: kill -9 before, in the middle of, and after each step."""
    outcome = "unknown" if used else "refused"
    for _ in range(used):
        world.wrote("sent", outcome, journal=world.journal(limit=limit, keep=2))
    before = {entry.id for entry in world.journal().open_entries()}
    assert len(before) == used
    for step in count(1):
        said = tmp_path / f"said-{step}"

        def dies(step: int = step, said: Path = said) -> None:
            with said.open("w", buffering=1) as out:
                killed_at(step, share, STEPS)
                recorder = world.recorder(world.journal(limit=limit, keep=2))
                life(recorder, lambda line: print(line, file=out), outcome)

        status = child(dies)
        check(world, heard_of(said), outcome, step)
        assert before <= {entry.id for entry in world.journal().open_entries()}
        if status == 0:
            break
        assert status == -signal.SIGKILL
    assert step > 15
    assert {*world.states().values()} <= {"planned", "sent", outcome}


@pytest.mark.parametrize("forever", [False, True], ids=["once", "for ever"])
@pytest.mark.parametrize("outcome", DONE)
@pytest.mark.parametrize("used", [0, 30], ids=["new", "full"])
def test_whichever_step_fails_nothing_leaves_unjournaled(world: World, forever: bool, outcome: str, used: int) -> None:
    """R41: the k-th open, write, fsync, rename, … fails, k = 1, 2, 3 …"""
    for _ in range(used):
        world.wrote("sent", "unknown", journal=world.journal(limit=600, keep=2))
    before = {entry.id for entry in world.journal().open_entries()}
    for step in count(1):
        said: list[str] = []
        notes: list[str] = []
        with Faults(step, forever=forever) as faults:
            recorder = world.recorder(world.journal(limit=600, keep=2), notes)
            entry = ""
            try:
                entry = recorder.planned(Asked())
                recorder.sent(entry)
                said.append("left")
            except LocalFailure as failure:
                assert failure.outcome == "not_sent"
            if entry:
                recorder.settled(entry, outcome if said else "not_sent")
        found = world.states()
        assert before <= {entry.id for entry in world.journal().open_entries()}
        assert world.journal().book().damage == []
        if said:
            assert found[entry] in ({outcome} if not notes else {outcome, "sent"})
        elif entry:
            assert found[entry] in ("not_sent", "planned", "sent")
        if not faults.failed:
            return


WORKER = """
import sys
from pathlib import Path
from tests.journal.worlds import World, life

world = World(Path(sys.argv[1]))
recorder = world.recorder(world.journal(limit=20_000, keep=3))
while True:
    life(recorder, lambda line: print(line, flush=True), "unknown")
"""


@pytest.mark.parametrize(("times", "seed"), [(10, 1), *(soak(100, seed) for seed in range(10))])
def test_r41_writers_killed_at_random_leave_the_truth(world: World, tmp_path: Path, times: int, seed: int) -> None:
    """Two at a time, at moments that nobody chose; every step that they said must stand."""
    chance = random.Random(seed)
    heard: list[str] = []
    for turn in range(times):
        paths = [tmp_path / f"said-{turn}-{each}" for each in range(2)]
        writers = []
        for path in paths:
            with path.open("w") as out:
                writers.append(started("-c", WORKER, str(world.folder), stdout=out))
        while not all(path.stat().st_size for path in paths):
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.05))
        for writer in writers:
            writer.kill()
            writer.wait()
        heard += [line for path in paths for line in heard_of(path)]
    check(world, heard, "unknown", deaths=times * 2)
    assert {*world.states()} == {entry.id for entry in world.journal().open_entries()}


def write_together(world: World, threads: int, each: int, limit: int) -> None:
    """Write from several threads of this process, through one recorder, every fourth outcome being lost."""
    recorder = world.recorder(world.journal(limit=limit))
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for turn in range(each):
                entry = recorder.planned(Asked())
                recorder.sent(entry)
                if turn % 4:
                    recorder.settled(entry, "confirmed")
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []


@pytest.mark.parametrize(("processes", "each"), [(4, 20), soak(16, 100)])
def test_processes_and_threads_lose_and_tear_nothing(world: World, begin: Child, processes: int, each: int) -> None:
    """R41: several processes of four threads at once, while this one reads; 0 lost, 0 torn."""
    left = {begin(lambda: write_together(world, 4, each, 2**26)) for _ in range(processes)}
    while left:
        assert world.journal().book().damage == []
        for pid in list(left):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                assert status == 0
                left.remove(pid)
        time.sleep(0.01)
    journal, written = world.journal(), processes * 4 * each
    states = Counter(world.states().values())
    assert (states, journal.book().damage) == ({"confirmed": written * 3 // 4, "sent": written // 4}, [])


@pytest.mark.parametrize("room", range(0, 1200, 40))
def test_a_full_disk_stops_writes_and_loses_nothing(world: World, child: Child, tmp_path: Path, room: int) -> None:
    """R41: every level of a full disk, by the limit on the size of files."""
    said = tmp_path / "said"

    def fills() -> None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with said.open("w", buffering=1) as out:
            pass
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        lines: list[str] = []
        try:
            for _ in range(2):
                life(world.recorder(world.journal(limit=2**20, keep=2)), lines.append)
        except LocalFailure:
            lines.append("failed x")
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        with said.open("w") as out:
            out.write("".join(line + "\n" for line in lines))

    assert child(fills) == 0
    journal = world.journal()
    known = {entry.id: entry.state for entry in journal.entries()}
    left = {line.split()[1] for line in heard_of(said) if line.startswith("leaves")}
    assert left <= {entry for entry, state in known.items() if state in ("sent", "confirmed")}
    assert journal.book().damage == []
    assert ("failed x" in heard_of(said)) == (sum(state != "not_sent" for state in known.values()) < 2 or len(left) < 2)
