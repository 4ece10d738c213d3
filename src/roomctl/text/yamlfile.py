"""YAML as people write bodies in it: dates, times and words such as `no` stay the text that they are."""

import re
from typing import Any

import yaml


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


def _mapping(loader: Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    """Build a mapping whose keys are texts, each once."""
    seen: set[str] = set()
    for key, _ in node.value:
        name = str(getattr(key, "value", key))
        if name in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {name!r} appears twice", key.start_mark)
        seen.add(name)
    loader.flatten_mapping(node)
    return {str(key.value): loader.construct_object(value, deep=True) for key, value in node.value}


Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
