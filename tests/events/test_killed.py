"""R40, R41: an apply that is killed at any moment and run again makes and sends everything once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def killed(folder: Path, seed: int, number: int) -> tuple[int, list[str]]:
    """Bring so many evenings to their end through kills; give how many there were, and what was wrong."""
    command = [sys.executable, "-m", "tests.events.killing", os.fspath(folder), str(seed), str(number)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=1200)
    found = json.loads(done.stdout)
    return found["kills"], found["wrong"]


def test_r40_r41_killed_at_ten_moments_and_more_and_run_again(tmp_path: Path) -> None:
    kills, wrong = killed(tmp_path, 1, 8)
    assert (kills >= 10, wrong) == (True, [])


@pytest.mark.soak
def test_r40_r41_killed_at_a_hundred_moments_and_run_again(tmp_path: Path) -> None:
    kills, wrong = killed(tmp_path, 2, 80)
    assert (kills >= 100, wrong) == (True, [])
