"""The one place that knows Typer's insides: commands made when asked for, options before and after them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial, wraps
from importlib import import_module
from inspect import Parameter, Signature, signature
from itertools import pairwise
from typing import Any, cast

import typer
import typer.main
from typer._click.core import Command as ClickCommand
from typer._click.core import iter_params_for_processing
from typer._click.exceptions import BadParameter, NoArgsIsHelpError, NoSuchOption, UsageError
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import CommandInfo

from roomctl import __version__
from roomctl.cli.given import Said, contradiction, key_of, store
from roomctl.cli.needs import check
from roomctl.cli.options import COMMON, About, Commands, Entry, Takes, Verb, first_sentence

__all__ = ["BadParameter", "NoArgsIsHelpError", "NoSuchOption", "UsageError"]

SETTINGS = {"help_option_names": ["-h", "--help"]}


def _print_version(ctx: typer.Context, _: Any, wanted: bool) -> None:
    if wanted:
        typer.echo(f"roomctl {__version__}")
        ctx.exit()


_FLAG: Any = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _print_version}
VERSION = TyperOption(param_decls=["--version"], help="print the version and exit", **_FLAG)
"""The option of the root."""


@cache
def options_of(takes: Takes) -> list[Any]:
    kinds, bundle = takes.options.__annotations__.items(), cast(Any, takes.options)
    keyword = Parameter.KEYWORD_ONLY
    bundle.__signature__ = Signature(
        [Parameter(name, keyword, default=getattr(bundle, name), annotation=kind) for name, kind in kinds]
    )
    params: Any = typer.main.get_params_convertors_ctx_param_name_from_function(bundle)[0]
    for param in params:
        param.expose_value, param.callback, param.rich_help_panel = False, partial(store, takes.body), takes.title
        declared = getattr(bundle, param.name)
        param.last_wins, param.excludes, param.needs = declared.last_wins, declared.excludes, declared.needs
        param.described_in = (takes.options.__name__,)
    return cast(list[Any], params)


class _Parsing(ClickCommand):
    """What commands and groups share: how they parse, and the help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as ever, but hear every value of an option: the last one counts, and its place. Raises WrongCall."""
        if isinstance(self, Group) and args and not args[0].startswith("-"):
            return args  # what stands before a command's name are options: there are none
        try:
            parser = self.make_parser(ctx)
            for option in (*parser._long_opt.values(), *parser._short_opt.values()):
                option.action = option.action.replace("store", "append")
            values, words, order = parser.parse_args(args)
            for each in dict.fromkeys(order):
                if each.param_type_name == "option":
                    values[each.name or ""] = _take_all(each, values[each.name or ""], ctx)
            order = [*reversed(dict.fromkeys(reversed(order)))]
            for param in iter_params_for_processing(order, self.get_params(ctx)):
                param.handle_parse_result(ctx, values, words)
        except UsageError as error:
            error.ctx = error.ctx or ctx  # an option without its value knows no context, and so no help to name
            raise
        if words and not ctx.allow_extra_args:
            ctx.fail(f"Got unexpected extra arguments ({' '.join(words)})")
        ctx.args = words
        return words

    def get_help(self, ctx: Any) -> str:
        from roomctl.cli.help_text import help_of

        return help_of(self, ctx)


def _take_all(option: Any, values: list[Any], ctx: Any) -> Any:
    """Note each value of an option, so that none is dropped; give what counts of them. Raises WrongCall."""
    name, given = option.opts[-1], ctx.obj.given
    given.typed[name] = values
    if swallowed := [each for each in values if isinstance(each, str) and each.startswith("-")]:
        _refuse_options(option, swallowed, ctx)
    for value in () if getattr(option, "last_wins", False) else values:
        subject, said = option.name, Said(value, name, value)
        if option.multiple and (key := key_of(value, option.metavar or "")):
            subject = f"{name} {key}"
        elif option.multiple:
            said = Said(None, name)
        elif option.is_flag:
            said = Said(value, name if value or not option.secondary_opts else option.secondary_opts[-1])
        else:
            with suppress(UsageError):  # refused later, unless a contradiction is found first
                said = said._replace(value=option.type_cast_value(ctx, value))  # capitals make no other id
        before = given.said.setdefault(subject, said)
        if repr(before.value) != repr(said.value):  # True is not 1
            raise contradiction(before, said)
    return values if option.multiple else values[-1]


def _refuse_options(option: Any, values: Sequence[str], ctx: Any) -> None:
    """Refuse an option of the command that stands in the place of another one's value. Raises UsageError."""
    names = {name for param in ctx.command.params for name in (*param.opts, *param.secondary_opts)}
    for word, value in pairwise(ctx.obj.argv):
        if word in option.opts and value in values and value.partition("=")[0] in names:
            error = UsageError(f"option `{word}` has no value: `{value}` follows it")
            way = f"give it a value; if this is the value, write `{option.opts[-1]}={value}`"
            error.hint = way  # type: ignore[attr-defined]  # `wrong_call` reads it
            raise error


class Command(TyperCommand, _Parsing):
    about = About()

    def invoke(self, ctx: Any) -> Any:
        ctx.obj.context, ctx.obj.about = ctx, self.about
        check(ctx.obj, self.about)
        if ctx.obj.given.skeleton:
            from roomctl.cli.request_body import skeleton

            return skeleton(self.about)
        return super().invoke(ctx)


class NoSuchCommand(UsageError):
    def __init__(self, name: str, ctx: Any) -> None:
        super().__init__(f"no such command: {name}", ctx)
        self.name = name


class Group(TyperGroup, _Parsing):
    """A group whose members are made when they are asked for."""

    members: "Mapping[str, Entry | Verb | Commands]"
    path: tuple[str, ...] = ()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.members:
            raise NoSuchCommand(cmd_name, ctx)
        if self.commands[cmd_name] is None:
            member = self.members[cmd_name]
            made_of = import_module(member.module).commands if isinstance(member, Entry) else member
            self.commands[cmd_name] = build(cmd_name, made_of, (*self.path, cmd_name))
        return self.commands[cmd_name]

    def line(self, name: str) -> str:
        """Say of a member what it does, as lists have it."""
        return getattr(self.members[name], "line", "") or first_sentence(self.get_command(None, name).help)


def build(name: str, made_of: "Verb | Commands", path: tuple[str, ...] = ()) -> Any:
    """Make the parser's command or group, with the options of its bundles but for those that it has itself.

    `path` are the words that call it.
    """
    made: Any
    takes: tuple[Takes, ...] = COMMON
    settings: dict[str, Any] = dict(SETTINGS)
    if isinstance(made_of, Commands) and not made_of.summary:
        made_of = made_of.members[name]
    if isinstance(made_of, Commands):
        summary, own = made_of.summary, [*made_of.params]
        made = Group(name=name, help=summary, params=own, no_args_is_help=True, context_settings=settings)
        made.members, made.commands, made.path = made_of.members, dict.fromkeys(made_of.members), path
    else:
        takes, settings = (*made_of.about.takes, *COMMON), {**settings, **made_of.settings}
        command = made_of.function  # takes the session, where the parser gives its context
        function: Any = wraps(command)(lambda session, **values: command(session.obj, **values))
        function.__annotations__ = {**function.__annotations__, "session": typer.Context}
        info = CommandInfo(name, cls=Command, callback=function, context_settings=settings)
        made = typer.main.get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode=None)
        made.about, declared = made_of.about, signature(command).parameters
        for param in made.params:
            param.described_in = (" ".join(path), " ".join(path[:-1]))
            default = declared[param.name].default
            param.excludes, param.needs = getattr(default, "excludes", ()), getattr(default, "needs", ())
    names = {name for param in made.params for name in (*param.opts, *param.secondary_opts)}
    for option in (each for bundle in takes for each in options_of(bundle)):
        if names.isdisjoint({*option.opts, *option.secondary_opts}):
            made.params.append(option)
            names.update(option.opts, option.secondary_opts)
    return made
