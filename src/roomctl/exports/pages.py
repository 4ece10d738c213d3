"""What a list needs of a client, and the forms in which a page of rows may come."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from roomctl.contract.operations import Operation

JSON = Any
Query = Sequence[tuple[str, str]]


class Pages(Protocol):
    """A client: it gives one page of a list, as the array that the service answered. May be asked from threads."""

    def page(
        self, operation: Operation, *, path: Mapping[str, str], query: Query, page: int, size: int
    ) -> list[JSON]: ...  # pragma: no cover


class RawPage(Protocol):
    """A page as bytes: whole, within its bounds, nothing removed; `rows` decodes it strictly, without bearer fields."""

    @property
    def body(self) -> bytes: ...  # pragma: no cover

    def rows(self) -> list[JSON]: ...  # pragma: no cover


@runtime_checkable
class RawPages(Pages, Protocol):
    """A client that gives a page as bytes too, so that it need be decoded no further than an export wants it."""

    def raw_page(
        self, operation: Operation, *, path: Mapping[str, str], query: Query, page: int, size: int
    ) -> RawPage: ...  # pragma: no cover


class QuickRows(list[Any]):
    """Rows that are not JSON values: lines of JSON (bytes), or registrations with the fields of a table. With keys."""

    def __init__(self, rows: Sequence[Any], keys: list[str]) -> None:
        super().__init__(rows)
        self.keys = keys
