"""What became of the steps of earlier runs, of which the service shows nothing: from the journal and a result file.

A step is known by its key and its set's id; the journal keeps a number that follows from both, and no name.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from roomctl.bulk import Mark
from roomctl.contract.records import folded

_RANK = {"skipped": 0, "failed": 1, "unknown": 2, "ok": 3}


def number_of(set_id: str, key: str) -> int:
    """Give the number under which the journal keeps a step."""
    return int.from_bytes(sha256(f"{set_id}\0{key}".encode()).digest()[:6], "big")


def best(marks: Iterable[Mark | None]) -> Mark | None:
    """Put together what is known of one step: done is done, whoever says so, and what may be done is not undone."""
    known = (each for each in marks if each is not None)
    return max(known, key=lambda mark: (_RANK[mark.status], bool(mark.id)), default=None)


class Past(NamedTuple):
    """What is known: of steps by number, from runs on this machine; of steps by key, from a result file.

    `created` are the ids of what this machine's journal, or the result file, has seen made; `invited` the rooms to
    which something else than such a run has sent invitations.
    """

    numbers: Mapping[int, Mark] = {}
    keys: Mapping[str, Mark] = {}
    created: frozenset[str] = frozenset()
    invited: frozenset[str] = frozenset()

    def mark(self, set_id: str, key: str) -> Mark | None:
        """Say what became of a step of a set; None where nothing is known of it."""
        return best((self.numbers.get(number_of(set_id, key)), self.keys.get(key)))

    def knows(self, key: str) -> bool:
        """Whether the thing with an id is known to have been made by a run that this past covers."""
        return folded(key) in self.created
