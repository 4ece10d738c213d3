"""Killed, interrupted and full disks: an export goes on and ends with the very same bytes (R33, R53)."""

from pathlib import Path
from typing import Any

import pytest

from tests.programs import ran


def crashing(folder: Path, *args: str) -> dict[str, Any]:
    """Run the crashing program."""
    return ran("tests.exports.crashing", args[0], str(folder), *args[1:])


def test_killed_at_any_disk_operation_an_export_goes_on_r33(tmp_path: Path) -> None:
    found = crashing(tmp_path, "steps", "2")
    assert found["problems"] == []
    assert found["kills"] > 50


@pytest.mark.soak
def test_killed_at_any_disk_operation_any_format_goes_on_r33(tmp_path: Path) -> None:
    assert crashing(tmp_path, "steps", "5")["problems"] == []


def test_killed_at_random_moments_an_export_ends_with_the_same_bytes_r33(tmp_path: Path) -> None:
    found = crashing(tmp_path, "random", "40", "300")
    assert found["problems"] == []
    assert found["kills"] >= 40


@pytest.mark.soak
def test_killed_a_thousand_times_an_export_ends_with_the_same_bytes_r33(tmp_path: Path) -> None:
    found = crashing(tmp_path, "random", "1000", "600")
    assert found["problems"] == []


def test_a_full_disk_is_exit_9_and_with_room_the_export_goes_on_r33(tmp_path: Path) -> None:
    found = crashing(tmp_path, "full", "6")
    assert found["problems"] == []
    assert found["failed"] >= 15


@pytest.mark.soak
def test_however_full_the_disk_an_export_goes_on_r33(tmp_path: Path) -> None:
    found = crashing(tmp_path, "full", "100")
    assert found["problems"] == []
