"""The generated files: what `man/`, `completions/` and the package's `help/` hold."""

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
        **{f"man/man{name[-1]}/{name}": text for name, text in pages(rows)},
        **{f"completions/{name}": script(shell, rows) for name, shell in SCRIPTS.items()},
        **{f"{HELP}/{file_name(row.path)}": help_of(row.path, width=WIDTH) for row in rows},
    }
