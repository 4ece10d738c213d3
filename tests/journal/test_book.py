"""Reading the journal: lists, one entry, lines that cannot be read."""

import json
import os
from typing import Any

from roomctl.errors import Ambiguous, BadValue, LocalFailure, WrongCall
from roomctl.journal.book import Damage, alive
from tests.conftest import Cases, Patch, error_of
from tests.journal.worlds import World


def test_an_id_that_names_no_entry_or_two_is_an_error(world: World, monkeypatch: Patch) -> None:
    ends = iter(b"\x01\x02")
    monkeypatch.setattr("os.urandom", lambda _size: b"\xabcdefg"[:6] + bytes([0, next(ends)]))
    world.wrote()
    world.wrote()
    two = error_of(Ambiguous, world.journal().get, "ab")
    assert two.message == "2 begin with `ab`: ab63646566670001, ab63646566670002"
    for nothing in ("", "zz"):
        none = error_of(BadValue, world.journal().get, nothing)
        assert none.message == f"no journal entry has the id {nothing}"


def test_a_later_look_settles_an_entry_once(world: World) -> None:
    entry = world.wrote("sent", "unknown")
    world.journal().resolve(entry, "confirmed", "confirmed by reading")
    found = world.journal().get(entry)
    assert (found.state, found.detail) == ("confirmed", "confirmed by reading")
    again = error_of(WrongCall, world.journal().resolve, entry, "refused")
    assert again.message == f"journal entry {entry} is settled: confirmed"


def test_an_entry_says_whether_its_process_is_there(world: World) -> None:
    world.wrote("sent")
    world.wrote("sent", "confirmed")
    settled, sent = world.journal().entries()
    assert (sent.running, sent._replace(pid=2**22 + 1).running, settled.running) == (True, False, False)


def test_numbers_that_no_process_can_have_are_not_running_and_a_process_of_somebody_else_is(monkeypatch: Patch) -> None:
    def kill(_pid: int, _signal: int) -> None:
        raise PermissionError

    assert (alive(os.getpid()), alive(0), alive(-1), alive(2**100)) == (True, False, False, False)
    monkeypatch.setattr("os.kill", kill)
    assert alive(4711)


def test_r41_a_half_written_last_line_is_reported_and_the_next_writer_starts_a_line_of_its_own(world: World) -> None:
    first = world.wrote("sent")
    with world.file.open("ab") as out:
        out.write(b'{"v":1,"entry":"torn","sta')
    assert world.journal().book().damage == [Damage("journal.ndjson", 3, "half-written")]
    assert [world.wrote(), first] == [entry.id for entry in world.journal().entries()]
    assert [*map(str, world.journal().book().damage)] == ["journal.ndjson line 3: half-written"]


PLANNED: dict[str, Any] = {
    "v": 1, "entry": "e1", "state": "planned", "at": "t", "operation": "social.end", "method": "POST", "path": "/p",
    "query": [["a", "b"]], "body": "", "profile": "p", "origin": "o", "command": "c", "pid": 1,
}  # fmt: skip


def test_a_line_that_cannot_be_used_is_reported_and_the_others_count(world: World, cases: Cases) -> None:
    def says(*lines: Any) -> str:
        return read("\n".join(map(written, lines)).encode("latin-1") + b"\n")

    def written(line: Any) -> str:
        if line == "E" or (isinstance(line, dict) and "E" in line):
            made = PLANNED | (line["E"] if line != "E" else {})
            line = {name: value for name, value in made.items() if value != "..."}
        return line if isinstance(line, str) else json.dumps(line)

    def read(data: bytes) -> str:
        world.folder.mkdir(parents=True, exist_ok=True)
        world.file.write_bytes(data)
        journal = world.journal()
        assert journal.runs() == []
        entries = [" ".join(map(str, filter(None, each))) for each in journal.entries()]
        return "; ".join([*entries, *map(str, journal.book().damage)]) or "nothing"

    cases("journal-lines.txt", says)
    for long in (b"\0" * 4096, b"[" * 100_000, b'{"entry":' + b"9" * 5000 + b"}"):
        assert read(long + b"\n") == "journal.ndjson line 1: damaged"


def test_a_journal_that_cannot_be_read_is_a_local_failure(world: World) -> None:
    world.file.mkdir(parents=True)
    failure = error_of(LocalFailure, world.journal().entries)
    assert failure.message == f"the journal cannot be read: {world.file} (Is a directory)"
