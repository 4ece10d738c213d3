"""Writing the journal around one request: planned, sent, settled."""

import json
import os
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from roomctl.contract.operations import BY_NAME
from roomctl.contract.records import is_uuid
from roomctl.errors import LocalFailure

if TYPE_CHECKING:
    from roomctl.journal import Journal

VERBS: Final = frozenset({"api", "apply", "edit", "get", "journal", "rehearse", "repeat", "verify", "wait", "watch"})
HIDDEN: Final = "…"


class Tie(threading.local):
    run: str = ""
    rows: tuple[int, ...] = ()


@dataclass(eq=False)
class Recorder:
    """Record the writes of one command, whose values are not kept; may be used from several threads.

    What cannot be journaled before sending must not be sent; afterwards it is said in a note: done stays done.
    """

    journal: "Journal"
    profile: str
    origin: str
    argv: Sequence[str]
    note: Callable[[str], None] = lambda _text: None

    def planned(self, prepared: Any) -> str:
        """Record a request that is about to be sent, durably, and name its entry. Raises LocalFailure."""
        entry, tie = os.urandom(8).hex(), self.journal.tie
        facts = {
            "v": 1,
            "operation": prepared.operation.name,
            "method": prepared.operation.method,
            "path": prepared.path,
            "query": prepared.query,
            "body": prepared.digest,
            "profile": self.profile,
            "origin": self.origin,
            "command": words(self.argv),
            "pid": os.getpid(),
            **({"about": about} if is_uuid(about := prepared.asked.get(prepared.operation.identity)) else {}),
            **({"run": tie.run, "rows": tie.rows} if tie.run else {}),
        }
        try:
            self.journal.append({"entry": entry, "state": "planned", **facts})
        except LocalFailure:  # a line may be there, and not durable
            with suppress(LocalFailure):
                self.journal.append({"entry": entry, "state": "not_sent"}, synced=False)
            raise
        return entry

    def sent(self, entry: str) -> None:
        """Record, durably, that the request's first byte leaves next; also before each repeat. Raises LocalFailure."""
        self.journal.append({"entry": entry, "state": "sent"})

    def settled(self, entry: str, outcome: str, detail: str = "", made: str = "") -> None:
        """Record what became of a request, and the id of what was made. Never raises for a full disk."""
        more = {"detail": detail[:200], "made": made if is_uuid(made) else ""}
        known = {name: text for name, text in more.items() if text}
        try:
            self.journal.append({"entry": entry, "state": outcome, **known})
        except LocalFailure as failure:
            self.note(f"the outcome of journal entry {entry} could not be written: {outcome} ({failure.message})")


def asked(operation: str, method: str, path: str, query: Sequence[Sequence[str]], body: str) -> str:
    """Write, as in a line of the journal, what distinguishes a request from every other."""
    facts = {"operation": operation, "method": method, "path": path, "query": query, "body": body}
    return json.dumps(facts, separators=(",", ":"))[1:-1]


def words(argv: Sequence[str]) -> str:
    """Reduce a command line to commands and the names of options: what was typed beside may belong to a body.

    `social end 3f0c… --yes` becomes `roomctl social end … --yes`.
    """
    known = VERBS | {word for name in BY_NAME for word in name.split(".")}
    kept: list[str] = ["roomctl"]
    for word in argv:
        option = re.fullmatch(r"(?s)(-[a-zA-Z]|--[a-zA-Z][a-zA-Z-]+)(=.*)?", word)
        shown = word if word in known else option[1] if option else HIDDEN
        if shown != HIDDEN or kept[-1] != HIDDEN:
            kept.append(shown)
    return " ".join(kept)
