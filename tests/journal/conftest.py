"""Fixtures of the journal's tests: a journal in an empty folder, requests, and children that are killed."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

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


class World(NamedTuple):
    """A journal's folder, and ways to open it."""

    folder: Path

    def journal(self, *, limit: int = 4 * 1024 * 1024, keep: int = 4) -> Journal:
        """Open the journal; its clock goes one second a look, from 2026-11-21T00:00:00Z."""
        ticks = count(1_795_219_200)
        return Journal(self.folder, clock=lambda: float(next(ticks)), limit=limit, keep=keep)

    def recorder(self, journal: Journal | None = None, notes: list[str] | None = None) -> Recorder:
        """Make the recorder of `social end ID --yes`; what it notes goes to `notes`."""
        heard = notes if notes is not None else []
        return Recorder(
            journal or self.journal(),
            "prod",
            "https://host.example:443",
            ["social", "end", ROOM, "--yes"],
            heard.append,
        )

    @property
    def file(self) -> Path:
        return self.folder / "journal.ndjson"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A world whose journal was never opened."""
    return World(tmp_path / "state" / "roomctl")


@pytest.fixture
def asked() -> type[Asked]:
    """The class of requests."""
    return Asked
