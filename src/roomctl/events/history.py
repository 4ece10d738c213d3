"""What became of the steps of earlier runs, of which the service shows nothing: from the journal and a result file.

A step is known by its key and its set's id; the journal keeps a number that follows from both, and no name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from operator import attrgetter
from typing import Final, NamedTuple

from roomctl.bulk import Mark, Row
from roomctl.bulk.table import UNSENT
from roomctl.contract.records import folded
from roomctl.events.plan import NoId, Step, with_ids
from roomctl.service.request import encoded

STOOD: Final = "stood"
"""In place of a set's id: that a set of this name was there before the first run, which made none."""
_RANK = ("skipped", "failed", "unknown", "ok")


def number_of(set_id: str, key: str) -> int:
    return int.from_bytes(sha256(f"{set_id}\0{key}".encode()).digest()[:6], "big")


def as_made(mark: Mark) -> Mark:
    """Say that a thing was made, of one that was made and is not as the file says: it is not made again.

    Its error stays: where nothing shows the thing, it needs attention until it is sent once more, or the file changes.
    """
    if mark.status == "failed" and mark.id and mark.at:
        return mark._replace(status="ok", error=mark.error or "an earlier run made it, but not as the file says")
    return mark


def read_mark(row: Row, job: str) -> Mark | None:
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
    """What an earlier run says of a step, or of an invitation to a room.

    `content` tells what was sent: a hash of the body, or the step's digest.
    """

    number: int
    mark: Mark
    room: str = ""
    content: str = ""


def facts_of(rows: Iterable[Row]) -> Iterator[Fact]:
    """Read what the rows of a result file say; those that do not say which set they are about prove nothing."""
    known = {row.key: (row, row.before) for row in rows if row.before is not None}
    ids = {key: folded(mark.id) for key, (_, mark) in known.items()}
    set_key = next((key for key in ids if key.startswith("room set ")), "")
    if set_key and not known[set_key][1].at:
        yield Fact(number_of(STOOD, set_key), Mark("ok", id=ids[set_key]))
        del known[set_key]
    for key, (row, mark) in known.items():
        if mark.status != "skipped" and (key == set_key or ids.get(set_key)):
            kind, _, name = key.partition(" ")
            room = ids.get(f"room {name.rpartition(' / ')[0]}", "") if kind == "invitation" else ""
            number = number_of("" if key == set_key else ids[set_key], key)
            yield Fact(number, as_made(mark), room, row.columns.get("digest", ""))


class History(NamedTuple):
    """What is known of steps by their numbers, from runs on this machine and from a result file.

    `created` are the ids of what such runs have seen made; `invited` the rooms to which something else than such a run
    has sent invitations; `open` are the journal's entries without an outcome, by number.
    """

    facts: Mapping[int, Sequence[Fact]] = {}
    created: frozenset[str] = frozenset()
    invited: frozenset[str] = frozenset()
    open: Mapping[int, Sequence[str]] = {}

    def fact(self, set_id: str, key: str, room: str = "") -> Fact | None:
        """Give what is known of a step: done is done, whoever says so, and what may be done is not undone.

        An invitation to nobody knows which room proves nothing, unless it was not sent.
        """
        if not (here := self._said(set_id, key, room)):
            return None
        best = max(here, key=lambda each: (_RANK.index(each.mark.status), each.mark.at))
        if best.room != room and best.mark.status != "failed":
            return best._replace(mark=Mark("skipped"))
        ids = [each.mark.id for each in here if each.mark.id and each.mark.status == best.mark.status]
        return best._replace(mark=best.mark._replace(id=best.mark.id or "".join(ids[-1:])))

    def _said(self, set_id: str, key: str, room: str) -> list[Fact]:
        found = self.facts.get(number_of(set_id, key), ())
        return [each for each in found if each.room == room or not any(each.room for each in found)]

    def unsettled(self, set_id: str, key: str, room: str = "") -> Mark | None:
        """Give what is known of a step whose last request has no known outcome; None where it has one."""
        sent = (each.mark for each in self._said(set_id, key, room) if each.mark.status in ("ok", "unknown"))
        last = max(sent, key=attrgetter("at"), default=None)
        return last if last is not None and last.status == "unknown" else None

    def mark(self, set_id: str, key: str, room: str = "") -> Mark | None:
        found = self.fact(set_id, key, room)
        return found.mark if found else None

    def same(self, set_id: str, step: Step, ids: Mapping[str, str]) -> bool | None:
        """Whether what was sent for a step is what it would send now; None where that is not known."""
        try:
            now = {step.digest(), sha256(encoded(with_ids(step.body, ids))).hexdigest()}
        except NoId:  # what it is about is still to be made
            return None
        found = self.fact(set_id, step.key)
        return found.content in now if found and found.content and found.mark.status == "ok" else None
