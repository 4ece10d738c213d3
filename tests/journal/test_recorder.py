"""What a request leaves in the journal."""

import fcntl
import os
import stat
from typing import Any

import pytest

from roomctl.contract.operations import INVITE_SEND
from roomctl.errors import LocalFailure
from roomctl.journal.recorder import Recorder
from tests.conftest import Golden, Patch, error_of
from tests.journal.worlds import Asked, World


def test_r41_a_write_is_planned_then_sent_then_confirmed(world: World, golden: Golden) -> None:
    recorder = world.recorder()
    entry = recorder.planned(Asked(query=(("leaveOpenUntil", "2026-12-01T10:00:00Z"),), body=b"{}"))
    recorder.sent(entry)
    recorder.settled(entry, "confirmed", "HTTP 200")
    [read] = world.journal().entries()
    shown = {**read._asdict(), "id": read.id == entry, "pid": read.pid == os.getpid()}
    golden("entry.txt", "".join(f"{name}: {value}\n" for name, value in shown.items()))


@pytest.mark.parametrize(
    ("steps", "found"),
    [((), False), (("sent",), True), (("sent", "unknown"), True), (("sent", "unknown", "sent"), True)]
    + [(("sent", end), False) for end in ("confirmed", "partial", "refused", "not_sent")]
    + [(("sent", "unknown", "confirmed"), False)],
)
@pytest.mark.parametrize("put_aside", [False, True])
def test_a_request_for_the_same_is_found_while_its_outcome_is_open(
    world: World, steps: tuple[str, ...], found: bool, put_aside: bool
) -> None:
    same: dict[str, Any] = {"operation": INVITE_SEND, "path": "/é", "query": (("a", '"'),), "body": b"[]"}
    others = [{**same, **other} for other in ({"body": b"{}"}, {"path": "/"}, {"query": ()}, {"body": None})]
    journal = world.journal(limit=1 if put_aside else 1_000_000, keep=100)
    entry = world.wrote(*steps, journal=journal, **same)
    for other in (*others, same):
        world.wrote("sent", "confirmed" if other is same else "unknown", journal=journal, **other)
    here = "https://host.example:443"
    for asked in ([Asked(**same)], [Asked(**same), Asked(**same, asked={})], [Asked(**same), Asked()]):
        assert [each.id for each in journal.asked_before(asked, here)] == [entry] * found
    assert journal.asked_before([Asked(**same)], "https://other.example:443") == []


def test_a_file_that_others_could_read_is_closed_to_them(world: World) -> None:
    world.folder.mkdir(parents=True)
    world.file.touch(0o644)
    world.wrote()
    assert oct(world.file.stat().st_mode & 0o777) == "0o600"


def test_no_body_and_no_value_of_the_command_line_is_kept(world: World) -> None:
    """R41: no bodies, no secrets."""
    argv = ["invite", "send", "Main Stage", "--email", "ada@example.org", "--from=people.csv", "-ojson", "-y"]
    journal = world.journal()
    recorder = Recorder(journal, "prod", "", argv)
    recorder.settled(recorder.planned(Asked(INVITE_SEND, body=b'[{"emailAddress":"ada@example.org"}]')), "not_sent")
    text = world.file.read_text()
    assert "ada@" not in text and "Stage" not in text and "people" not in text
    assert journal.entries()[0].command == "roomctl invite send … --email … --from … -y"


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("journal.ndjson", lambda path: path.symlink_to("/dev/full"), "symbolic links"),
        ("journal.lock", lambda path: path.symlink_to("/dev/full"), "symbolic links"),
        ("journal.ndjson", os.mkfifo, "(not a regular file)"),
    ],
)
def test_something_else_in_its_place_is_not_followed_or_written(world: World, name: str, make: Any, why: str) -> None:
    world.folder.mkdir(parents=True)
    make(world.folder / name)
    assert why in error_of(LocalFailure, world.wrote).message


def test_r41_r42_an_outcome_that_cannot_be_written_is_noted_and_stays(world: World, monkeypatch: Patch) -> None:
    notes: list[str] = []
    recorder = world.recorder(notes=notes)
    entry = recorder.planned(Asked())
    recorder.sent(entry)
    with monkeypatch.context() as patch:
        patch.setattr("os.write", full)
        recorder.settled(entry, "confirmed")
    assert notes == [
        f"the outcome of journal entry {entry} could not be written: confirmed "
        f"(the journal cannot be written: {world.file} (No space left on device))"
    ]
    assert [found.state for found in world.journal().open_entries()] == ["sent"]


def test_a_file_system_that_cannot_sync_folders_is_good_enough(world: World, monkeypatch: Patch) -> None:
    real = os.fsync

    def fsync(file: int) -> None:
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise OSError(22, "Invalid argument")
        real(file)

    monkeypatch.setattr("os.fsync", fsync)
    assert world.journal().get(world.wrote()).state == "planned"


def test_a_lock_that_is_never_given_back_stops_the_write(world: World, monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.journal.ledger.LOCK_WAIT", 0.01)
    world.wrote()
    with (world.folder / "journal.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        failure = error_of(LocalFailure, world.wrote)
        assert failure.message.endswith("(another process holds its lock)")
        with pytest.raises(LocalFailure):
            world.journal().entries()


def full(*_args: Any) -> Any:
    raise OSError(28, "No space left on device")
