"""A full disk, at any size of file: exit 9, what was there stays whole, a bulk run goes on (R36, R40, R41, R50)."""

from pathlib import Path

import pytest

from tests.conftest import soak
from tests.filling import CASES
from tests.programs import ran


@pytest.mark.parametrize("levels", [6, soak(100)])
def test_r36_r40_r41_r50_what_does_not_fit_is_9_and_leaves_what_was_there(levels: int, tmp_path: Path) -> None:
    found = ran("tests.filling", str(tmp_path), str(levels))
    statuses = found["statuses"]
    assert (found["problems"], statuses.keys()) == ([], CASES.keys())
    for each in statuses.values():
        assert (each["9"] >= 2, each["0"] >= 1, sum(each.values())) == (True, True, levels), statuses
