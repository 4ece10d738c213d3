"""The guards of rooms that are to be ended: they must hold as a recent look shows the rooms, whenever one is sent."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from shlex import quote
from threading import Lock
from time import monotonic

from roomctl.bulk import Row
from roomctl.cli.bulk_run import Run
from roomctl.cli.lookup import known, named_rooms, rooms_by_id
from roomctl.cli.options import LOOKING
from roomctl.cli.session import JSON, Session
from roomctl.contract.operations import SOCIAL_END
from roomctl.contract.records import folded
from roomctl.contract.rooms import is_open, not_over, present_in
from roomctl.errors import ExpectationFailed, Partial, RoomctlError
from roomctl.output.columns import people_present
from roomctl.reconcile import about, snapshot
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact

_CLOSING = timedelta(minutes=1)  # by which a service may itself set the end of a room that it closes
OPENED = "the reply said closed, but a later list shows it open"
RECENT = 10.0  # seconds that a look may be old when a room is ended


def renamed(session: Session, name: str, key: str) -> str:
    """Say which other room, not seen closed, has the name now of one that was ended once; empty where none has."""
    named = (each for each in rooms_by_id(session).values() if each.get("name") == name and is_open(each) is not False)
    others = [other for each in named if (other := folded(each.get("socialId"))) not in (key, "")]
    now = f"room {' and room '.join(others)} has this name now"
    return f"{now}, but the room that was ended is {key}: give the id of each" if others else ""


class Guards:
    """The guards given, and the `rooms` as they were last read; may be used from several threads.

    `sets` are those named in place of rooms. `broken` is said of every other room once a reply has shown that a guard
    did not hold. `closed` are the rooms whose end a reply has shown; `opened` those that a later list shows open again.
    """

    def __init__(self, session: Session, rooms: Mapping[str, JSON], sets: Sequence[str] = ()) -> None:
        self.session, self.rooms, self.sets = session, rooms, sets
        self.closed, self.opened, self._moved = set[str](), set[str](), set[str]()
        self.broken, self._read, self._lock = "", monotonic(), Lock()

    def check(self, ids: Sequence[str], run: Run | None = None) -> None:
        """Check them before anything is sent, `--expect-rooms` for all rooms that are meant. Raises ExpectationFailed.

        What is not shown does not hold. Of sets the open rooms are meant, and those that the same run sent earlier.
        """
        expected, wrong, closed = self.session.given.expect_rooms, list[str](), 0
        meant = list(ids)
        if run is not None:
            rows = {folded(row.key): row for row in run.table.rows}
            sent = {key for key, row in rows.items() if not run.anew and row.status not in ("", "skipped")}
            is_meant = (key in sent or is_open(self.rooms.get(key, {})) is not False for key in rows)
            meant = [key for key, each in zip(rows, is_meant, strict=True) if each or not self.sets]
            closed = len(rows) - len(meant)
        if expected is not None and expected != len(meant):
            earlier = f"; {numbered(closed, 'closed rooms')} not counted"
            found = f"found {named_rooms(self.session, meant)}{earlier * bool(closed)}"
            wrong.append(f"`--expect-rooms {expected}` does not hold: {found}")
        wrong += dict.fromkeys(fault for key in ids if (fault := self._fault(key)))
        if wrong:
            of = "".join(f"--room-set {quote(each)} " for each in self.sets)
            several = ["a guard does not hold; nothing was sent", *first(wrong)]
            hint = f"`roomctl social list {of}--fields name,present,ends` shows the rooms as they are now"
            if self.sets and any("--only-if-empty" in each for each in wrong):
                empty = f"roomctl social list {of}--open --empty -o ids --to empty.ids --force"
                end = f"roomctl social end --from empty.ids{self._options()}{' --yes' * self.session.given.yes}"
                hint = f"`{empty} && {end}` ends only the empty ones"
            raise ExpectationFailed(
                "\n  ".join(several) if len(wrong) > 1 else f"{wrong[0]}; nothing was sent",
                hint=hint,
                details={"expectations": wrong},
            )

    def look(self, key: str, lost: RoomctlError | None) -> None:
        """Check them for a room that is to be ended, or ended again after a failure. Raises ExpectationFailed."""
        with self._lock:
            if not self.broken and (lost is not None or monotonic() - self._read >= RECENT):
                now, before, self.session.mine = monotonic(), self.rooms, None
                self.rooms, self._read = self.watch(partial(rooms_by_id, self.session)), now
                moved = (each for each in before if _is_in(self.rooms, each) != _is_in(before, each))
                self._moved.update(moved if self.sets else ())
            fault = self.broken or self._fault(key)
        if fault and lost is None:
            raise ExpectationFailed(f"{fault}; not sent")
        if fault and lost is not None:
            why = f"{lost.message}; {fault}; the request was not resent"
            raise ExpectationFailed(why, outcome=lost.outcome, **about(lost))

    def heed(self, key: str, room: Mapping[str, JSON]) -> str:
        """Say that the reply to an end shows a guard broken; then no other room is ended, but with `--keep-going`."""
        fault = "" if present_in(room) is None else self._crowded(key, room)
        if not fault and self.session.given.only_past_end and room.get("endDateTime"):
            told = {name: value for name, value in room.items() if value is not None and name != "startDateTime"}
            end = not_over({"recurring": False, **told}, self.session.now() + _CLOSING)
            fault = f"`--only-past-end` does not hold for {known(self.session, key)}: {end}" if end else ""
        if fault:
            fault = f"the reply shows that {fault}"
            self.session.doubt = self.session.doubt or Partial(f"ended, but {fault}", outcome="applied")
            self.broken = "" if self.session.given.keep_going else self.broken or f"stopped, because {fault}"
        return fault

    def watch(self, look: Callable[[], Mapping[str, JSON]]) -> Mapping[str, JSON]:
        """Hold a list that is read on the way against the rooms that were closed before."""
        closed = self.closed.copy()
        rooms = look()
        self.opened |= {key for key in closed if is_open(rooms.get(key, {}))}
        return rooms

    def unmet(self, rows: Sequence[Row]) -> Mapping[str, str]:
        """Look once more at the rooms that a list has shown open again, and say so of those that are not closed."""
        if self.opened:
            with suppress(RoomctlError):
                seen = snapshot(self.session.client, SOCIAL_END)
                states = {key: is_open(seen.get(key, {})) for key in self.closed}
                self.opened = {key for key, state in states.items() if state or (state is None and key in self.opened)}
        return {row.key: OPENED for row in rows if folded(row.key) in self.opened}

    def _options(self) -> str:
        """The options of the command line, but for those that are about all rooms of a set."""
        typed, left_out = self.session.given.typed, ("--room-set", "--expect-rooms", "--yes", "--sandbox", "--profile")
        pairs = ((name, value) for name, values in typed.items() if name not in left_out for value in values)
        return "".join(f" {name}" if value is True else f" {name} {quote(str(value))}" for name, value in pairs)

    def _fault(self, key: str) -> str:
        given, mine, room, name = self.session.given, self.session.mine, self.rooms.get(key), known(self.session, key)
        if not LOOKING & given.typed.keys():
            return ""
        if mine and (doubt := mine.records_doubt) is not None:
            return str(doubt.message)
        if room is None:
            return f"room {name} is not in your room sets, so it is not visible"
        if key in self._moved:
            return f"room {name} is in room set {compact(_is_in(self.rooms, key))} now"
        end = not_over(room, self.session.now()) if given.only_past_end else ""
        return self._crowded(key, room) or (f"`--only-past-end` does not hold for {name}: {end}" if end else "")

    def _crowded(self, key: str, room: Mapping[str, JSON]) -> str:
        given, present = self.session.given, present_in(room)
        most = 0 if given.only_if_empty else given.max_present
        if most is None or (present is not None and present <= most):
            return ""
        guard = "--only-if-empty" if given.only_if_empty else f"--max-present {most}"
        return f"`{guard}` does not hold for {known(self.session, key)}: {people_present(present)}"


def _is_in(rooms: Mapping[str, Mapping[str, JSON]], key: str) -> JSON:
    return rooms.get(key, {}).get("roomSetName")
