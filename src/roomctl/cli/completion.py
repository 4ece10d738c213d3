"""`roomctl completion SHELL`: the script that a shell loads to complete roomctl's command lines."""

from roomctl.cli.options import Commands, argument
from roomctl.cli.parsers import OneOf
from roomctl.cli.session import Answer, Session, Text
from roomctl.docs.completions import script
from roomctl.docs.tree import tree

commands = Commands()
SHELLS = ("bash", "zsh", "fish")


@commands.verb("completion")
def completion(session: Session, shell: str = argument("SHELL", OneOf(SHELLS))) -> Answer:
    """Print a shell completion script. Save it where your shell looks for completions, and new shells will load it."""
    return Answer(Text(script(shell, tree(session.context.find_root().command))))
