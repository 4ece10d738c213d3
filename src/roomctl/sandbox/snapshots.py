"""Snapshots: whole copies of the sandbox's memory, each a file of its own beside it.

Copied by SQLite in one step: what is served meanwhile sees the world before or the world after. A kill takes none.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from roomctl.errors import BadValue, LocalFailure
from roomctl.files import create_new
from roomctl.sandbox.store import BUSY, Store, moment
from roomctl.text import JSON
from roomctl.text.jsontext import compact

NAME = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_ANEW = "`roomctl sandbox seed` creates a new world"


def snapshots(store: Path) -> list[JSON]:
    files = (path for path in (store.parent / "snapshots").glob("*.db") if NAME.fullmatch(path.stem))
    return sorted((_about(path) for path in files), key=lambda each: (each["created"], each["snapshot"]))


def save(store: Path, name: str) -> JSON:
    """Copy a store's world into the snapshot of that name, in place of an older one. Raises BadValue, LocalFailure."""
    path = _file(store, name)
    part = path.with_name(f".{path.name}.part")
    with _failing("the snapshot cannot be written"):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        try:
            os.close(create_new(part))
            with closing(_opened(store)) as source:
                source.execute("VACUUM INTO ?", (str(part),))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    return _about(path)


def restore(store: Path, name: str) -> JSON:
    """Put a snapshot in place of a store's world, whoever is using it. Raises BadValue, LocalFailure."""
    path = _file(store, name)
    if not path.is_file():
        raise BadValue(f"no snapshot is named {compact(name)}", hint="`roomctl sandbox snapshot` lists the snapshots")
    Store(store).close()
    with _failing("the snapshot cannot be restored"), closing(_opened(path)) as source:
        if source.execute("PRAGMA user_version").fetchone()[0] != Store.version:
            raise LocalFailure(f"snapshot {name} was created by another version of roomctl", hint=_ANEW)
        if source.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise LocalFailure(f"snapshot {name} is damaged; nothing was changed", hint=_ANEW)
        with closing(_opened(store)) as live:
            live.execute("PRAGMA synchronous = OFF")
            source.backup(live, progress=_patient)
    return _about(path)


def exists(store: Path, name: str) -> bool:
    return _file(store, name).exists()


def _file(store: Path, name: str) -> Path:
    if not NAME.fullmatch(name):
        allowed = "use 1 to 64 letters, digits, dots, underscores or hyphens"
        raise BadValue(f"not a valid snapshot name: {compact(name)}", hint=allowed)
    return store.parent / "snapshots" / f"{name}.db"


def _about(path: Path) -> JSON:
    found = path.stat()
    created = moment(datetime.fromtimestamp(found.st_mtime, UTC))
    return {"snapshot": path.stem, "created": created, "size": found.st_size}


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY, isolation_level=None)


def _patient(status: int, remaining: int, total: int) -> None:  # noqa: ARG001  (sqlite3's signature)
    """Stop where a lock was waited for in vain: by itself, sqlite3 would wait for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise LocalFailure("another process is writing to the sandbox: nothing was changed", hint="run it again")


@contextmanager
def _failing(what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise LocalFailure(f"{what}: {getattr(error, 'strerror', None) or error}".lower()) from None
