"""Faults and the log of the sandbox, as a person uses them."""

from pathlib import Path

from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.faults import parse
from roomctl.sandbox.serve import served
from roomctl.sandbox.store import Store
from tests.conftest import Run

KEY = "faults-test-key-0123456789"
MAKE = ("playlist", "create", "--name", "Rain")


def test_a_fault_that_is_added_is_seen_in_process_and_by_a_sandbox_that_is_served(
    sandbox: Run, roomctl: Run, variables: dict[str, str]
) -> None:
    data = Path(variables["ROOMCTL_DATA"])
    store, stage = Store(data / "sandbox.db"), FaultStore(data / "sandbox-stage.db")
    with served(store, stage, KEY) as port:
        assert roomctl("sandbox", "faults", "add", "status=500,times=2:playlist.create").status == 0
        here = sandbox(*MAKE)
        variables |= {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": KEY}
        there = [roomctl(*MAKE).status for _ in range(2)]
    stage.close()
    store.close()
    assert (here.status, there) == (7, [7, 0])
    assert "SANDBOX: fault: status=500,times=2:playlist.create" in here.stderr


def test_a_fault_of_a_sandbox_that_is_served_outlives_a_restore(
    sandbox: Run, roomctl: Run, variables: dict[str, str]
) -> None:
    assert roomctl("sandbox", "snapshot", "before").status == 0
    data = Path(variables["ROOMCTL_DATA"])
    store, stage = Store(data / "sandbox.db"), FaultStore(data / "sandbox-stage.db", [parse("status=500:write")])
    with served(store, stage, KEY) as port:
        assert roomctl("sandbox", "restore", "before", "--yes").status == 0
        variables |= {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": KEY}
        assert roomctl(*MAKE).status == 7
    stage.close()
    store.close()
