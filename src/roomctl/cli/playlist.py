"""`roomctl playlist`: audio playlists (operation 16)."""

from typing import Annotated

from typer import Option

from roomctl.cli.bodies import filled, skeleton
from roomctl.cli.lazy import Commands, Context, Takes
from roomctl.cli.options import BODY, UNTOLD, WRITING, a_name, at_least, choice
from roomctl.cli.session import Answer, Session
from roomctl.cli.writing import write
from roomctl.contract.operations import PLAYLIST_CREATE
from roomctl.contract.scalars import PLAYLIST_TYPE

commands = Commands("Audio playlists.")


def playlist_fields(
    name: Annotated[str | None, Option("--name", parser=a_name, metavar="TEXT", help="the playlist's name")] = None,
    type: Annotated[  # noqa: A002  (the field's name)
        str | None, choice("--type", values=PLAYLIST_TYPE, text="free or paid")
    ] = None,
    qty: Annotated[int | None, Option("--qty", parser=at_least(0), metavar="N", help="meaning not documented")] = None,
    duration: Annotated[
        int | None, Option("--duration", parser=at_least(0), metavar="N", help="unit not documented")
    ] = None,
    available: Annotated[bool | None, Option("--available/--not-available", help=f"available, {UNTOLD}")] = None,
) -> None:
    """Fields of a playlist that an administrator sets."""


@commands.verb(
    "create",
    shows=["Playlist"],
    calls=[PLAYLIST_CREATE],
    takes=[Takes("Fields", playlist_fields, body="Playlist"), BODY, WRITING],
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
    return write(session, PLAYLIST_CREATE, body=filled(session, "Playlist"), what="create a playlist")
