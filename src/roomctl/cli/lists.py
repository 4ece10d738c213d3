"""Lists: everything by default, proven whole, with what was seen on the way said on stderr."""

from collections.abc import Iterator, Mapping
from typing import Any

from roomctl.cli.exporting import export, export_target
from roomctl.cli.probing import largest_page
from roomctl.cli.session import Answer, Query, Session
from roomctl.contract.operations import Operation
from roomctl.contract.records import event_id, find, folded
from roomctl.errors import Partial, RoomctlError, WrongCall

JSON = Any
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
        raise WrongCall("`--page` and `--limit` exclude each other", hint="`--page N --page-size M` is one raw page")
    rows = _rows(session, operation, path or {}, [*query, *query_of(session)], limit=given.limit, page=given.page)
    return Answer(rows, operation.resource)


def everything(
    session: Session, operation: Operation, *, path: Mapping[str, str] | None = None, query: Query = ()
) -> list[JSON]:
    """Read a whole list, whatever the list options say; one that is not proven whole leaves the session in doubt."""
    return list(_rows(session, operation, path or {}, query))


def gathered(session: Session, operation: Operation) -> tuple[list[JSON], RoomctlError | None]:
    """Read a whole list; give what came, and why it is not proven whole, for who needs one record of it."""
    before, session.doubt = session.doubt, None
    rows = everything(session, operation)
    doubt, session.doubt = session.doubt, before
    return rows, doubt


def with_id(session: Session, operation: Operation, key: str) -> JSON:
    """The record of an id: one that came is enough; None where the list is whole without it. Raises Partial."""
    rows, doubt = gathered(session, operation)
    record = find(rows, operation.row_id or "", key)
    if record is None and doubt is not None:
        raise doubt
    return record


def _rows(
    session: Session,
    operation: Operation,
    path: Mapping[str, str],
    query: Query,
    *,
    limit: int | None = None,
    page: int | None = None,
) -> Iterator[JSON]:
    from roomctl.service.paginator import Paginator

    size = session.settings.page_size or min(PAGE_SIZE, largest_page(session) or PAGE_SIZE)
    listing = Paginator(session.client, operation, path=path, query=query, size=size, limit=limit, page=page)
    event = folded(dict(query).get("socialEventId"))
    try:
        for row in listing:
            if event and (other := event_id(row)) and other != event:
                session.doubt = Partial(f"the service's rows say that they belong to another event, {other}")
                event = ""
            yield row
    except Partial as doubt:  # what came is shown
        session.doubt = session.doubt or doubt
    if listing.duplicates:
        session.note(
            f"{listing.duplicates} rows came more than once and are shown once: the list changed while it was read"
        )
