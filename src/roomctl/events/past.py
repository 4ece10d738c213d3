"""What became of the steps of earlier runs, of which the service shows nothing: from the journal and a result file.

A step is known by its key and its set's id; the journal keeps a number that follows from both, and no name.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from roomctl.bulk import Mark
from roomctl.contract.records import folded
from roomctl.events.steps import Step
from roomctl.service.request import encoded

_RANK = {"skipped": 0, "failed": 1, "unknown": 2, "ok": 3}


def number_of(set_id: str, key: str) -> int:
    """Give the number under which the journal keeps a step."""
    return int.from_bytes(sha256(f"{set_id}\0{key}".encode()).digest()[:6], "big")


def best(marks: Iterable[Mark | None]) -> Mark | None:
    """Put together what is known of one step: done is done, whoever says so, and what may be done is not undone."""
    known = (each for each in marks if each is not None)
    return max(known, key=lambda mark: (_RANK[mark.status], bool(mark.id)), default=None)


def once_made(mark: Mark) -> Mark:
    """Say that a room was made, of one that was made and is not as the file says: it is not made again."""
    return mark._replace(status="ok") if mark.status == "failed" and mark.id and mark.at else mark


def bound(marks: Mapping[str, Mark]) -> dict[tuple[str, str], Mark]:
    """Bind the steps of a result file to ids that it gives: invitations to the room's, others to the set's."""
    ids = {key: folded(mark.id) for key, mark in marks.items()}
    set_key = next((key for key in ids if key.startswith("room set ")), "")
    found = {}
    for key, mark in marks.items():
        if mark.status == "skipped":
            continue
        if key == set_key:
            found["", key] = mark
        elif key.startswith("invitation "):
            room = key.removeprefix("invitation ").rpartition(" / ")[0]
            found[ids.get(f"room {room}", ""), key] = mark
        else:
            found[ids.get(set_key, ""), key] = once_made(mark) if key.startswith("room ") else mark
    return found


class Past(NamedTuple):
    """What is known: of steps by number, from runs on this machine; of steps by key, from a result file.

    An invitation is known by its room's id too: one to a room proves nothing of another of the same name. A result
    file binds the others to the id of their set; a number without a room is not known to be an invitation.
    `created` are the ids of what this machine's journal, or the result file, has seen made; `invited` the rooms to
    which something else than such a run has sent invitations; `bodies` the hashes of what was sent, by number.
    """

    numbers: Mapping[tuple[int, str], Mark] = {}
    keys: Mapping[tuple[str, str], Mark] = {}
    created: frozenset[str] = frozenset()
    invited: frozenset[str] = frozenset()
    bodies: Mapping[int, frozenset[str]] = {}

    def mark(self, set_id: str, key: str, room: str = "") -> Mark | None:
        """Say what became of a step of a set, or of an invitation to a room; None where nothing is known of it.

        What is known of an invitation to nobody knows which room is "skipped": it proves nothing.
        """
        number = number_of(set_id, key)
        found = best((self.numbers.get((number, room)), self.keys.get((room or set_id, key))))
        return Mark("skipped") if found is None and (number, "") in self.numbers else found

    def proves(self, set_id: str, step: Step) -> bool:
        """Whether what was sent for a step is what it would send now; a body with ids of others is not compared."""
        sent = self.bodies.get(number_of(set_id, step.key))
        return not sent or step.kind == "rules" or sha256(encoded(step.body)).hexdigest() in sent

    def knows(self, key: str) -> bool:
        """Whether the thing with an id is known to have been made by a run that this past covers."""
        return folded(key) in self.created
