"""The command tree as lookup tables for a shell: patterns of \"COMMAND --option\" and what they stand for."""

from collections import Counter
from typing import NamedTuple

from roomctl.manual.tree import Node, Option
from roomctl.manual.values import FLAG, Value


class Row(NamedTuple):
    """A branch of a `case`: the keys that it is for, and what stands there."""

    keys: tuple[str, ...]
    value: Value


def commands(tree: Node) -> list[tuple[str, tuple[Node, ...]]]:
    """List the nodes that have commands below them, by what is typed."""
    return [(node.words, node.children) for node in tree.walk() if node.children]


def names(options: tuple[Option, ...]) -> list[str]:
    """List the long names of options, and the short one where there is no other."""
    long = [[name for name in option.names if name.startswith("--")] or list(option.names) for option in options]
    return [name for each, option in zip(long, options, strict=True) for name in (*each, *option.off)]


def shared(tree: Node) -> list[str]:
    """List the option names that every command has."""
    return [name for name in names(tree.options) if all(name in names(node.options) for node in tree.walk())]


def own(tree: Node) -> list[tuple[tuple[str, ...], list[str]]]:
    """List the option names that commands have beyond the shared ones; commands with the same names together."""
    common = set(shared(tree))
    groups: dict[tuple[str, ...], list[str]] = {}
    for node in tree.walk():
        rest = tuple(name for name in names(node.options) if name not in common)
        if rest:
            groups.setdefault(rest, []).append(node.words)
    return [(tuple(keys), list(rest)) for rest, keys in groups.items()]


def option_values(tree: Node, wildcard: str = "* ") -> list[Row]:
    """List what options take: first where a command differs from the rest, then for all commands; flags are absent.

    A key is the command's words and the option's name; `wildcard` stands for any command.
    """
    found: dict[str, dict[str, Value]] = {}
    for node, option in tree.every_option():
        for name in (*option.names, *option.off):
            found.setdefault(name, {})[node.words] = option.value
    special: dict[Value, list[str]] = {}
    general: dict[Value, list[str]] = {}
    for name, by_command in found.items():
        usual = Counter(by_command.values()).most_common(1)[0][0]
        if usual != FLAG:
            general.setdefault(usual, []).append(wildcard + name)
        for words, value in by_command.items():
            if value != usual:
                special.setdefault(value, []).append(f"{words} {name}")
    return [Row(tuple(keys), value) for rows in (special, general) for value, keys in rows.items()]


def argument_values(tree: Node, last: str = "*") -> list[Row]:
    """List what positionals take. A key is the command's words and the position from 0, or `last` for all further."""
    found: dict[Value, list[str]] = {}
    for node in tree.walk():
        for index, argument in enumerate(node.arguments):
            if argument.value.kind != "text":
                found.setdefault(argument.value, []).append(f"{node.words} {last if argument.repeats else index}")
    return [Row(tuple(keys), value) for value, keys in found.items()]
