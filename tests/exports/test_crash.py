"""Killed, interrupted and full disks: an export goes on and ends with the very same bytes (R33, R53)."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import soak
from tests.programs import ran


def crashing(folder: Path, *args: str) -> dict[str, Any]:
    return ran("tests.exports.crashing", args[0], str(folder), *args[1:])


@pytest.mark.parametrize(("formats", "kills"), [("2", 50), soak("5", 50)])
def test_killed_at_any_disk_operation_an_export_goes_on_r33(formats: str, kills: int, tmp_path: Path) -> None:
    found = crashing(tmp_path, "steps", formats)
    assert (found["problems"], found["kills"] > kills) == ([], True)


@pytest.mark.parametrize(("kills", "rows"), [("40", "300"), soak("1000", "600")])
def test_killed_at_random_moments_an_export_ends_with_the_same_bytes_r33(kills: str, rows: str, tmp_path: Path) -> None:
    found = crashing(tmp_path, "random", kills, rows)
    assert (found["problems"], found["kills"] >= int(kills)) == ([], True)


@pytest.mark.parametrize(("levels", "failed"), [("6", 15), soak("100", 15)])
def test_a_full_disk_is_exit_9_and_with_room_the_export_goes_on_r33(levels: str, failed: int, tmp_path: Path) -> None:
    found = crashing(tmp_path, "full", levels)
    assert (found["problems"], found["failed"] >= failed) == ([], True)
