"""A small honest service: it pages over a Python list, and has the habits that a real one might have."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.operations import REGISTRATION_LIST, Operation
from roomctl.contract.paging import Decode
from roomctl.errors import Refused, Temporary
from roomctl.exports import manifest
from roomctl.exports.export import export
from roomctl.exports.manifest import Manifest
from roomctl.service.body import marks_of

JSON = Any
FORMATS = ["csv", "excel-csv", "tsv", "ndjson", "json", "xlsx", "sqlite"]
PARQUET = pytest.param("parquet", marks=pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is an extra"))
ALL_FORMATS = [*FORMATS, PARQUET]


def identifier(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def registration(number: int, **fields: JSON) -> dict[str, JSON]:
    name = {"firstName": "Jürgen", "lastName": f"Müller {number}", "name": f"Jürgen Müller {number}"}
    user: JSON = {"userId": identifier(number + 500_000), **name, "emailAddress": f"j{number}@example.org"}
    user |= {"emailVerified": True, "mobilePhone": "+49 30 1234", "timeZone": "Europe/Berlin"}
    times = {"startDateTime": "2026-12-01T12:00:00Z", "endDateTime": "2026-12-01T14:00:00Z"}
    row: JSON = {"registrationId": identifier(number), "source": "web", "registeredDateTime": "2026-10-01T12:00:00Z"}
    event = {"socialEventId": identifier(999_999), "name": "Fair", **times}
    values = [{"name": "Company", "value": f"ACME, {number}"}, {"name": "Diet", "value": None}]
    return {**row, "confirmed": number % 2 == 0, "user": user, "event": event, "values": values, **fields}


class PagedService:
    """Serves `rows`. Each reply is a copy, as if it had come over a wire; `asked` keeps the pages and sizes.

    `shown` gives what is shown instead of a page, by its number, the size that was asked for, and its rows.
    """

    def __init__(
        self,
        rows: Sequence[JSON],
        *,
        clamp: int | None = None,
        refuses_above: int | None = None,
        ignores_page: bool = False,
        fails_at: int | None = None,
        holes: Collection[int] = (),
        between: Callable[["PagedService"], None] = lambda _: None,
        shown: Callable[[int, int, list[JSON]], list[JSON]] = lambda page, size, rows: rows,
    ) -> None:
        self.rows = list(rows)
        self.clamp = clamp
        self.refuses_above = refuses_above
        self.ignores_page = ignores_page
        self.fails_at = fails_at
        self.holes = holes
        self.between = between
        self.shown = shown
        self.asked: list[tuple[int, int]] = []
        self.copy: Callable[[list[JSON]], list[JSON]] = lambda rows: json.loads(json.dumps(rows))

    def page(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str],
        query: Sequence[tuple[str, str]],
        page: int,
        size: int,
        decode: Decode | None = None,
    ) -> list[JSON]:
        """Answer one page; afterwards the list may change (`between`)."""
        self.asked.append((page, size))
        if self.refuses_above is not None and size > self.refuses_above:
            raise Refused("the service refused the list", http=400)
        if self.fails_at == page:
            raise Temporary("the service is away")
        most = min(size, self.clamp or size)
        start = 0 if self.ignores_page else page * most
        rows = self.shown(page, size, [] if page in self.holes else self.rows[start : start + most])
        found: list[JSON] = self.copy(rows)
        self.between(self)
        return found


class RawService(PagedService):
    """Gives pages as bytes to who decodes them; a row that is bytes stands in them as it is."""

    full = 0  # how often a page was decoded in full

    def __init__(self, rows: Sequence[JSON], **habits: Any) -> None:
        super().__init__(rows, **habits)
        self.copy = lambda rows: json.loads(_array(rows), object_hook=_without_bearers)

    def page(self, operation: Operation, *, decode: Decode | None = None, **asked: Any) -> list[JSON]:
        """Answer one page, decoded as wanted."""
        if decode is None:
            return super().page(operation, **asked)
        copy, self.copy = self.copy, list
        try:
            rows = super().page(operation, **asked)
        finally:
            self.copy = copy
        body = _array(rows)
        decoded = decode(body, marks_of(body))
        if decoded is None:
            RawService.full += 1
            return copy(rows)
        return decoded


def _array(rows: list[JSON]) -> bytes:
    return b"[" + b",".join(map(_encoded, rows)) + b"]"


def _encoded(row: JSON) -> bytes:
    if type(row) is bytes:
        return row
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _without_bearers(made: dict[str, JSON]) -> dict[str, JSON]:
    return {name: value for name, value in made.items() if "bearer" not in name.lower()}


def clock() -> datetime:
    return datetime(2026, 11, 21, 8, tzinfo=UTC)


def exported(service: Any, to: Path, operation: Operation = REGISTRATION_LIST, **options: Any) -> Manifest:
    """Export what the service serves, with the clock standing still."""
    query = options.pop("query", [("socialEventId", identifier(999_999))])
    options = {"clock": clock, "size": 10, "profile_host": "rooms.example", **options}
    return export(service, operation, path={}, query=query, to=to, **options)


ROWS = [registration(number) for number in range(35)]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "home")


def whole(folder: Path, **options: Any) -> bytes:
    """Give the bytes of an export of `ROWS` that nothing interrupted."""
    to = folder / "whole"
    exported(PagedService(ROWS), to, **{"format": "csv", **options, "force": True})
    data = to.read_bytes()
    to.unlink()
    manifest.path_of(to).unlink()
    return data


def fails(kind: type[BaseException], why: str | None, service: Any, to: Path, *args: Any, **options: Any) -> Any:
    """Export, which fails in a way and in words; give the failure."""
    with pytest.raises(kind, match=why) as caught:
        exported(service, to, *args, **options)
    return caught.value


def interrupted(to: Path, **options: Any) -> None:
    """Begin to export `ROWS` to a file; the third page does not come."""
    fails(Temporary, "the service is away", PagedService(ROWS, fails_at=2), to, **options)
