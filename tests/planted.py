"""Bugs of `planted.toml`, one by one in a copy of the package, and what catches them: `python -m tests.planted`."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Bug(NamedTuple):
    """A text in a file of the package, what takes its place, and the test that fails then."""

    name: str
    file: str
    old: str
    new: str
    test: str


PLANTED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
BUGS = tuple(Bug(name, **each) for name, each in PLANTED.items())


def places(bug: Bug) -> int:
    """Count the places where a bug could be planted; there is to be one."""
    return (ROOT / "src" / "roomctl" / bug.file).read_text(encoding="utf-8").count(bug.old)


def caught(bug: Bug) -> str:
    """Plant a bug, run its test, and say what came of it."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        file = copy / "roomctl" / bug.file
        text = file.read_text(encoding="utf-8")
        if places(bug) != 1:
            return f"NOT PLANTED: {places(bug)} places in {bug.file}"
        file.write_text(text.replace(bug.old, bug.new), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-p", "no:cacheprovider", *bug.test.split()]
        environment = {**os.environ, "PYTHONPATH": os.fspath(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        failed = [line.split(" - ")[0].split("::")[-1] for line in run.stdout.splitlines() if line.startswith("FAILED")]
        return f"caught by {failed[0]}" if failed else f"NOT CAUGHT ({run.returncode})"


def main() -> int:
    words = sys.argv[1:]
    found = {bug.name: caught(bug) for bug in BUGS if not words or any(word in bug.name for word in words)}
    for name, what in found.items():
        print(f"{name}: {what}")
    return 1 if any(what.startswith("NOT") for what in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
