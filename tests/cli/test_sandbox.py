"""`roomctl sandbox`: what a person types to keep a world and to have it again."""

from tests.conftest import Run


def test_the_first_snapshot_of_an_unused_sandbox_is_that_of_its_first_world(roomctl: Run) -> None:
    kept = roomctl("sandbox", "snapshot", "fresh")
    assert kept.status == 0 and "first use" in kept.stderr
    assert roomctl("sandbox", "reset", "--yes").status == 0
    assert roomctl("sandbox", "restore", "fresh", "--yes").status == 0
    assert "first use" not in roomctl("--sandbox", "roomset", "list").stderr
