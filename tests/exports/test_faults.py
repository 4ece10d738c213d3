"""The k-th disk operation fails, for every k: never a false success, and the work goes on (R33, R36)."""

import errno
import os
from pathlib import Path

import pytest

from roomctl.errors import LocalFailure
from roomctl.exports import manifest
from roomctl.exports.manifest import Manifest
from tests.conftest import Patch
from tests.exports.paged import PagedService, exported, fails, registration
from tests.faults import Faults

ROWS = [registration(number) for number in range(24)]


def export(to: Path) -> Manifest:
    return exported(PagedService(ROWS), to, keep_ids=True)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_whichever_operation_fails_it_is_exit_9_and_the_work_goes_on(code: int, tmp_path: Path) -> None:
    expected = export(tmp_path / "whole.csv").sha256
    for failing in range(1, 10_000):
        to = tmp_path / f"{failing}.csv"
        with Faults(failing, code) as faults:
            try:
                export(to)
            except LocalFailure as error:
                assert (error.exit, str(to.parent) in error.message) == (9, True)
                assert ("free some space" in error.hint) == (code == errno.ENOSPC)
        if not faults.failed:
            break
        if not to.exists():
            export(to)
        assert manifest.read(manifest.path_of(to)).sha256 == expected
        assert (tmp_path / f"{failing}.csv.ids").exists()
    assert failing > 35


def test_few_bytes_at_a_time_are_written_whole_and_none_is_a_full_disk(tmp_path: Path, monkeypatch: Patch) -> None:
    expected, real = export(tmp_path / "whole.csv").sha256, os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:1_000]))
        assert export(tmp_path / "r.csv").sha256 == expected
        patch.setattr(os, "write", lambda fd, data: 0)
        fails(LocalFailure, "no space left on device", PagedService(ROWS), tmp_path / "none.csv", keep_ids=True)
    assert export(tmp_path / "none.csv").rows == 24
