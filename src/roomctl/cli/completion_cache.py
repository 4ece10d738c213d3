"""Recent ids with their names, and the profiles' names, kept for the shell's completion and for `journal list`.

Two plain files below the cache folder that a shell can read by itself: `completion/profiles`, a name a line, and
`completion/ids`, a kind, an id and a name a line, separated by tabs, newest first; a closed room is a kind of its own,
and so is a journal entry of unknown outcome. Losing them loses nothing: no failure to read or write them is ever a
failure of a command.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from roomctl import files
from roomctl.contract.records import folded, is_uuid
from roomctl.contract.rooms import is_open

LINES = 500
ENTRIES = ("entry", "open", "run")
LONGEST = 200
RESOURCES = {
    "RoomSet": ("roomset", "socialRoomSetId"),
    "Social": ("room", "socialId"),
    "Event": ("event", "socialEventId"),
    "SandboxEvent": ("event", "id"),
    "Recording": ("recording", "socialRecordingId"),
    "Theme": ("theme", "socialThemeId", "socialThemeName"),
    "Playlist": ("playlist", "playlistId"),
    "Transcription": ("transcription", "socialTranscriptionId"),
    "User": ("user", "userId"),
    "JournalEntry": ("entry", "id", "operation"),
    "Verified": ("entry", "entry", "operation"),
    "JournalRun": ("run", "id", "target"),
}
"""The kind of a resource's records, the field that identifies one, and the one that names it, where not `name`."""
TWINS = {"room": "closed", "closed": "room", "entry": "open", "open": "entry"}
"""Kinds that one thing may change between."""
INSIDE = {
    "RoomSet": (("socials", "Social"),),
    "Registration": (("event", "Event"), ("user", "User")),
    "RoomResult": (("reply", "Social"),),
    "UserResult": (("reply", "User"),),
}


def remember(cache_folder: Path, shown: Iterable[tuple[str, Any]], *, unnamed: bool = True) -> None:
    """Keep what results showed for completion, records by resource and those inside them. Never fails.

    Of each kind these are the newest 500. A name is kept where it can be typed as it is; where none is given, the one
    from before stays. What has none counts with `unnamed` only.
    """
    path = cache_folder / "completion" / "ids"
    found: dict[tuple[str, str], str | None] = {}
    waiting = [*shown]
    for resource, value in waiting:  # which grows by what stands inside
        kind, field, called = (*RESOURCES.get(resource, ("", "")), "name")[:3]
        for record in value[: 10 * LINES] if isinstance(value, list) else [value]:
            if not isinstance(record, dict):
                continue
            key, name = record.get(field), record.get(called)
            name = name if isinstance(name, str) else ""
            if isinstance(key, str) and (is_uuid(key) or kind in ENTRIES) and (name or unnamed):
                place = (_kind(kind, record), folded(key))
                typeable = len(name) <= LONGEST and name.isprintable() and not name.startswith("-")
                found.setdefault(place, (name if typeable else "") if name else None)
            if len(waiting) < 10 * LINES:
                waiting += [(inner, record.get(inside)) for inside, inner in INSIDE.get(resource, ())]
    if not found:
        return
    known, kinds = _things(path), dict[str, list[str]]()
    for kind, key in found:  # a room has been closed since, or was seen closed by mistake
        if name := known.pop((TWINS.get(kind, ""), key), ""):
            known.setdefault((kind, key), name)
    for place, name in (found | {place: name for place, name in known.items() if place not in found}).items():
        kinds.setdefault(place[0], []).append("\t".join((*place, known.get(place, "") if name is None else name)))
    _replace(path, [line for lines in kinds.values() for line in lines[:LINES]])


def _kind(kind: str, record: Mapping[str, Any]) -> str:
    """Say of which kind a record is now: rooms and journal entries change theirs."""
    if kind == "entry":
        from roomctl.journal.book import FINAL

        return "entry" if (record.get("state") or record.get("status")) in FINAL else "open"
    return "closed" if kind == "room" and is_open(record) is False else kind


def names(cache_folder: Path) -> dict[str, str]:
    return {key: name for (_, key), name in _things(cache_folder / "completion" / "ids").items() if name}


def _things(path: Path) -> dict[tuple[str, str], str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    parts = (line.split("\t") for line in lines if line.replace("\t", "").isprintable())
    own = (each for each in parts if len(each) == 3 and (is_uuid(each[1]) or each[0] in ENTRIES))
    return {(kind, key): name for kind, key, name in own}


def remember_profiles(cache_folder: Path, names: Iterable[str]) -> None:
    """Keep the names of the profiles for completion. Never fails."""
    _replace(cache_folder / "completion" / "profiles", [name for name in names if not name.startswith("-")])


def _replace(path: Path, lines: Sequence[str]) -> None:
    data, partial = "".join(f"{line}\n" for line in lines).encode(), path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError, ValueError):
        if (path.read_bytes() if path.exists() else b"") == data:
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(files.open_own(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as out:
            out.write(data)
        partial.replace(path)
