"""One journal entry without a known outcome, looked at again: settled where reading settles it."""

from typing import Any

from roomctl.cli.lookup import room_sets, rooms
from roomctl.cli.session import Session
from roomctl.contract.operations import SOCIAL_END

JSON = Any


def verified(session: Session, entry: Any) -> JSON:
    """Say what reading shows of an entry, and settle it in the journal where that is proof."""
    status, seen = _seen(session, entry)
    if entry.open and status != "unknown":
        session.journal.resolve(entry.id, status, seen)
    return {"entry": entry.id, "operation": entry.operation, "path": entry.path, "status": status, "seen": seen}


def _seen(session: Session, entry: Any) -> tuple[str, str]:
    if not entry.open:
        return entry.state, entry.detail
    if entry.running:
        return "unknown", "the process that sends it is still running"
    if entry.state == "planned":
        return "not_sent", "planned, and the process ended before a byte left"
    if entry.operation == SOCIAL_END.name:
        return _ended(session, entry.path.rpartition("/")[2])
    return "unknown", "reading cannot tell it from what others may have done; look for it, then decide"


def _ended(session: Session, key: str) -> tuple[str, str]:
    for room in rooms(room_sets(session)):
        if str(room.get("socialId")).lower() == key.lower():
            if room.get("isOpen") is False:
                return "confirmed", "confirmed by reading: the room is closed"
            return "unknown", "the room is open"
    return "unknown", "the room is not in my room sets: it cannot be seen"
