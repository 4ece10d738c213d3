"""The default columns of each resource, chosen by hand, and what stands in a row: a field by its path, or computed.

A column of a path is a column of csv and tsv under that path, the service's own name; scripts count on their order, so
new ones are appended to what csv and tsv have. A column that is computed is for people only.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.contract.records import UUID
from roomctl.contract.rooms import hides_rooms, is_open, present_in, rooms
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.order import place

FILE_ONLY = 9


class Column(NamedTuple):
    """A column: where its value stands, its heading for people, how it is written, how soon it is dropped.

    `kind` is text, id, named (an id, in whose place a name stands where it is known), time, bool, number, count, size,
    state, mail, fault, path, url, dotted, whole, bad, prose, pairs or rules. The higher `rank`, the sooner a narrow
    terminal drops it; 0 never, unless it is empty, FILE_ONLY always. `of` computes the value from the row. One that
    `compares` has its rank only where rows differ in it.
    """

    path: str
    heading: str = ""
    kind: str = "text"
    rank: int = FILE_ONLY
    of: Callable[[JSON], JSON] | None = None
    compares: bool = False

    @property
    def short_name(self) -> str:
        """What is typed where this field is asked for: its heading, as one word that no shell reads otherwise."""
        return "-".join(re.findall(r"\w+", self.heading.partition(" (")[0])) or self.path


def room_count(row: JSON) -> int | None:
    return None if hides_rooms(row) else len(rooms(row))


def _total(shown: Callable[[JSON], int | None], row: JSON) -> int | None:
    """Add up what each room of a set shows, such as whether it is open; None where one of them does not."""
    numbers = [number for room in rooms(row) if (number := shown(room)) is not None]
    return sum(numbers) if len(numbers) == room_count(row) else None


def people_present(number: int | None) -> str:
    return "people present not shown" if number is None else f"{numbered(number, 'people')} present"


def room_counts(row: JSON, nouns: str = "rooms") -> str:
    """Count the rooms of a set, those that are open, and the people in them, as far as its record shows them."""
    if (count := room_count(row)) is None:
        return f"at least {numbered(len(rooms(row)), nouns)}, not all shown" if rooms(row) else "rooms not shown"
    if not count:
        return "no rooms"
    state = "state not shown" if (number := _total(is_open, row)) is None else f"{number} open"
    return f"{numbered(count, nouns)}, {state}, {people_present(_total(present_in, row))}"


def _computed(key: str, form: Callable[[Any], JSON], kind: type = list) -> Callable[[JSON], JSON]:
    """Give what a column computes of the array or object at `key`; nothing where that is something else."""
    return lambda row: form(row[key]) if isinstance(row.get(key), kind) else None


def shortened(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[: most * 4 // 5]}… ({len(text)} characters)"


def _changes(changes: list[JSON]) -> str:
    olds = ("" if each["old"] is None else f"{compact(each['old'])} → " for each in changes)
    return "; ".join(f"{each['field']}: {old}{compact(each['new'])}" for each, old in zip(changes, olds, strict=True))


def _compared(changes: list[JSON]) -> str:
    """Write what changed from what to what; one that has no `old`, or no `new`, was nothing."""
    sides = ("old", "new")
    pairs = ([shortened(compact(each[at]), 60) if at in each else "nothing" for at in sides] for each in changes)
    return "; ".join(f"{each['field']}: {old} → {new}" for each, (old, new) in zip(changes, pairs, strict=True))


def _job(target: str) -> str:
    """What a bulk run does, without what has columns of its own: its service, and rooms and sets, by their names."""
    job = target.partition(" at ")[0]
    return job.partition(" ")[0] if UUID.search(job) else job


def counts(effects: Mapping[str, int]) -> str:
    """Write counts of things of which something was done: `1 room ended, 4 invitations created`."""
    parts = ((count, what.rpartition(" ")) for what, count in effects.items())
    return ", ".join(f"{numbered(count, nouns)} {done}" for count, (nouns, _, done) in parts)


_COMPUTED: Mapping[str, Callable[[Any], JSON]] = {
    "room_count": room_count,
    "open_rooms": partial(_total, is_open),
    "present": partial(_total, present_in),
    "visits": _computed("participants", len),
    "reply_name": _computed("reply", lambda reply: reply.get("name"), dict),
    "reply_mail": _computed("reply", lambda reply: reply.get("emailAddress"), dict),
    "job": _computed("target", _job, str),
    "effects": _computed("effects", counts, dict),
    "mistakes": _computed(
        "mistakes", lambda found: "; ".join(str(each).partition("; without")[0] for each in found) or 0
    ),
    "plan_changes": _computed("changes", _changes),
    "compared": _computed("changes", _compared),
    "who": lambda row: row["name"] or row["emailAddress"] or row["id"],
    "option": lambda row: f"{row['option']} {row['takes']}",
}


class Resource(NamedTuple):
    """How rows of a resource are shown: what they are, the field that identifies one (empty: `id`, or else `name`),
    their default columns, none where it has none of its own, and the paths of those in csv and tsv.
    """

    plural: str
    id: str
    columns: tuple[Column, ...]
    paths: tuple[str, ...]


@cache
def resource_of(name: str) -> Resource:
    """Read what `columns.txt` says of a resource."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    head, *lines = text.partition(f"\n[{name}]")[2].partition("\n\n")[0].splitlines() or [""]
    columns = []
    for line in lines:
        path, heading, kind, rank, form = (*map(str.strip, line.split("|")), "", "", "", "")[:5]
        number = int(rank.removesuffix("?") or FILE_ONLY)
        columns.append(Column(path, heading, kind or "text", number, _COMPUTED.get(form), rank.endswith("?")))
    plural, _, key = map(str.strip, head.partition("|"))
    key = key or next((each.path for each in columns if each.heading == "id"), "")
    return Resource(plural or "rows", key, tuple(columns), tuple(each.path for each in columns if each.of is None))


RESULTS = ("StepResult", "UserResult", "RoomResult", "InviteResult", "RoomInviteResult")
"""What became of each row of a bulk command."""
FOUND_BY_NAME = ("RoomSet", "Social", "Recording", "Transcription", "RoomResult")
"""Resources whose rows people know by name, so that their ids may make room for what tells more."""


def seen_keys(rows: Iterable[JSON]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(key) for row in rows if isinstance(row, dict) for key in row))


def at(value: JSON, path: str) -> JSON:
    """Give what stands at a dotted path, or under a key of that name; None where nothing does.

    `a.0.b` is a place in an array, `a.b` over an array that field of each item; a picture is given by its size.
    """
    head, _, rest = path.partition(".")
    if isinstance(value, dict):
        if path not in value:
            return at(value[head], rest) if rest and head in value else None
        found = value[path]
        return size(found) if isinstance(found, str) and path.endswith("Bytes") else found
    if isinstance(value, list):
        if head.isascii() and head.isdigit() and len(head) < 10:
            item = value[int(head)] if int(head) < len(value) else None
            return at(item, rest) if rest else item
        return [at(item, path) for item in value]
    return None


def has(row: JSON, path: str) -> bool:
    """Whether something stands at a path of a row, also null."""
    head, dot, rest = path.partition(".")
    if isinstance(row, list) and head.isdigit():
        return int(head) < len(row) and (not rest or has(row[int(head)], rest))
    if isinstance(row, list):
        return any(has(each, path) for each in row)
    return isinstance(row, dict) and (path in row or (bool(dot) and head in row and has(row[head], rest)))


def select(row: JSON, fields: Sequence[str]) -> dict[str, JSON]:
    """Make the flat object of the fields asked for: `{"name": …, "user.name": …}`, null for what is not there."""
    return {field: shorten_bytes(at(row, field)) for field in fields}


def sort_rows(rows: Sequence[JSON], read: Callable[[JSON], JSON], *, descending: bool = False) -> list[JSON]:
    """Sort rows by the `place` of what is read of each, rows without it last."""
    pairs = [(read(row), row) for row in rows]
    present = sorted(
        (pair for pair in pairs if pair[0] is not None), key=lambda pair: place(pair[0]), reverse=descending
    )
    return [row for _, row in present] + [row for value, row in pairs if value is None]


def shorten_bytes(value: JSON) -> JSON:
    """Write `<48213 bytes>` for each string, at any depth, whose key ends with `Bytes`; the value itself stays."""
    if isinstance(value, dict):
        return {
            key: size(each) if isinstance(each, str) and str(key).endswith("Bytes") else shorten_bytes(each)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [shorten_bytes(each) for each in value]
    return value


def size(text: str) -> str:
    """Say how many bytes a base64 text stands for; of any other text, how many it has."""
    if re.fullmatch(r"<\d+ bytes>", text, re.ASCII):  # it was shortened before
        return text
    if not re.fullmatch(r"[A-Za-z0-9+/_=\s-]*", text, re.ASCII):
        return f"<{len(text.encode('utf-8', 'surrogatepass'))} bytes>"
    return f"<{len(''.join(text.split()).rstrip('=')) * 3 // 4} bytes>"
