"""R40, R41: an apply that is killed at any moment and run again makes and sends everything once."""

from pathlib import Path

import pytest

from tests.conftest import soak
from tests.programs import ran


@pytest.mark.parametrize(("seed", "evenings", "least"), [(1, 8, 10), soak(2, 80, 100)])
def test_r40_r41_killed_at_ten_moments_and_run_again(seed: int, evenings: int, least: int, tmp_path: Path) -> None:
    found = ran("tests.events.killing", str(tmp_path), str(seed), str(evenings))
    assert (found["wrong"], found["kills"] >= least) == ([], True)
