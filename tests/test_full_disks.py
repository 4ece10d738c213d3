"""A full disk, at any size of file: exit 9, what was there stays whole, a bulk run goes on (R36, R40, R41, R50)."""

from pathlib import Path
from typing import Any

import pytest

from tests.filling import CASES
from tests.programs import ran


def filling(folder: Path, levels: int) -> dict[str, Any]:
    """Run the program that fills disks."""
    found = ran("tests.filling", str(folder), str(levels))
    assert found["problems"] == []
    return found


def test_r36_r40_r41_r50_whatever_does_not_fit_the_tool_says_9_and_leaves_what_was_there(tmp_path: Path) -> None:
    statuses = filling(tmp_path, 6)["statuses"]
    assert statuses.keys() == CASES.keys()
    assert all(found["9"] >= 2 and found["0"] >= 1 and sum(found.values()) == 6 for found in statuses.values()), (
        statuses
    )


@pytest.mark.soak
def test_r36_r40_r41_r50_at_five_hundred_levels(tmp_path: Path) -> None:
    filling(tmp_path, 100)
