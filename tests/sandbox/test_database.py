"""Whether a sandbox's file is whole, found out without touching it."""

from pathlib import Path

from roomctl.sandbox.database import damage
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store


def test_no_file_and_a_whole_one_have_no_fault_and_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "with blank # and ?.db"
    assert damage(path) == ""
    assert not path.exists()
    store = Store(path)
    seed(store, registrations=5)
    store.close()
    before = path.read_bytes()
    assert damage(path) == ""
    assert path.read_bytes() == before


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
