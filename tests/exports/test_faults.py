"""The k-th disk operation fails, for every k: never a false success, and the work goes on (R33, R36)."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import LocalFailure
from roomctl.exports import manifest
from roomctl.exports.manifest import Manifest
from tests.exports.paged import PagedService, exported, registration

ROWS = [registration(number) for number in range(24)]
FSYNC = os.fsync  # not called: what is shown here does not depend on it, and it is slow
STEPS = ("open", "write", "fsync", "replace", "unlink", "ftruncate", "pread", "lseek")


def export(to: Path) -> Manifest:
    return exported(PagedService(ROWS), to, keep_ids=True)


class Disk:
    """Counts the disk operations of `os` and fails one of them."""

    def __init__(self, patch: pytest.MonkeyPatch, failing: int, code: int) -> None:
        self.count = 0
        for name in STEPS:
            patch.setattr(os, name, self._step(getattr(os, name), failing, code))

    def _step(self, real: Callable[..., Any], failing: int, code: int) -> Callable[..., Any]:
        def step(*args: Any, **more: Any) -> Any:
            self.count += 1
            if self.count == failing:
                raise OSError(code, os.strerror(code))
            return real(*args, **more) if real is not FSYNC else None

        return step


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_whichever_operation_fails_it_is_exit_9_and_the_work_goes_on(code: int, tmp_path: Path) -> None:
    expected = export(tmp_path / "whole.csv").sha256
    for failing in range(1, 10_000):
        to = tmp_path / f"{failing}.csv"
        with pytest.MonkeyPatch.context() as patch:
            disk = Disk(patch, failing, code)
            try:
                export(to)
            except LocalFailure as error:
                assert (error.exit, str(to.parent) in error.message) == (9, True)
                assert ("free some space" in error.hint) == (code == errno.ENOSPC)
            if disk.count < failing:
                break
        if not to.exists():
            export(to)
        assert manifest.read(manifest.path_of(to)).sha256 == expected
        assert (tmp_path / f"{failing}.csv.ids").exists()
    assert failing > 35


def test_a_disk_that_takes_a_few_bytes_at_a_time_is_written_whole(tmp_path: Path) -> None:
    expected = export(tmp_path / "whole.csv").sha256
    real = os.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: real(fd, bytes(data)[:1_000]))
        assert export(tmp_path / "r.csv").sha256 == expected


def test_a_disk_that_takes_nothing_is_full(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", lambda fd, data: 0)
        with pytest.raises(LocalFailure, match="no space left on device"):
            export(tmp_path / "r.csv")
    assert export(tmp_path / "r.csv").rows == 24
