"""The unfinished export: held by one process, refused when it is another or was damaged (R33)."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadInput, LocalFailure
from roomctl.exports.part import Progress
from tests.conftest import Patch
from tests.exports.paged import ROWS, PagedService, exported, fails, interrupted

OTHERS = {"order": "x", "size": 7, "ended": True, "passes": 2, "page": 1, "found": ["Diet"], "event": {}}
OTHERS |= {"first": "x", "last": "x", "total": 7, "total_pages": 3}
CUT = {"columns": ["registrationId", "source"]}
DIFFERENT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"profile_host": "rooms.example/other"}),
    ({}, {"key": "another"}),
    *((CUT | {"format": name}, {"format": name}) for name in ("ndjson", "json")),
]


@pytest.mark.parametrize(("begun", "other"), DIFFERENT)
def test_another_export_does_not_mix_with_the_unfinished_one_r33(begun: Any, other: Any, tmp_path: Path) -> None:
    file = tmp_path / ("r" if other.get("format") else "r.csv")
    interrupted(file, **begun)
    service = PagedService(ROWS)
    caught = fails(BadInput, None, service, file, **other)
    part = tmp_path / f"{file.name}.part"
    another = f"{part} belongs to another export: another service, query, page size, key, format or set of columns"
    hint = f"finish it with the command that began it, or remove {part} to start again"
    assert (caught.message, caught.hint, service.asked) == (another, hint, [])
    part.unlink()
    assert exported(PagedService(ROWS), file, **other).rows == 35


def edited(text: str, **fields: Any) -> str:
    return json.dumps({**json.loads(text), **fields})


def test_another_version_does_not_go_on_with_it_r33(tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    path = tmp_path / "r.csv.part.checkpoint"
    path.write_text(edited(path.read_text(), tool="0.0.1"))
    fails(BadInput, r"was started by another version: 0\.0\.1", PagedService(ROWS), tmp_path / "r.csv")


FIELDS = sorted({*Progress._fields, "sha256", "more"} - {"tool"})


@pytest.mark.parametrize("damage", [*FIELDS, "\xff", "[" * 100_000], ids=lambda text: text[:20])
def test_a_checkpoint_that_was_edited_or_cannot_be_read_is_not_believed_r49(damage: str, tmp_path: Path) -> None:
    to, part, service = tmp_path / "r.csv", tmp_path / "r.csv.part", PagedService(ROWS)
    interrupted(to)
    path = tmp_path / "r.csv.part.checkpoint"
    text = edited(path.read_text(), **{damage: OTHERS.get(damage, 99)}) if damage in FIELDS else damage
    path.write_text(text, encoding="latin-1")
    caught = fails(LocalFailure, None, service, to)
    assert caught.message == f"the checkpoint of {part} was changed or damaged; nothing was requested"
    assert caught.hint == f"remove {part} and run the command again to start again"
    assert (service.asked, to.exists()) == ([], False)
    part.unlink()
    assert exported(service, to).resumed == 0


def test_a_checkpoint_that_was_edited_to_say_that_all_is_read_makes_no_file_r49(tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    path = tmp_path / "r.csv.part.checkpoint"
    path.write_text(edited(path.read_text(), ended=True))
    (tmp_path / "r.csv.part").unlink()
    facts = exported(PagedService(ROWS), tmp_path / "r.csv")
    assert (facts.rows, facts.resumed) == (len(ROWS), 0)


@pytest.mark.parametrize("name", ["r.csv.part", "r.csv.part.facts"])
def test_rows_and_facts_are_sealed_with_the_checkpoint_r49(name: str, tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    path = tmp_path / name
    path.write_bytes(path.read_bytes().replace(b"00000000", b"00000001", 1))
    fails(LocalFailure, "does not match its checkpoint", PagedService(ROWS), tmp_path / "r.csv")


@pytest.mark.parametrize(
    ("name", "make", "kind", "why"),
    [
        ("r.csv.part", lambda path: path.symlink_to("secret"), LocalFailure, "cannot open"),
        ("r.csv.part", Path.mkdir, LocalFailure, "is a directory"),
        ("r.csv.part", os.mkfifo, BadInput, "not a file"),
        ("r.csv.part.facts", Path.mkdir, LocalFailure, "is a directory"),
    ],
)
def test_a_part_that_is_no_file_is_not_followed_r36(name: str, make: Any, kind: Any, why: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine")
    make(tmp_path / name)
    fails(kind, why, PagedService(ROWS), tmp_path / "r.csv")
    assert (tmp_path / "secret").read_text() == "mine"


def test_two_processes_do_not_export_to_one_file(tmp_path: Path) -> None:
    (tmp_path / "r.csv.part").touch()
    hold = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, 2); print(1, flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold, str(tmp_path / "r.csv.part")]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout and other.stdin
    other.stdout.readline()
    caught = fails(LocalFailure, None, PagedService(ROWS), tmp_path / "r.csv")
    assert caught.message == f"another roomctl is exporting to this file: {tmp_path / 'r.csv'}"
    other.communicate()
    assert exported(PagedService(ROWS), tmp_path / "r.csv").rows == 35


@pytest.mark.parametrize("again", [True, False])
def test_a_part_that_its_holder_has_removed_is_not_written_to(again: bool, tmp_path: Path, monkeypatch: Patch) -> None:
    part = tmp_path / "r.csv.part"

    def removed(fd: int, how: int) -> None:
        monkeypatch.undo()
        part.unlink()
        if again:
            part.touch()

    part.touch()
    monkeypatch.setattr(fcntl, "flock", removed)
    fails(LocalFailure, "another roomctl is exporting to this file", PagedService(ROWS), tmp_path / "r.csv")
    assert exported(PagedService(ROWS), tmp_path / "r.csv").rows == 35
