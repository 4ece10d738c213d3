"""Reading the journal: lists, one entry, lines that cannot be read."""

import json
import os
from typing import Any

import pytest

from roomctl.errors import Ambiguous, BadValue, LocalFailure, WrongCall
from roomctl.journal.entries import Damage, Entry, alive


def recorded(world: Any, asked: Any, *steps: str, operation: Any = None) -> str:
    """Record one request up to a state; name its entry."""
    recorder = world.recorder()
    entry: str = recorder.planned(asked() if operation is None else asked(operation))
    for step in steps:
        if step == "sent":
            recorder.sent(entry)
        else:
            recorder.settled(entry, step)
    return entry


def test_an_id_that_names_no_entry_or_two_is_an_error(world: Any, asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = iter(b"\x01\x02")
    monkeypatch.setattr("os.urandom", lambda _size: b"\xabcdefg"[:6] + bytes([0, next(ends)]))
    recorded(world, asked)
    recorded(world, asked)
    with pytest.raises(Ambiguous) as two:
        world.journal().get("ab")
    assert two.value.message == "2 begin with `ab`: ab63646566670001, ab63646566670002"
    for nothing in ("", "zz"):
        with pytest.raises(BadValue) as none:
            world.journal().get(nothing)
        assert none.value.message == f"there is no journal entry with this id: {nothing}"


def test_a_later_look_settles_an_entry_once(world: Any, asked: Any) -> None:
    entry = recorded(world, asked, "sent", "unknown")
    world.journal().resolve(entry, "confirmed", "confirmed by reading")
    found = world.journal().get(entry)
    assert (found.state, found.detail) == ("confirmed", "confirmed by reading")
    with pytest.raises(WrongCall) as again:
        world.journal().resolve(entry, "refused")
    assert again.value.message == f"journal entry {entry} is settled: confirmed"


def test_an_entry_says_whether_its_process_is_there(world: Any, asked: Any) -> None:
    recorded(world, asked, "sent")
    recorded(world, asked, "sent", "confirmed")
    settled, sent = world.journal().entries()
    assert (sent.running, sent._replace(pid=2**22 + 1).running, settled.running) == (True, False, False)


def test_numbers_that_no_process_can_have_are_not_running() -> None:
    assert (alive(os.getpid()), alive(0), alive(-1), alive(2**100)) == (True, False, False, False)


def test_a_half_written_last_line_is_reported_and_the_next_writer_starts_a_line_of_its_own(
    world: Any, asked: Any
) -> None:
    """R41."""
    first = recorded(world, asked, "sent")
    with world.file.open("ab") as out:
        out.write(b'{"v":1,"entry":"torn","sta')
    assert world.journal().damage() == [Damage("journal.ndjson", 3, "half-written or damaged")]
    second = recorded(world, asked)
    assert [entry.id for entry in world.journal().entries()] == [second, first]
    assert [str(damage) for damage in world.journal().damage()] == ["journal.ndjson line 3: half-written or damaged"]


PLANNED: dict[str, Any] = {
    "v": 1, "entry": "e1", "state": "planned", "at": "t", "operation": "social.end", "method": "POST", "path": "/p",
    "query": [["a", "b"]], "body": "", "profile": "p", "origin": "o", "command": "c", "pid": 1,
}  # fmt: skip
ENTRY = Entry("e1", "planned", "social.end", "POST", "/p", (("a", "b"),), "", "p", "o", "c", 1, "t")
BEGUN: dict[str, Any] = {
    "v": 1, "run": "r1", "state": "begun", "at": "t", "input": "i", "sha256": "s", "rows": 3, "command": "c",
    "profile": "p", "pid": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        b"\0" * 4096,
        b"[1,2]",
        b"null",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"entry":' + b"9" * 5000 + b"}",
        json.dumps(PLANNED | {"state": "dreamt"}).encode(),
        json.dumps(PLANNED | {"entry": ["e1"]}).encode(),
        json.dumps(PLANNED | {"query": "ab"}).encode(),
        json.dumps(PLANNED | {"query": [["a"]]}).encode(),
        json.dumps(PLANNED | {"pid": True}).encode(),
        json.dumps(PLANNED | {"path": None}).encode(),
        json.dumps({key: value for key, value in PLANNED.items() if key != "origin"}).encode(),
        json.dumps(BEGUN | {"rows": "3"}).encode(),
        b'{"run":"r1","state":"rows","at":"t","ok":[[1]]}',
        b'{"run":"r1","state":"rows","at":"t","ok":["1"]}',
    ],
)
def test_a_damaged_line_is_reported_and_the_others_count(world: Any, line: bytes) -> None:
    world.folder.mkdir(parents=True)
    world.file.write_bytes(line + b"\n\n" + json.dumps(PLANNED).encode() + b"\n")
    journal = world.journal()
    assert journal.entries() == [ENTRY]
    assert journal.damage() == [Damage("journal.ndjson", 1, "half-written or damaged")]


def test_a_line_of_a_newer_roomctl_is_reported(world: Any) -> None:
    world.folder.mkdir(parents=True)
    world.file.write_text(json.dumps(PLANNED | {"v": 2}) + "\n")
    assert world.journal().damage() == [Damage("journal.ndjson", 1, "written by a newer roomctl")]


def test_two_final_outcomes_of_one_entry_are_reported_and_the_first_stays(world: Any) -> None:
    world.folder.mkdir(parents=True)
    lines = [PLANNED, *({"entry": "e1", "state": state, "at": "u"} for state in ("confirmed", "sent", "refused"))]
    world.file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert world.journal().entries() == [ENTRY._replace(state="confirmed", settled="u")]
    assert world.journal().damage() == [Damage("journal.ndjson", 4, "entry e1: refused after confirmed")]


def test_what_became_of_an_entry_whose_plan_is_not_there_is_passed_over_where_it_is_known(world: Any) -> None:
    """R41: where it is not, `roomctl journal verify` says so."""
    world.folder.mkdir(parents=True)
    sent, known = ({"entry": "e9", "state": state, "at": "u"} for state in ("sent", "confirmed"))
    lines = [sent, known, {"run": "r9", "state": "finished", "at": "u"}]
    world.file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    journal = world.journal()
    assert (journal.entries(), journal.runs(), journal.damage()) == ([], [], [])


def test_a_journal_that_cannot_be_read_is_a_local_failure(world: Any) -> None:
    world.file.mkdir(parents=True)
    with pytest.raises(LocalFailure) as failure:
        world.journal().entries()
    assert failure.value.message == f"the journal cannot be read: {world.file} (Is a directory)"


def test_a_process_of_somebody_else_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(_pid: int, _signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr("os.kill", kill)
    assert alive(4711)
