"""`roomctl playlist`: audio playlists (operation 16)."""

from typer import Option

from roomctl.cli.bodies import field_options, filled, skeleton
from roomctl.cli.lazy import Commands, Context
from roomctl.cli.mutation import write
from roomctl.cli.options import BODY, UNTOLD, WRITING, a_name, at_least, choice
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import PLAYLIST_CREATE
from roomctl.contract.scalars import PLAYLIST_TYPE

commands = Commands("Audio playlists.")


PLAYLIST_FIELDS = field_options(
    "Playlist",
    name=Option("--name", parser=a_name, metavar="TEXT", help="the playlist's name"),
    type=choice("--type", values=PLAYLIST_TYPE, text="free or paid"),
    qty=Option("--qty", parser=at_least(0), metavar="N", help="meaning not documented"),
    duration=Option("--duration", parser=at_least(0), metavar="N", help="unit not documented"),
    available=Option("--available/--not-available", help=f"available, {UNTOLD}"),
)


@commands.verb(
    "create",
    shows=["Playlist"],
    calls=[PLAYLIST_CREATE],
    takes=[PLAYLIST_FIELDS, BODY, WRITING],
    examples=[
        'playlist create --name "Arrivals" --type FREE_PLAYLIST',
        'playlist create --name "Arrivals" --type FREE_PLAYLIST --qty 12 --dry-run',
    ],
)
def create(ctx: Context) -> Answer:
    """Create an audio playlist. The service has no operation that shows it again: note its id."""
    session: Session = ctx.obj
    if (shown := skeleton(session, "Playlist")) is not None:
        return shown
    return write(session, PLAYLIST_CREATE, body=filled(session, "Playlist"), what="create a playlist", done="created")
