"""The generated files are the same everywhere."""

import subprocess
from pathlib import Path


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
