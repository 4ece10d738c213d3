"""Snapshots: whole copies of the sandbox's memory, each a file of its own beside it.

Copied by SQLite in one step: what is served meanwhile sees the world before or the world after. A kill takes none.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from roomctl.errors import BadValue, LocalFailure
from roomctl.files import create_new
from roomctl.sandbox.database import BUSY
from roomctl.sandbox.store import Store, moment

NAME = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


class Snapshot(NamedTuple):
    snapshot: str
    created: str
    size: int


def snapshots(store: Path) -> list[Snapshot]:
    files = (path for path in (store.parent / "snapshots").glob("*.db") if NAME.fullmatch(path.stem))
    return sorted((_about(path) for path in files), key=lambda each: (each.created, each.snapshot))


def save(store: Path, name: str) -> Snapshot:
    """Copy a store's world into the snapshot of that name, in place of an older one. Raises BadValue, LocalFailure."""
    path = _file(store, name)
    part = path.with_name(f".{path.name}.part")
    with _failing("the snapshot cannot be written", part):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        os.close(create_new(part))
        with closing(_opened(store)) as source, closing(_opened(part)) as copy:
            copy.execute("PRAGMA synchronous = OFF")
            source.backup(copy, progress=_patient)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, and nothing beside it
        part.replace(path)
    return _about(path)


def restore(store: Path, name: str) -> Snapshot:
    """Put a snapshot in place of a store's world, whoever is using it. Raises BadValue, LocalFailure."""
    path = _file(store, name)
    if not path.is_file():
        raise BadValue(f"no snapshot is named {name}", hint="`roomctl sandbox snapshot` lists them")
    Store(store).close()
    with _failing("the snapshot cannot be restored"), closing(_opened(path, read_only=True)) as source:
        if source.execute("PRAGMA user_version").fetchone()[0] != Store.version:
            anew = "`roomctl sandbox seed` creates a new world"
            raise LocalFailure(f"snapshot {name} was created by another version of roomctl", hint=anew)
        if source.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise LocalFailure(f"snapshot {name} is damaged; nothing was changed", hint=anew)
        with closing(_opened(store)) as live:
            live.execute("PRAGMA synchronous = OFF")
            source.backup(live, progress=_patient)
            with suppress(sqlite3.OperationalError):  # somebody is reading: what was written moves over later
                live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return _about(path)


def exists(store: Path, name: str) -> bool:
    return _file(store, name).exists()


def _file(store: Path, name: str) -> Path:
    if not NAME.fullmatch(name):
        allowed = "use 1 to 64 letters, digits, dots, underscores or hyphens"
        raise BadValue(f"not a valid snapshot name: {name}", hint=allowed)
    return store.parent / "snapshots" / f"{name}.db"


def _about(path: Path) -> Snapshot:
    found = path.stat()
    return Snapshot(path.stem, moment(datetime.fromtimestamp(found.st_mtime, UTC)), found.st_size)


def _opened(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    mode = "ro" if read_only else "rw"
    made = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=BUSY, isolation_level=None)
    if read_only:
        made.execute(f"PRAGMA mmap_size = {2**33}")  # what is only read need not be read into memory first
    return made


def _patient(status: int, remaining: int, total: int) -> None:  # noqa: ARG001  (sqlite3's signature)
    """Stop where a lock was waited for in vain: by itself, sqlite3 would wait for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise LocalFailure("another process is writing to the sandbox: nothing was changed", hint="run it again")


@contextmanager
def _failing(what: str, left: Path | None = None) -> Iterator[None]:
    """Say what could not be done; remove what was left half done."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise LocalFailure(f"{what}: {getattr(error, 'strerror', None) or error}".lower()) from None
    finally:
        if left is not None:
            left.unlink(missing_ok=True)
