"""Whether a sandbox's file is whole: looked at without changing, making or seeding anything."""

import sqlite3
from contextlib import closing
from pathlib import Path


def fault_of(path: Path) -> str:
    """Say what is wrong with a sandbox's file; empty where nothing is, also where there is no file."""
    if not path.exists():
        return ""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2.0)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    except sqlite3.Error as error:
        return str(error)
    return "" if found == ["ok"] else "; ".join(map(str, found))
