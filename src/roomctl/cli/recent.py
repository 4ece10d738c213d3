"""Recent ids with their names, and the profiles' names, kept for the shell's completion and for `journal list`.

Two plain files below the cache folder that a shell can read by itself: `completion/profiles`, a name a line, and
`completion/ids`, a kind, an id and a name a line, separated by tabs, newest first. Losing them loses nothing: no
failure to read or write them is ever a failure of a command.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
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
    "Result": (("reply", "User"),),
}


def remember(cache_folder: Path, seen: Iterable[tuple[str, str, str]]) -> None:
    """Keep things for completion, as (kind, id, name), the newest 500 of each kind. Never fails.

    A name is kept only where it can be typed as it is: printable, not too long, not like an option. Where none is
    given, the one from before stays.
    """
    path = cache_folder / "completion" / "ids"
    before = _lines(path)
    known = {place: line for line in before if (place := _place(line)) is not None}
    fresh: dict[tuple[str, str], str] = {}
    for kind, key, name in islice(seen, 10 * LINES):
        if is_uuid(key):
            line = f"{kind}\t{folded(key)}\t{_typeable(name)}"
            fresh.setdefault((kind, folded(key)), line if name else known.get((kind, folded(key)), line))
    new = list(_bounded(fresh.values()))
    if new != before[: len(new)]:
        older = (line for place, line in known.items() if place not in fresh)
        _replace(path, _bounded([*new, *older]))


def names(cache_folder: Path) -> dict[str, str]:
    """Give the names of what a person has seen, by id."""
    parts = (line.split("\t") for line in _lines(cache_folder / "completion" / "ids") if _place(line))
    return {key: name for _, key, name in parts if name}


def _place(line: str) -> tuple[str, str] | None:
    """Read the kind and id of a line; None of a damaged one."""
    kind, _, rest = line.partition("\t")
    return (kind, rest[:36]) if len(rest) > 36 and rest[36] == "\t" and line.replace("\t", "").isprintable() else None


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        kind = line.partition("\t")[0]
        counts[kind] += 1
        if counts[kind] <= LINES:
            yield line


def remember_profiles(cache_folder: Path, names: Iterable[str]) -> None:
    """Keep the names of the profiles for completion. Never fails."""
    path = cache_folder / "completion" / "profiles"
    lines = [name for name in names if _typeable(name)]
    if lines != _lines(path):
        _replace(path, lines)


def things(resource: str, value: Any) -> Iterator[tuple[str, str, str]]:
    """Find what a result shows: the kind, id and name of each row, and of what stands inside it."""
    for row in value if isinstance(value, list) else [value]:
        if not isinstance(row, dict):
            continue
        if resource in RESOURCES:
            kind, key, name = RESOURCES[resource]
            if isinstance(row.get(key), str):
                yield kind, row[key], row[name] if isinstance(row.get(name), str) else ""
        for field, inner in INSIDE.get(resource, ()):
            yield from things(inner, row.get(field))


def _typeable(name: str) -> str:
    return name if len(name) <= LONGEST and name.isprintable() and not name.startswith("-") else ""


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []


def _replace(path: Path, lines: Iterable[str]) -> None:
    """Put a new file, readable by its owner only, in the place of the old one."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(
            files.open_own(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w", encoding="utf-8", newline="\n"
        ) as out:
            out.write("".join(f"{line}\n" for line in lines))
        partial.replace(path)
    except (OSError, ValueError):
        return
