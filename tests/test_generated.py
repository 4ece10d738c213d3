"""`man/` and `completions/` are what the command tree gives now, and the same everywhere."""

import subprocess
from pathlib import Path

from roomctl.docs.files import HELP, generated

CHECKOUT = Path(__file__).parent.parent


def test_the_generated_files_equal_the_command_tree(update: bool) -> None:
    wanted = {CHECKOUT / name: text.encode() for name, text in generated().items()}
    there = {path for folder in ("man", "completions", HELP) for path in (CHECKOUT / folder).rglob("*.*")}
    if update:
        for path in there - wanted.keys():
            path.unlink()
        for path, data in wanted.items():
            path.write_bytes(data)
    found = [path.name for path in there | wanted.keys() if not path.exists() or path.read_bytes() != wanted.get(path)]
    assert found == [], "run `pytest --update`: " + ", ".join(sorted(found))


def test_the_files_are_the_same_in_every_surrounding(python: str, tmp_path: Path) -> None:
    """Width, home, zone, locale and hash seed leave no trace."""
    source = CHECKOUT / "src"
    program = "import zlib; from roomctl.docs.files import generated; print(zlib.crc32(repr(generated()).encode()))"

    def run(**variables: str) -> str:
        variables["PYTHONPATH"] = str(source)
        done = subprocess.run([python, "-c", program], env=variables, capture_output=True, text=True, check=True)
        return done.stdout

    first = run(HOME="/nowhere", COLUMNS="20", TZ="Asia/Tokyo", LC_ALL="C", PYTHONHASHSEED="1", TERM="dumb")
    second = run(HOME=str(tmp_path), COLUMNS="300", XDG_CONFIG_HOME="/x", ROOMCTL_CONFIG="/y", PYTHONHASHSEED="2")
    third = run(GITHUB_ACTIONS="true", FORCE_COLOR="1", TERMINAL_WIDTH="40", LANG="tr_TR.UTF-8", SHELL="/bin/zsh")
    assert first == second == third
