"""What has changed in the sandbox between two moments: rooms ended, invitations made, and so on."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from roomctl.sandbox.handlers.records import NOUNS

JSON = Any
Snapshot = dict[tuple[str, str], JSON]


def documents(path: Path) -> Snapshot:
    """Read what there is that an operation can change."""
    marks = ",".join("?" * len(NOUNS))
    with closing(sqlite3.connect(path, timeout=10.0)) as connection:
        sql = f"SELECT kind, id, doc FROM document WHERE kind IN ({marks})"  # noqa: S608  (question marks)
        return {(kind, key): json.loads(doc) for kind, key, doc in connection.execute(sql, tuple(NOUNS))}


def changes(before: Snapshot, after: Snapshot) -> dict[str, int]:
    """Count what is new, changed, ended."""
    found: Counter[str] = Counter()
    for (kind, key), doc in after.items():
        old = before.get((kind, key))
        if old is None:
            found[f"{NOUNS[kind]}s made"] += 1
        elif kind == "social" and old.get("_closesAt") != doc.get("_closesAt"):
            found["rooms ended"] += 1
        elif _own(old) != _own(doc):
            found[f"{NOUNS[kind]}s changed"] += 1
    return dict(sorted(found.items()))


def _own(doc: JSON) -> JSON:
    """A document without what only counts other ones, or follows from the time."""
    return {name: value for name, value in doc.items() if name not in ("socialMeta", "processingEndDateTime")}
