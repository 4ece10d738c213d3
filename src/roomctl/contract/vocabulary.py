"""The words by which members that the interface does not declare say something, and the families of what they say."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

READ: Final = ("failed", "partial")
"""What counts against a record that was read; a state counts what is not final too, and a write what was not done."""
STATE: Final = (*READ, "pending", "draft")
WRITE: Final = (*STATE, "undone")
CHANGE: Final = (*STATE, "taken on")
"""What counts against the reply to a change: of what is only accepted, or scheduled, nothing is seen yet."""
DENIAL: Final = ("failed", "undone")
LIST: Final = ("failed", "more", "left out", "partial", "pending")
"""What counts against a list, in the object around its rows, or in headers."""
GONE: Final = ("gone",)
"""What counts against a record that is there, and is not one of the service's own any more."""


def _read() -> dict[str, dict[str, frozenset[str]]]:
    """Read the tables of `vocabulary.txt`: a part for each family of a table, with its words."""
    tables: dict[str, dict[str, frozenset[str]]] = {}
    for part in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n\n"):
        title, _, words = part.partition("]\n")
        table, _, family = title[1:].partition(": ")
        tables.setdefault(table, {})[family] = frozenset(words.split())
    return tables


_TABLES = _read()
TRUE: Final = _TABLES["true"]
"""The words of a name by which a member says it where its value is true, or something."""
FALSE: Final = _TABLES["false"]
"""Those by which it says it where its value is false."""
OTHERS: Final = _TABLES["other"]
"""Words that say it by their values, or nothing."""
STATES, TEXTS, PROGRESS = OTHERS["state"], OTHERS["text"], OTHERS["progress"]
IN_VALUES: Final = _TABLES["in values"]
COUNTING: Final = OTHERS["rows"]
"""Words of the names of numbers of rows, and of what holds them."""
HOLDING: Final = COUNTING | OTHERS["filling"] | OTHERS["place"] | OTHERS["part"] | STATES
"""Words of the names of members that may hold what is said of a list: `pagination`, `_links`, `page`, `status`."""
_SAYS: Final = {
    "gone": "the record is deleted or disabled",
    "failed": "the request failed",
    "more": "the list has more rows",
    "left out": "rows were left out of the list",
    "partial": "the data is incomplete or out of date",
    "pending": "the request is not finished",
    "draft": "the record is not in effect",
    "undone": "the write was not done",
}
WORDS: Final[Mapping[str, frozenset[str]]] = {
    **{f"if true, {_SAYS[family]}": words for family, words in TRUE.items()},
    **{f"if false, {_SAYS[family]}": words for family, words in FALSE.items()},
    "a status, judged by its value": STATES,
    "a message, judged by its words": TEXTS,
    "progress: below 100, the request is not finished": PROGRESS,
    "no meaning of its own": OTHERS["place"] | OTHERS["rows"] | OTHERS["part"] | OTHERS["filling"],
}
"""The whole vocabulary by what a field says whose name has one of the words; `help replies` lists it."""
VOCABULARY: Final = frozenset[str]().union(*WORDS.values())
HARMLESS: Final = _TABLES["usual"]["remark"]
"""A remark or a state of these words alone says no more than that it was done."""
USUAL: Final = _TABLES["usual"]["name"]
"""What a field of any record may be: an id, a link, a version."""
STEPS: Final = _TABLES["usual"]["step"]
"""What is done to a record as a matter of course: `updatedBy` says nothing of a write."""
IN_TEXTS: Final = _TABLES["in texts"]
"""How words begin by which a text says it."""
