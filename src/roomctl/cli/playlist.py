"""`roomctl playlist`: audio playlists (operation 16)."""

from roomctl.cli.mutation import write
from roomctl.cli.options import BODY, WRITING, Commands, field_options
from roomctl.cli.request_body import required_body
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import PLAYLIST_CREATE
from roomctl.reconcile import Write

commands = Commands("Audio playlists.")


@commands.verb("create", shows=["Playlist"], calls=[PLAYLIST_CREATE], takes=[field_options("Playlist"), BODY, WRITING])
def create(session: Session) -> Answer:
    """Create an audio playlist. The service has no operation that shows playlists, so note the id."""
    sent = required_body(session, "Playlist")
    return write(session, Write(PLAYLIST_CREATE, body=sent, what="create a playlist"), done="created")
