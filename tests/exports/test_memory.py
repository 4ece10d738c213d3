"""Memory stays flat however long the list is (R35), and an interruption is quick (R53)."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.programs import started

GROWN = """
import json, resource, sys
from pathlib import Path
from roomctl.service import distinct
from roomctl.service.body import marks_of
from tests.exports.paged import exported, identifier, registration

class Long:
    def page(self, operation, *, path, query, page, size, decode=None):
        first = page * size
        made = [registration(number) for number in range(first, min(first + size, rows))]
        if concurrency == 1:
            return made
        body = json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()
        return decode(body, marks_of(body))

rows, form, distinct.SPILL_AT, concurrency = int(sys.argv[1]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
exported(Long(), Path(sys.argv[2]) / f"{rows}", format=form, size=500, concurrency=concurrency)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
BLOCKED = """
import sys, time
from pathlib import Path
from tests.exports.paged import PagedService, exported, registration

class Slow(PagedService):
    def page(self, *args, page, **more):
        if page == 3:
            print("waiting", flush=True)
            time.sleep(60)
        return super().page(*args, page=page, **more)

exported(Slow([registration(n) for n in range(99)]), Path(sys.argv[1]) / "r.csv", concurrency=int(sys.argv[2]))
"""


def start(program: str, *args: str) -> subprocess.Popen[str]:
    return started("-c", program, *args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def peak(rows: int, folder: Path, form: str, spill_at: int, concurrency: int = 1) -> float:
    out, _ = start(GROWN, str(rows), str(folder), form, str(spill_at), str(concurrency)).communicate()
    return int(out) / 1024


def test_three_times_the_rows_take_no_more_memory_r35(tmp_path: Path) -> None:
    assert peak(36_000, tmp_path, "csv", 4_000) - peak(12_000, tmp_path, "csv", 4_000) < 3


@pytest.mark.soak
@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("form", ["csv", "ndjson", "xlsx", "sqlite"])
def test_ten_times_the_rows_take_no_more_than_20_mib_more_r35(form: str, concurrency: int, tmp_path: Path) -> None:
    most = peak(1_000_000, tmp_path, form, 200_000, concurrency)
    assert most - peak(100_000, tmp_path, form, 200_000, concurrency) < 20
    assert most < 150


@pytest.mark.parametrize("concurrency", ["1", "4"])
def test_an_interruption_waits_for_no_reply_r53(concurrency: str, tmp_path: Path) -> None:
    running = start(BLOCKED, str(tmp_path), concurrency)
    assert running.stdout and running.stdout.readline() == "waiting\n"
    time.sleep(0.2)
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=40)
    assert time.monotonic() - began < 30
    assert (tmp_path / "r.csv.part.checkpoint").exists()
    assert not (tmp_path / "r.csv").exists()
