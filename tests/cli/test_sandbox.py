"""Faults and the log of the sandbox, as a person uses them."""

from pathlib import Path

from tests.conftest import Env, Run, sandbox_served

MAKE = ("playlist", "create", "--name", "Rain")


def test_an_added_fault_is_seen_in_process_and_by_a_served_sandbox(seeded: Path, roomctl: Run, variables: Env) -> None:
    with sandbox_served(seeded, variables):
        assert roomctl("sandbox", "faults", "add", "status=500,times=2:playlist.create").status == 0
        here = roomctl("--sandbox", *MAKE)
        assert (here.status, [roomctl(*MAKE).status for _ in range(2)]) == (7, [7, 0])
    assert "SANDBOX: fault status=500,times=2:playlist.create" in here.stderr


def test_a_fault_of_a_sandbox_that_is_served_outlives_a_restore(seeded: Path, roomctl: Run, variables: Env) -> None:
    assert roomctl("sandbox", "snapshot", "before").status == 0
    with sandbox_served(seeded, variables, "status=500:write"):
        assert roomctl("sandbox", "restore", "before", "--yes").status == 0
        assert roomctl(*MAKE).status == 7


def test_the_first_snapshot_of_an_unused_sandbox_is_that_of_its_first_world(roomctl: Run) -> None:
    kept = roomctl("sandbox", "snapshot", "fresh")
    assert kept.status == 0 and "first use" in kept.stderr
    assert roomctl("sandbox", "reset", "--yes").status == 0
    assert roomctl("sandbox", "restore", "fresh", "--yes").status == 0
    assert "first use" not in roomctl("--sandbox", "roomset", "list").stderr
