"""`python -m roomctl.manual write|check`: bring `man/` and `completions/` up to date, or say what is not."""

import sys
from pathlib import Path

from roomctl.manual.files import differences, generated, write

CHECKOUT = Path(__file__).parents[3]


def main(args: list[str]) -> int:
    """Do what is asked in the checkout that this module lies in; 1 when `check` finds a difference."""
    if args not in (["write"], ["check"]):
        sys.stderr.write("usage: python -m roomctl.manual write|check\n")
        return 2
    if not (CHECKOUT / "pyproject.toml").exists():
        sys.stderr.write("roomctl.manual: not a checkout: run it as `PYTHONPATH=src python -m roomctl.manual`\n")
        return 2
    if args == ["write"]:
        sys.stdout.write(f"{write(CHECKOUT, generated())} files changed\n")
        return 0
    found = differences(CHECKOUT, generated())
    sys.stdout.writelines(f"{line}\n" for line in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
