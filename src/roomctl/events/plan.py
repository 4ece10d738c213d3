"""A plan is a list of steps: each is one thing of the file, what is done about it, and what is sent."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final, Literal, NamedTuple

from roomctl.bulk import Row
from roomctl.contract import operations as ops
from roomctl.events.event_file import Place
from roomctl.text import JSON

Action = Literal["create", "change", "same", "cannot", "unseen", "unknown", "stays"]
SYMBOLS: Final[Mapping[Action, str]] = {
    "create": "+",
    "change": "~",
    "same": "=",
    "cannot": "!",
    "unseen": "?",
    "unknown": "?",
    "stays": " ",
}
SENT: Final = ("create", "change")
DIFFERS: Final = (*SENT, "cannot", "unknown")
"""What `--check` counts: what the service does not show is not known to differ."""
UNNAMED: Final = "an earlier run created it, and what became of the request that names it is unknown"


class Change(NamedTuple):
    field: str
    old: JSON
    new: JSON


class Step(NamedTuple):
    """One thing of the file: what is done about it, and what is sent.

    In `body`, `path` and `query`, `{"$id": KEY}` stands for the id of what the step of that key is about. `people` are
    the rows of a step that invites, whose `body` is the sha256 of their file; `place` is where it stands in the file,
    `id` that of what already exists; `stale`: it was sent, with other content than the file has now.
    """

    kind: str
    name: str
    action: Action
    operation: str = ""
    body: JSON = None
    path: Mapping[str, JSON] = {}
    query: Mapping[str, JSON] = {}
    changes: tuple[Change, ...] = ()
    why: str = ""
    people: tuple[Row, ...] = ()
    place: Place = ()
    id: str = ""
    stale: bool = False

    def left_out(self, why: str) -> "Step":
        """Give the step as one of which the service does not show whether it is needed: it is not sent."""
        return self._replace(action="unseen", operation="", body=None, why=why)

    @property
    def key(self) -> str:
        return f"{self.kind} {self.name}" if self.name else self.kind

    @property
    def sends(self) -> bool:
        return self.action in SENT

    @property
    def differs(self) -> bool:
        return self.action in DIFFERS or self.stale

    @property
    def rows(self) -> Sequence[str]:
        """The keys of its rows in results and in the journal: none of what stays, one for each person it invites."""
        if self.action == "stays":
            return ()
        return [invitation_key(self.name, row) for row in self.people] if self.people else [self.key]

    def digest(self) -> str:
        sent = [self.operation, self.body, self.path, self.query]
        return sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()[:16]

    def as_record(self) -> dict[str, JSON]:
        """Make its JSON form; the digest is also of what is shown of the step, which is what a person reviews."""
        request = ops.BY_NAME[self.operation] if self.operation else None
        reviewed = json.dumps([self.digest(), self.changes], sort_keys=True).encode()
        return {
            "action": self.action,
            "step": self.kind,
            "name": self.name or None,
            "id": self.id or None,
            "people": len(self.people) or None,
            "changes": [each._asdict() for each in self.changes],
            "why": self.why or None,
            "stale": self.stale,
            "request": f"{request.method} {ops.PREFIX}{request.path}" if request and self.sends else None,
            "digest": sha256(reviewed).hexdigest()[:16] if self.sends or self.changes else None,
        }


class Choices(NamedTuple):
    send_unseen: bool = False
    retry_unknown: bool = False


class NoId(Exception):
    """A step needs the id of what another one is about, and there is none."""


def seal(plan: Mapping[str, JSON]) -> dict[str, JSON]:
    """Seal a plan that is kept: it shows damage and edits."""
    whole = {name: value for name, value in plan.items() if name != "seal"}
    return {**whole, "seal": sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]}


def invitation_key(room: str, row: Row) -> str:
    return f"invitation {room} / {row.key.casefold()}"


def id_of(key: str) -> dict[str, str]:
    return {"$id": key}


def with_ids(value: JSON, ids: Mapping[str, str]) -> JSON:
    """Put ids where `id_of` stands for them. Raises NoId."""
    if isinstance(value, dict):
        if value.keys() == {"$id"}:
            if value["$id"] not in ids:
                raise NoId(value["$id"])
            return ids[value["$id"]]
        return {name: with_ids(each, ids) for name, each in value.items()}
    return [with_ids(each, ids) for each in value] if isinstance(value, list) else value
