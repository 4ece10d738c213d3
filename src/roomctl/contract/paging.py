"""What the pages of a list may be: rows, what stands in their place, what wraps them, and ends other than `[]`."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from roomctl.contract.operations import Operation
from roomctl.contract.outcome import denial

JSON = Any
Decode = Callable[[bytes, bytes], list[Any] | None]
"""Makes rows of the bytes of a page, whole and within their bounds, without bearer fields; None leaves an unusual page
to the strict decoder. It is also given the page's marks: its brackets, commas, backslashes, and what is not ASCII or
does not show."""

REFUSALS: Final = ("400", "404")
ENDS: Final = ("204", "empty", "null", *REFUSALS)
"""A page in other words than `[]`: HTTP 204, an empty body, `null`, and refusals of a page behind others."""
WRAPPERS: Final = ("content", "items", "data", "results", "records", "rows", "elements", "values")
"""Names under which services wrap an array in an object, the most common first."""
SAID: Final = {"204": "HTTP 204", "empty": "an empty body", "null": "`null`", "400": "HTTP 400", "404": "HTTP 404"}


class Rows(list[Any]):
    """The rows of a page, and what is said beside them: the list's `total`; why an empty page is no end."""

    total: int | None = None
    more = ""


class Wrapped(Rows):
    """The rows of a page that came inside an object, and what that says of the list."""

    def __init__(self, rows: list[JSON], name: str, wrapper: Mapping[str, JSON]) -> None:
        super().__init__(rows)
        said = {key.lower().replace("_", ""): value for key, value in wrapper.items()}
        others = [key for key, value in wrapper.items() if key != name and type(value) is list and _holds_record(value)]
        self.total = _total(said)
        if said.get("last") is False or said.get("hasnext") is True or said.get("hasmore") is True:
            self.more = "says that it is not the last"
        elif others:
            self.more = f"`{others[0]}` has records as well as `{name}`"


def total_in(headers: Iterable[tuple[bytes, bytes]]) -> int | None:
    """Give how many rows headers such as X-Total-Count and Content-Range say that a list has; None where none does."""
    said = {}
    for name, value in headers:
        word, text = name.decode("latin-1").lower().replace("-", ""), value.decode("latin-1").rpartition("/")[2].strip()
        if text.isdecimal() and len(text) < 20:
            said["total" if word == "contentrange" else word.removeprefix("x")] = int(text)
    return _total(said)


def _total(said: Mapping[str, JSON]) -> int | None:
    totals = [said.get(key) for key in ("totalelements", "totalcount", "totalitems", "total")]
    return next((total for total in totals if type(total) is int), None)


def _holds_record(values: Iterable[JSON]) -> bool:
    return any(type(value) is dict for value in values)


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


def is_record(row: JSON, operation: Operation) -> bool:
    """Whether a row of a list is a record: an object, and no error in the place of one."""
    if type(row) is not dict:
        return False
    return bool(row.get(operation.row_id)) or not denial(row, operation.resource)
