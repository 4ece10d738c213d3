"""`roomctl sandbox`: the embedded service."""

from roomctl.cli.lazy import Commands
from roomctl.cli.sandbox import faults, log, serve, world

commands = Commands(
    "The sandbox: the whole service, embedded; state is kept between runs. `--sandbox` uses it in process."
)
commands.group("serve", serve.commands)
for _name in ("seed", "reset", "snapshot", "restore"):
    commands.group(_name, world.commands)
commands.group("faults", faults.commands)
commands.group("log", log.commands)
