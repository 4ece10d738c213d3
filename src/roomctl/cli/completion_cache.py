"""Recent ids with their names, and the profiles' names, kept for the shell's completion and for `journal list`.

Two plain files below the cache folder that a shell can read by itself: `completion/profiles`, a name a line, and
`completion/ids`, a kind, an id and a name a line, separated by tabs, newest first. Losing them loses nothing: no
failure to read or write them is ever a failure of a command.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from roomctl import files
from roomctl.contract.records import folded, is_uuid

LINES = 500
LONGEST = 200
RESOURCES = {
    "RoomSet": ("roomset", "socialRoomSetId", "name"),
    "Social": ("room", "socialId", "name"),
    "Event": ("event", "socialEventId", "name"),
    "SandboxEvent": ("event", "id", "name"),
    "Recording": ("recording", "socialRecordingId", "name"),
    "Transcription": ("transcription", "socialTranscriptionId", "name"),
    "User": ("user", "userId", "name"),
}
INSIDE = {
    "RoomSet": (("socials", "Social"),),
    "Registration": (("event", "Event"), ("user", "User")),
    "RoomResult": (("reply", "Social"),),
    "UserResult": (("reply", "User"),),
}


def remember(cache_folder: Path, seen: Iterable[tuple[str, str, str]]) -> None:
    """Keep things for completion, as (kind, id, name), the newest 500 of each kind. Never fails.

    A name is kept where it can be typed as it is; where none is given, the one from before stays.
    """
    path = cache_folder / "completion" / "ids"
    known = _things(path)
    found: dict[tuple[str, str], str] = {}
    for kind, key, name in islice(seen, 10 * LINES):
        if is_uuid(key):
            place = (kind, folded(key))
            typeable = len(name) <= LONGEST and name.isprintable() and not name.startswith("-")
            found.setdefault(place, known.get(place, "") if not name else name if typeable else "")
    kinds: dict[str, list[str]] = {}
    for (kind, key), name in (found | {place: name for place, name in known.items() if place not in found}).items():
        kinds.setdefault(kind, []).append(f"{kind}\t{key}\t{name}")
    _replace(path, [line for lines in kinds.values() for line in lines[:LINES]])


def names(cache_folder: Path) -> dict[str, str]:
    """Give the names of what a person has seen, by id."""
    return {key: name for (_, key), name in _things(cache_folder / "completion" / "ids").items() if name}


def _things(path: Path) -> dict[tuple[str, str], str]:
    """Read the names of things by kind and id, without damaged lines."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    parts = (line.split("\t") for line in lines if line.replace("\t", "").isprintable())
    return {(each[0], each[1]): each[2] for each in parts if len(each) == 3 and is_uuid(each[1])}


def remember_profiles(cache_folder: Path, names: Iterable[str]) -> None:
    """Keep the names of the profiles for completion. Never fails."""
    _replace(cache_folder / "completion" / "profiles", [name for name in names if not name.startswith("-")])


def things(resource: str, value: Any) -> Iterator[tuple[str, str, str]]:
    """Find what a result shows: the kind, id and name of each row, and of what stands inside it."""
    kind, key, name = RESOURCES.get(resource, ("", "", ""))
    for row in (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)):
        if isinstance(row.get(key), str):
            yield kind, row[key], row[name] if isinstance(row.get(name), str) else ""
        for field, inner in INSIDE.get(resource, ()):
            yield from things(inner, row.get(field))


def _replace(path: Path, lines: Sequence[str]) -> None:
    """Put a new file, readable by its owner only, in the place of one with other lines."""
    data, partial = "".join(f"{line}\n" for line in lines).encode(), path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError, ValueError):
        if (path.read_bytes() if path.exists() else b"") == data:
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(files.open_own(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as out:
            out.write(data)
        partial.replace(path)
