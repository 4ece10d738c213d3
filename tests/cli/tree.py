"""The commands of the tool, by the words that call them."""

from collections.abc import Iterator
from typing import Any

from roomctl.cli.main import root


def _below(group: Any, *words: str) -> Iterator[tuple[str, Any]]:
    for name in group.members:
        found = group.get_command(None, name)
        yield from _below(found, *words, name) if hasattr(found, "members") else [(" ".join((*words, name)), found)]


COMMANDS = dict(_below(root()))
