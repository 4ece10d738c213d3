"""A full journal is put aside, and what is still open is never forgotten."""

from pathlib import Path
from typing import Any

SMALL = 2_000


def fill(world: Any, asked: Any, count: int, outcome: str = "confirmed") -> list[str]:
    """Record so many requests in small files, three of which are kept."""
    recorder = world.recorder(world.journal(limit=SMALL, keep=3))
    made = []
    for _ in range(count):
        made.append(recorder.planned(asked()))
        recorder.sent(made[-1])
        if outcome:
            recorder.settled(made[-1], outcome)
    return made


def test_files_stay_few_and_small(world: Any, asked: Any) -> None:
    fill(world, asked, 60)
    files = sorted(path.name for path in world.folder.glob("*.ndjson"))
    assert len(files) == 4 and files[-1] == "journal.ndjson"
    assert max(path.stat().st_size for path in world.folder.glob("*.ndjson")) < SMALL + 500
    assert {oct(path.stat().st_mode & 0o777) for path in world.folder.glob("*")} == {"0o600"}


def test_r41_open_entries_outlive_every_rotation(world: Any, asked: Any) -> None:
    hanging = [*fill(world, asked, 3, outcome=""), *fill(world, asked, 3, outcome="unknown")]
    fill(world, asked, 100)
    journal = world.journal()
    assert {entry.id: entry.state for entry in journal.open_entries()} == {
        **dict.fromkeys(hanging[:3], "sent"),
        **dict.fromkeys(hanging[3:], "unknown"),
    }
    assert [entry.id for entry in journal.entries()][-6:] == hanging[::-1]
    assert journal.damage() == []


def test_a_run_that_did_not_finish_keeps_all_that_it_sent(world: Any, asked: Any) -> None:
    """R41: a crashed run can be resumed however much was written since."""
    journal = world.journal(limit=SMALL, keep=3)
    finished, crashed = (journal.begin_run(Path("p.csv"), "ab", 2, ["invite", "send"]) for _ in range(2))
    for run in (finished, crashed):
        recorder = world.recorder(journal)
        with journal.tied(run, [2]):
            entry = recorder.planned(asked())
        recorder.sent(entry)
        recorder.settled(entry, "confirmed")
    journal.finish_run(finished)
    fill(world, asked, 100)
    again = world.journal()
    assert [run.id for run in again.runs()] == [crashed]
    assert {row: state.status for row, state in again.row_states(crashed).items()} == {2: "ok"}
    assert again.row_states(finished) == {}


def test_a_damaged_line_does_not_outlive_the_files_that_are_thinned_out(world: Any, asked: Any) -> None:
    fill(world, asked, 1)
    with world.file.open("ab") as out:
        out.write(b"[]\ngarbage\n")
    fill(world, asked, 60)
    assert world.journal().damage() == []
