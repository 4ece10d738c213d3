"""The journal that each test has."""

from pathlib import Path

import pytest

from tests.journal.worlds import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A world whose journal was never opened."""
    return World(tmp_path / "state" / "roomctl")
