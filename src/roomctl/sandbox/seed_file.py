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
    found += [each for name in TOP if name in document for each in _check_list(name, document[name], name)]
    return found or list(_duplicates(document))


def _unknown(name: str) -> str:
    near = get_close_matches(name, TOP, 1)
    return "a world has no such list" + (f"; did you mean `{near[0]}`?" if near else f"; it has {', '.join(TOP)}")


def _check_list(name: str, rows: JSON, path: str) -> Iterator[tuple[str, str]]:
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
        for each in inner:
            yield from _check_list(each, row[each], f"{at}.{each}")


def _duplicates(document: JSON) -> Iterator[tuple[str, str]]:
    """Find ids that come twice."""
    first: dict[tuple[str, str], str] = {}
    for name, row, path in _walk(document, TOP, ""):
        key = row.get(KINDS[name].id)
        if name == "ctaItems" or key is None:
            continue
        before = first.setdefault((name, str(key).lower()), path)
        if before != path:
            yield f"{path}.{KINDS[name].id}", f"is the id of {before} too"


def _walk(row: JSON, names: tuple[str, ...], path: str) -> Iterator[tuple[str, JSON, str]]:
    for name in names:
        for place, each in enumerate(row.get(name) or ()):
            at = f"{path}.{name}[{place}]" if path else f"{name}[{place}]"
            yield name, each, at
            yield from _walk(each, KINDS[name].inside, at)
