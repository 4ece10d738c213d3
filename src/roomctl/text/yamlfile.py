"""YAML as people write bodies in it: dates, times and words such as `no` stay the text that they are."""

import re
from typing import Any

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
