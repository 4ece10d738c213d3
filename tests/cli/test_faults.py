"""Faults and the log of the sandbox, as a person uses them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.faults import parse
from roomctl.sandbox.serve import served
from roomctl.sandbox.store import Store
from tests.conftest import Env, Run
from tests.servers import KEY

MAKE = ("playlist", "create", "--name", "Rain")


@contextmanager
def on_a_socket(variables: Env, *faults: str) -> Iterator[dict[str, str]]:
    """Serve the sandbox of a person; give what leads to it."""
    data = Path(variables["ROOMCTL_DATA"])
    store, stage = Store(data / "sandbox.db"), FaultStore(data / "sandbox-stage.db", [parse(each) for each in faults])
    with served(store, stage, KEY) as port:
        yield {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": KEY}
    stage.close()
    store.close()


def test_an_added_fault_is_seen_in_process_and_by_a_served_sandbox(sandbox: Run, roomctl: Run, variables: Env) -> None:
    with on_a_socket(variables) as address:
        assert roomctl("sandbox", "faults", "add", "status=500,times=2:playlist.create").status == 0
        here = sandbox(*MAKE)
        variables |= address
        assert (here.status, [roomctl(*MAKE).status for _ in range(2)]) == (7, [7, 0])
    assert "SANDBOX: fault status=500,times=2:playlist.create" in here.stderr


def test_a_fault_of_a_sandbox_that_is_served_outlives_a_restore(sandbox: Run, roomctl: Run, variables: Env) -> None:
    assert roomctl("sandbox", "snapshot", "before").status == 0
    with on_a_socket(variables, "status=500:write") as address:
        assert roomctl("sandbox", "restore", "before", "--yes").status == 0
        variables |= address
        assert roomctl(*MAKE).status == 7
