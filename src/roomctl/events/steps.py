"""A step of a plan: one thing of the file, what is done about it, and what is sent."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

from roomctl.bulk import Row
from roomctl.contract import operations as ops
from roomctl.events.evening import Place

JSON = Any
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
"""What `--check` counts: what the service never shows is not known to differ."""


class Change(NamedTuple):
    """A field that becomes another, as people read it."""

    field: str
    old: JSON
    new: JSON


class Step(NamedTuple):
    """One thing of the file: what is done about it, and what is sent.

    In `body`, `path` and `query`, `{"$id": KEY}` stands for the id of what the step of that key is about. `people` are
    the rows of a step that invites, whose `body` is the sha256 of their file; `place` is where it stands in the file,
    `id` that of what exists already.
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

    @property
    def key(self) -> str:
        """What names the step in results, in the journal, and in the bodies of others."""
        return f"{self.kind} {self.name}" if self.name else self.kind

    @property
    def sends(self) -> bool:
        """Whether something is sent."""
        return self.action in SENT

    def digest(self) -> str:
        """Tell what is sent from anything else that could be."""
        sent = [self.operation, self.body, self.path, self.query]
        return sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()[:16]

    def shown(self) -> dict[str, JSON]:
        """Make its JSON form."""
        request = ops.BY_NAME[self.operation] if self.operation else None
        return {
            "action": self.action,
            "step": self.kind,
            "name": self.name or None,
            "id": self.id or None,
            "people": len(self.people) or None,
            "changes": [each._asdict() for each in self.changes],
            "why": self.why or None,
            "request": f"{request.method} {ops.PREFIX}{request.path}" if request and self.sends else None,
            "digest": self.digest() if self.sends else None,
        }


def id_of(key: str) -> dict[str, str]:
    """Stand for the id of what another step is about."""
    return {"$id": key}
