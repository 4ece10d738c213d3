"""What became of a write whose answer was lost: what can be read back is read back, the rest stays unknown.

The rules are those of the class of an operation (its `repeat` column). A state that was asked for and is then seen is
"confirmed by reading"; what could have come from somebody else is listed as a candidate, never guessed.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from roomctl.contract.evidence import unproven
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET, TRANSCRIPTION_LIST, Operation
from roomctl.contract.outcome import asked, differing, original, shows, unlike
from roomctl.contract.records import by_id, error_of, folded
from roomctl.contract.rooms import all_rooms, is_open, no_copies, rooms
from roomctl.errors import ExpectationFailed, NotFound, OutcomeUnknown, Partial, RoomctlError
from roomctl.text.counted import numbered

if TYPE_CHECKING:
    from roomctl.service.client import Client

JSON = Any
Query = Sequence[tuple[str, str]]
Rooms = Mapping[str, JSON]
Watch = Callable[[Callable[[], Rooms]], Rooms]
APART = 5.0  # seconds between two looks at a room that still seems open
LAG = timedelta(minutes=10)  # for which a list may still show what a reply has ended
SIZE = 100
READING = "a later read shows that it was done"
AGAIN = "the request was resent, and the service replied"
_BRIEF = ("socialRoomSetId", "socialId", "socialTranscriptionId", "name", "status", "isOpen")


class Write(NamedTuple):
    """One write, as it is sent; `before` is what operation 3 or 12 showed before it, by id, or None.

    `guard` looks whether it may be sent now: first, or after a failure. Raises ExpectationFailed. `watch` reads a list
    of rooms on the way, and hears what it shows.
    """

    operation: Operation
    path: Mapping[str, str] = {}
    query: Query = ()
    body: JSON = None
    what: str = ""
    before: Mapping[str, JSON] | None = None
    guard: Callable[[RoomctlError | None], None] | None = None
    watch: Watch = lambda look: look()


class Settled(NamedTuple):
    """The outcome of a write that is done: the record, how that is known, the journal entries that this settles.

    `lost` says why the answer was not enough, where it was not; `warning` what it warned of. `entry` is the
    journal's of a request that was answered.
    """

    value: JSON
    how: str = "reply"
    journal: tuple[str, ...] = ()
    lost: str = ""
    warning: str = ""
    entry: str = ""


def send(client: "Client", write: Write, *, again: bool = True, sleep: Callable[[float], None] = time.sleep) -> Settled:
    """Send a write and find out what became of it; `again` is off where nothing may be sent a second time.

    Raises OutcomeUnknown with what was checked, Partial where it was answered and is seen not done, and errors.*.
    """
    try:
        known = write.operation.repeat != "create" or (write.operation.creates and write.operation.readback)
        standing = write.before if known or write.before is not None else {}
        path, query, what = write.path, write.query, write.what
        reply = client.send(
            write.operation, path=path, query=query, body=write.body, what=what, standing=standing, guard=write.guard
        )
        return Settled(reply.value, warning=reply.warning, entry=reply.entry)
    except OutcomeUnknown as lost:
        # who has answered once would answer the same again, and a redirect would lead to the same place
        again = again and not 300 <= (lost.http or 0) <= 399 and "answered" not in lost.details
        return _LostWrite(client, write, lost, sleep).reconcile(again)


def snapshot(client: "Client", operation: Operation, sought: str = "") -> dict[str, JSON]:
    """Read what operation 3 or 12 shows now, by id: room sets and, for writes of rooms, the rooms inside them.

    Of a list that is not proven whole only the record that is `sought` is certain, and not even that of one that says
    it is old, or contradicts itself. Raises Partial.
    """
    from roomctl.service.paginator import Paginator

    transcribed = operation.seen_in is TRANSCRIPTION_LIST
    paginator = Paginator(client, TRANSCRIPTION_LIST if transcribed else ROOMSET_LIST, path={}, query=(), size=SIZE)
    rows = [each for each in paginator.whole() if not (sought and error_of(each))]
    if transcribed:
        found = by_id(rows, "socialTranscriptionId")
    elif operation.resource == "Social":
        found = by_id(all_rooms(rows), "socialId")
    else:
        found = by_id(rows, "socialRoomSetId")
    doubt = paginator.proof.doubt
    if doubt is not None and (paginator.broken or "row" in doubt.details or sought not in found):
        raise doubt
    if (stale := paginator.proof.stale) and (sought or operation.repeat == "end"):
        raise stale
    return found


class _NoEffect(Exception):
    """Looking has shown that a write had no effect. The text says what was seen."""


class _LostWrite(NamedTuple):
    """A write without an answer that proves anything: it is looked for, by the class of its operation (`repeat`)."""

    client: "Client"
    write: Write
    lost: OutcomeUnknown
    sleep: Callable[[float], None]
    twice: bool = False

    def reconcile(self, again: bool) -> Settled:
        """Look, and send it once more where that is right. Raises OutcomeUnknown, Partial where it is seen not done."""
        operation = self.write.operation
        look = {"end": self.ended, "patch": self.updated, "create": self.created}[operation.repeat]
        try:
            try:
                return look()
            except _NoEffect as found:
                seen = str(found)
                if operation.repeat != "end" or not self.answered:
                    return self.repeat(seen, again)
        except (OutcomeUnknown, ExpectationFailed):
            raise
        except RoomctlError as error:
            why = f"reading it back failed too: {error.message}"
            return self.unseen(why, belied=isinstance(error, (NotFound, Partial)))
        denied = self.answered == "denial"
        said = (
            f"reported a failure (HTTP {self.lost.http}), and" if denied else f"replied with HTTP {self.lost.http}, but"
        )
        raise Partial(f"the service {said} {seen}", outcome="refused", **about(self.lost))

    @property
    def answered(self) -> str:
        """What the answer was that came, in a word of `service.reply.Unproven`; empty where none came."""
        return str(self.lost.details.get("answered", ""))

    def unseen(self, why: str, *, belied: bool = False) -> Settled:
        """Believe an answer that is part of the record asked for, unless a read belies it. Raises OutcomeUnknown."""
        if belied or self.answered != "part":
            raise self.unknown(why) from None
        return Settled(None, why, (self.lost.journal,), self.lost.message)

    def ended(self) -> Settled:
        """Look at a room, twice where it seems open: closed, it is ended; open, it is not; else nobody knows (R46).

        With a time to stay open, an open room is proof only beside an answer that is its record.
        """
        later = any(name == "leaveOpenUntil" for name, _ in self.write.query)
        room = self.room()
        if is_open(room) and not later:
            self.sleep(APART)
            room = self.room()
        if not is_open(room):
            if why := unproven(room, "Social"):
                raise self.unknown(f"the room was read back as {why}")
            return self.confirmed(room)
        if later and self.answered == "record":
            lost = "the reply has the room's id, and does not show whether it is open"
            return Settled(room, "a read shows it still open", (self.lost.journal,), lost)
        if later:
            raise self.unknown("the room is open, which proves nothing while `--leave-open-until` may keep it open")
        if self.answered in ("nothing", "elsewhere"):
            raise self.unknown("the room is still open")
        name = f"room {folded(self.write.path['socialId'])} ({room.get('name')})" if self.answered else "the room"
        raise _NoEffect(f"{name} is still open")

    def room(self) -> dict[str, JSON]:
        """Read a room that shows whether it is open. Raises OutcomeUnknown where nothing does."""
        key = folded(self.write.path["socialId"])
        look = partial(snapshot, self.client, self.write.operation, key)
        room: dict[str, JSON] | None = self.write.watch(look).get(key)
        if room is None:
            raise self.unknown("the room is not in your room sets, so it is not visible")
        if is_open(room) is None:
            why = unproven(room, "Social")
            read = f"the room was read back as {why}" if why else "a second read does not say whether the room is open"
            raise self.unknown(read)
        return room

    def updated(self) -> Settled:
        """A set that shows the fields sent is updated; one that shows no change, twice, is sent again."""
        body, before = self.write.body, self.write.before
        key = folded(body.get("socialRoomSetId"))
        look = partial(snapshot, self.client, self.write.operation, key)
        record = look().get(key)
        if before is not None and record is not None and before.get(key) == record and not shows(record, body):
            self.sleep(APART)
            record = look().get(key)
        if record is None:
            return self.unseen(
                "the room set is not among yours, so it is not visible", belied=before is not None and key in before
            )
        unchanged, doubt = before is not None and before.get(key) == record, unproven(record, "RoomSet")
        if shows(record, body) and not (doubt or (unchanged and self.answered == "denial")):
            return self.confirmed(record)
        if self.answered == "part" and not differing(record, body, null=True):
            return self.unseen("the room set does not show it either", belied=bool(doubt))
        if unchanged:
            raise _NoEffect("the room set shows no change")
        raise self.unknown("the room set does not show the new values")

    def created(self) -> Settled:
        """What appeared since is a candidate, not a proof; a configuration that is read as sent is saved."""
        write = self.write
        if write.operation.seen_in is None:
            raise self.unknown("the service has no operation that shows the result")
        if write.operation.seen_in is RULES_GET:
            return self.saved()
        if write.before is None:
            raise self.unknown("the earlier state was not read, so new records cannot be identified")
        seen, made = snapshot(self.client, write.operation), self.lost.details.get("made", "")
        asked_for = asked(*write[:4], write.before)
        alike = {key for key, record in seen.items() if not unlike(write.operation, record, asked_for, listed=True)}
        copied = write.operation.body is not None or (made in seen and not no_copies(seen[made], write.before.values()))
        if made in alike - write.before.keys() and copied and self.answered != "denial":
            if why := self.unfinished(seen[made]):
                raise self.unknown(why, [seen[made]])
            return self.confirmed(seen[made])
        likely_first = sorted(seen.items(), key=lambda pair: pair[0] not in alike)
        fresh = [record for key, record in likely_first if write.before.get(key) != record]
        which = "it" if len(fresh) == 1 else "one of them"
        appeared = f"{numbered(len(fresh), 'records')} appeared or changed afterwards"
        found = f"{appeared}; {which} may be the one that was asked for"
        raise self.unknown(found if fresh else "a second read of the list showed nothing new", fresh)

    def unfinished(self, record: Mapping[str, JSON]) -> str:
        """Say how a new record that a list shows may not be finished; empty where nothing says so."""
        write = self.write
        if why := unproven(record, write.operation.resource or ""):
            return f"it was read back as {why}"
        copied = original(write.operation, write.query, write.before or {})
        here, there = len(rooms(record)), len(rooms(copied))
        if here < there:
            return f"a read shows {here} of the {numbered(there, 'rooms')}"
        return "a read shows it, and not open" if self.answered and is_open(record) is False else ""

    def saved(self) -> Settled:
        config = self.write.body.get("configurationId") or self.lost.details.get("made")
        if self.answered == "elsewhere":
            raise self.unknown("the rules may have been saved for that one")
        if config is None:
            raise self.unknown("without the configuration's id, the result cannot be read back")
        of_set = [pair for pair in self.write.query if pair[0] == "socialRoomSetId"]
        query = [*of_set, ("configurationId", str(config))]
        reply = self.client.send(RULES_GET, query=query, what=f"read back configuration {config}")
        if not reply.doubt and shows(reply.value, self.write.body) and not unproven(reply.value, "EntryConfig"):
            return self.confirmed(None)
        raise self.unknown(reply.doubt or "the configuration does not show what was sent")

    def repeat(self, seen: str, again: bool) -> Settled:
        """Send it once more, as it is seen to have had no effect; a second lost answer is looked at once."""
        if not again:
            sent = "although the request was sent twice" if self.twice else "and the request was not resent"
            raise self.unknown(f"{seen}, {sent}")
        write, first, guard = self.write, self.lost.journal, self.write.guard
        if guard:
            guard(self.unknown(seen))
        try:
            query, body, what, key = write.query, write.body, write.what, self.lost.details.get("idempotency_key", "")
            reply = self.client.send(
                write.operation, path=write.path, query=query, body=body, what=what, guard=guard, idempotency_key=key
            )
            return Settled(reply.value, AGAIN, (first,), self.lost.message, reply.warning, reply.entry)
        except OutcomeUnknown as second:
            second.details.pop("answered", None)  # the first request may still arrive: not done is not said of it
            try:
                done = _LostWrite(self.client, write, second, self.sleep, twice=True).reconcile(again=False)
            except OutcomeUnknown as lost:
                lost.details["journals"] = [first]
                raise
        except RoomctlError as refused:
            raise self.unknown(f"the second request was refused: {refused.message}") from None
        return done._replace(journal=(first, *done.journal))

    def confirmed(self, record: JSON) -> Settled:
        return Settled(record, READING, (self.lost.journal,), self.lost.message)

    def unknown(self, checked: str, candidates: Sequence[JSON] = ()) -> OutcomeUnknown:
        """Make the failure that says what was checked, and what may have come of the write."""
        details = {**self.lost.details, "checked": checked}
        if candidates:
            details["candidates"] = [{name: each[name] for name in _BRIEF if name in each} for each in candidates]
        return OutcomeUnknown(
            f"{self.lost.message}; {checked}", hint=self.lost.hint, **{**about(self.lost), "details": details}
        )


def about(lost: RoomctlError) -> dict[str, Any]:
    """What is known of a request, for an error about it."""
    return {name: getattr(lost, name) for name in ("http", "request", "service", "journal", "details")}
