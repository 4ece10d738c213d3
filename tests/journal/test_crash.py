"""R41: whatever happens to the process or the disk, the journal names every request without a known outcome."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import LocalFailure
from tests.conftest import soak
from tests.faults import Faults, killed_at

Child = Callable[[Callable[[], None]], int]
STEPS = ("open", "write", "fsync", "close", "rename", "replace")
DONE = ("confirmed", "refused", "unknown", "not_sent")


def life(
    world: Any, asked: Any, said: Callable[[str], None], *, outcome: str = "confirmed", limit: int = 2**20
) -> None:
    """Live through one write; say each step before it is begun and after it is done, as a client would act on it."""
    recorder = world.recorder(world.journal(limit=limit, keep=2))
    entry = recorder.planned(asked())
    said(f"planned {entry}")
    recorder.sent(entry)
    said(f"leaves {entry}")
    said(f"settling {entry}")
    recorder.settled(entry, outcome)
    said(f"settled {entry}")


def check(world: Any, heard: list[str], outcome: str, deaths: int) -> None:
    """Compare what the journal says with what a dead process is known to have done."""
    known = {entry.id: entry.state for entry in world.journal().entries()}
    for line in heard:
        step, entry = line.split()
        allowed = {
            "planned": {"planned", "sent", outcome},
            "leaves": {"sent", outcome},
            "settling": {"sent", outcome},
            "settled": {outcome},
        }[step]
        assert known[entry] in allowed, (line, known[entry])
    assert len(world.journal().damage()) <= deaths


def heard_of(path: Path) -> list[str]:
    return path.read_text().split("\n")[:-1] if path.exists() else []


@pytest.mark.parametrize("share", [0.0, 0.5, 0.97, 1.0])
@pytest.mark.parametrize(("used", "limit"), [(0, 2**20), (12, 600)], ids=["a write", "a rotation"])
def test_a_process_killed_at_any_step_leaves_the_truth_and_loses_nothing_that_is_open(
    world: Any, asked: Any, child: Child, tmp_path: Path, share: float, used: int, limit: int
) -> None:
    """R41: kill -9 before, in the middle of, and after each step."""
    outcome = "unknown" if used else "refused"
    for _ in range(used):
        life(world, asked, lambda _line: None, outcome=outcome, limit=limit)
    before = {entry.id for entry in world.journal().open_entries()}
    assert len(before) == used
    for step in count(1):
        said = tmp_path / f"said-{step}"

        def dies(step: int = step, said: Path = said) -> None:
            with said.open("w", buffering=1) as out:
                killed_at(step, share, STEPS)
                life(world, asked, lambda line: print(line, file=out), outcome=outcome, limit=limit)

        status = child(dies)
        check(world, heard_of(said), outcome, step)
        assert before <= {entry.id for entry in world.journal().open_entries()}
        if status == 0:
            break
        assert status == -signal.SIGKILL
    assert step > 15
    assert Counter(entry.state for entry in world.journal().entries()).keys() <= {"planned", "sent", outcome}


@pytest.mark.parametrize("forever", [False, True], ids=["once", "for ever"])
@pytest.mark.parametrize("outcome", DONE)
@pytest.mark.parametrize("used", [0, 30], ids=["new", "full"])
def test_whichever_step_fails_nothing_unjournaled_is_sent_and_no_outcome_is_lost(
    world: Any, asked: Any, forever: bool, outcome: str, used: int
) -> None:
    """R41: the k-th open, write, fsync, rename, … fails, k = 1, 2, 3 …"""
    for _ in range(used):
        life(world, asked, lambda _line: None, outcome="unknown", limit=600)
    before = {entry.id for entry in world.journal().open_entries()}
    for step in count(1):
        said: list[str] = []
        notes: list[str] = []
        with Faults(step, forever=forever) as faults:
            recorder = world.recorder(world.journal(limit=600, keep=2), notes)
            entry = ""
            try:
                entry = recorder.planned(asked())
                recorder.sent(entry)
                said.append("left")
            except LocalFailure as failure:
                assert failure.outcome == "not_sent"
            if entry:
                recorder.settled(entry, outcome if said else "not_sent")
        found = {entry.id: entry.state for entry in world.journal().entries()}
        assert before <= {entry.id for entry in world.journal().open_entries()}
        assert world.journal().damage() == []
        if said:
            assert found[entry] in ({outcome} if not notes else {outcome, "sent"})
            assert bool(notes) == bool(recorder.unwritten)
        elif entry:
            assert found[entry] in ("not_sent", "planned", "sent")
        if not faults.failed:
            return


WORKER = """
import sys
from pathlib import Path
from typing import NamedTuple
from roomctl.contract.operations import SOCIAL_END
from roomctl.journal import Journal
from roomctl.journal.recorder import Recorder

class Asked(NamedTuple):
    operation: object = SOCIAL_END
    path: str = "/api/v1/social/end/x"
    query: tuple = ()
    body: bytes = b"{}"
    asked: dict = {}

recorder = Recorder(Journal(Path(sys.argv[1]), limit=20_000, keep=3), "prod", "", [])
while True:
    entry = recorder.planned(Asked())
    print("planned", entry, flush=True)
    recorder.sent(entry)
    print("leaves", entry, flush=True)
    print("settling", entry, flush=True)
    recorder.settled(entry, "unknown")
    print("settled", entry, flush=True)
"""


def kill_at_random(world: Any, tmp_path: Path, times: int, seed: int) -> None:
    """Kill writers, two at a time, at moments that nobody chose; every step that they said must stand."""
    chance = random.Random(seed)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    heard: list[str] = []
    for turn in range(times):
        paths = [tmp_path / f"said-{turn}-{each}" for each in range(2)]
        writers = []
        for path in paths:
            with path.open("w") as out:
                command = [sys.executable, "-c", WORKER, str(world.folder)]
                writers.append(subprocess.Popen(command, stdout=out, env=environment))
        while not all(path.stat().st_size for path in paths):
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.05))
        for writer in writers:
            writer.kill()
            writer.wait()
        heard += [line for path in paths for line in heard_of(path)]
    known = {entry.id: entry.state for entry in world.journal().entries()}
    for line in heard:
        step, entry = line.split()
        assert known[entry] in {"planned": {"planned", "sent", "unknown"}, "settled": {"unknown"}}.get(
            step, {"sent", "unknown"}
        )
    assert set(known) == {entry.id for entry in world.journal().open_entries()}
    assert len(world.journal().damage()) <= times * 2


@pytest.mark.parametrize(("times", "seed"), [(10, 1), *(soak(100, seed) for seed in range(10))])
def test_r41_writers_killed_at_random_leave_the_truth(world: Any, tmp_path: Path, times: int, seed: int) -> None:
    kill_at_random(world, tmp_path, times, seed)


def write_together(world: Any, asked: Any, threads: int, each: int, limit: int) -> None:
    """Write from several threads of this process, through one recorder, every fourth outcome being lost."""
    recorder = world.recorder(world.journal(limit=limit))
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for turn in range(each):
                entry = recorder.planned(asked())
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
def test_writers_in_many_processes_and_threads_lose_and_tear_nothing(
    world: Any, asked: Any, begin: Child, processes: int, each: int
) -> None:
    """R41: several processes of four threads at once, while this one reads; 0 lost, 0 torn."""
    left = {begin(lambda: write_together(world, asked, 4, each, 2**26)) for _ in range(processes)}
    while left:
        assert world.journal().damage() == []
        for pid in list(left):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                assert status == 0
                left.remove(pid)
        time.sleep(0.01)
    journal, written = world.journal(), processes * 4 * each
    states = Counter(entry.state for entry in journal.entries())
    assert (states, journal.damage()) == ({"confirmed": written * 3 // 4, "sent": written // 4}, [])


@pytest.mark.parametrize("room", range(0, 1200, 40))
def test_a_disk_that_fills_up_stops_the_next_write_and_forgets_nothing(
    world: Any, asked: Any, child: Child, tmp_path: Path, room: int
) -> None:
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
            life(world, asked, lines.append)
            life(world, asked, lines.append)
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
    assert journal.damage() == []
    assert ("failed x" in heard_of(said)) == (sum(state != "not_sent" for state in known.values()) < 2 or len(left) < 2)
