"""How a list may end other than on an empty array: what services answer behind their last page."""

from typing import Any, Final

REFUSALS: Final = ("400", "404")
ENDS: Final = ("204", "empty", "null", *REFUSALS)
"""A page in other words than `[]`: HTTP 204, an empty body, `null`, and refusals of a page behind others."""
WRAPPERS: Final = ("content", "items", "data", "results", "records", "rows", "elements", "values")
"""Names under which services wrap an array in an object, the most common first."""
SAID: Final = {"204": "HTTP 204", "empty": "an empty body", "null": "`null`", "400": "HTTP 400", "404": "HTTP 404"}


class Blank(list[Any]):
    """A page without rows that is no `[]`: `answered` is one of ENDS; `ends`: the profile says that this ends a list.

    `error` is what it means where no page was before it.
    """

    def __init__(self, answered: str, *, ends: bool, error: Exception) -> None:
        super().__init__()
        self.answered = answered
        self.ends = ends
        self.error = error

    @property
    def refused(self) -> bool:
        """Whether the service refused the page."""
        return self.answered in REFUSALS


def wrapper_of(value: dict[str, Any]) -> str:
    """Name the member of an object that seems to hold the rows of a list; empty where none does."""
    arrays = [name for name, member in value.items() if type(member) is list]
    known = [name for name in WRAPPERS if name in arrays or (name in value and value[name] is None)]
    plain = [name for name in arrays if name.isascii() and name.isidentifier() and len(name) <= 64]
    return (known or (plain if len(arrays) == 1 else []) or [""])[0]
