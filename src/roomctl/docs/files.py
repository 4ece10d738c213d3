"""The generated files: what `man/`, `completions/` and the package's `help/` hold, written or compared."""

from pathlib import Path

from roomctl.cli.main import help_of, root
from roomctl.docs.completions import script
from roomctl.docs.man import pages
from roomctl.docs.tree import tree
from roomctl.prerendered import WIDTH, file_name

SCRIPTS = {"roomctl.bash": "bash", "_roomctl": "zsh", "roomctl.fish": "fish"}
HELP = "src/roomctl/help"


def generated() -> dict[str, str]:
    rows = tree(root())
    return {
        **{f"man/{name}": text for name, text in pages(rows)},
        **{f"completions/{name}": script(shell, rows) for name, shell in SCRIPTS.items()},
        **{f"{HELP}/{file_name(row.path)}": help_of(row.path, width=WIDTH) for row in rows},
    }


def differences(checkout: Path, wanted: dict[str, str]) -> list[str]:
    """Name the files that are missing, differ, or do not belong there."""
    paths = (path for folder in ("man", "completions", HELP) for path in (checkout / folder).glob("*"))
    there = {path.relative_to(checkout).as_posix(): path.read_bytes() for path in paths}
    made = {name: text.encode() for name, text in wanted.items()}
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def write(checkout: Path, wanted: dict[str, str]) -> None:
    for name in differences(checkout, wanted):
        path = checkout / name
        if name in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(wanted[name].encode())
        else:
            path.unlink()
