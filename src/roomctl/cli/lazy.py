"""The one place that knows Typer's insides: commands made when asked for, options before and after them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial, wraps
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any, NamedTuple, cast

import typer
import typer.main
from typer._click.exceptions import NoArgsIsHelpError, NoSuchOption, UsageError
from typer._click.parser import _OptionParser
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import CommandInfo

from roomctl import __version__
from roomctl.cli.about import About, Takes
from roomctl.cli.options import COMMON, Said, key_of, store
from roomctl.contract.operations import Operation

__all__ = ["Commands", "NoArgsIsHelpError", "NoSuchOption", "UsageError"]

HELP = ("-h", "--help")
SETTINGS = {"help_option_names": list(HELP)}
RAW = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@cache
def options_of(takes: Takes) -> list[Any]:
    """Make the options of a bundle, once for each process."""
    kinds, bundle = takes.options.__annotations__.items(), cast(Any, takes.options)
    keyword = Parameter.KEYWORD_ONLY
    bundle.__signature__ = Signature(
        [Parameter(name, keyword, default=getattr(bundle, name), annotation=kind) for name, kind in kinds]
    )
    params: Any = typer.main.get_params_convertors_ctx_param_name_from_function(bundle)[0]
    for param in params:
        param.expose_value, param.callback, param.rich_help_panel = False, partial(store, takes.body), takes.title
        param.last_wins = getattr(getattr(bundle, param.name), "last_wins", False)
    return cast(list[Any], params)


def add_options(command: Any, bundles: Iterable[Takes]) -> None:
    """Give a command the options of bundles, except where it has an option of that name itself."""
    taken = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    for option in (each for bundle in bundles for each in options_of(bundle)):
        if taken.isdisjoint({*option.opts, *option.secondary_opts}):
            command.params.append(option)
            taken.update(option.opts, option.secondary_opts)


class _Parser(_OptionParser):
    """Keeps every value of an option, so that none takes the place of another unheard."""

    def parse_args(self, args: list[str]) -> tuple[dict[str, Any], list[str], list[Any]]:
        """Parse as ever: the last value of an option counts, and its place. Raises WrongCall."""
        values, words, order = super().parse_args(args)
        ctx: Any = self.ctx
        options: dict[Any, None] = {each: None for each in order if each.param_type_name == "option"}
        for option in options:
            for value in values[option.name] if ctx.obj is not None else ():
                ctx.obj.given.say(*_subject(option, value, ctx))
            if not option.multiple:
                values[option.name] = values[option.name][-1]
        return values, words, [*reversed(dict.fromkeys(reversed(order)))]


def _subject(option: Any, value: Any, ctx: Any) -> tuple[str, Said]:
    """What an option gives its one value to: itself, or a key where it takes several; empty where the last wins."""
    name = option.opts[-1]
    if option.multiple and "=" in (option.metavar or ""):
        return f"{name} {found}" if (found := key_of(value, option.metavar)) else "", Said(value, name, value)
    if option.multiple:
        return option.name, Said(None, name)
    if getattr(option, "last_wins", False):
        return "", Said(value, name)
    if option.is_flag:
        return option.name, Said(value, name if value or not option.secondary_opts else option.secondary_opts[-1])
    try:
        return option.name, Said(option.type_cast_value(ctx, value), name, value)  # capitals make no other id
    except UsageError:  # refused later, unless a contradiction is found first
        return option.name, Said(value, name, value)


class _WithHelp:
    """What commands and groups share: how they parse, and the help."""

    def make_parser(self, ctx: Any) -> _OptionParser:
        parser: Any = _Parser(ctx)
        for param in cast(Any, self).get_params(ctx):
            param.add_to_parser(parser, ctx)
        for option in (*parser._long_opt.values(), *parser._short_opt.values()):
            option.action = option.action.replace("store", "append")
        return cast(_OptionParser, parser)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args[:1] and args[0] in HELP:
            typer.echo(self.get_help(ctx))
            ctx.exit()
        try:
            return cast(Any, super()).parse_args(ctx, args)  # type: ignore[no-any-return]  # Typer's, beside this
        except UsageError as error:
            error.ctx = error.ctx or ctx  # an option without its value knows no context, and so no help to name
            raise

    def get_help(self, ctx: Any) -> str:
        from roomctl.cli.helptext import help_of

        return help_of(cast(Any, self), ctx)


class Command(_WithHelp, TyperCommand):
    """A command, and what is said about it."""

    about = About()

    def invoke(self, ctx: Any) -> Any:
        ctx.obj.context, ctx.obj.about = ctx, self.about
        if (before := ctx.find_root().command.before) is not None:
            before(self.about)
        return super().invoke(ctx)


class NoSuchCommand(UsageError):
    """A group was asked for a command that it does not have."""

    def __init__(self, group: "Group", name: str, ctx: Any) -> None:
        super().__init__(f"no such command: {name}", ctx)
        self.group, self.name = group, name
        self.group_path: str = ctx.command_path


class Group(_WithHelp, TyperGroup):
    """A group whose members are made when they are asked for; the root calls `before` ahead of each command."""

    before: Callable[[About], None] | None = None

    def __init__(self, name: str, members: "Mapping[str, Entry | Verb | Commands]", **settings: Any) -> None:
        super().__init__(name=name, context_settings=dict(SETTINGS), rich_markup_mode=None, **settings)
        self.members = members
        self.commands = cast(Any, dict.fromkeys(members))
        add_options(self, COMMON)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  (Click's signature)
        if cmd_name in self.members and self.commands[cmd_name] is None:
            member = self.members[cmd_name]
            made_of = import_module(member.module).commands if isinstance(member, Entry) else member
            self.commands[cmd_name] = made_of.build(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.members:
            raise NoSuchCommand(self, args[0], ctx)
        return args[0], self.get_command(ctx, args[0]), args[1:]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-"):  # what stands before the command's name are options: there are none
            ctx._protected_args, ctx.args = args[:1], args[1:]
            return args[1:]
        return super().parse_args(ctx, args)


class Entry(NamedTuple):
    """A member of the root: the module whose `commands` it is, its line in the root's help, the heading above that."""

    module: str
    line: str
    heading: str


class Verb(NamedTuple):
    """A command in the making: its function, what is said about it, the parser's settings beside the usual ones."""

    function: Callable[..., Any]
    about: About
    settings: Mapping[str, Any]
    heading: str = "Commands"

    @property
    def line(self) -> str:
        """Its line in the help of the group that holds it."""
        return first_sentence(self.function.__doc__ or "")

    def build(self, name: str) -> Command:
        """Make the parser's command; its function takes the session where the parser gives its context."""
        function: Any = wraps(self.function)(lambda session, **values: self.function(session.obj, **values))
        function.__annotations__ = {**function.__annotations__, "session": typer.Context}
        info = CommandInfo(name, cls=Command, callback=function, context_settings={**SETTINGS, **self.settings})
        made: Any = typer.main.get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode=None)
        add_options(made, (*self.about.takes, *COMMON))
        made.about = self.about
        return cast(Command, made)


class Commands:
    """A group in the making, or without a summary a single command: functions, and what they call, take and exit with.

    Nothing of Typer is made before `build`, and of a group's commands only the one that is asked for.
    """

    heading = "Commands"

    def __init__(self, summary: str = "") -> None:
        self.summary = summary
        self.members: dict[str, Verb | Commands] = {}

    def verb(
        self,
        name: str,
        *,
        calls: Sequence[Operation] = (),
        exits: Sequence[int] = (),
        raw: bool = False,
        exports: bool = False,
        **about: Sequence[Any],
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a command, with what `About` says of it: `calls` are its `named`, `exits` its `also`.

        With `raw`, all that follows its first word reaches it as it is, options too.
        """
        more: Any = {key: tuple(each) for key, each in about.items()}
        said = About(tuple(calls), also=tuple(exits), exports=exports, **more)

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.members[name] = Verb(function, said, RAW if raw else {})
            return function

        return register

    @property
    def line(self) -> str:
        """Its line in the help of the group that holds it."""
        return first_sentence(self.summary)

    def build(self, name: str) -> Any:
        """Make the parser's group, or its one command."""
        if not self.summary:
            return self.members[name].build(name)
        return Group(name, self.members, help=self.summary, no_args_is_help=True)


def root(members: Mapping[str, Entry], before: Callable[[About], None] | None = None, **settings: Any) -> Group:
    """Make the root; `before` is called with what is said of a command, ahead of it."""

    def print_version(ctx: typer.Context, _: Any, wanted: bool) -> None:
        if wanted:
            typer.echo(f"roomctl {__version__}")
            ctx.exit()

    made = Group("roomctl", members, **settings)
    made.before = before
    text, flag = "print the version and exit", {"is_flag": True, "is_eager": True, "expose_value": False}
    made.params.insert(0, TyperOption(param_decls=["--version"], callback=print_version, help=text, **cast(Any, flag)))
    return made


def first_sentence(text: str) -> str:
    """Take the first sentence of a docstring, as a line of a list: lower case, no full stop."""
    line = " ".join(text.strip().split("\n\n")[0].split())
    first = line.split(". ")[0].removesuffix(".")
    return first if first[1:2].isupper() else first[:1].lower() + first[1:]
