"""`roomctl completion SHELL`: the script that a shell loads to complete roomctl's command lines."""

from roomctl.cli.command_tree import Commands
from roomctl.cli.options import argument
from roomctl.cli.parsers import OneOf
from roomctl.cli.session import Answer, Session, Text
from roomctl.docs.completions import script
from roomctl.docs.tree import tree

commands = Commands()
SHELLS = ("bash", "zsh", "fish")


@commands.verb("completion")
def completion(
    session: Session, shell: str = argument("SHELL", "one of " + ", ".join(SHELLS), OneOf(SHELLS))
) -> Answer:
    """Print a shell completion script. Save it where your shell looks for completions, and new shells will load it.

    In bash, `source <(roomctl completion bash)` loads it at once. A saved script needs the bash-completion package.
    Create the folder for it first: `mkdir -p ~/.local/share/bash-completion/completions`.

    In zsh, the folder that holds the script must be in `fpath` before `compinit` runs: `fpath+=~/.zfunc`.

    The script itself contains groups, commands, options and their values. Profile names, and recent ids and names, come
    from two small files in the cache folder. Pressing Tab starts no program and sends nothing to the service.
    """
    return Answer(Text(script(shell, tree(session.context.find_root().command))))
