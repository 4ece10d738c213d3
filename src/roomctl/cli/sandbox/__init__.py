"""`roomctl sandbox`: the embedded service."""

from roomctl.cli.command_tree import Commands
from roomctl.cli.sandbox import faults, log, serve, world

commands = Commands(
    "The sandbox: the whole service, embedded; state is kept between runs. `--sandbox` uses it in process."
)
commands.members |= {**serve.commands.members, **world.commands.members, "faults": faults.commands}
commands.members |= log.commands.members
