"""A full journal is put aside, and what is still open is never forgotten."""

from pathlib import Path

from tests.journal.worlds import World

SMALL = 2_000


def fill(world: World, count: int, *steps: str) -> list[str]:
    """Record so many requests, which are confirmed unless said otherwise, in small files, three of which are kept."""
    journal = world.journal(limit=SMALL, keep=3)
    return [world.wrote(*(steps or ("sent", "confirmed")), journal=journal) for _ in range(count)]


def test_files_stay_few_and_small(world: World) -> None:
    fill(world, 60)
    files = sorted(path.name for path in world.folder.glob("*.ndjson"))
    assert len(files) == 4 and files[-1] == "journal.ndjson"
    assert max(path.stat().st_size for path in world.folder.glob("*.ndjson")) < SMALL + 500
    assert {oct(path.stat().st_mode & 0o777) for path in world.folder.glob("*")} == {"0o600"}


def test_r41_open_entries_outlive_every_rotation(world: World) -> None:
    hanging = [*fill(world, 3, "sent"), *fill(world, 3, "sent", "unknown")]
    fill(world, 100)
    journal = world.journal()
    states = {entry.id: entry.state for entry in journal.open_entries()}
    assert states == dict.fromkeys(hanging[:3], "sent") | dict.fromkeys(hanging[3:], "unknown")
    assert [entry.id for entry in journal.entries()][-6:] == hanging[::-1]
    assert journal.book().damage == []


def test_a_run_that_did_not_finish_keeps_all_that_it_sent(world: World) -> None:
    """R41: a crashed run can be resumed however much was written since."""
    journal = world.journal(limit=SMALL, keep=3)
    finished, crashed = (journal.begin_run(Path("p.csv"), "ab", 2, ["invite", "send"]) for _ in range(2))
    for run in (finished, crashed):
        world.wrote("sent", "confirmed", journal=journal, run=run, rows=[2])
    journal.finish_run(finished)
    fill(world, 100)
    again = world.journal()
    assert [run.id for run in again.runs(unfinished=True)] == [crashed]
    assert {row: state.status for row, state in again.book().rows.get(crashed, {}).items()} == {2: "ok"}
