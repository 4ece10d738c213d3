"""What is wrong with an event file (`plan` and `apply` refuse it), or looks so: findings that `help lint` explains."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from statistics import median
from typing import Final

from roomctl.contract.scalars import RULES
from roomctl.events.event_file import EventFile, Finding, Place
from roomctl.text import JSON
from roomctl.text.colors import contrast, rgb
from roomctl.text.jsontext import compact
from roomctl.text.safe import visible
from roomctl.text.suggest import did_you_mean

SEVERITIES: Final = ("note", "warning", "error")
LONGEST_NAME: Final = 60
LEAST_CONTRAST: Final = 3.0
AWAY: Final = timedelta(hours=18)


@cache
def codes() -> Mapping[str, Mapping[str, str]]:
    """Read every code, the worst first, with its severity, what it means and what to do about it."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def as_record(finding: Finding, event_file: EventFile, name: str = "") -> dict[str, JSON]:
    """Make the JSON form of a finding, with its place in the file; that of a standing set has none."""
    line, column = event_file.document.place(finding.path)
    where = {"file": str(event_file.path), "line": line, "column": column} if not name else {"file": name}
    return {**where, "severity": codes()[finding.code]["severity"], "code": finding.code, "message": finding.message}


def findings(
    event_file: EventFile, problems: Sequence[Finding], now: datetime | None, images: Mapping[str, Sequence[str]] = {}
) -> list[Finding]:
    """List what was found, in the order of the file; without `now` the errors alone; `images` as shown, by theme."""
    found = [*problems, *_rooms(event_file, now)]
    if now is not None:
        found += [*_rules(event_file), *_themes(event_file, images), *_texts(event_file)]
    return sorted(found, key=lambda each: (event_file.document.place(each.path), [*codes()].index(each.code)))


def _rooms(event_file: EventFile, now: datetime | None) -> Iterator[Finding]:
    starts = [start.timestamp() for room in event_file.rooms if (start := room.time("startDateTime"))]
    middle = median(starts) if len(starts) > 2 else None
    for room in event_file.rooms:
        start, end, name = room.time("startDateTime"), room.time("endDateTime"), room.name or "this room"
        if start and end and end <= start:
            yield Finding("ends-first", room.path, f"{name} ends before it starts")
        if now is None:
            continue
        if any(at < now for at in (start, end) if at):
            yield Finding("past", room.path, f"{name} {'starts' if start and start < now else 'ends'} in the past")
        if start and middle is not None and abs(start.timestamp() - middle) > AWAY.total_seconds():
            yield Finding("unusual-time", room.path, f"{name} starts long before or after the other rooms")
        most, people = room.fields.get("maxParticipants"), len(room.people.rows) if room.people else 0
        if "maxParticipants" not in room.fields:  # where it is wrong it is there, without a value
            yield Finding("no-capacity", room.path, f"{name} has no `maxParticipants`")
        elif most is not None and most < max(people, 1):
            yield Finding("capacity", room.path, f"{name} has room for {most}, but the file invites {people}")


def _rules(event_file: EventFile) -> Iterator[Finding]:
    for room in event_file.rooms if event_file.rules else ():
        if not any(room.is_one_of(part.rooms) for part in event_file.rules):
            yield Finding(
                "no-rules",
                room.path,
                f"no entry rules apply to room {compact(room.name)}, although other rooms have some",
            )
    for part in event_file.rules:
        rules = part.fields.get("rules") or ()
        own, of_set = (fields.get("entryOption") for fields in (part.fields, event_file.settings))
        which = ""
        if own == "CUSTOM_RULES":
            which = "; it is not documented which of the two applies" * (of_set is not None)
            of_set = of_set or "missing from the settings, so a new set gets a default"
        whose = f"the room set's own `entryOption` is {of_set}{which}"
        for where, option, why in (
            ((*part.path, "entryOption"), own, f"`entryOption` is {own}"),
            (("settings", "entryOption"), of_set, whose),
        ):
            if rules and option not in (None, "CUSTOM_RULES"):
                yield Finding("rules-ignored", where, f"rules apply only under CUSTOM_RULES, but {why}")
        for place, rule in enumerate(rules):
            path = (*part.path, "rules", place)
            for name in ("property", "operator", "value") if rule is not None else ():
                word, words = rule.get(name), RULES.get(name)
                if word in (None, ""):
                    yield Finding("incomplete-rule", path, f"this rule has no `{name}`")
                elif words and word not in words:
                    message = f"roomctl does not know the {name} {compact(word)}{did_you_mean(word, words)}"
                    yield Finding("unknown-rule-word", (*path, name), message)


def _themes(event_file: EventFile, shown: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    for key, part in event_file.themes.items():
        kind = part.fields.get("type")
        given = event_file.document.value["themes"].get(key) or {}
        images = {*(name for name, value in given.items() if value), *shown.get(key, ())}
        needs = {"SINGLE_IMAGE": {"image"}, "LAYERED": {"imageFar", "imageMid", "imageNear"}}.get(str(kind), set())
        if needs and not needs & images:
            yield Finding("missing-image", part.path, f"{key} is {kind}, but has no `{'` or `'.join(sorted(needs))}`")
        for name, value in part.fields.items():
            if name.startswith("color") and value not in (None, "") and rgb(value) is None:
                message = f"{key}: `{name}` is {compact(value)}, which is not a recognised colour"
                yield Finding("color", (*part.path, name), message)
        for front, back in (("colorButtonText", "colorButtonBG"), ("colorPrimary", "colorBackground")):
            one, other = rgb(part.fields.get(front)), rgb(part.fields.get(back))
            if one and other and (found := contrast(one, other)) < LEAST_CONTRAST:
                message = f"{key}: `{front}` on `{back}` has a contrast of {found:.1f} to 1"
                yield Finding("contrast", (*part.path, front), message)


def _texts(event_file: EventFile) -> Iterator[Finding]:
    named: list[tuple[str, Place]] = [(event_file.name, ("room_set",))]
    named += [(key, ("themes", key)) for key in event_file.themes]
    named += [
        (part.name, (*part.path, "name")) for part in (*event_file.rooms, *event_file.rules, *event_file.playlists)
    ]
    lines = event_file.document.text.splitlines()
    for name, path in named:
        line = lines[event_file.document.place(path)[0] - 1 :][:1]
        if name and re.search(rf"[:{{\s]{re.escape(name)}\s+#\w", "".join(line)):
            yield Finding("comment", path, f"the name is {compact(name)}: what follows is a comment")
        if len(name) > LONGEST_NAME:
            yield Finding("name", path, f"the name has {len(name)} characters; at most {LONGEST_NAME} are shown")
        elif visible(name) != name:
            yield Finding("name", path, "the name has invisible characters")
        elif name != name.strip() and name.strip():
            yield Finding("name", path, f"the name {compact(name)} begins or ends with a space")
