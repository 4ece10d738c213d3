"""YAML as people write bodies in it: dates, times and words such as `no` stay the text that they are."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from roomctl.text.jsontext import compact


class Loader(yaml.SafeLoader):
    """A safe loader that knows only JSON's own scalars: numbers, true, false, null; everything else is text."""


Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:bool", r"true|false", "tf"),
    ("tag:yaml.org,2002:null", r"null|~|", "n~\0"),
    ("tag:yaml.org,2002:int", r"-?(?:0|[1-9][0-9]*)", "-0123456789"),
    # as narrow as other YAML has it: 12E5 may be the name of a room
    ("tag:yaml.org,2002:float", r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+][0-9]+)?", "-0123456789"),
    ("tag:yaml.org,2002:merge", r"<<", "<"),
):
    Loader.add_implicit_resolver(_tag, re.compile(rf"^(?:{_pattern})$"), list(_first) + ([""] if "~" in _first else []))


class Mistake(NamedTuple):
    """What is wrong with a text, where (a line and a column, from 1), and what to do."""

    why: str
    place: tuple[int, int]
    hint: str


_INDENT = "start all entries of a block in the same column, and indent with spaces"


def mistake_of(error: yaml.MarkedYAMLError, lines: Sequence[str]) -> Mistake:
    """Say in plain words what the parser found in some lines."""
    problem = error.problem or "cannot be parsed"
    began = ("stream", "expected ':'", "expected ','")  # what is wrong is seen where it began
    opened = any(each in problem for each in began)
    mark = (error.context_mark if opened else None) or error.problem_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    if "mapping values" in problem:
        why, hint = _stray_colon(lines, line, column)
        return Mistake(why, (line + 1, column + 1), hint)
    known = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")  # what it says, what that means, what to do
    rows = (line.split(" | ") for line in known.splitlines())
    found, (_, why, hint) = next((match, each) for each in rows if (match := re.search(each[0], problem)))
    return Mistake(why.format(*found.groups()) or problem, (line + 1, column + 1), hint)


def _stray_colon(lines: Sequence[str], line: int, column: int) -> tuple[str, str]:
    """Say why a colon cannot stand where it does, and what to do: often the line before it is to blame."""
    before = next((at for at in reversed(range(line)) if lines[at].strip() and lines[at].strip()[0] != "#"), None)
    if re.search(r":\s", lines[line][:column]):
        return "a second colon in one value", "put the text in quotes if the colon is part of it"
    if before is not None and not re.search(r":(\s|$)", lines[before]):
        lacks = "a space after its colon" if ":" in lines[before] else "a colon"
        return f"line {before + 1} lacks {lacks}", f"write `key: value` in line {before + 1}"
    return "this line is indented too far: the one before it has a value already", _INDENT


LARGEST = 100_000
"""Values that a document may have where it repeats some by aliases: a few lines can stand for billions."""


def refuse_bomb(root: yaml.Node) -> None:
    """Refuse a document whose aliases make it far larger than it is, or endless. Raises MarkedYAMLError."""
    sizes: dict[int, float] = {}

    def size(node: yaml.Node) -> float:
        if id(node) not in sizes:
            sizes[id(node)] = float("inf")  # until it is known: a node that contains itself has no end
            inside = [] if isinstance(node, yaml.ScalarNode) else node.value
            parts = [part for each in inside for part in (each if isinstance(each, tuple) else (each,))]
            sizes[id(node)] = 1 + sum(map(size, parts))
            if sizes[id(node)] > LARGEST + len(sizes):
                raise yaml.MarkedYAMLError(problem="its aliases repeat too much", problem_mark=node.start_mark)
        return sizes[id(node)]

    size(root)


def _mapping(loader: Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    """Build a mapping whose keys are texts, each once."""
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(None, None, "a key must be a string", key.start_mark)
        name = str(getattr(key, "value", key))
        if name in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {compact(name)} appears twice", key.start_mark
            )
        seen.add(name)
    loader.flatten_mapping(node)
    return {str(key.value): loader.construct_object(value, deep=True) for key, value in node.value}


Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
