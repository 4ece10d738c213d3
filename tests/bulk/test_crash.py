"""R40, R43: a bulk run that is killed at any moment and gone on with sends no row twice and forgets none."""

import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from roomctl.bulk import read_input
from tests.conftest import soak
from tests.programs import started

WORKER = """
import os, random, sys, time
from pathlib import Path
from roomctl.bulk import Job, Outcome, ResultsFile, Shape, plan, read_input, resumed, run
from roomctl.contract.operations import INVITE_SEND
from roomctl.journal import Journal
from roomctl.journal.recorder import Recorder
from tests.journal.worlds import Asked

folder, batch = Path(sys.argv[1]), int(sys.argv[2])

journal = Journal(folder / "state")
recorder = Recorder(journal, "prod", "", ["invite", "send"])
service = os.open(folder / "service", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
table = read_input(folder / "in.csv", Shape(("key",)))
results = ResultsFile(folder / "out.csv", table, force=True)
if hanging := journal.runs(sha256=table.sha256, unfinished=True):
    number = hanging[0].id
    journal.resume_run(number)
    known = resumed(table, results.resume(), journal.book().rows.get(number, {}))
    table = table.knowing(known)
elif results.path.exists():
    sys.exit()  # killed when all was done
else:
    number = journal.begin_run(folder / "in.csv", table.sha256, len(table.rows), ["invite", "send"])
    results.start(number)
made = plan(table)

def job(part):
    def call():
        with journal.tied(number, [row.line for row in part]):
            entry = recorder.planned(Asked(INVITE_SEND, body=b"[]"))
        recorder.sent(entry)
        time.sleep(random.uniform(0, 0.01))
        os.write(service, "".join(row.key + "\\n" for row in part).encode())
        time.sleep(random.uniform(0, 0.01))
        recorder.settled(entry, "confirmed")
        return [Outcome("failed" if row.line % 7 == 0 else "ok", "no" if row.line % 7 == 0 else "") for row in part]
    return Job(part, call)

def settled(done):
    journal.rows_settled(number, {result.row.line: result.status for result in done})
    results.append(done)

jobs = [job(made.send[at : at + batch]) for at in range(0, len(made.send), batch)]
report = run(jobs, concurrency=3, keep_going=True, carried=made.carried, on_settled=settled)
results.finish(report.results, lambda _: journal.finish_run(number))
"""


def kill_until_done(folder: Path, *, rows: int, batch: int, seed: int, pause: float) -> int:
    """Start the run again and again, killing it after a moment, until it ends by itself; count the kills."""
    chance = random.Random(seed)
    (folder / "in.csv").write_text("key\n" + "".join(f"k{number}\n" for number in range(rows)))
    (sent := folder / "service").touch()
    kills = 0
    while True:
        worker = started("-c", WORKER, str(folder), str(batch))
        before = sent.stat().st_size
        while worker.poll() is None and sent.stat().st_size == before:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, pause))
        if worker.poll() is None:
            worker.kill()
        if worker.wait() != -signal.SIGKILL:
            assert worker.returncode == 0
            return kills
        kills += 1


def check(folder: Path, shape: Any, rows: int) -> None:
    """Compare the result file with what the service saw: nothing twice but what had failed, nothing forgotten."""
    seen = Counter((folder / "service").read_text().split())
    read = read_input(folder / "out.csv", shape)
    assert (read.problems, len(read.rows)) == ((), rows)
    for row in read.rows:
        status = row.before.status if row.before else ""
        times = seen[row.key]
        if status == "ok":
            assert times == 1, row
        elif status == "unknown":
            assert times <= 1 or row.line % 7 == 0, row
        else:
            assert (status, row.line % 7) == ("failed", 0), row
            assert times >= 1


RUNS = [(1, 100, 1, 0.15), (5, 400, 5, 0.15), *(soak(1 + seed % 4, 500, seed, 0.1) for seed in range(20))]


@pytest.mark.parametrize(("batch", "rows", "seed", "pause"), RUNS)
def test_r40_nothing_is_sent_twice(tmp_path: Path, people: Any, batch: int, rows: int, seed: int, pause: float) -> None:
    """R40: rows that failed are certain not to have taken effect, so they may go out again; no others do."""
    assert kill_until_done(tmp_path, rows=rows, batch=batch, seed=seed, pause=pause) > 1
    check(tmp_path, people._replace(columns=("key",), checks={}), rows)
