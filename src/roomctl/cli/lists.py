"""Lists: everything by default, proven whole, with what was seen on the way said on stderr."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from roomctl.cli.exporting import export, export_target
from roomctl.cli.session import JSON, Answer, Query, Session
from roomctl.contract.operations import Operation
from roomctl.contract.records import find
from roomctl.errors import NotFound, Partial, RoomctlError, WrongCall
from roomctl.output.values import numbered

if TYPE_CHECKING:
    from roomctl.service.paginator import Paginator

PAGE_SIZE = 100


def query_of(session: Session) -> list[tuple[str, str]]:
    """The query parameters of the list options."""
    given = session.given
    return [(name, value) for name, value in (("text", given.text), ("sort", given.sort)) if value is not None]


def listed(
    session: Session, operation: Operation, *, path: Mapping[str, str] | None = None, query: Query = ()
) -> Answer:
    """List an operation's rows as the list options say; rows stream where the form of output allows it.

    With `--to` and a name that says its form, the list is exported.
    """
    given = session.given
    if (target := export_target(session)) is not None:
        return export(session, operation, path=path, query=[*query, *query_of(session)], to=target)
    if given.page is not None and given.limit is not None:
        raise WrongCall(
            "`--page` and `--limit` exclude each other", hint="use `--page N --page-size M` for one raw page"
        )
    listing = _paginator(session, operation, path or {}, [*query, *query_of(session)], given.limit, given.page)
    return Answer(_rows(session, listing), operation.resource)


def _rows(session: Session, listing: "Paginator") -> Iterator[JSON]:
    """The rows as they come; those of a list that is not proven whole are shown, and leave the session in doubt."""
    try:
        yield from listing
    except Partial as doubt:
        session.doubt = session.doubt or doubt
    _note_repeats(session, listing)


def gathered(session: Session, operation: Operation, query: Query = ()) -> tuple[list[JSON], RoomctlError | None]:
    """Read a whole list, whatever the list options say: its records, and why they are not proven to be all."""
    listing = _paginator(session, operation, {}, query)
    rows = listing.whole()
    _note_repeats(session, listing)
    return rows, listing.doubt


def with_id(session: Session, operation: Operation, key: str) -> JSON:
    """The record of an id: one that came is enough, unless rows cannot be read, or contradict; that leaves a doubt.

    Raises NotFound, Partial.
    """
    rows, doubt = gathered(session, operation)
    session.doubt = doubt if doubt is not None and "row" in doubt.details else None
    if (record := find(rows, operation.identity, key)) is not None:
        return record
    kind = operation.resource.lower()
    raise doubt or NotFound(f"no {kind} with the id {key} is in the list", hint=f"`roomctl {kind} list` shows them")


def _paginator(
    session: Session,
    operation: Operation,
    path: Mapping[str, str],
    query: Query,
    limit: int | None = None,
    page: int | None = None,
) -> "Paginator":
    from roomctl.service.paginator import Paginator

    size = session.settings.page_size or PAGE_SIZE
    return Paginator(session.client, operation, path=path, query=query, size=size, limit=limit, page=page)


def _note_repeats(session: Session, listing: "Paginator") -> None:
    if listing.duplicates:
        session.note(f"{numbered(listing.duplicates, 'rows')} came more than once, and are shown once")
