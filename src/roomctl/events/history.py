"""What became of the steps of earlier runs, of which the service shows nothing: from the journal and a result file.

A step is known by its key and its set's id; the journal keeps a number that follows from both, and no name.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from roomctl.bulk import Mark, Row
from roomctl.contract.records import folded
from roomctl.events.plan import NoId, Step, with_ids
from roomctl.service.request import encoded

UNSENT: Final = "not sent: "
"""How a result begins that proves that nobody can have been invited: there was no room yet."""
_RANK = {"skipped": 0, "failed": 1, "unknown": 2, "ok": 3}
Place = tuple[int, str]
"""The number of a step and, of an invitation, its room's id: one to a room proves nothing of another of that name."""


def number_of(set_id: str, key: str) -> int:
    return int.from_bytes(sha256(f"{set_id}\0{key}".encode()).digest()[:6], "big")


def once_made(mark: Mark) -> Mark:
    """Say that a thing was made, of one that was made and is not as the file says: it is not made again.

    Its error stays: where nothing shows the thing, it needs attention until it is sent once more, or the file changes.
    """
    if mark.status == "failed" and mark.id and mark.at:
        return mark._replace(status="ok", error=mark.error or "an earlier run made it, but not as the file says")
    return mark


def kept(row: Row, job: str) -> Mark | None:
    """Read what a row of a result file says became of its step; None where nothing did.

    What was done and is skipped now is carried along with its time, its id and a seal; what matched the file has no
    time, but its id says which set or room other rows are about. Where a person has cleared the status, which breaks
    the seal, it is to be sent again.
    """
    mark = row.before
    if mark is None or mark.status != "skipped":
        return mark
    whole = mark == mark.sealed(job, row)
    if whole and mark.error.startswith(UNSENT):
        return mark._replace(status="failed")
    if not (mark.at and mark.id):
        return mark if mark.id and whole else None
    return mark._replace(status="ok", error="") if whole else Mark("failed", at=mark.at)


class Fact(NamedTuple):
    """What an earlier run says of a step; `content` tells what was sent: a hash of the body, or the step's digest."""

    place: Place
    mark: Mark
    content: str = ""


def of_results(rows: Iterable[Row]) -> Iterator[tuple[str, Fact]]:
    known = [(row, row.before) for row in rows if row.before is not None]
    ids = {row.key: folded(mark.id) for row, mark in known}
    set_key = next((key for key in ids if key.startswith("room set ")), "")
    for row, mark in known:
        if mark.status == "skipped" or not (row.key == set_key or ids.get(set_key)):  # without its set, of which one?
            continue
        number = number_of("" if row.key == set_key else ids[set_key], row.key)
        kind, _, name = row.key.partition(" ")
        room = ids.get(f"room {name.rpartition(' / ')[0]}", "") if kind == "invitation" else ""
        yield row.key, Fact((number, room), once_made(mark), row.columns.get("digest", ""))


class History(NamedTuple):
    """What is known of steps by their place, from runs on this machine and from a result file.

    An invitation without a room is one to nobody knows which: it proves nothing. `created` are the ids of what the
    journal, or the result file, has seen made; `invited` the rooms to which something else than such a run has sent
    invitations; `contents` tell, by number, what was sent: a hash of the body, or the digest of the step; `open` are
    the journal's entries without an outcome.
    """

    marks: Mapping[Place, Mark] = {}
    created: frozenset[str] = frozenset()
    invited: frozenset[str] = frozenset()
    contents: Mapping[int, frozenset[str]] = {}
    open: Mapping[int, frozenset[str]] = {}

    @classmethod
    def of(cls, facts: Iterable[Fact], **known: Any) -> "History":
        """Put facts together: done is done, whoever says so, and what may be done is not undone."""
        told: dict[Place, list[Fact]] = {}
        for fact in facts:
            told.setdefault(fact.place, []).append(fact)
        for number in {number for number, room in told if room}:
            told.pop((number, ""), None)  # a later run has carried it
        marks = [(place, [fact.mark for fact in found]) for place, found in told.items()]
        best = {
            place: max(found, key=lambda mark: (_RANK[mark.status], bool(mark.id), mark.at)) for place, found in marks
        }
        sent = {number: [each for each in found if each.mark.status == "ok"] for (number, _), found in told.items()}
        last = {number: max(each.mark.at for each in found) for number, found in sent.items() if found}
        contents = {
            number: frozenset(each.content for each in sent[number] if each.mark.at == at)
            for number, at in last.items()
        }
        return cls(best, contents=contents, **known)

    def mark(self, set_id: str, key: str, room: str = "") -> Mark | None:
        """Say what became of a step of a set, or of an invitation to a room; None where nothing is known of it."""
        number = number_of(set_id, key)
        found = self.marks.get((number, room)) or self.marks.get((number, ""))
        anywhere = found is None or (number, room) in self.marks or found.status == "failed"
        return found if anywhere else Mark("skipped")

    def proves(self, set_id: str, step: Step, ids: Mapping[str, str]) -> bool:
        """Whether what was sent for a step is known to be what it would send now."""
        try:
            now = {step.digest(), sha256(encoded(with_ids(step.body, ids))).hexdigest()}
        except NoId:  # what it is about is still to be made
            return False
        return bool(now & self.contents.get(number_of(set_id, step.key), frozenset()))

    def knows(self, key: str) -> bool:
        return folded(key) in self.created
