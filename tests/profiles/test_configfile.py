"""The config file: private, edited whole or not at all, comments kept."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadConfig, LocalFailure
from roomctl.profiles import Environment, configfile, editing

KEY = "canary-key-0123456789abcdef"
FIELDS = {"base_url": "https://a.example", "api_key": KEY}


def test_a_profile_is_added_with_the_comments_kept(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        "# mine\ndefault_profile = 'old' # the usual\n\n[profiles.old]\n# why\nbase_url = 'https://o.example'\n"
    )
    path.chmod(0o600)
    editing.add(path, "new", FIELDS)
    text = path.read_text()
    assert "# mine" in text and "# the usual" in text and "# why" in text
    read = tomllib.loads(text)
    assert read["profiles"]["new"] == {"base_url": "https://a.example", "api_key": KEY}
    assert read["default_profile"] == "old"


def test_r50_the_file_is_private_and_a_symlink_keeps_its_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles" / "roomctl.toml", tmp_path / "config.toml"
    real.parent.mkdir()
    link.symlink_to(real)
    editing.add(link, "one", FIELDS)
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert sorted(entry.name for entry in real.parent.iterdir()) == [".roomctl.toml.lock", "roomctl.toml"]


def test_the_first_profile_is_the_default_and_removing_it_clears_that(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    editing.add(path, "one", FIELDS)
    editing.add(path, "two", FIELDS)
    assert configfile.read(path)["default_profile"] == "one"
    editing.use(path, "two")
    assert configfile.read(path)["default_profile"] == "two"
    editing.remove(path, "two")
    assert configfile.read(path) == {"profiles": {"one": {"base_url": "https://a.example", "api_key": KEY}}}
    with pytest.raises(BadConfig, match="no profile is named two"):
        editing.use(path, "two")


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o666])
def test_r51_a_file_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "config.toml"
    path.write_text("")
    path.chmod(mode)
    with pytest.raises(BadConfig) as raised:
        configfile.read(path)
    assert raised.value.hint == f"`chmod 600 {path}`"


@pytest.mark.parametrize("name", ["", "a b", "ä", "a/b", "x" * 65, "a\n", "sandbox", "environment"])
def test_r52_a_name_that_cannot_be_one_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadConfig):
        editing.add(tmp_path / "config.toml", name, FIELDS)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[profiles.a]\napi_key = canary-key-0123456789abcdef", "is not TOML: at line 2, column 11"),
        (b"\xff\xfe", "is not UTF-8: byte 0"),
        (b'api_key = "canary-key-0123', "is not TOML: at end of document"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_never_quoted(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(BadConfig) as raised:
        configfile.read(path)
    assert raised.value.message == f"{path} {message}"
    assert "canary" not in raised.value.message + raised.value.hint


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"# x\r\n[profiles]\r\n"])
def test_an_empty_file_a_bom_and_windows_lines_are_fine(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(data)
    path.chmod(0o600)
    editing.add(path, "one", FIELDS)
    assert configfile.read(path)["profiles"]["one"]["api_key"] == KEY


def test_what_is_listed_and_shown_has_no_key(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    editing.add(path, "one", FIELDS)
    rows = editing.list_profiles(Environment({"ROOMCTL_CONFIG": str(path)}))
    assert [row["name"] for row in rows] == ["one", "sandbox"]
    assert rows[0]["key"] == "api_key"
    assert KEY not in repr(rows)


@pytest.mark.parametrize("call", ["open", "fsync", "replace"])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_r50_when_a_step_of_the_write_fails_the_file_is_the_old_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, at: int
) -> None:
    path = tmp_path / "config.toml"
    editing.add(path, "old", FIELDS)
    before, count, real = path.read_bytes(), 0, getattr(os, call)

    def failing(*args: Any, **more: Any) -> Any:
        nonlocal count
        count += 1
        if count == at:
            raise OSError(28, "No space left on device")
        return real(*args, **more)

    monkeypatch.setattr(os, call, failing)
    try:
        editing.add(path, "new", FIELDS)
    except LocalFailure as error:
        assert error.exit == 9
    monkeypatch.undo()
    after = tomllib.loads(path.read_text())["profiles"]
    assert path.read_bytes() == before or set(after) == {"old", "new"}
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.endswith(".new")] == []


def test_sixteen_processes_lose_no_edit(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    program = (
        "import sys; from pathlib import Path; from roomctl.profiles import editing\n"
        "for n in range(20): editing.add(Path(sys.argv[1]), f'p{sys.argv[2]}-{n}', "
        f"{{'base_url': 'https://a.example', 'api_key': {KEY!r}}})"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(path), str(number)]) for number in range(16)]
    assert [process.wait(120) for process in running] == [0] * 16
    assert len(configfile.read(path)["profiles"]) == 320
