"""Keys from files and commands."""

import sys
from pathlib import Path

import pytest

from roomctl.errors import NotAllowed
from roomctl.profiles.keys import from_command, from_file, masked

KEY = "canary-key-0123456789abcdef"


@pytest.mark.parametrize(("mode", "notes"), [(0o600, 0), (0o400, 0), (0o444, 1), (0o640, 1)])
def test_r51_a_key_file_that_others_can_read_is_noted(tmp_path: Path, mode: int, notes: int) -> None:
    path = tmp_path / "key"
    path.write_text(KEY + "\n")
    path.chmod(mode)
    said: list[str] = []
    assert from_file(path, said) == KEY
    assert len(said) == notes


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_r51_a_key_file_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    path.write_text(KEY)
    path.chmod(mode)
    with pytest.raises(NotAllowed) as raised:
        from_file(path, [])
    assert raised.value.hint == f"`chmod go-w {path}`"


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", "schlüssel-schlüssel".encode(), b"a" * 100_000, b"two\nlines-of-key"]
)
def test_a_file_that_holds_no_key_is_named_and_not_quoted(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(NotAllowed, match="the key from"):
        from_file(path, [])


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed, match="no such file"):
        from_file(tmp_path / "none", [])
    with pytest.raises(NotAllowed, match="is not a file"):
        from_file(tmp_path, [])


def test_r9_a_command_is_run_without_a_shell(tmp_path: Path) -> None:
    program = f"import sys; print({KEY!r}); open({str(tmp_path / 'argv')!r}, 'w').write(sys.argv[1])"
    assert from_command([sys.executable, "-c", program, "$HOME; `id`"], "prod") == KEY
    assert (tmp_path / "argv").read_text() == "$HOME; `id`"


def test_r9_a_failing_command_shows_nothing_of_its_output() -> None:
    with pytest.raises(NotAllowed) as raised:
        from_command([sys.executable, "-c", f"import sys; print({KEY!r}); sys.exit(3)"], "prod")
    assert raised.value.message == "the key command of profile prod failed with status 3"
    assert KEY not in repr(raised.value) + raised.value.hint
    with pytest.raises(NotAllowed, match="cannot be run"):
        from_command(["/no/such/command"], "prod")


def test_a_masked_key_shows_at_most_four_characters_of_a_long_one() -> None:
    assert masked(KEY) == "********cdef"
    assert masked("shortkey") == "********"
