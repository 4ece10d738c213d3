"""A world of one's own, from a document: what may stand in it, and all that is wrong with it.

A record is written as the interface shows it. What belongs to another stands inside it: rooms in a set, call-to-action
items and recordings in a room, entry rules and transcriptions in a set, registrations in an event.
"""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

JSON = Any


class Kind(NamedTuple):
    """A kind of record: its resource, its id's field, its name's field, and what may stand inside it."""

    resource: str
    id: str
    name: str = "name"
    inside: tuple[str, ...] = ()


KINDS: Final = {
    "users": Kind("User", "userId"),
    "themes": Kind("Theme", "socialThemeId", "socialThemeName"),
    "playlists": Kind("Playlist", "playlistId"),
    "roomSets": Kind("RoomSet", "socialRoomSetId", inside=("socials", "entryConfigs", "transcriptions")),
    "socials": Kind("Social", "socialId", inside=("ctaItems", "recordings")),
    "ctaItems": Kind("CTAItem", "CTAItemId"),
    "recordings": Kind("Recording", "socialRecordingId"),
    "entryConfigs": Kind("EntryConfig", "configurationId"),
    "transcriptions": Kind("Transcription", "socialTranscriptionId"),
    "events": Kind("Event", "socialEventId", inside=("registrations",)),
    "registrations": Kind("Registration", "registrationId"),
}
"""What a document holds, by the name of its list."""
TOP: Final = ("users", "themes", "playlists", "roomSets", "events", "recordings", "transcriptions")


def example() -> str:
    """Give a world to begin one's own from, as YAML."""
    return Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")


def problems(document: JSON) -> list[tuple[str, str]]:
    """List all that keeps a document from being a world: paths and messages."""
    if not isinstance(document, dict):
        return [("", f"must be an object with lists such as {', '.join(TOP)}")]
    found = [(str(name), _unknown(str(name))) for name in document if name not in TOP]
    ids: dict[tuple[str, str], str] = {}
    return found + [each for name in TOP if name in document for each in _check_list(name, document[name], name, ids)]


def _unknown(name: str) -> str:
    near = get_close_matches(name, TOP, 1)
    return "a world has no such list" + (f"; did you mean `{near[0]}`?" if near else f"; it has {', '.join(TOP)}")


def _check_list(name: str, rows: JSON, path: str, ids: dict[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """Check the rows of a list, and what stands inside them; `ids` are those of rows before, and where they stand."""
    from roomctl.contract.validation import check

    if not isinstance(rows, list):
        yield path, "must be an array"
        return
    kind = KINDS[name]
    for place, row in enumerate(rows):
        at = f"{path}[{place}]"
        inner = [each for each in kind.inside if isinstance(row, dict) and each in row]
        own = {key: row[key] for key in row if key not in inner} if inner else row
        for problem in check(kind.resource, own):
            yield f"{at}.{problem.path}" if problem.path else at, problem.message
        key = row.get(kind.id) if isinstance(row, dict) and name != "ctaItems" else None
        if key is not None and (before := ids.setdefault((name, str(key).lower()), at)) != at:
            yield f"{at}.{kind.id}", f"is the id of {before} too"
        for each in inner:
            yield from _check_list(each, row[each], f"{at}.{each}", ids)
