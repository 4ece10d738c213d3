"""What a person may have meant: a wrong call in words, with the nearest command, option or name."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from roomctl.cli.lazy import NoSuchCommand, NoSuchOption, UsageError
from roomctl.errors import WrongCall


def wrong_call(error: UsageError) -> WrongCall:
    """Say what is wrong with a command line, and what would be right."""
    where = error.ctx.command_path if error.ctx else "roomctl"
    shows = f"`{where} --help` shows how it is called"
    if isinstance(error, NoSuchCommand):
        return WrongCall(f"no such command: {where} {error.name}", hint=_command(error) or shows)
    if isinstance(error, NoSuchOption):
        command: Any = error.ctx.command if error.ctx else None
        meant = [*_longer(error.option_name, command.every_param() if command else ()), *(error.possibilities or ())]
        return WrongCall(f"no such option: {error.option_name}", hint=f"did you mean `{meant[0]}`?" if meant else shows)
    message = error.format_message().rstrip(".")
    return WrongCall(message[:1].lower() + message[1:], hint=shows)


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is nearest, regardless of case; empty where none is near."""
    lower = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), lower, 1)
    return lower[near[0]] if near else ""


def _longer(name: str, params: Iterable[Any]) -> list[str]:
    """The options that begin so."""
    return [option for param in params for option in param.opts if name.startswith("--") and option.startswith(name)]


def _command(error: NoSuchCommand) -> str:
    if near := nearest(error.name, error.group.members):
        return f"did you mean `{error.group_path} {near}`?"
    there = _elsewhere(error)
    return f"did you mean {' or '.join(f'`{each}`' for each in there[:3])}?" if there else ""


def _elsewhere(error: NoSuchCommand) -> list[str]:
    """The commands of other groups that have this name: `roomctl end` is `roomctl social end`."""
    root: Any = error.group if error.ctx is None else error.ctx.find_root().command
    groups = {name: root.get_command(None, name) for name in root.members}
    return [
        f"roomctl {name} {error.name}" for name, each in groups.items() if error.name in getattr(each, "members", ())
    ]
