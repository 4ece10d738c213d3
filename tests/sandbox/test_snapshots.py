"""Snapshots: a world kept, and put back, also while somebody uses it."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from roomctl.errors import LocalFailure
from roomctl.sandbox import snapshots
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Document, Store
from tests.conftest import Patch

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "sandbox.db"
    store = Store(made)
    seed(store, registrations=40, now=NOW)
    store.close()
    return made


def content(path: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT kind, id, parent, place, doc FROM document ORDER BY kind, id").fetchall()
    connection.close()
    return rows


def test_a_restore_waits_for_a_writer_and_then_says_so(path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(snapshots, "BUSY", 0.05)
    snapshots.save(path, "first")
    served = Store(path)
    before = content(path)
    with served.writing(), pytest.raises(LocalFailure, match="another process is writing"):
        snapshots.restore(path, "first")
    assert content(path) == before
    served.close()


def test_a_snapshot_is_restored_where_the_world_was_emptied_or_is_none(path: Path) -> None:
    before = content(path)
    kept = snapshots.save(path, "one")
    for change in (Store.reset, lambda store: store.put(Document("playlist", "x", "me", {"name": "New"}))):
        store = Store(path)
        change(store)
        store.freeze(NOW + timedelta(days=1))
        store.close()
        assert content(path) != before
        assert snapshots.restore(path, "one") == kept == snapshots.snapshots(path)[0]
        store = Store(path)
        assert (content(path), store.now()) == (before, NOW)
        store.close()
    path.unlink()
    snapshots.restore(path, "one")
    assert content(path) == before


def test_a_damaged_snapshot_is_not_restored(path: Path) -> None:
    snapshots.save(path, "torn")
    file = path.parent / "snapshots" / "torn.db"
    data = file.read_bytes()
    file.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))
    before = path.read_bytes()
    with pytest.raises(LocalFailure):
        snapshots.restore(path, "torn")
    assert path.read_bytes() == before


def test_a_snapshot_of_another_version_is_not_restored(path: Path) -> None:
    snapshots.save(path, "old")
    with sqlite3.connect(path.parent / "snapshots" / "old.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LocalFailure, match="another version"):
        snapshots.restore(path, "old")
