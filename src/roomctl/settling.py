"""What became of a write whose answer was lost: what can be read back is read back, the rest stays unknown.

The rules are those of the class of an operation (its `repeat` column). A state that was asked for and is then seen is
"confirmed by reading"; what could have come from somebody else is listed as a candidate, never guessed.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from roomctl.contract.operations import ROOMSET_LIST, RULES_GET, TRANSCRIPTION_LIST, UUID, Operation
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import all_rooms, is_open
from roomctl.errors import OutcomeUnknown, Partial, RoomctlError

if TYPE_CHECKING:
    from roomctl.service.paginator import Decode

JSON = Any
Query = Sequence[tuple[str, str]]
APART = 5.0  # seconds between two looks at a room that still seems open
SIZE = 100
READING = "confirmed by reading"


class Replied(Protocol):
    """A reply of the service."""

    @property
    def value(self) -> JSON: ...


class Asks(Protocol):
    """A client, as far as settling needs one."""

    def send(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] = ...,
        query: Query = ...,
        body: JSON = ...,
        what: str = ...,
    ) -> Replied: ...

    def page(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str],
        query: Query,
        page: int,
        size: int,
        decode: "Decode | None" = ...,
    ) -> list[JSON]: ...


class Write(NamedTuple):
    """One write, as it is sent; `before` is what operation 3 or 12 showed before it, by id, or None."""

    operation: Operation
    path: Mapping[str, str] = {}
    query: Query = ()
    body: JSON = None
    what: str = ""
    before: Mapping[str, JSON] | None = None


class Settled(NamedTuple):
    """The outcome of a write that is done: the record, how that is known, the journal entries that this settles."""

    value: JSON
    how: str = "reply"
    journal: tuple[str, ...] = ()


def send(client: Asks, write: Write, *, again: bool = True, sleep: Callable[[float], None] = time.sleep) -> Settled:
    """Send a write and find out what became of it; `again` is off where nothing may be sent a second time.

    Raises OutcomeUnknown with what was checked, Partial where it was answered and is seen not done, and errors.*.
    """
    try:
        return Settled(_once(client, write))
    except OutcomeUnknown as lost:
        return _look(client, write, lost, sleep, again and not 300 <= (lost.http or 0) <= 399)


def _once(client: Asks, write: Write) -> JSON:
    reply = client.send(write.operation, path=write.path, query=write.query, body=write.body, what=write.what)
    return reply.value


def _look(client: Asks, write: Write, lost: OutcomeUnknown, sleep: Callable[[float], None], again: bool) -> Settled:
    try:
        return _looked(client, write, lost, sleep, again)
    except OutcomeUnknown:
        raise
    except _NotDone as found:
        raise Partial(f"the service answered, and {found}", outcome="refused", **_about(lost)) from None
    except RoomctlError as error:
        raise _unknown(lost, f"reading it back failed too: {error.message}") from None


def _looked(client: Asks, write: Write, lost: OutcomeUnknown, sleep: Callable[[float], None], again: bool) -> Settled:
    try:
        return LOOKS[write.operation.repeat](client, write, lost, sleep)
    except _NoEffect as found:
        if not again or "answered" in lost.details:  # who has answered once would answer the same again
            raise _unknown(lost, f"{found}; it was not sent again") from None
        return _again(client, write, lost)


def snapshot(client: Asks, operation: Operation, sought: str = "") -> dict[str, JSON]:
    """Read what operation 3 or 12 shows now, by id: room sets and, for writes of rooms, the rooms inside them.

    Of a list that is not proven whole only the record that is `sought` is certain. Raises Partial without it.
    """
    from roomctl.service.paginator import Paginator

    transcribed = operation.seen_in is TRANSCRIPTION_LIST
    seen_in = TRANSCRIPTION_LIST if transcribed else ROOMSET_LIST
    paginator = Paginator(client, seen_in, path={}, query=(), size=SIZE)
    rows = [row for batch in paginator.batches() for row in batch.rows if isinstance(row, dict)]
    if transcribed:
        found = by_id(rows, "socialTranscriptionId")
    elif operation.resource == "Social":
        found = by_id(all_rooms(rows), "socialId")
    else:
        found = by_id(rows, "socialRoomSetId")
    if paginator.doubt is not None and sought not in found:
        raise paginator.doubt
    return found


class _NoEffect(Exception):
    """Looking has shown that a write had no effect: it may be sent once more. The text says what was seen."""


class _NotDone(Exception):
    """Looking has shown that a write which was answered was not done. The text says what was seen."""


def _ended(client: Asks, write: Write, lost: OutcomeUnknown, sleep: Callable[[float], None]) -> Settled:
    """Look at a room, twice where it seems open: closed, it is ended; open, it is not; else nobody knows (R46).

    With a time to stay open, an open room is proof only beside an answer that is its record.
    """
    key, answered = folded(write.path["socialId"]), lost.details.get("answered")
    later = any(name == "leaveOpenUntil" for name, _ in write.query)
    room = _seen_room(client, write, lost)
    if is_open(room) and not later:
        sleep(APART)
        room = _seen_room(client, write, lost)
    if not is_open(room) or (later and answered == "record"):
        return Settled(room, READING, (lost.journal,))
    if later:
        raise _unknown(lost, "the room is open, which proves nothing while it may be left open")
    if answered:
        raise _NotDone(f"room {key} ({room.get('name')}) is still open")
    raise _NoEffect("the room is open")


def _seen_room(client: Asks, write: Write, lost: OutcomeUnknown) -> dict[str, JSON]:
    """Read a room that shows whether it is open. Raises OutcomeUnknown where nothing does."""
    key = folded(write.path["socialId"])
    room: dict[str, JSON] | None = snapshot(client, write.operation, key).get(key)
    if room is None:
        raise _unknown(lost, "the room is not in my room sets: it cannot be seen")
    if is_open(room) is None:
        raise _unknown(lost, "whether the room is open is not shown")
    return room


def _again(client: Asks, write: Write, lost: OutcomeUnknown) -> Settled:
    """Send a write once more after a check has shown that it had no effect; a second lost answer is looked at once."""
    try:
        return Settled(_once(client, write), "reply to the second request", (lost.journal,))
    except OutcomeUnknown as second:
        if (seen := _stands(client, write)) is None:
            raise _unknown(second, "sent twice; reading did not show it", journals=(lost.journal,)) from None
        return Settled(seen, READING, (lost.journal, second.journal))


def _stands(client: Asks, write: Write) -> JSON:
    """The record when it shows what the write asked for, else None."""
    seen = snapshot(client, write.operation)
    if write.operation.repeat == "end":
        room = seen.get(folded(write.path["socialId"]), {})
        return room if is_open(room) is False else None
    record = seen.get(folded(write.body.get("socialRoomSetId")), {})
    return record if shows(record, write.body) else None


def shows(record: JSON, sent: JSON) -> bool:
    """Whether a record shows every field that was sent, at any depth; a field that was cleared may be absent.

    Ids may come back in another case (R48).
    """
    if isinstance(sent, dict):
        return isinstance(record, dict) and all(shows(record.get(name), value) for name, value in sent.items())
    if isinstance(sent, list):
        return (
            isinstance(record, list)
            and len(record) == len(sent)
            and all(shows(have, want) for have, want in zip(record, sent, strict=True))
        )
    if isinstance(sent, str) and UUID.fullmatch(sent):
        return folded(record) == folded(sent)
    return bool(record == sent and isinstance(record, bool) is isinstance(sent, bool))


def _updated(client: Asks, write: Write, lost: OutcomeUnknown, sleep: Callable[[float], None]) -> Settled:  # noqa: ARG001  (one shape for all)
    """A set that shows the fields sent is updated; one that is unchanged since it was read before is sent again."""
    key = folded(write.body.get("socialRoomSetId"))
    record = snapshot(client, write.operation, key).get(key)
    if record is None:
        raise _unknown(lost, "the room set is not among mine: it cannot be seen")
    if shows(record, write.body):
        return Settled(record, READING, (lost.journal,))
    if write.before is not None and write.before.get(key) == record:
        raise _NoEffect("the room set is as it was before")
    raise _unknown(lost, "the room set shows neither what was sent nor what it was before")


def _created(client: Asks, write: Write, lost: OutcomeUnknown, sleep: Callable[[float], None]) -> Settled:  # noqa: ARG001  (one shape for all)
    """What appeared since is a candidate, not a proof; a configuration that is read as sent is saved."""
    if write.operation.seen_in is None:
        raise _unknown(lost, "the service has no operation that shows it")
    if write.operation.seen_in is RULES_GET:
        return _saved(client, write, lost)
    if write.before is None:
        raise _unknown(lost, "what stood before was not read, so that nothing new can be told from it")
    seen = snapshot(client, write.operation)
    fresh = [record for key, record in seen.items() if write.before.get(key) != record]
    found = "1 candidate" if len(fresh) == 1 else f"{len(fresh)} candidates"
    raise _unknown(lost, f"{found} appeared or changed since" if fresh else "nothing new appeared", fresh)


def _saved(client: Asks, write: Write, lost: OutcomeUnknown) -> Settled:
    config = write.body.get("configurationId")
    if config is None:
        raise _unknown(lost, "without the configuration's id it cannot be read back")
    query = [*(pair for pair in write.query if pair[0] == "socialRoomSetId"), ("configurationId", str(config))]
    record = client.send(RULES_GET, query=query, what=f"read back configuration {config}").value
    if shows(record, write.body):
        return Settled(None, READING, (lost.journal,))
    raise _unknown(lost, "the configuration does not show what was sent")


def _unknown(
    lost: OutcomeUnknown, checked: str, candidates: Sequence[JSON] = (), journals: Sequence[str] = ()
) -> OutcomeUnknown:
    details = {**lost.details, "checked": checked}
    if candidates:
        details["candidates"] = [_brief(record) for record in candidates]
    if journals:
        details["journals"] = list(journals)
    about = {**_about(lost), "details": details}
    return OutcomeUnknown(f"{lost.message}; {checked}", hint=lost.hint, **about)


def _about(lost: OutcomeUnknown) -> dict[str, Any]:
    """What is known of a request, for an error about it."""
    return {name: getattr(lost, name) for name in ("http", "request", "service", "journal", "details")}


def _brief(record: JSON) -> JSON:
    names = ("socialRoomSetId", "socialId", "socialTranscriptionId", "name", "status", "isOpen")
    return {name: record[name] for name in names if name in record}


LOOKS: dict[str, Callable[[Asks, Write, OutcomeUnknown, Callable[[float], None]], Settled]] = {
    "end": _ended,
    "patch": _updated,
    "create": _created,
}
