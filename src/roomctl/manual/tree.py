"""The command tree as plain values: what the man pages and the completion scripts are made from."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from roomctl.cli.about import About
from roomctl.cli.lazy import first_sentence
from roomctl.contract.operations import Operation
from roomctl.manual.values import Value, placeholder, value_of


class Option(NamedTuple):
    """An option: its names, those that switch it off, what it takes, its section in the help."""

    names: tuple[str, ...]
    off: tuple[str, ...]
    placeholder: str
    value: Value
    help: str
    section: str
    repeats: bool
    required: bool
    default: str

    @property
    def flag(self) -> bool:
        """Whether it takes no value."""
        return self.value.kind == "flag"


class Argument(NamedTuple):
    """A positional: the word that stands for it, what it can be, whether it may be left out or repeated."""

    placeholder: str
    value: Value
    help: str
    required: bool
    repeats: bool

    @property
    def synopsis(self) -> str:
        """The argument as a synopsis shows it: `[ID|NAME]...`."""
        return (self.placeholder if self.required else f"[{self.placeholder}]") + ("..." if self.repeats else "")


class Node(NamedTuple):
    """A command or group: its path below `roomctl`, what its help says, its parameters, and what stands below it."""

    path: tuple[str, ...]
    summary: str
    about: tuple[str, ...]
    heading: str
    options: tuple[Option, ...]
    arguments: tuple[Argument, ...]
    children: tuple["Node", ...]
    calls: tuple[Operation, ...]
    examples: tuple[str, ...]
    exits: tuple[int, ...]
    shows: tuple[str, ...] = ()
    writes: bool = False

    @property
    def words(self) -> str:
        """What is typed after `roomctl`."""
        return " ".join(self.path)

    def walk(self) -> Iterator["Node"]:
        """Give this node and all below it, in the order of the help."""
        yield self
        for child in self.children:
            yield from child.walk()

    def every_option(self) -> Iterator[tuple["Node", Option]]:
        """Give each option of each node below, with the node."""
        for node in self.walk():
            for option in node.options:
                yield node, option


def tree() -> Node:
    """Read the whole command tree; every group is imported."""
    from roomctl.cli.main import root

    whole = _node(root(), (), None)
    return _naming_commands(
        whole, Value("word", tuple(dict.fromkeys(word for node in whole.walk() for word in node.path)))
    )


def _naming_commands(node: Node, words: Value) -> Node:
    """Let the positionals that stand for commands take their words."""
    arguments = (each._replace(value=words) if each.placeholder == "COMMAND" else each for each in node.arguments)
    children = (_naming_commands(child, words) for child in node.children)
    return node._replace(arguments=tuple(arguments), children=tuple(children))


def _node(command: Any, path: tuple[str, ...], entry: Any) -> Node:
    text = command.help or ""
    paragraphs = tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()) if part.strip())
    below = [] if not hasattr(command, "list_commands") else command.list_commands(None)
    contents = getattr(command, "contents", {})
    said: About | None = getattr(command, "about", None)
    params = [param for param in command.every_param() if not getattr(param, "hidden", False)]
    return Node(
        path=path,
        summary=entry.summary if entry is not None else first_sentence(text),
        about=paragraphs,
        heading=entry.heading if entry is not None else "",
        options=(*(_option(each, path) for each in params if each.param_type_name == "option"), _HELP),
        arguments=tuple(_argument(each, path) for each in params if each.param_type_name == "argument"),
        children=tuple(_node(command.get_command(None, name), (*path, name), contents.get(name)) for name in below),
        calls=said.calls if said else (),
        examples=tuple(each.line for each in said.examples) if said else (),
        exits=said.exits if said else (),
        shows=said.shows if said else (),
        writes=bool(said and said.writes),
    )


_HELP = Option(("-h", "--help"), (), "", Value("flag"), "show the help and exit", "", False, False, "")


def _option(param: Any, path: tuple[str, ...]) -> Option:
    value = value_of(param, path)
    return Option(
        names=tuple(param.opts),
        off=tuple(param.secondary_opts),
        placeholder="" if value.kind == "flag" else placeholder(param),
        value=value,
        help=param.help or "",
        section=getattr(param, "rich_help_panel", None) or "",
        repeats=bool(param.multiple),
        required=bool(param.required),
        default=_default(param),
    )


def _default(param: Any) -> str:
    default = param.default
    if default is None or default is False or default in ((), []) or callable(default):
        return ""
    return param.show_default if isinstance(param.show_default, str) else str(default)


def _argument(param: Any, path: tuple[str, ...]) -> Argument:
    return Argument(
        placeholder=placeholder(param),
        value=value_of(param, path),
        help=param.help or "",
        required=bool(param.required),
        repeats=param.nargs == -1,
    )
