"""The generated files: what `man/`, `completions/` and the package's `help/` hold, written or compared."""

from collections.abc import Callable
from pathlib import Path

from roomctl.manual import bash, fish, zsh
from roomctl.manual.pages import pages
from roomctl.manual.topics import config_page, topics_page
from roomctl.manual.tree import Node, tree
from roomctl.prerendered import WIDTH, file_name

SCRIPTS: dict[str, tuple[str, Callable[[Node], str]]] = {
    "bash": ("roomctl.bash", bash.script),
    "zsh": ("_roomctl", zsh.script),
    "fish": ("roomctl.fish", fish.script),
}
FOLDERS = ("man", "completions", "src/roomctl/help")


def script(shell: str) -> str:
    """Make the completion script of a shell."""
    return SCRIPTS[shell][1](tree())


def generated() -> dict[str, str]:
    """Make every file: its path below the checkout, and its text."""
    commands = tree()
    man = {**dict(pages(commands)), "roomctl.7": topics_page(), "roomctl-config.5": config_page()}
    scripts = {name: make(commands) for name, make in SCRIPTS.values()}
    return {
        f"{folder}/{name}": text
        for folder, files in zip(FOLDERS, (man, scripts, helps(commands)), strict=True)
        for name, text in sorted(files.items())
    }


def helps(commands: Node) -> dict[str, str]:
    """Make the help of every command as `--help` prints it off a terminal, by the name of its file."""
    from roomctl.cli.main import help_of

    return {file_name(node.path): help_of(node.path, width=WIDTH) for node in commands.walk()}


def differences(checkout: Path, wanted: dict[str, str]) -> list[str]:
    """Name the files that are missing, differ, or do not belong there."""
    there = {f"{folder}/{path.name}" for folder in FOLDERS for path in (checkout / folder).glob("*")}
    found = [f"{name} is missing" for name in sorted(wanted.keys() - there)]
    found += [f"{name} does not belong there" for name in sorted(there - wanted.keys())]
    same = sorted(wanted.keys() & there)
    return found + [f"{name} differs" for name in same if (checkout / name).read_bytes() != wanted[name].encode()]


def write(checkout: Path, wanted: dict[str, str]) -> int:
    """Write every file and remove what does not belong there; give the number of files that changed."""
    changed = differences(checkout, wanted)
    for folder in FOLDERS:
        (checkout / folder).mkdir(parents=True, exist_ok=True)
        for path in (checkout / folder).glob("*"):
            if f"{folder}/{path.name}" not in wanted:
                path.unlink()
    for name, text in wanted.items():
        (checkout / name).write_bytes(text.encode())
    return len(changed)
