"""A journal in a folder of its own, and one write lived through; without pytest, for the programs of tests."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.contract.operations import SOCIAL_END, Operation
from roomctl.journal import Journal
from roomctl.journal.recorder import Recorder

ROOM = "3f0c2b9e-1111-4222-8333-444455556666"


class Asked(NamedTuple):
    """A request as a client prepares it."""

    operation: Operation = SOCIAL_END
    path: str = f"/api/v1/social/end/{ROOM}"
    query: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    asked: Mapping[str, str] = {"socialId": ROOM}

    @property
    def digest(self) -> str:
        return sha256(self.body).hexdigest() if self.body is not None else ""


class World(NamedTuple):
    """A journal's folder, and ways to open it."""

    folder: Path

    def journal(self, *, limit: int = 4 * 1024 * 1024, keep: int = 4) -> Journal:
        """Open the journal; its clock goes one second a look, from 2026-11-21T00:00:00Z."""
        ticks = count(1_795_219_200)
        return Journal(self.folder, clock=lambda: float(next(ticks)), limit=limit, keep=keep)

    def recorder(self, journal: Journal | None = None, notes: list[str] | None = None) -> Recorder:
        """Make the recorder of `social end ID --yes`; what it notes goes to `notes`."""
        heard = [] if notes is None else notes
        words = ["social", "end", ROOM, "--yes"]
        return Recorder(journal or self.journal(), "prod", "https://host.example:443", words, heard.append)

    def wrote(
        self, *steps: str, journal: Journal | None = None, run: str = "", rows: Sequence[int] = (), **asked: Any
    ) -> str:
        """Record one request, alone or of rows of a bulk run, up to a state; name its entry."""
        journal = journal or self.journal()
        recorder = self.recorder(journal)
        with journal.tied(run, rows):
            entry = recorder.planned(Asked(**asked))
        for step in steps:
            if step == "sent":
                recorder.sent(entry)
            else:
                recorder.settled(entry, step)
        return entry

    def states(self) -> dict[str, str]:
        """The state of each entry, the latest first."""
        return {entry.id: entry.state for entry in self.journal().entries()}

    @property
    def file(self) -> Path:
        return self.folder / "journal.ndjson"


def life(recorder: Recorder, said: Callable[[str], None], outcome: str = "confirmed") -> None:
    """Live through one write; say each step before it is begun and after it is done, as a client would act on it."""
    entry = recorder.planned(Asked())
    said(f"planned {entry}")
    recorder.sent(entry)
    said(f"leaves {entry}")
    said(f"settling {entry}")
    recorder.settled(entry, outcome)
    said(f"settled {entry}")
