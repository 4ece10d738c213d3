"""What a list needs of a client, and the forms in which a page of rows may come."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from roomctl.contract.operations import Operation

JSON = Any
Query = Sequence[tuple[str, str]]
Decode = Callable[[bytes], list[Any] | None]
"""Makes rows of the bytes of a page, without bearer fields; None leaves the page to the client's strict decoder."""


class Pages(Protocol):
    """A client: it gives one page of a list, as the array that the service answered. May be asked from threads.

    `decode` may be given the bytes of a page, whole and within their bounds; a client without bytes does without it.
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
    ) -> list[JSON]: ...  # pragma: no cover


class QuickRows(list[Any]):
    """Rows that are not JSON values: lines of JSON (bytes), or registrations with the fields of a table. With keys."""

    def __init__(self, rows: Sequence[Any], keys: list[str]) -> None:
        super().__init__(rows)
        self.keys = keys
