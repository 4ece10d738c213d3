"""`roomctl playlist`: audio playlists (operation 16)."""

from roomctl.cli.command_tree import Commands
from roomctl.cli.mutation import write
from roomctl.cli.options import BODY, UNTOLD, WRITING, field_options, option
from roomctl.cli.parsers import a_name, at_least
from roomctl.cli.request_body import required_body
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import PLAYLIST_CREATE
from roomctl.contract.scalars import PLAYLIST_TYPE

commands = Commands("Audio playlists.")

PLAYLIST_FIELDS = field_options(
    "Playlist",
    name=option("--name", "the playlist's name", "TEXT", a_name),
    type=option("--type", "free or paid", values=PLAYLIST_TYPE),
    qty=option("--qty", f"`qty`, {UNTOLD}", "N", at_least(0)),
    duration=option("--duration", "how long it is; unit not documented", "N", at_least(0)),
    available=option("--available/--not-available", f"`available`, {UNTOLD}"),
)


@commands.verb("create", shows=["Playlist"], calls=[PLAYLIST_CREATE], takes=[PLAYLIST_FIELDS, BODY, WRITING])
def create(session: Session) -> Answer:
    """Create an audio playlist. The service has no operation that shows playlists, so note the id."""
    return write(
        session, PLAYLIST_CREATE, body=required_body(session, "Playlist"), what="create a playlist", done="created"
    )
