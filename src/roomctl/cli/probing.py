"""What a service shows of what is not documented: asked with reads, kept for each service in the state folder."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roomctl.cli.session import Session
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST, USER_GET, Operation
from roomctl.contract.paging import Blank
from roomctl.errors import LocalFailure, NotFound, RoomctlError, Unintelligible
from roomctl.profiles.profile import RESERVED

JSON = Any
NOBODY = "00000000-0000-4000-8000-000000000000"
LARGE = 1000
MOST_PAGES = 15
MINE = (ROOMSET_LIST, RECORDING_LIST)
SORTS = ("name", "startDateTime", "dateCreated", "registeredDateTime", "socialRoomSetId")
NONSENSE = "no-such-property"
LARGEST_FILE = 65536


def probed(session: Session, event: str | None) -> dict[str, JSON]:
    """Ask, with at most some twenty reads, after telling so; keep and give what was seen. Raises errors.*."""
    settings = session.settings
    if not session.given.yes:
        from roomctl.cli.confirm import ask

        ask(session, [f"about to send some twenty reads to {settings.base_url}; nothing is changed"])
    _unwrap(session)
    operation, query = _longest(session, event)
    seen = {
        "base_url": settings.base_url,
        "at": f"{session.now():%Y-%m-%dT%H:%M:%SZ}",
        "list": operation.name,
        **(pages := _pages(session, operation, query)),
        **_ends(session, operation, query, LARGE if "rows" in pages[f"page_of_{LARGE}"] else None),
        **_sorts(session, operation, query),
        "error": _error(session),
    }
    _keep(_place(session), seen)
    return seen


def largest_page(session: Session) -> int | None:
    """The largest page that the service was seen to give; None where that is not known."""
    try:
        with _place(session).open("rb") as file:
            known = json.loads(file.read(LARGEST_FILE))
    except (OSError, ValueError):
        return None
    same = isinstance(known, dict) and known.get("base_url") == session.settings.base_url
    most = known.get("largest_page") if same else None
    return most if isinstance(most, int) and not isinstance(most, bool) and most > 0 else None


def _place(session: Session) -> Path:
    name = "".join(each if each.isalnum() or each in ".-" else "_" for each in session.settings.base_url)
    return session.environment.folder("state") / "probes" / f"{name}.json"


def _keep(path: Path, seen: Mapping[str, JSON]) -> None:
    from roomctl import files

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps(seen, indent=2, ensure_ascii=False) + "\n"
        files.replace(path, [text.encode()], by=path.with_name(f"{path.name}.{os.getpid()}"))
    except OSError as error:
        raise LocalFailure(f"cannot write {path}: {error.strerror or error}") from None


def _unwrap(session: Session) -> None:
    """Have the client take rows out of the object in which the service wraps them."""
    for operation in MINE:
        try:
            _page(session, operation, [], 0, 1)
        except Unintelligible as error:
            session.client.list_field = error.details.get("wrapper") or session.client.list_field
        except NotFound:  # so may an empty list be answered
            pass


def _ends(session: Session, operation: Operation, query: list[tuple[str, str]], size: int | None) -> dict[str, JSON]:
    """What is answered behind the last page, and the lines of a profile that say so and how rows are wrapped."""
    blank: list[list[JSON]] = []
    for page in range(MOST_PAGES):
        rows = _page(session, operation, query, page, size)
        blank = [] if rows else [*blank, rows]
        if len(blank) == 2:
            break
    answered = dict.fromkeys(rows.answered if isinstance(rows, Blank) else "[]" for rows in blank)
    settings, field = session.settings, session.client.list_field
    ends = [*dict.fromkeys([*settings.end_of_list, *(each for each in answered if each != "[]")])]
    new: dict[str, JSON] = {"list_field": field} if field != settings.list_field else {}
    new |= {"end_of_list": ends} if len(ends) > len(settings.end_of_list) else {}
    for name, value in new.items():
        if settings.profile in RESERVED:
            text = value if name == "list_field" else ",".join(value)
            session.note(f"to be set in the environment: ROOMCTL_{name.upper()}={text}")
        else:
            session.note(f"to be added to profile {settings.profile}: {name} = {json.dumps(value)}")
    return {
        "list_field": field,
        "behind_the_last_page": [*answered] or f"not reached within {MOST_PAGES} pages",
        "add_to_profile": [f"{name} = {json.dumps(value)}" for name, value in new.items()],
    }


def _longest(session: Session, event: str | None) -> tuple[Operation, list[tuple[str, str]]]:
    """The list to page through: the registrations of an event, else whichever of two shows more rows."""
    if event is not None:
        return REGISTRATION_LIST, [("socialEventId", event)]
    lengths: dict[Operation, int] = {}
    for operation in MINE:
        try:
            lengths[operation] = len(_page(session, operation, [], 0, LARGE))
        except NotFound:
            if operation is MINE[-1] and not lengths:
                raise
    return max(lengths, key=lambda each: lengths[each]), []


def _page(
    session: Session, operation: Operation, query: list[tuple[str, str]], page: int, size: int | None
) -> list[JSON]:
    return session.client.page(operation, query=query, page=page, size=size)


def _pages(session: Session, operation: Operation, query: list[tuple[str, str]]) -> dict[str, JSON]:
    """Whether pages begin at 0, and how large one can be: known only where rows were left behind a large page."""
    first, second = (_page(session, operation, query, page, 1) for page in (0, 1))
    ids = [row.get(operation.row_id) for rows in (first, second) for row in rows if isinstance(row, dict)]
    starts = None if len(ids) < 2 else 0 if ids[0] != ids[1] else 1
    try:
        rows = len(_page(session, operation, query, 0, LARGE))
        behind = len(_page(session, operation, query, 1, LARGE)) if rows else 0
    except RoomctlError as error:
        if error.http is None:
            raise
        return {"first_page": starts, "largest_page": None, f"page_of_{LARGE}": f"refused: HTTP {error.http}"}
    largest = rows if behind and rows < LARGE else None
    return {"first_page": starts, "largest_page": largest, f"page_of_{LARGE}": f"{rows} rows, then {behind}"}


def _sorts(session: Session, operation: Operation, query: list[tuple[str, str]]) -> dict[str, JSON]:
    """Which names `--sort` takes; where a name that cannot be one is taken too, that proves nothing."""
    names = dict.fromkeys([*SORTS, operation.row_id or "", NONSENSE])
    taken = [name for name in names if name and _takes(session, operation, [*query, ("sort", name)])]
    if NONSENSE in taken:
        return {"sort": [], "sort_refuses": False}
    return {"sort": taken, "sort_refuses": True}


def _takes(session: Session, operation: Operation, query: list[tuple[str, str]]) -> bool:
    try:
        _page(session, operation, query, 0, 1)
    except RoomctlError as error:
        if error.http is None:
            raise
        return False
    return True


def _error(session: Session) -> JSON:
    """The form of an error: what asking for a user that does not exist is answered with."""
    try:
        session.client.send(USER_GET, path={"userId": NOBODY})
    except RoomctlError as error:
        if error.http is None:
            raise
        return {"http": error.http, "fields": _fields(error.service)}
    return {"http": 200, "fields": []}


def _fields(text: str) -> JSON:
    try:
        body = json.loads(text)
    except ValueError:
        return "not JSON"
    return sorted(body) if isinstance(body, dict) else "no object"
