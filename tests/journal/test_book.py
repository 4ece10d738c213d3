"""Reading the journal: lists, one entry, lines that cannot be read."""

import json
import os
from typing import Any

import pytest

from roomctl.errors import Ambiguous, BadValue, LocalFailure, WrongCall
from roomctl.journal.entries import Damage, Entry, alive
from tests.conftest import error_of
from tests.journal.worlds import World


def test_an_id_that_names_no_entry_or_two_is_an_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_numbers_that_no_process_can_have_are_not_running_and_a_process_of_somebody_else_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def kill(_pid: int, _signal: int) -> None:
        raise PermissionError

    assert (alive(os.getpid()), alive(0), alive(-1), alive(2**100)) == (True, False, False, False)
    monkeypatch.setattr("os.kill", kill)
    assert alive(4711)


def test_r41_a_half_written_last_line_is_reported_and_the_next_writer_starts_a_line_of_its_own(world: World) -> None:
    first = world.wrote("sent")
    with world.file.open("ab") as out:
        out.write(b'{"v":1,"entry":"torn","sta')
    assert world.journal().book().damage == [Damage("journal.ndjson", 3, "half-written or damaged")]
    second = world.wrote()
    assert [entry.id for entry in world.journal().entries()] == [second, first]
    assert [str(damage) for damage in world.journal().book().damage] == [
        "journal.ndjson line 3: half-written or damaged"
    ]


PLANNED: dict[str, Any] = {
    "v": 1, "entry": "e1", "state": "planned", "at": "t", "operation": "social.end", "method": "POST", "path": "/p",
    "query": [["a", "b"]], "body": "", "profile": "p", "origin": "o", "command": "c", "pid": 1,
}  # fmt: skip
ENTRY = Entry("e1", "planned", "social.end", "POST", "/p", (("a", "b"),), "", "p", "o", "c", 1, "t")
BEGUN: dict[str, Any] = {
    "v": 1, "run": "r1", "state": "begun", "at": "t", "input": "i", "sha256": "s", "rows": 3, "command": "c",
    "profile": "p", "pid": 1,
}  # fmt: skip


DAMAGED = [
    *(b"\0" * 4096, b"[1,2]", b"null", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"entry":' + b"9" * 5000 + b"}"),
    *(
        json.dumps(PLANNED | {name: value}).encode()
        for name, value in (
            *(("state", "dreamt"), ("entry", ["e1"]), ("query", "ab"), ("query", [["a"]]), ("pid", True)),
            ("path", None),
        )
    ),
    json.dumps({key: value for key, value in PLANNED.items() if key != "origin"}).encode(),
    json.dumps(BEGUN | {"rows": "3"}).encode(),
    *(b'{"run":"r1","state":"rows","at":"t","ok":%b}' % rows for rows in (b"[[1]]", b'["1"]')),
]


def written(*lines: dict[str, Any]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def step(entry: str, state: str) -> dict[str, Any]:
    return {"entry": entry, "state": state, "at": "u"}


FILES: list[tuple[bytes, list[Entry], list[Damage]]] = [
    *(
        (line + b"\n\n" + written(PLANNED), [ENTRY], [Damage("journal.ndjson", 1, "half-written or damaged")])
        for line in DAMAGED
    ),
    (written(PLANNED | {"v": 2}), [], [Damage("journal.ndjson", 1, "written by a newer roomctl")]),
    (
        written(PLANNED, *(step("e1", state) for state in ("confirmed", "sent", "refused"))),
        [ENTRY._replace(state="confirmed", settled="u")],
        [Damage("journal.ndjson", 4, "entry e1: refused after confirmed")],
    ),
    # R41: what became of an entry without a plan; where that is not known, `roomctl journal verify` says so
    (written(step("e9", "sent"), step("e9", "confirmed"), {"run": "r9", "state": "finished", "at": "u"}), [], []),
]


@pytest.mark.parametrize(("text", "entries", "damage"), FILES)
def test_a_line_that_cannot_be_used_is_reported_and_the_others_count(
    world: World, text: bytes, entries: list[Entry], damage: list[Damage]
) -> None:
    world.folder.mkdir(parents=True)
    world.file.write_bytes(text)
    journal = world.journal()
    assert (journal.entries(), journal.runs(), journal.book().damage) == (entries, [], damage)


def test_a_journal_that_cannot_be_read_is_a_local_failure(world: World) -> None:
    world.file.mkdir(parents=True)
    failure = error_of(LocalFailure, world.journal().entries)
    assert failure.message == f"the journal cannot be read: {world.file} (Is a directory)"
