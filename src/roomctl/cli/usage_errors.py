"""What a person may have meant: a wrong call in words, with the nearest command, option or name."""

import re
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, cast

from roomctl.cli.command_tree import (
    NoArgsIsHelpError,
    NoSuchCommand,
    NoSuchOption,
    UsageError,
    leading_options,
    options_of,
)
from roomctl.cli.options import COMMON
from roomctl.cli.session import Session, same_service
from roomctl.errors import RoomctlError, WrongCall
from roomctl.text.suggest import nearest

if TYPE_CHECKING:
    from roomctl.profiles.settings import Settings

OTHERS: dict[str, tuple[str, ...]] = {}
"""What other tools call a command, or people a thing."""
_ANSWERS: dict[str, str] = {}
"""What is true of a word that no command does; it stands behind a semicolon."""
for _line in Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8").splitlines():
    _theirs, _, _ours = _line.partition(":")
    _known, _, _answer = _ours.partition("; ")
    OTHERS |= dict.fromkeys(_theirs.split(), tuple(_known.split()))
    _ANSWERS |= dict.fromkeys(_theirs.split() if _answer else (), _answer)
_EVERYWHERE = ("list", "get", "create", "update", "edit")
"""Verbs that were meant for the group that was named: those of other groups do something else."""


def wrong_call(error: UsageError) -> WrongCall:
    """Say what is wrong with a command line, and what would be right."""
    where, command = "roomctl", None
    if error.ctx is not None:
        where, command = error.ctx.command_path, cast(Any, error.ctx.command)
    params = command.params if command else ()
    if isinstance(error, NoSuchCommand):
        hint = _nearest_command(error) or f"`{where} --help` lists the commands"
        return WrongCall(f"there is no command `{where} {error.name}`", hint=hint)
    if isinstance(error, NoSuchOption):
        every = [*params, *(each for bundle in COMMON for each in options_of(bundle))]
        known = [name.removeprefix("--") for each in every for name in each.opts if name.startswith("--")]
        asked = error.option_name.lstrip("-")  # the dashes, which all have, make none nearer
        near = next((each for each in OTHERS.get(asked, ()) if each in known), "") or nearest(asked, known, least=0.7)
        meant = f"did you mean `--{near}`?" if near else f"`{where} --help` lists the options"
        hint = _ANSWERS.get(asked, meant) if near not in asked else meant
        return WrongCall(f"no such option: {error.option_name}", hint=hint)
    if lacks_command(error):
        hint = f"add one of {', '.join(command.members if command else ())}; `{where} --help` explains them"
        return WrongCall(f"`{where}` needs a command", hint=hint)
    message = _METAVAR.sub(r"'\1'", error.format_message()).rstrip(".")
    if more := _MORE.fullmatch(message):
        hint = _explained(error, where, command)
        argv = _argv(error)
        lists = {name: each for each in params if each.metavar == "a,b.c" for name in each.opts}
        before, last = argv[max(argv.index(more[1]) - 2, 0) :][:2] if more[1] in argv else ("", "")
        if any(last in (*each.opts, *each.secondary_opts) and each.is_flag for each in params):
            hint = f"`{last}` takes no value: leave out {more[1]}"
        elif before in lists:
            hint = f"did you mean `{before} {argv[argv.index(before) + 1]},{more[1]}`?"
        elif any(param.param_type_name == "argument" and param.metavar != "FILE" for param in params):
            hint = f"put quotes around a name of several words; {hint}"
        elif where.endswith((" create", " save")) and any("--name" in param.opts for param in params):
            hint = f"did you mean `--name {join([more[1]])}`?"
        elif where == "roomctl social list":
            word = join([more[1]])
            hint = f"`roomctl social get {word}` shows one room, `--room-set {word}` those of a set"
        return WrongCall(f"unexpected argument: {more[1]}", hint=hint)
    return WrongCall(
        message[:1].lower() + message[1:], hint=getattr(error, "hint", "") or _explained(error, where, command)
    )


def _explained(error: UsageError, where: str, command: Any) -> str:
    """What the help says of the option that is wrong, otherwise what may follow the command."""
    from roomctl.cli.help_text import usage

    found: Any = getattr(error, "param", None)
    for param in getattr(command, "params", ()):
        found = param if getattr(error, "option_name", "") in (*param.opts, *param.secondary_opts) else found
    if found is None or found.param_type_name == "argument":
        return f"`{where} {usage(command)}`; see `{where} --help`"
    if "not one of" in error.message:
        return "`roomctl help output` explains them" if found.name == "output" else ""
    if found.is_flag:
        return f"`{where} --help` shows the usage"
    if "not a whole number" in error.message:
        return f"write a whole number, such as `{found.opts[-1]} 10`"
    told = f"`{found.opts[-1]} {found.metavar or 'TEXT'}`: {found.help}"
    return "" if re.fullmatch(r"\w+ not documented", found.help) else told


def lacks_command(error: BaseException) -> bool:
    return isinstance(error, UsageError) and (type(error) is NoArgsIsHelpError or error.message == "Missing command.")


_METAVAR = re.compile(r"'(?:-- )?\[?(\w+)\]?(?: \[ARG\])?(?:\.\.\.)?'")
_MORE = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)")
_TYPED = re.compile(r"`([^`]+)`")


def useful_hint(error: RoomctlError, session: Session, settings: "Settings | None") -> str:
    """Give the hint of an error without what cannot help: an option that the command lacks, or the command itself."""
    hint, context = error.hint, session.context
    if context is not None:
        params = context.command.params
        options = [name for param in params for name in (*param.opts, *param.secondary_opts)]
        named = [context.params.get(param.name) or () for param in params if param.param_type_name == "argument"]
        words = (word for each in named for word in ([each] if str(each) == each else each))
        own = [*context.command_path.split(), *words]

        def helps(typed: str) -> bool:
            words = [word for word in typed.split() if not word.startswith("-")]
            option = typed.split(maxsplit=1)[0].partition("=")[0].rstrip("…")
            known = not option.startswith("-") or any(name.startswith(option) for name in options)
            return known and (words != own or error.exit == WrongCall.exit)  # a wrong call may be made rightly

        hint = "; ".join(part for part in hint.split("; ") if all(map(helps, _TYPED.findall(part))))
    if error.http == 401 and settings and settings.key.renewal:
        hint = f"{settings.key.renewal}; {hint}"
    return same_service(hint, session.argv).replace(" PROFILE", f" {settings.profile if settings else 'NAME'}")


def _nearest_command(error: NoSuchCommand) -> str:
    members = error.group.members
    others = [each for each in OTHERS.get(error.name, ()) if each in members]
    if near := others[0] if others else nearest(error.name, members):
        return f"did you mean `{_instead(error, near)}`?"
    if any(f"--{error.name}" in param.opts for param in error.group.params):
        return f"did you mean `{error.group_path} --{error.name}`?"
    if error.name in _ANSWERS:
        return _ANSWERS[error.name]
    if error.name in _EVERYWHERE and error.ctx and error.ctx.parent:
        return f"its commands: {', '.join(members)}; `{error.group_path} --help` explains them"
    root: Any = error.group if error.ctx is None else error.ctx.find_root().command
    groups = {name: root.get_command(None, name) for name in root.members}
    for verb in (error.name, *OTHERS.get(error.name, ())):  # in other groups: `end` is `roomctl social end`
        there = [f"`roomctl {name} {verb}`" for name, each in groups.items() if verb in getattr(each, "members", ())]
        if there:
            return f"did you mean {' or '.join(there[:3])}?"
    return f"did you mean `{_instead(error, *members, error.name)}`?" if len(members) == 1 else ""


def _argv(error: UsageError) -> list[str]:
    """The words of the command line; none where an explanation parses another one."""
    return [*getattr(error.ctx and error.ctx.obj, "argv", ())]


def _instead(error: NoSuchCommand, *words: str) -> str:
    """The command line with other words in the place of the wrong one; options before or right behind it come last."""
    group, argv = error.group_path.split()[1:], _argv(error)
    at = argv.index(error.name) if error.name in argv else 0
    before, after = argv[: max(at - len(group), 0)], argv[at + 1 :]
    if argv[: at + 1] != [*before, *group, error.name] or (before and before[0][0] != "-"):
        return join([*error.group_path.split(), *words])
    behind, after = leading_options(after)
    return join(["roomctl", *group, *words, *after, *before, *behind])
