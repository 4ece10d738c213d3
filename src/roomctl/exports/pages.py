"""What a list needs of a client, and the forms in which a page of rows may come."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from roomctl.contract.operations import Operation

JSON = Any
Query = Sequence[tuple[str, str]]
Decode = Callable[[bytes, bytes], list[Any] | None]
"""Makes rows of the bytes of a page, without bearer fields; None leaves the page to the client's strict decoder.

It is also given the page's marks: its brackets, commas, backslashes, and what is not ASCII or does not show."""


class Pages(Protocol):
    """A client: it gives one page of a list, as the array that the service answered. May be asked from threads.

    `decode` may be given the bytes of a page, whole and within their bounds, and its marks; a client without bytes does
    without it.
    """

    def page(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str],
        query: Query,
        page: int,
        size: int,
        decode: Decode | None = None,
    ) -> list[JSON]: ...  # pragma: no cover  (a protocol's body)


class QuickRows(list[Any]):
    """A page of rows that are no JSON values, with their keys: registrations with the fields of a table, or objects
    whose members are JSON; of these `lines` is the whole page, a row to a line.

    `shown`: all their text is known to show, in cells and in lines.
    """

    def __init__(self, rows: Sequence[Any], keys: list[str], *, shown: bool, lines: bytes = b"") -> None:
        super().__init__(rows)
        self.keys = keys
        self.shown = shown
        self.lines = lines
