"""Writing and comparing the generated files."""

import subprocess
from pathlib import Path

from roomctl.docs.files import differences, write

WANTED = {"man/roomctl.1": "one\n", "man/roomctl.7": "seven\n", "completions/roomctl.bash": "complete\n"}


def test_a_changed_a_missing_and_a_strange_file_are_named_and_brought_up_to_date(tmp_path: Path) -> None:
    assert differences(tmp_path, WANTED) == sorted(WANTED)
    write(tmp_path, WANTED)
    assert differences(tmp_path, WANTED) == []
    (tmp_path / "man" / "roomctl.1").write_text("other", encoding="utf-8")
    (tmp_path / "man" / "roomctl.7").unlink()
    (tmp_path / "completions" / "old.bash").write_text("old", encoding="utf-8")
    assert differences(tmp_path, WANTED) == ["completions/old.bash", "man/roomctl.1", "man/roomctl.7"]
    write(tmp_path, WANTED)
    assert differences(tmp_path, WANTED) == []


def test_the_files_are_the_same_in_every_surrounding(python: str, tmp_path: Path) -> None:
    """Width, home, zone, locale and hash seed leave no trace."""
    source = Path(__file__).parents[2] / "src"
    program = "import zlib; from roomctl.docs.files import generated; print(zlib.crc32(repr(generated()).encode()))"

    def run(**variables: str) -> str:
        variables["PYTHONPATH"] = str(source)
        done = subprocess.run([python, "-c", program], env=variables, capture_output=True, text=True, check=True)
        return done.stdout

    first = run(HOME="/nowhere", COLUMNS="20", TZ="Asia/Tokyo", LC_ALL="C", PYTHONHASHSEED="1", TERM="dumb")
    second = run(HOME=str(tmp_path), COLUMNS="300", XDG_CONFIG_HOME="/x", ROOMCTL_CONFIG="/y", PYTHONHASHSEED="2")
    third = run(GITHUB_ACTIONS="true", FORCE_COLOR="1", TERMINAL_WIDTH="40", LANG="tr_TR.UTF-8", SHELL="/bin/zsh")
    assert first == second == third
