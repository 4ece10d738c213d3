"""Bulk runs in the journal: what can be told of each row after a crash."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.contract.operations import INVITE_SEND
from roomctl.errors import LocalFailure, WrongCall
from roomctl.journal.book import Run
from tests.conftest import error_of
from tests.journal.worlds import Asked, World

FILE = Path("/home/ada/rooms.csv")
Child = Callable[[Callable[[], None]], int]
STARTED = "2026-11-21T00:00:00.000Z"
END = ["social", "end", "--from", "rooms.csv"]


def statuses(world: World, run: str) -> dict[int, str]:
    return {row: state.status for row, state in world.journal().book().rows.get(run, {}).items()}


def test_a_run_is_recorded_with_its_input_and_comes_to_an_end(world: World) -> None:
    journal = world.journal()
    run = journal.begin_run(FILE, "ab" * 32, 40, END, "prod")
    begun = Run(run, str(FILE), "ab" * 32, 40, "roomctl social end --from …", "prod", os.getpid(), STARTED)
    assert world.journal().runs() == world.journal().runs(sha256="ab" * 32, unfinished=True) == [begun]
    journal.finish_run(run)
    ended = begun._replace(finished="2026-11-21T00:00:01.000Z")
    assert world.journal().find(run[:5]) == ended
    assert world.journal().book().runs[run].finished == ended.finished
    assert world.journal().runs(unfinished=True) == world.journal().runs(sha256="cd") == []
    assert sorted(path.name for path in world.folder.iterdir()) == ["journal.lock", "journal.ndjson"]


def test_r41_each_row_is_never_sent_unknown_confirmed_or_refused(world: World) -> None:
    journal = world.journal()
    run = journal.begin_run(FILE, "ab", 9, END)
    for row, words in enumerate(["", "not_sent", "sent", "sent unknown", "sent confirmed", "sent refused"], 2):
        world.wrote(*words.split(), journal=journal, run=run, rows=[row])
    assert statuses(world, run) == {4: "unknown", 5: "unknown", 6: "ok", 7: "failed"}
    assert "nobody" not in world.journal().book().rows


def test_rows_whose_replies_may_carry_errors_are_known_only_by_what_each_was_answered(world: World) -> None:
    """R42: rows that were sent together, or one whose 200 holds a record with an error, which is no success."""
    journal = world.journal()
    run = journal.begin_run(FILE, "ab", 9, ["invite", "send"])
    world.wrote("sent", "confirmed", journal=journal, run=run, rows=[2, 3, 4])
    world.wrote("sent", "confirmed", journal=journal, run=run, rows=[5], operation=INVITE_SEND)
    assert statuses(world, run) == dict.fromkeys((2, 3, 4, 5), "unknown")
    journal.rows_settled(run, {2: "ok", 3: "failed", 4: "unknown"})
    assert statuses(world, run) == {2: "ok", 3: "failed", 4: "unknown", 5: "unknown"}


def test_a_row_that_is_sent_again_is_unknown_until_it_is_answered_again(world: World) -> None:
    """R40: what was refused and is tried again in a resumed run may have been applied."""
    journal = world.journal()
    run = journal.begin_run(FILE, "ab", 9, END)
    world.wrote("sent", "refused", journal=journal, run=run, rows=[2])
    journal.rows_settled(run, {2: "failed"})
    recorder = world.recorder(journal)
    with journal.tied(run, [2]):
        entry = recorder.planned(Asked())
    seen = [statuses(world, run)]
    for step in (recorder.sent, lambda name: recorder.settled(name, "not_sent")):
        step(entry)
        seen.append(statuses(world, run))
    assert seen == [{2: "failed"}, {2: "unknown"}, {2: "failed"}]


def test_a_run_is_resumed_only_until_it_is_finished(world: World) -> None:
    first = world.journal()
    run = first.begin_run(FILE, "ab", 9, END)
    first.resume_run(run)
    first.finish_run(run)
    over = error_of(WrongCall, first.resume_run, run)
    assert over.message == f"bulk run {run} is finished: there is nothing to resume"


def test_a_run_that_is_still_going_on_is_not_resumed_by_another_process(world: World, child: Child) -> None:
    """R40: two processes never go on with the same run."""
    run = world.journal().begin_run(FILE, "ab", 9, END)

    def other() -> None:
        going_on = error_of(WrongCall, world.journal().resume_run, run)
        assert going_on.message == f"bulk run {run} is still running in another process"

    assert child(other) == 0


def test_a_run_is_found_by_the_beginning_of_its_id(world: World) -> None:
    journal = world.journal()
    run = journal.begin_run(FILE, "ab", 9, END)
    assert journal.find(run[:8].upper()) == journal.book().runs[run]


def test_r40_a_run_that_finishes_between_look_and_lock_is_not_resumed(world: World) -> None:
    journal, other = world.journal(), world.journal()
    run = other.begin_run(FILE, "ab", 9, END)
    assert not journal.book().runs[run].finished
    other.finish_run(run)
    over = error_of(WrongCall, journal.resume_run, run)
    assert over.message == f"bulk run {run} is finished: there is nothing to resume"
    assert not list(world.folder.glob("run-*"))


def test_a_run_that_cannot_be_locked_is_not_begun(world: World) -> None:
    world.folder.parent.mkdir()
    world.folder.write_text("a file where the folder belongs")
    failure = error_of(LocalFailure, world.journal().begin_run, FILE, "ab", 9, END)
    assert failure.message.endswith("cannot be locked: File exists")


def test_a_run_whose_process_died_can_be_given_up_and_one_that_goes_on_cannot(world: World, child: Child) -> None:
    going_on = world.journal().begin_run(FILE, "ab", 9, END)

    def dies() -> None:
        world.journal().begin_run(FILE, "cd", 9, END)
        os.kill(os.getpid(), 9)

    child(dies)
    [dead] = world.journal().runs(sha256="cd")
    world.journal().finish_run(dead.id)
    with pytest.raises(WrongCall):
        world.journal().finish_run(going_on)
    assert [run.id for run in world.journal().runs(unfinished=True)] == [going_on]
    assert [path.name for path in world.folder.glob("run-*")] == [f"run-{going_on}.lock"]
