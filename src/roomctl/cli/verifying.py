"""Journal entries without a known outcome, looked at again: settled where reading settles them."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cache
from typing import Any

from roomctl.cli.lookup import all_rooms
from roomctl.cli.session import Session
from roomctl.contract.moments import moment
from roomctl.contract.operations import BY_NAME
from roomctl.contract.records import find
from roomctl.contract.rooms import is_open

JSON = Any
Look = Callable[[], list[JSON]]
"""Gives my rooms, read when the first entry asks for them and once for all entries."""
SKEW = timedelta(minutes=5)
"""How far the service's clock may be behind this one."""


def verified(session: Session, entries: Iterable[Any]) -> list[JSON]:
    """Say what reading shows of each entry, and settle it in the journal where that is proof."""
    look = cache(lambda: all_rooms(session))
    return [_verified(session, entry, look) for entry in entries]


def _verified(session: Session, entry: Any, look: Look) -> JSON:
    status, seen = _shown(entry, look)
    if entry.open and status != "unknown":
        session.journal.resolve(entry.id, status, seen)
    return {"entry": entry.id, "operation": entry.operation, "path": entry.path, "status": status, "seen": seen}


def _shown(entry: Any, look: Look) -> tuple[str, str]:
    if not entry.open:
        return entry.state, entry.detail
    if entry.running:
        return "unknown", "the process that sends it is still running"
    if entry.state == "planned":
        return "not_sent", "planned, and the process ended before a byte left"
    if BY_NAME[entry.operation].repeat == "end":
        return _ended(look(), entry.path.rpartition("/")[2])
    return "unknown", _candidates(entry, look) or "the service has no operation that shows it"


def _candidates(entry: Any, look: Look) -> str:
    """Say which rooms were made since, by their own time: they are candidates and prove nothing."""
    operation = BY_NAME[entry.operation]
    if operation.readback is None:
        return ""
    if operation.resource != "Social":
        shown_by = operation.readback.replace(".", " ")
        return f"reading cannot tell it from what others may have done: `roomctl {shown_by}` shows it"
    since = moment(entry.planned)
    if since is None:
        return ""
    made = [each for each in look() if (when := moment(each.get("dateCreated"))) and when >= since - SKEW]
    names = ", ".join(f"{each.get('name')!r} {each.get('socialId')}" for each in made[:10])
    return f"rooms made since, by whomever: {names}" if made else "no room of my sets was made since, or shows it"


def _ended(mine: Iterable[JSON], key: str) -> tuple[str, str]:
    room = find(mine, "socialId", key)
    if room is None:
        return "unknown", "the room is not in my room sets: it cannot be seen"
    state = is_open(room)
    if state is None:
        return "unknown", "whether the room is open is not shown"
    if state:
        return "unknown", "the room is open"
    return "confirmed", "confirmed by reading: the room is closed, by this request or since"
