"""`roomctl recording`: recordings (operation 13)."""

from roomctl.cli.lists import gathered, listed, query_of, roomless, with_id
from roomctl.cli.lookup import id_of, record_id, record_of, rooms_of
from roomctl.cli.options import LISTING, TEXT, Commands, argument, option
from roomctl.cli.session import Answer, Session
from roomctl.cli.wait import INTERVAL, MAX_WAIT, wait
from roomctl.contract.evidence import invalid, shows_all
from roomctl.contract.operations import RECORDING_LIST, ROOMSET_LIST
from roomctl.contract.records import folded
from roomctl.errors import Partial
from roomctl.text.order import place

commands = Commands("Recordings made by the user who owns the API key.")
RECORDING = argument("ID|NAME")


@commands.verb("list", shows=["Recording"], calls=[RECORDING_LIST, ROOMSET_LIST], takes=[*LISTING, TEXT])
def list_(
    session: Session,
    room: str | None = option("--room", "ID|NAME", excludes="--page --room-set"),
    sets: list[str] | None = option("--room-set", "ID|NAME", excludes="--page"),
) -> Answer:
    """List your recordings. To find out who was in none of them, use `roomctl registration export --absent`."""
    if not (room or sets):
        return listed(session, RECORDING_LIST)
    keys = {id_of(session, room)} if room else {folded(each.get("socialId")) for each in rooms_of(session, sets or ())}
    rows, proof = gathered(session, RECORDING_LIST, query_of(session))
    session.doubt = session.doubt or proof.doubt or roomless(rows)
    found = [row for row in rows if folded(row.get("socialId")) in keys]
    if room and not found:
        record_of(session, room)  # raises where nothing has this id
    return Answer(found[: session.given.limit], "Recording")


@commands.verb("wait", shows=["Recording"], calls=[RECORDING_LIST, ROOMSET_LIST], exits=[8])
def wait_(session: Session, which: str = RECORDING, max_wait: float = MAX_WAIT, interval: float = INTERVAL) -> Answer:
    """Wait until a recording is processed: exit 0 when COMPLETE, 6 when FAILED, 8 when time runs out."""
    return wait(session, RECORDING_LIST, which, max_wait=max_wait, interval=interval)


@commands.verb("timeline", shows=["RecordingParticipant"], calls=[RECORDING_LIST, ROOMSET_LIST])
def timeline(session: Session, which: str = RECORDING) -> Answer:
    """Show who was present and when: the recording's participants, in order of arrival."""
    key = record_id(session, RECORDING_LIST, which)
    recording = with_id(session, RECORDING_LIST, key)
    people = recording.get("participants")
    visits = [each for each in people if isinstance(each, dict)] if isinstance(people, list) else []
    visits.sort(key=lambda visit: place(visit.get("startDateTime")))
    status = recording.get("status")
    if gone := invalid(recording, "Recording"):
        why = f"its `{gone}` says that it is deleted or not valid"
        session.doubt = session.doubt or Partial(f"recording {key} may not show everybody who was there: {why}")
    if status != "COMPLETE" or not shows_all(recording, "Recording"):
        why = "" if status == "COMPLETE" else f": its status is {status}" if status else ": it has no status"
        session.doubt = session.doubt or Partial(f"recording {key} may not show everybody who was there{why}")
    return Answer(visits, "RecordingParticipant", picture="timeline", around=recording)
