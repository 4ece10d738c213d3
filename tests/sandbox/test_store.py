"""Several processes on one store, a process that is killed while it writes, and a file that is damaged."""

import os
import subprocess
import sys
from pathlib import Path

from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store, damage

WRITER = """
import sys
from pathlib import Path
from roomctl.sandbox.store import Document, Store
store = Store(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    key = f"{sys.argv[2]}-{number}"
    store.put(Document("note", key, "", {"text": key}))
    print(key, flush=True)
"""


def test_r58_several_processes_lose_no_write(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.db"
    Store(path).close()
    commands = [[sys.executable, "-c", WRITER, str(path), str(number), "50"] for number in range(4)]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    assert [process.wait(60) for process in running] == [0] * 4
    store = Store(path)
    assert len(store.all("note", "")) == 200
    assert store.page("note", "", page=1, size=150) == store.all("note", "")[150:]
    store.close()


FIRST_USE = """
import sys
from pathlib import Path
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store
store = Store(Path(sys.argv[1]))
print(seed(store, registrations=50)[0].id)
"""


def test_two_first_uses_at_once_make_one_world(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FIRST_USE, os.fspath(tmp_path / "sandbox.db")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    told = {process.communicate(timeout=60)[0].strip() for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert len(told) == 1
    store = Store(tmp_path / "sandbox.db")
    assert store.count("registration", told.pop()) == 50
    store.close()


def test_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.db"
    path.write_bytes(b"no database" * 1000)
    assert damage(path) == "file is not a database"
    store = Store(tmp_path / "other.db")
    seed(store, registrations=200)
    store.close()
    data = bytearray((tmp_path / "other.db").read_bytes())
    data[len(data) // 2 : len(data) // 2 + 20000] = b"\xff" * 20000
    (tmp_path / "other.db").write_bytes(data)
    assert damage(tmp_path / "other.db") != ""
