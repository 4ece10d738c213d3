"""The command tree as a table: a row for each command, with what may follow it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from roomctl.cli.help_text import paragraphs
from roomctl.cli.options import About, first_sentence, meaning_of
from roomctl.contract.operations import BY_NAME
from roomctl.output.columns import resource_of
from roomctl.sandbox.faults import effects

Kind = Literal["flag", "text", "word", "list", "sort", "zone", "file", "profile", "id", "name"]


class Value(NamedTuple):
    """What a parameter takes: nothing, one of some words or several, a zone, file, profile, id or name, or any text.

    One that sorts takes one of some words, and behind a comma the direction.
    """

    kind: Kind = "text"
    words: tuple[str, ...] = ()
    """The words (of zones some), or the kinds of things that the id or name belongs to."""


class Parameter(NamedTuple):
    """An option, or a positional where `names` is empty; `off` are the names that switch a flag off."""

    placeholder: str
    value: Value
    help: str
    required: bool
    repeats: bool
    names: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    section: str = ""
    default: str = ""


class Row(NamedTuple):
    """A command or group: its words after `roomctl`, what is said about it, and what may follow it."""

    path: tuple[str, ...]
    summary: str
    paragraphs: tuple[str, ...]
    about: About
    below: tuple[tuple[str, str], ...]
    options: tuple[Parameter, ...]
    arguments: tuple[Parameter, ...]

    @property
    def words(self) -> str:
        return " ".join(self.path)


ZONES = tuple(Path(__file__).with_name("zones.txt").read_text(encoding="utf-8").split())
"""Zones that Tab offers: a large one for each clock, for a shell cannot know them all."""
VALUES = {"OPERATION": Value("word", tuple(BY_NAME)), "ZONE": Value("zone", ZONES)}
VALUES["FAULT"] = Value("word", tuple(effects()))
for _line in Path(__file__).with_name("values.txt").read_text(encoding="utf-8").splitlines():
    _key, _kind, _words = (*map(str.strip, _line.split(" | ")), "")[:3]
    VALUES[_key] = Value(cast(Kind, _kind), tuple(_words.split()))
"""What an option takes, by its name; what stands for a value in the help; what an ID or NAME is in a group."""
HELP = Parameter("", Value("flag"), "show the help and exit", False, False, ("-h", "--help"))


def tree(root: Any) -> list[Row]:
    """Read the whole command tree, the root first; every group is imported."""
    found = list(_walk(root, ()))
    words = tuple(dict.fromkeys(word for _, path in found for word in path))
    topics = next(meaning_of(command.params[0]).split(", ") for command, path in found if path == ("help",))
    first = (path[0] for _, path in found if len(path) == 1)
    values = {**VALUES, "COMMAND": Value("word", words), "TOPIC": Value("word", (*topics, *first))}
    return [_row(command, path, values) for command, path in found]


def option_groups(rows: list[Row]) -> list[tuple[tuple[Row, ...], list[Parameter]]]:
    """List every option once: options that the same commands have stand together, beside those commands."""
    places: dict[Parameter, list[Row]] = {}
    for row in rows:
        for option in row.options:
            places.setdefault(option, []).append(row)
    groups: dict[tuple[Row, ...], list[Parameter]] = {}
    for option, found in places.items():
        groups.setdefault(tuple(found), []).append(option)
    return list(groups.items())


def _walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    yield command, path
    for name in getattr(command, "members", ()):
        yield from _walk(command.get_command(None, name), (*path, name))


def _row(command: Any, path: tuple[str, ...], values: Mapping[str, Value]) -> Row:
    about = getattr(command, "about", About())
    params = [_parameter(param, path, {**values, **_fields(about)}) for param in command.params]
    return Row(
        path=path,
        summary=first_sentence(command.help),
        paragraphs=tuple(paragraphs(command, " ".join(path))),
        about=about,
        below=tuple((name, command.line(name)) for name in getattr(command, "members", ())),
        options=(*(param for param in params if param.names), HELP),
        arguments=tuple(param for param in params if not param.names),
    )


def _fields(about: About) -> dict[str, Value]:
    """Say which fields a command's result has, for the options that take their names; `export` writes registrations."""
    shows = about.shows or (("Registration",) if about.exports else ())
    found = dict.fromkeys(column.short_name for each in shows for column in resource_of(each).columns)
    names = tuple(name for name in found if " " not in name)
    if not names:
        return {}
    return dict.fromkeys(("--fields", "--columns"), Value("list", names)) | {"--sort-by": Value("sort", names)}


def _parameter(param: Any, path: tuple[str, ...], values: Mapping[str, Value]) -> Parameter:
    option = param.param_type_name == "option"
    without = param.default is False or param.default in (None, (), []) or callable(param.default)
    default = "" if without else str(param.default)
    word = re.sub(r"^\[(.*)\]$", r"\1", (param.metavar or "TEXT").removeprefix("-- ").removesuffix("..."))
    value = _value(param, word, path, values)
    return Parameter(
        placeholder="" if value.kind == "flag" else word,
        value=value,
        help=meaning_of(param),
        required=bool(param.required),
        repeats=bool(param.nargs == -1 or getattr(param, "multiple", False)),
        names=tuple(param.opts) if option else (),
        off=tuple(param.secondary_opts),
        section=getattr(param, "rich_help_panel", None) or "",
        default=param.show_default if default and isinstance(param.show_default, str) else default,
    )


def _value(param: Any, placeholder: str, path: tuple[str, ...], values: Mapping[str, Value]) -> Value:
    """Say what a parameter takes: by its type, its name, what stands for it, and last by the group."""
    if getattr(param, "is_flag", False):
        return Value("flag")
    if choices := getattr(getattr(param.type, "func", None), "choices", ()):
        return Value("word", tuple(choices))
    words = re.findall("[A-Z]+", placeholder)
    name = param.opts[-1] if param.param_type_name == "option" else "--id"
    own, group = ((" ".join(path),), path[:1]) if name == "--id" else ((), ())
    group = group if {"ID", "NAME"} & set(words) else ()
    return next((values[key] for key in (*own, name, placeholder, *words, *group) if key in values), Value())
