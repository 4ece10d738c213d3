"""A wrong command line in words, with the nearest command, option or value."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from roomctl.cli.command_tree import (
    NoArgsIsHelpError,
    NoSuchCommand,
    NoSuchOption,
    UsageError,
    options_of,
)
from roomctl.cli.options import COMMON, meaning_of
from roomctl.cli.session import Session, same_service
from roomctl.contract.records import is_uuid
from roomctl.errors import RoomctlError, WrongCall
from roomctl.text.suggest import nearest

if TYPE_CHECKING:
    from roomctl.profiles.settings import Settings

SYNONYMS: dict[str, tuple[str, ...]] = {}
"""What other tools call a command or an option, or people a thing; and what we call it."""
ANSWERS: dict[str, str] = {}
"""Hints for words that no command or option stands for."""
for _line in Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8").splitlines():
    _words, _, _ours = _line.partition(":")
    _theirs = " ".join(each.replace("|", f" {each.partition('.')[0]}.") for each in _words.split()).split()
    _known, _, _answer = _ours.partition("; ")
    SYNONYMS |= dict.fromkeys(_theirs, tuple(_known.split()))
    ANSWERS |= dict.fromkeys(_theirs if _answer else (), _answer)
_LONGEST = 80
"""Characters of the rest of a command line that are repeated behind a command."""
_METAVAR = re.compile(r"'(?:-- )?\[?(\w+)\]?(?: \[ARG\])?(?:\.\.\.)?'")
_CLOCK = re.compile(r"\d?\d:\d\d")
_FILE = re.compile(r"[^ ]\.(csv|tsv|txt)$")
_MORE = re.compile(r"Got unexpected extra arguments? \((.*)\)")


def wrong_call(error: UsageError) -> WrongCall:
    """Say what is wrong with a command line, and what would be right."""
    context: Any = error.ctx
    where, command = context.command_path, context.command
    if isinstance(error, NoSuchCommand):
        argv = getattr(context.obj, "argv", ())
        at = argv.index(error.name) if error.name in argv else len(argv)
        words = ["roomctl", *map(quote, argv[:at])] if error.name in argv else [where]
        of_help = context.obj is None  # `roomctl help` looks a command up
        typed = where.replace("roomctl", "roomctl help", 1) if of_help else " ".join(words)
        rest = "".join(f" {quote(each)}" for each in argv[at + 1 :])
        hint = _nearest_command(error.name, where, command, typed, rest if len(rest) <= _LONGEST else " …")
        what = f"topic or command `{error.name}`" if typed == "roomctl help" else f"command `{where} {error.name}`"
        return WrongCall(f"there is no {what}", hint=hint)
    if isinstance(error, NoSuchOption):
        every = [*command.params, *(each for bundle in COMMON for each in options_of(bundle))]
        known = [name.removeprefix("--") for each in every for name in each.opts if name.startswith("--")]
        asked, argv = error.option_name, getattr(context.obj, "argv", ())
        if asked[1] != "-":  # of `-room-set` it is the first letter
            asked = next((each for each in argv if each.startswith(asked)), asked)
        asked = asked.lstrip("-").partition("=")[0]  # the dashes, which all have, make none nearer
        near = next((each for each in SYNONYMS.get(asked, ()) if each in known), "") or nearest(asked, known, least=0.7)
        listed = "`roomctl help options`" if where == "roomctl" else f"`{where} --help`"
        hint = f"did you mean `--{near}`?" if near else f"{listed} lists the options"
        hint = ANSWERS.get(f"{where.removeprefix('roomctl ').replace(' ', '.')}.{asked}") or ANSWERS.get(asked, hint)
        number = re.search(rf"--{re.escape(asked)}[ =](\d+)", " ".join(argv))
        hint = re.sub(r"\{(\d+)\}", number[1] if number else r"\1", hint)
        return WrongCall(f"there is no option `{error.option_name}`", hint=hint)
    if lacks_command(error):
        hint = f"add one of {', '.join(command.members)}; `{where} --help` explains them"
        return WrongCall(f"`{where}` needs a command", hint=hint)
    message = _METAVAR.sub(r"'\1'", error.format_message()).rstrip(".").replace("requires an argument", "has no value")
    hint = getattr(error, "hint", "") or _usage_of(error, where, command)
    if more := _MORE.fullmatch(message):
        hint = _extra(more[1], getattr(context.obj, "argv", ()), command, where, hint)
        return WrongCall(f"unexpected argument `{more[1]}`", hint=hint)
    what, colon, value = message.partition(": ")
    return WrongCall(f"{what[:1].lower()}{what[1:]}".replace("'", "`") + colon + value, hint=hint)


def _extra(word: str, argv: Sequence[str], command: Any, where: str, hint: str) -> str:
    """Say what an argument too many may have been meant for."""
    takes = [param.metavar.strip("[]") for param in command.params if param.param_type_name == "argument"]
    if any(" " in each for each in argv):  # who quotes one
        hint = f"`{where}` takes only one {' and one '.join(takes)}; {hint}" if takes else hint
    elif takes and takes != ["FILE"]:
        hint = f"put quotes around a name of several words; {hint}"
    options = [name for param in command.params for name in param.opts]
    by_id = is_uuid(word)
    is_set = not takes and (by_id or "--name" not in options) and "--fields" not in argv
    kind = "--email" if "@" in word else "--from" if _FILE.search(word) else ""
    likely = (kind, "--id", "--room-set" if is_set else "")
    if not (takes or by_id) and "--name" in options:
        hint = f"`--name {quote(word)}` gives the name; {hint}"
    if option := next((each for each in likely if each in options), ""):
        hint = f"write `{option} {quote(word)}`"
    hint = f"put a time that contains a space in quotes; {hint}" if _CLOCK.match(word) else hint
    if any(before.isdigit() for before, after in pairwise(argv) if after == word.partition(" ")[0]):
        hint = f"write a number and its unit as one word, such as `2h`; {hint}"
    if ("--json", word) in pairwise(argv):
        hint = f"`--json` takes no value; write `--json --fields {quote(word)}`"
    return hint


def _usage_of(error: UsageError, where: str, command: Any) -> str:
    """Give what the help says of the option that is wrong, otherwise what may follow the command."""
    from roomctl.cli.help_text import usage

    found: Any = getattr(error, "param", None)
    for param in command.params:
        found = param if getattr(error, "option_name", "") in (*param.opts, *param.secondary_opts) else found
    if found is None or found.param_type_name == "argument":
        return f"write `{where} {usage(command)}`; see `{where} --help`"
    if "not one of" in error.message:  # which lists the values
        return "`roomctl help output` explains them" if found.name == "output" else ""
    if found.is_flag:
        return ""
    name, placeholder = found.opts[-1], found.metavar or "TEXT"
    return f"`{name} {placeholder}`: {meaning_of(found).removesuffix('; may be repeated')}"


def lacks_command(error: BaseException) -> bool:
    return isinstance(error, UsageError) and (type(error) is NoArgsIsHelpError or error.message == "Missing command.")


def _nearest_command(name: str, where: str, group: Any, typed: str, rest: str) -> str:
    """Say what was probably meant, behind what was `typed` before it, and before the `rest`."""
    members = group.members
    if answer := ANSWERS.get(f"{where.removeprefix('roomctl ')}.{name}"):
        return answer
    synonyms = (name, *SYNONYMS.get(name, ()))
    near = next((each for each in synonyms if each in members), "")
    groups = {each: group.get_command(None, each) for each in members} if where == "roomctl" and not near else {}
    for verb in synonyms:  # `end` is `roomctl social end`
        if there := [each for each in groups if verb in getattr(groups[each], "members", ())]:
            there = [f"`{typed} {each} {verb}{rest if len(there) == 1 else ''}`" for each in there]
            return f"did you mean {' or '.join(', '.join(there).rsplit(', ', 1))}?"
    alike = [each for each in members if each != "remove" or nearest(name, [each], least=0.75)]
    if near := near or nearest(name, () if name in SYNONYMS else alike):  # a verb of other tools is no misspelling
        return f"did you mean `{typed} {near}{rest}`?"
    if where != "roomctl":
        way = f"use one of {', '.join(members)}" if len(members) > 1 else f"use `{where} {next(iter(members))}`"
        return ANSWERS.get(name) or f"{way}; see `{where} --help`"
    return ANSWERS.get(name) or "`roomctl help` lists the topics, `roomctl --help` the commands"


def useful_hint(error: RoomctlError, session: Session, settings: "Settings | None") -> str:
    """Give the hint of an error without the parts that name an option which the command does not have."""
    hint = error.hint
    if session.context is not None:
        params = session.context.command.params
        options = [name for param in params for name in (*param.opts, *param.secondary_opts)]
        typed = {part: re.findall(r"`(--?\w[\w-]*)", part) for part in hint.split("; ")}
        known = (part for part in typed if all(any(name.startswith(each) for name in options) for each in typed[part]))
        hint = "; ".join(known)
    if error.http == 401 and settings and settings.key.renewal:
        hint = f"{settings.key.renewal}; {hint}"
    return same_service(hint, session.argv).replace(" PROFILE", f" {settings.profile if settings else 'NAME'}")
