"""Guards for jobs: what must hold before rooms are ended; what cannot be seen does not hold."""

from collections.abc import Mapping, Sequence

from roomctl.cli.lookup import known, named_rooms
from roomctl.cli.session import JSON, Session
from roomctl.contract.moments import moment
from roomctl.contract.records import truth
from roomctl.contract.rooms import present_in
from roomctl.errors import ExpectationFailed
from roomctl.output.values import first


def wanted(session: Session) -> bool:
    """Whether a guard needs the rooms to be read."""
    given = session.given
    return given.max_present is not None or given.only_if_empty or given.only_past_end


def check(session: Session, ids: Sequence[str], seen: Mapping[str, JSON]) -> None:
    """Check what was expected of the rooms. Raises ExpectationFailed that names each room that is not so."""
    given = session.given
    wrong: list[str] = []
    if given.expect_rooms is not None and given.expect_rooms != len(ids):
        wrong.append(f"{named_rooms(session, ids)}, not {given.expect_rooms}")
    if wanted(session):
        wrong += [doubt.message] if session.mine and (doubt := session.mine.records_doubt) else []
        wrong += [f"room {known(session, key)}: {fault}" for key in ids if (fault := _fault(session, seen.get(key)))]
    if wrong:
        raise ExpectationFailed(
            "nothing was sent: " + "; ".join(first(wrong)),
            hint="`roomctl social list --fields name,present,ends` shows the rooms as they are now",
            details={"expectations": wrong},
        )


def _fault(session: Session, room: JSON) -> str:
    if room is None:
        return "not in your room sets, so not visible"
    most = 0 if session.given.only_if_empty else session.given.max_present
    if most is not None:
        if (present := present_in(room)) is None or present < 0:
            return "people present are not shown"
        if present > most:
            return f"{present} people are present"
    return _not_past(session, room) if session.given.only_past_end else ""


def _not_past(session: Session, room: JSON) -> str:
    """Say why a room's last planned end is not proven to have passed: of one that recurs no other is shown."""
    if room.get("recurring") is not None and truth(room["recurring"]) is not False:
        return "it recurs, so the end of its last occurrence is not shown"
    end = room.get("endDateTime")
    when = moment(end)
    if when is None:
        return f"its planned end is not a time with an offset: {end}" if end else "its planned end is not shown"
    return "" if when <= session.now() else f"its planned end has not passed: {end}"
