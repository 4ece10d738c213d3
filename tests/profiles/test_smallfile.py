"""Reading a small file that may hold a secret."""

import errno
from pathlib import Path

from roomctl.profiles.smallfile import read_small, reason


def test_no_more_is_read_than_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"canary")
    assert read_small(path, 3).data == b"can"


def test_its_bytes_are_in_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"canary")
    assert repr(read_small(path, 10)) == f"SmallFile('{path}')"


def test_the_command_that_mends_it_can_be_typed(tmp_path: Path) -> None:
    path = tmp_path / "it's $HOME"
    path.write_bytes(b"")
    assert read_small(path, 1).chmod("600") == f"""`chmod 600 '{tmp_path}/it'"'"'s $HOME'`"""


def test_a_reason_is_short_and_quotes_nothing() -> None:
    assert reason(OSError(errno.ENOSPC, "No space left on device", "/secret/place")) == "no space left on device"
    assert reason(ValueError("embedded null byte")) == "not a path"
    assert reason(OSError()) == "it cannot be used"
