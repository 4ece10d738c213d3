"""Writing and checking the generated files."""

from pathlib import Path

import pytest

from roomctl.manual import __main__ as command
from roomctl.manual.files import differences, write

WANTED = {"man/roomctl.1": "one\n", "man/roomctl.7": "seven\n", "completions/roomctl.bash": "complete\n"}


def test_written_files_are_without_differences(tmp_path: Path) -> None:
    assert write(tmp_path, WANTED) == 3
    assert differences(tmp_path, WANTED) == []
    assert write(tmp_path, WANTED) == 0


def test_a_changed_a_missing_and_a_strange_file_are_named(tmp_path: Path) -> None:
    write(tmp_path, WANTED)
    (tmp_path / "man" / "roomctl.1").write_text("other", encoding="utf-8")
    (tmp_path / "man" / "roomctl.7").unlink()
    (tmp_path / "completions" / "old.bash").write_text("old", encoding="utf-8")
    assert differences(tmp_path, WANTED) == [
        "man/roomctl.7 is missing",
        "completions/old.bash does not belong there",
        "man/roomctl.1 differs",
    ]
    assert write(tmp_path, WANTED) == 3
    assert differences(tmp_path, WANTED) == []


def test_the_command_checks_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "CHECKOUT", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    assert command.main(["check"]) == 1
    assert "man/roomctl.1 is missing\n" in capsys.readouterr().out
    assert command.main(["write"]) == 0
    assert command.main(["check"]) == 0


def test_outside_of_a_checkout_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "CHECKOUT", tmp_path)
    assert command.main(["write"]) == 2
    assert command.main([]) == 2
    assert list(tmp_path.iterdir()) == []
    assert "not a checkout" in capsys.readouterr().err
