"""`roomctl completion SHELL`: the script that a shell loads to complete roomctl's command lines."""

from typing import Annotated

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.options import argument
from roomctl.cli.parsers import OneOf
from roomctl.cli.session import Answer, Text

commands = Commands()
SHELLS = ("bash", "zsh", "fish")


@commands.verb(
    "completion",
    examples=[
        "completion bash > ~/.local/share/bash-completion/completions/roomctl",
        "completion zsh > ~/.zfunc/_roomctl",
        "completion fish > ~/.config/fish/completions/roomctl.fish",
    ],
)
def completion(
    ctx: Context,
    shell: Annotated[str, argument("SHELL", "one of " + ", ".join(SHELLS), OneOf(SHELLS))],
) -> Answer:
    """Print the completion script of a shell; save it where the shell looks for it.

    The script itself contains groups, verbs, options and their values. Profile names, and recent ids and names, come
    from two small files in the cache folder. Pressing Tab starts no program and sends nothing to the service.
    """
    from roomctl.docs.completions import script
    from roomctl.docs.tree import tree

    return Answer(Text(script(shell, tree(ctx.find_root().command))))
