"""The one place that knows Typer's insides: lazy groups, options before and after a command, sections of help."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, cast

import typer
import typer.main
from typer._click.exceptions import NoArgsIsHelpError, UsageError
from typer.core import TyperCommand, TyperGroup, TyperOption

from roomctl.contract.operations import Operation

__all__ = ["Commands", "Context", "Entry", "NoArgsIsHelpError", "Root", "Takes", "UsageError"]

SETTINGS = {"help_option_names": ["-h", "--help"]}


class Takes(NamedTuple):
    """A bundle of options that many commands take: its heading in the help, and a function whose signature lists them.

    Their values do not reach the command's function; they land in `session.given`, and in `session.given.fields`
    (under the parameter's own name, which is the service's field name) when `body` names the resource that they fill.
    """

    title: str
    signature: Callable[..., None]
    body: str = ""


class Entry(NamedTuple):
    """A line of the root's table of contents: the module that holds it, and its one-line help."""

    module: str
    summary: str
    heading: str


class Context(typer.Context):
    """The context of a command; `obj` is the session."""

    obj: Any


def _store(takes: Takes) -> Callable[[typer.Context, Any, Any], Any]:
    def store(ctx: typer.Context, param: Any, value: Any) -> Any:
        if value is not None and value not in ([], ()):
            ctx.obj.given.set(param.name, value, takes.body)
        return value

    return store


_bundles: dict[str, list[TyperOption]] = {}


def _options_of(takes: Takes) -> list[TyperOption]:
    """Make the options of a bundle, once for each process."""
    key = takes.signature.__qualname__ + takes.signature.__module__
    if key not in _bundles:
        params, _, _ = typer.main.get_params_convertors_ctx_param_name_from_function(takes.signature)
        for param in params:
            param.expose_value = False
            param.callback = cast(Any, _store(takes))
            param.rich_help_panel = takes.title
        _bundles[key] = cast(list[TyperOption], params)
    return _bundles[key]


def add_options(command: Any, bundles: Sequence[Takes]) -> None:
    """Give a command the options of bundles, except where it has an option of that name itself."""
    taken = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    for bundle in bundles:
        for option in _options_of(bundle):
            if taken.isdisjoint({*option.opts, *option.secondary_opts}):
                command.params.append(option)
                taken.update(option.opts, option.secondary_opts)


class _Sections:
    """Help in sections: arguments, the command's own options, then a section for each bundle."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in cast(Any, self).get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                own = "Arguments" if param.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(param, "rich_help_panel", None) or own, []).append(record)
        order = sorted(sections, key=lambda title: {"Arguments": 0, "Options": 1}.get(title, 2))
        for title in order:
            with formatter.section(title):
                formatter.write_dl(sections[title])


class Command(_Sections, TyperCommand):
    """A command: knows what operations it calls and shows their gaps and its examples in its help."""

    calls: tuple[Operation, ...] = ()
    examples: tuple[str, ...] = ()
    exits: tuple[int, ...] = ()

    def invoke(self, ctx: Any) -> Any:
        ctx.obj.check_target()
        return super().invoke(ctx)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  (Click's signature)
        if self.calls:
            with formatter.section("Calls"):
                for call in self.calls:
                    formatter.write_text(f"{call.number}. {call.summary}: {call.method} /api/v1{call.path}")
        silent = [line for call in self.calls for line in call.not_shown]
        if silent:
            with formatter.section("The service does not document"):
                for line in dict.fromkeys(silent):
                    formatter.write_text(line)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write_text(example if example[:1].isupper() else f"roomctl {example}")


class Group(_Sections, TyperGroup):
    """A group of commands."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)


def _nothing() -> None:
    """Do nothing: a group has no work of its own."""


class Commands(typer.Typer):
    """A group in the making: a Typer application whose commands say what they call, take and exit with."""

    def __init__(self, summary: str = "") -> None:
        super().__init__(
            help=summary,
            add_completion=False,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            no_args_is_help=True,
            cls=Group,
            context_settings=SETTINGS,
        )
        if summary:  # without a callback, Typer takes a group of one command for that command
            self.callback(help=summary)(_nothing)
        self.about: dict[str, tuple[Sequence[Takes], dict[str, Any]]] = {}

    def verb(
        self,
        name: str,
        *,
        calls: Sequence[Operation] = (),
        takes: Sequence[Takes] = (),
        examples: Sequence[str] = (),
        exits: Sequence[int] = (0, 1, 2),
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a command: the operations it calls, the bundles of options it takes, examples, exit codes."""
        self.about[name] = (takes, {"calls": tuple(calls), "examples": tuple(examples), "exits": tuple(exits)})
        return self.command(name, cls=Command, context_settings=SETTINGS)

    def build(self, name: str, common: Sequence[Takes]) -> Any:
        """Make the parser's tree of this group, every command with its bundles and the common ones."""
        tree = typer.main.get_command(self)
        tree.name = name
        for verb, (takes, about) in self.about.items():
            command = cast(Any, tree).commands[verb] if isinstance(tree, TyperGroup) else tree
            for attribute, value in about.items():
                setattr(command, attribute, value)
            add_options(command, (*takes, *common))
        if isinstance(tree, TyperGroup):
            add_options(tree, common)
        return tree


class Root(Group):
    """The root: knows the names and one-line helps of its groups and imports a group only when it is asked for."""

    def __init__(self, contents: Mapping[str, Entry], common: Sequence[Takes], **settings: Any) -> None:
        super().__init__(name="roomctl", context_settings=SETTINGS, rich_markup_mode=None, **settings)
        self.contents = contents
        self.common = common
        add_options(self, common)
        self.commands = cast(Any, dict.fromkeys(contents))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  (Click's signature)
        return list(self.contents)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  (Click's signature)
        if cmd_name not in self.contents:
            return None
        if self.commands[cmd_name] is None:
            module = import_module(self.contents[cmd_name].module)
            self.commands[cmd_name] = module.commands.build(cmd_name, self.common)
        return self.commands[cmd_name]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  (Click's signature)
        headings: dict[str, list[tuple[str, str]]] = {}
        for name, entry in self.contents.items():
            headings.setdefault(entry.heading, []).append((name, entry.summary))
        for heading, rows in headings.items():
            with formatter.section(heading):
                formatter.write_dl(rows, col_max=14)
