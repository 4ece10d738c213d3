"""R40, R41: a bulk end that is killed at any moment and gone on with ends every room, none of them twice."""

import csv
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from roomctl.sandbox.store import Document, Store
from tests.programs import sandbox_server
from tests.servers import KEY, Lossy

ROOMS = 200
Run = Callable[..., Any]


class Counting(Lossy):
    """A proxy that dawdles, and counts for each room how often it was asked to end."""

    def __init__(self, upstream: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.asked: Counter[str] = Counter()
        self.ended: set[str] = set()
        self.again: list[str] = []
        super().__init__(upstream, lambda *_: "")

    def reply(self, request: bytes) -> bytes:
        room = re.match(rb"POST /api/v1/social/end/(\S+)", request)
        if room is not None:
            self.counted(room[1].decode())
        time.sleep(self.chance.uniform(0, 0.04))
        reply = self.forwarded(request)
        if room is not None:
            self.ended.add(room[1].decode())
        time.sleep(self.chance.uniform(0, 0.04))
        return reply

    def counted(self, room: str) -> None:
        self.asked[room] += 1
        if room in self.ended:
            self.again.append(room)


@pytest.fixture
def rooms(roomctl: Run, variables: dict[str, str]) -> list[str]:
    """Put 200 open rooms into the sandbox and give their ids."""
    assert roomctl("sandbox", "seed", "--registrations", "0", "--yes").status == 0
    store = Store(Path(variables["ROOMCTL_DATA"]) / "sandbox.db")
    with store.writing():
        some_set = store.page("roomset", "me", page=0, size=1)[0]["socialRoomSetId"]
        like = store.page("social", some_set, page=0, size=1)[0]
        ids = [store.new_id() for _ in range(ROOMS)]
        store.put(*(Document("social", key, some_set, {**like, "socialId": key}) for key in ids))
    store.close()
    return ids


@pytest.fixture
def served(rooms: list[str], variables: dict[str, str], tmp_path: Path) -> Iterator[int]:
    """Serve these rooms and give the port."""
    with sandbox_server(variables, tmp_path) as server:
        yield server.port


class Job:
    """`social end --from rooms.csv`, started again and again until it comes to its end."""

    def __init__(self, proxy: Counting, folder: Path, variables: dict[str, str], ids: list[str], seed: int) -> None:
        self.proxy, self.folder = proxy, folder
        self.chance = random.Random(seed)
        self.environment = {**os.environ, **variables}
        self.environment |= {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{proxy.port}", "ROOMCTL_API_KEY": KEY}
        self.kills = 0
        rows = "".join(f"{number},{key},x\n" for number, key in enumerate(ids))
        (folder / "rooms.csv").write_text(f"number,socialId,remark\n{rows}")

    def start(self, *args: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "roomctl", "social", "end", "--yes", "--concurrency", "8", *args]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def to_its_end(self) -> tuple[int, str]:
        """Kill it at random moments, going on each time, until it ends by itself: its status and what it said."""
        resume: tuple[str, ...] = ()
        while True:
            with self.start("--from", "rooms.csv", "--results", "ended.csv", *resume) as process:
                if self.killed(process):
                    resume = ("--resume",)
                    continue
                assert process.stderr is not None
                said = process.stderr.read()
                status = process.wait(30)
            if status != 2 or not resume:
                return status, said
            assert "no unfinished run" in said, said  # killed before it had begun
            resume = ()

    def killed(self, process: subprocess.Popen[str]) -> bool:
        """Kill it after so many requests or so much time, unless it ends before."""
        start, until = sum(self.proxy.asked.values()), time.monotonic() + 60
        wanted = self.chance.randrange(1, 16)
        if self.chance.random() < 0.2:
            wanted, until = ROOMS * 9, time.monotonic() + self.chance.uniform(0, 0.6)
        while sum(self.proxy.asked.values()) < start + wanted and time.monotonic() < until:
            if process.poll() is not None:
                return False
            time.sleep(0.002)
        time.sleep(self.chance.uniform(0, 0.03))
        if process.poll() is not None:
            return False
        process.kill()
        process.wait()
        self.kills += 1
        return True

    def results(self) -> list[dict[str, str]]:
        with (self.folder / "ended.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def once_more(self) -> tuple[int, str]:
        """Feed the result file back, with `--retry-unknown`."""
        args = ("--from", "ended.csv", "--results", "ended.csv", "--retry-unknown")
        with self.start(*args) as process:
            assert process.stderr is not None
            said = process.stderr.read()
            return process.wait(60), said


def ended_through(job: Job, ids: list[str]) -> int:
    """Kill, go on and check until every room is ended; give the number of kills."""
    status, said = job.to_its_end()
    assert status in (0, 7), said
    rows = job.results()
    assert [(row["number"], row["socialId"], row["remark"]) for row in rows] == [
        (str(number), key, "x") for number, key in enumerate(ids)
    ]
    statuses = Counter(row["status"] for row in rows)
    assert statuses.keys() <= {"ok", "unknown"}, statuses
    assert status == (7 if statuses["unknown"] else 0), said
    assert {row["socialId"] for row in rows if row["status"] == "ok"} <= job.proxy.ended
    if statuses["unknown"]:
        status, said = job.once_more()
        assert status == 0, said
    assert [row["status"] for row in job.results()] == ["ok"] * len(ids)
    assert not (job.folder / "ended.csv.part").exists()
    assert job.proxy.ended == set(ids)
    assert job.proxy.again == []
    assert max(job.proxy.asked.values()) <= 2
    assert sum(job.proxy.asked.values()) - len(ids) <= statuses["unknown"]
    return job.kills


def test_r40_r41_a_bulk_end_killed_at_random_moments_ends_every_room_once(
    served: int, rooms: list[str], tmp_path: Path, variables: dict[str, str]
) -> None:
    proxy = Counting(served, 1)
    assert ended_through(Job(proxy, tmp_path, variables, rooms, 3), rooms) >= 8
    proxy.close()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 24))
def test_r40_r41_a_hundred_kills(
    seed: int, served: int, rooms: list[str], tmp_path: Path, variables: dict[str, str]
) -> None:
    proxy = Counting(served, seed)
    assert ended_through(Job(proxy, tmp_path, variables, rooms, seed), rooms) >= 8
    proxy.close()
