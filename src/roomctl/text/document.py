"""A document that a person wrote: JSON, or YAML where it is not JSON; and where each of its values stands."""

import json
from functools import cached_property
from typing import Any

from roomctl.text import JSON
from roomctl.text.strict_json import no_constant, unique

Place = tuple[int, int]
"""A line and a column, from 1."""


class NotADocument(Exception):
    """A text that is neither JSON nor YAML; the message says why, `place` where, if that is known, `hint` a way out."""

    place: Place = (1, 1)
    hint = "save it as UTF-8 text, without control characters"

    def about(self, name: str) -> str:
        line, column = self.place
        return f"{name}, line {line}, column {column}: {self}" if str(self) else f"{name} is neither JSON nor YAML"


def parse(text: str) -> JSON:
    """Parse a text; YAML dates and words such as `no` stay text. Raises NotADocument."""
    try:
        return json.loads(text, parse_constant=no_constant, object_pairs_hook=unique)
    except (ValueError, RecursionError):  # YAML, or what it says better: where a key occurs twice
        return _yaml(text)[1]


def _yaml(text: str) -> tuple[Any, JSON]:
    """Read YAML: its nodes, which know their places, and its value. Raises NotADocument."""
    import yaml

    from roomctl.text.yamlfile import Loader, mistake_of, refuse_bomb

    try:
        loader = Loader(text)
        node = loader.get_single_node()
        if node is None:
            return node, None
        refuse_bomb(node)
        return node, loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mistake = mistake_of(error, text.splitlines())
        wrong = NotADocument(mistake.why)
        wrong.place, wrong.hint = mistake.place, mistake.hint
        raise wrong from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise NotADocument("") from None


class Document:
    """A parsed text that can say where its values stand. Raises NotADocument."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.value = parse(text)

    @cached_property
    def _root(self) -> Any:
        try:
            return _yaml(self.text.replace("\t", " "))[0]  # JSON may be indented by tabs, YAML not
        except NotADocument:
            return None

    def place(self, path: tuple[str | int, ...]) -> Place:
        """Say where the value at a path stands, a key by its own place; else what holds it; (1, 1) for no place."""
        from yaml import MappingNode, SequenceNode

        node, mark = self._root, getattr(self._root, "start_mark", None)
        for part in path:
            if isinstance(node, MappingNode):
                pairs = ((key, value) for key, value in node.value if getattr(key, "value", None) == part)
                key, node = next(pairs, (None, None))
                mark = key.start_mark if key is not None else mark
            elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                mark = node.start_mark
            else:
                break
        return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
