"""Keys: what they may look like, and from which files they may come (R2, R51)."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import NotAllowed
from roomctl.profiles.keys import Key, checked_key, from_file, masked

NASTY = {
    "empty": "",
    "newline": "\n",
    "short": "short",
    "blank inside": "canary with blank",
    "blank before": " canary-0123456789",
    "blank after": "canary-0123456789 ",
    "not ascii": "canary-schlüssel",
    "two lines": "canary-01\ncanary-02",
    "two newlines": "canary-0123456789\n\n",
    "a return": "canary-0123456789\r",
    "newline and return": "canary-0123456789\n\r",
    "tab": "canary-\t-0123456789",
    "nul": "canary-\0-0123456789",
    "delete": "canary-\x7f-0123456789",
    "byte order mark": "\ufeffcanary-0123456789",
    "lone surrogate": "canary-\udcff-0123456789",
    "513 characters": "canary-" + "x" * 506,
    "100 kB": "canary-" + "x" * 100_000,
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_r2_what_cannot_be_a_key_is_refused_by_its_source_and_never_shown(text: str) -> None:
    with pytest.raises(NotAllowed) as raised:
        checked_key(text, "PROD_KEY")
    error = raised.value
    assert error.exit == 3
    assert error.message.startswith("the key from PROD_KEY ")
    assert "canary" not in f"{error.message}{error.hint}{error.details}{error!r}"


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("size", [8, 512])
def test_r2_one_trailing_newline_is_taken_off(size: int, end: str) -> None:
    assert checked_key("k" * size + end, "x") == "k" * size


@given(st.text(max_size=40))
def test_r2_only_visible_ascii_is_ever_a_key(text: str) -> None:
    try:
        key = checked_key(text, "x")
    except NotAllowed:
        return
    assert text in (key, key + "\n", key + "\r\n")
    assert len(key) >= 8 and all("!" <= character <= "~" for character in key)


def test_a_masked_key_shows_four_characters_at_most_and_of_a_long_key_only() -> None:
    assert masked("canary-key-0123456789abcdef") == "••••cdef"
    assert masked("canary-key-0123456789ab") == "••••"
    assert masked("shortkey") == "••••"


def test_a_key_is_read_when_it_is_asked_for_and_once(key: str) -> None:
    asked: list[str] = []

    def read(note: object) -> str:
        asked.append("once")
        return key

    made = Key("PROD_KEY", read)
    assert asked == []
    assert [made.value(print), made.value(print), asked] == [key, key, ["once"]]
    assert repr(made) == "Key('PROD_KEY')"


def test_a_failure_to_read_a_key_is_not_kept(tmp_path: Path, key: str) -> None:
    path = tmp_path / "key"
    made = Key("x", lambda note: from_file(path, note))
    with pytest.raises(NotAllowed):
        made.value(print)
    path.write_text(key)
    path.chmod(0o600)
    assert made.value(print) == key


@pytest.fixture
def key_file(tmp_path: Path, key: str) -> Path:
    """A private file with a key in it, in a folder with a blank in its name."""
    path = tmp_path / "my keys" / "prod"
    path.parent.mkdir()
    path.write_text(key + "\n")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o711])
def test_a_private_key_file_is_read_without_a_word(key_file: Path, key: str, mode: int) -> None:
    key_file.chmod(mode)
    notes: list[str] = []
    assert (from_file(key_file, notes.append), notes) == (key, [])


@pytest.mark.parametrize("mode", [0o444, 0o640, 0o604])
def test_r51_a_key_file_that_others_can_read_is_noted(key_file: Path, key: str, mode: int) -> None:
    key_file.chmod(mode)
    notes: list[str] = []
    assert from_file(key_file, notes.append) == key
    assert notes == [f"others can read the key file {key_file}: `chmod 600 '{key_file}'`"]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_r51_a_key_file_that_others_can_write_is_refused(key_file: Path, mode: int) -> None:
    key_file.chmod(mode)
    with pytest.raises(NotAllowed) as raised:
        from_file(key_file, print)
    assert raised.value.message == f"others can write the key file {key_file}"
    assert raised.value.hint == f"`chmod go-w '{key_file}'`"


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"\xff\xfek\0e\0y\0", "schlüssel-schlüssel".encode(), b"canary" * 20_000, b"two\nlines-of-k"],
)
def test_a_file_that_holds_no_key_is_named_and_not_quoted(key_file: Path, content: bytes) -> None:
    key_file.write_bytes(content)
    with pytest.raises(NotAllowed) as raised:
        from_file(key_file, print)
    assert raised.value.message.startswith(f"the key from file {key_file} ")
    assert "canary" not in raised.value.message + raised.value.hint


def test_a_missing_file_a_folder_a_pipe_and_what_is_no_path_are_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    expected = {
        "none": f"cannot read the key file {tmp_path}/none: no such file or directory",
        ".": f"the key file {tmp_path} is not a file",
        "pipe": f"the key file {tmp_path}/pipe is not a file",
        "a\0b": f"cannot read the key file {tmp_path}/a\0b: not a path",
    }
    for name, message in expected.items():
        with pytest.raises(NotAllowed) as raised:
            from_file(tmp_path / name, print)
        assert raised.value.message == message


def test_no_descriptor_is_left_open(tmp_path: Path, key_file: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    before = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    from_file(key_file, print)
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "none"):
        with pytest.raises(NotAllowed):
            from_file(path, print)
    assert before == (len(list(Path("/proc/self/fd").iterdir())) if before else 0)
