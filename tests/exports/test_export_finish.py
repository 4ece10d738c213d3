"""From the last page to the final name: nothing overwritten, nothing lost in between (R29, R36)."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadInput, LocalFailure, Partial, WrongCall
from roomctl.exports import manifest
from tests.conftest import Patch
from tests.exports.paged import ROWS, PagedService, exported, fails, identifier, names, whole


def test_a_file_that_appears_meanwhile_is_not_overwritten_r36(tmp_path: Path) -> None:
    def intrude(received: int) -> None:
        (tmp_path / "r.csv").write_text("theirs")

    fails(WrongCall, "already exists", PagedService(ROWS), tmp_path / "r.csv", on_page=intrude)
    assert (tmp_path / "r.csv").read_text() == "theirs"
    service = PagedService(ROWS)
    exported(service, tmp_path / "r.csv", force=True)
    assert service.asked == []


def test_links_folders_and_devices_are_not_written_to_r36(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    (tmp_path / "folder.csv").mkdir()
    for path in (tmp_path / "link.csv", tmp_path / "folder.csv", Path("/dev/null")):
        fails(BadInput, "not a file", PagedService(ROWS), path, format="csv", force=True)
    fails(BadInput, "no such folder", PagedService(ROWS), tmp_path / "no" / "r.csv")
    (tmp_path / "file").write_text("")
    fails(BadInput, "not a directory", PagedService(ROWS), tmp_path / "file" / "r.csv")
    assert not (tmp_path / "target.csv").exists()


def test_a_manifest_without_its_file_is_finished_without_asking_the_service(tmp_path: Path, monkeypatch: Patch) -> None:
    expected = whole(tmp_path)

    def fail(self: Path, target: Path) -> None:
        if target == tmp_path / "r.csv":
            raise OSError(5, "Input/output error")
        replace(self, target)

    replace = Path.replace
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        fails(LocalFailure, r"cannot write .*: input/output error", PagedService(ROWS), tmp_path / "r.csv")
    assert manifest.path_of(tmp_path / "r.csv").exists()
    assert not (tmp_path / "r.csv").exists()
    service = PagedService(ROWS)
    exported(service, tmp_path / "r.csv")
    assert service.asked == []
    assert (tmp_path / "r.csv").read_bytes() == expected
    assert names(tmp_path) == ["r.csv", "r.csv.manifest.json"]


@pytest.mark.parametrize("name", ["r.csv", "r.ndjson"])
def test_a_file_with_its_name_needs_only_tidying(name: str, tmp_path: Path, monkeypatch: Patch) -> None:
    def fail(path: Path) -> None:
        if path.name.endswith((".part", ".facts")):
            raise OSError(5, "Input/output error")
        unlink(path)

    unlink = os.unlink
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", fail)
        fails(LocalFailure, "cannot remove", PagedService(ROWS), tmp_path / name)
    assert (tmp_path / name).exists()
    facts = exported(service := PagedService(ROWS), tmp_path / name)
    assert (facts.rows, service.asked, names(tmp_path)) == (35, [], [name, f"{name}.manifest.json"])


def test_rows_that_do_not_fit_are_kept_raw_and_make_the_result_partial_r29(tmp_path: Path) -> None:
    odd = ["text", {"registrationId": identifier(100), "values": 5}, {"error": "unreadable"}]
    service = PagedService([*ROWS[:5], *odd, *ROWS[5:]])
    caught = fails(Partial, None, service, tmp_path / "r.csv", size=4)
    assert caught.exit == 6
    assert caught.message == f"invalid rows left out of {tmp_path / 'r.csv'}: 3 of 38"
    kept = [json.loads(line) for line in (tmp_path / "r.csv.flagged.ndjson").read_bytes().splitlines()]
    why = ["not an object", "`values` is not an array", "an error, not a record"]
    assert kept == [{"why": reason, "row": row} for reason, row in zip(why, odd, strict=True)]
    facts = manifest.read(manifest.path_of(tmp_path / "r.csv"))
    assert (facts.complete, facts.why) == (False, "invalid rows left out: 3")
    assert (facts.received, facts.rows, facts.flagged) == (38, 35, 3)
    assert facts.document() == caught.details
    assert (tmp_path / "r.csv").read_bytes() == whole(tmp_path)
    exported(PagedService(ROWS), tmp_path / "r.csv", force=True)
    assert not (tmp_path / "r.csv.flagged.ndjson").exists()


@pytest.mark.parametrize(
    ("name", "rows", "kept"),
    [("ndjson", [ROWS[0], None, ROWS[1]], 2), ("json", [ROWS[0], None, ROWS[1]], 2), ("csv", ["a", None], 0)],
)
def test_rows_that_are_no_objects_are_always_flagged_r29(name: str, rows: list[Any], kept: int, tmp_path: Path) -> None:
    fails(Partial, f": {len(rows) - kept} of {len(rows)}$", PagedService(rows), tmp_path / "r", format=name)
    facts = manifest.read(manifest.path_of(tmp_path / "r"))
    last = identifier(kept - 1) if kept else None
    assert (facts.rows, facts.flagged, facts.last_id) == (kept, len(rows) - kept, last)
