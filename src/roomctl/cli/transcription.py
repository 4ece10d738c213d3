"""`roomctl transcription`: transcriptions (operations 11 and 12)."""

from roomctl.cli.lists import listed
from roomctl.cli.lookup import record_id, set_field
from roomctl.cli.mutation import write
from roomctl.cli.options import BODY, LISTING, TEXT, WRITING, Commands, argument, field_options, option
from roomctl.cli.request_body import required_body
from roomctl.cli.session import Answer, Session
from roomctl.cli.wait import INTERVAL, MAX_WAIT, wait
from roomctl.contract.operations import ROOMSET_LIST, TRANSCRIPTION_LIST, TRANSCRIPTION_PROCESS
from roomctl.reconcile import Write

commands = Commands(
    "The company's transcriptions: their status, not their text, which the service does not return. Which ones are "
    "listed is not documented."
)


@commands.verb("list", shows=["Transcription"], calls=[TRANSCRIPTION_LIST], takes=[*LISTING, TEXT])
def list_(session: Session) -> Answer:
    """List the company's transcriptions."""
    return listed(session, TRANSCRIPTION_LIST)


@commands.verb(
    "process",
    shows=["Transcription"],
    calls=[TRANSCRIPTION_PROCESS, ROOMSET_LIST],
    takes=[field_options("Transcription"), BODY, WRITING],
)
def process(session: Session, socialRoomSetId: str | None = option("--room-set", "ID|NAME")) -> Answer:
    """Send a transcription for processing; what the service does with it is not documented."""
    if which := session.given.body.get("socialTranscriptionId"):
        session.given.body["socialTranscriptionId"] = record_id(session, TRANSCRIPTION_LIST, which)
    sent = required_body(session, "Transcription", set_field(session, socialRoomSetId))
    mutation = Write(TRANSCRIPTION_PROCESS, body=sent, what="process a transcription")
    return write(session, mutation, done="sent for processing:")


@commands.verb("wait", shows=["Transcription"], calls=[TRANSCRIPTION_LIST], exits=[8])
def wait_(
    session: Session, which: str = argument("ID|NAME"), max_wait: float = MAX_WAIT, interval: float = INTERVAL
) -> Answer:
    """Wait until a transcription is processed: exit 0 when COMPLETE, 6 when FAILED, 8 when time runs out."""
    return wait(session, TRANSCRIPTION_LIST, which, max_wait=max_wait, interval=interval)
