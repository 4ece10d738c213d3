"""What is wrong with an input, in its own words: the headings that it has, and what its cells must hold."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from roomctl.text.counted import first

NEEDED: Final = {
    "not an e-mail address": "an e-mail address looks like ada@example.org",
    "not an id": "an id has 36 characters, such as 3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e",
    "none of your rooms": "`roomctl social list` shows your rooms",
}
"""How the reasons begin for which a cell is bad, and what is expected in its place."""


class Problem(NamedTuple):
    """What is wrong with a line of the input; no cell is repeated, which may hold a secret (R8)."""

    line: int
    message: str
    column: str = ""

    def __str__(self) -> str:
        return f"line {self.line}: " + (f"{self.column}: " if self.column else "") + self.message


def brief(heading: str, most: int = 40) -> str:
    return heading if len(heading) <= most else f"{heading[: most - 1]}…"


def needed(problems: Iterable[Problem]) -> str:
    """Say in brackets what was expected in place of what is wrong; empty where the reasons say it."""
    found = dict.fromkeys(need for each in problems for said, need in NEEDED.items() if each.message.startswith(said))
    return f" ({'; '.join(found)})" if found else ""


def columns_of(header: Sequence[str]) -> str:
    """Name the columns of a file in brackets, unless its first line may be a row: of that nothing is repeated (R8)."""
    names = [each for each in header if each]
    if len(names) < 2 or not all(re.fullmatch(r"[^\W\d_]+(?:[ _-][^\W\d_]+){0,3}", each) for each in names):
        return ""
    return f" ({', '.join(first(map(brief, names), 10))})"
