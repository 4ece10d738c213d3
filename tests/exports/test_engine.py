"""An export from the first page to the final name (R29, R31 to R36)."""

import hashlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from roomctl import __version__
from roomctl.errors import BadInput, LocalFailure, Partial, RoomctlError, Temporary, WrongCall
from roomctl.exports import manifest
from tests.exports.paged import PagedService, exported, identifier, registration

ROWS = [registration(number) for number in range(35)]
FORMATS = ["csv", "excel-csv", "tsv", "ndjson", "json", "xlsx", "sqlite"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "home")


def whole(folder: Path, **options: Any) -> bytes:
    """Give the bytes of an export that nothing interrupted."""
    to = folder / "whole"
    exported(PagedService(ROWS), to, **{"format": "csv", **options, "force": True})
    data = to.read_bytes()
    to.unlink()
    manifest.path_of(to).unlink()
    return data


def test_an_export_leaves_the_file_and_its_manifest_and_nothing_else(tmp_path: Path) -> None:
    facts = exported(PagedService(ROWS, clamp=7), tmp_path / "regs.csv")
    data = (tmp_path / "regs.csv").read_bytes()
    assert names(tmp_path) == ["regs.csv", "regs.csv.manifest.json"]
    assert json.loads((tmp_path / "regs.csv.manifest.json").read_bytes()) == {
        "file": "regs.csv",
        "format": "csv",
        "operation": "registration.list",
        "profileHost": "rooms.example",
        "event": {
            "socialEventId": identifier(999_999),
            "name": "Fair",
            "startDateTime": "2026-12-01T12:00:00Z",
            "endDateTime": "2026-12-01T14:00:00Z",
        },
        "filters": {"socialEventId": [identifier(999_999)]},
        "columns": data.decode().splitlines()[0].split(","),
        "pages": 5,
        "passes": 1,
        "received": 35,
        "rows": 35,
        "distinctIds": 35,
        "duplicatesDropped": 0,
        "repeated": 0,
        "leftOut": 0,
        "flagged": 0,
        "driftSeen": False,
        "resumed": 0,
        "firstId": identifier(0),
        "lastId": identifier(34),
        "sha256": hashlib.sha256(data).hexdigest(),
        "started": "2026-11-21T08:00:00Z",
        "finished": "2026-11-21T08:00:00Z",
        "toolVersion": __version__,
        "complete": True,
        "why": "the list ended on an empty page",
        "label": None,
    }
    assert manifest.read(tmp_path / "regs.csv.manifest.json") == facts


def test_what_an_export_leaves_is_for_its_owner_only_r36(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        exported(PagedService([*ROWS, "odd"]), tmp_path / "r.csv", keep_ids=True)
    except Partial:
        pass
    finally:
        os.umask(old)
    assert {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in names(tmp_path)} == dict.fromkeys(
        ["r.csv", "r.csv.flagged.ndjson", "r.csv.ids", "r.csv.manifest.json"], 0o600
    )


@pytest.mark.parametrize("name", FORMATS)
def test_an_interrupted_export_goes_on_and_ends_with_the_same_bytes_r33(name: str, tmp_path: Path) -> None:
    expected = whole(tmp_path, format=name)
    for page in (0, 1, 2, 3):
        with pytest.raises(Temporary):
            exported(PagedService(ROWS, fails_at=page), tmp_path / "r", format=name)
        assert not (tmp_path / "r").exists()
    service = PagedService(ROWS)
    notes: list[str] = []
    facts = exported(service, tmp_path / "r", format=name, note=notes.append)
    assert (tmp_path / "r").read_bytes() == expected
    assert [page for page, _ in service.asked] == [2, 3, 4]  # the last page is looked at once more
    assert notes == ["going on after page 2: 30 rows are there"]
    assert (facts.pages, facts.resumed, facts.drift_seen) == (4, 3, False)


def test_a_first_page_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(Temporary):
        exported(PagedService(ROWS, fails_at=0), tmp_path / "r.csv")
    assert names(tmp_path) == []


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit, RoomctlError])
def test_an_interruption_checkpoints_first(raised: type[BaseException], tmp_path: Path) -> None:
    def stop(pages: int, rows: int) -> None:
        if pages == 2:
            raise raised("stop")

    with pytest.raises(raised):
        exported(PagedService(ROWS), tmp_path / "r.csv", on_page=stop)
    assert json.loads((tmp_path / "r.csv.part.checkpoint").read_bytes())["page"] == 2
    assert exported(PagedService(ROWS), tmp_path / "r.csv").rows == 35


def interrupted(to: Path, **options: Any) -> None:
    with pytest.raises(Temporary):
        exported(PagedService(ROWS, fails_at=2), to, **options)


@pytest.mark.parametrize(
    "other",
    [
        {"query": [("socialEventId", identifier(1))]},
        {"format": "tsv"},
        {"columns": ["source"]},
        {"rename": {"source": "from"}},
        {"guard": True},
        {"profile_host": "elsewhere.example"},
        {"size": 11},
        {"keep_ids": True},
    ],
)
def test_another_export_does_not_mix_with_the_unfinished_one_r33(other: dict[str, Any], tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    service = PagedService(ROWS)
    with pytest.raises(BadInput) as caught:
        exported(service, tmp_path / "r.csv", **other)
    part = tmp_path / "r.csv.part"
    assert caught.value.message == f"`{part}` belongs to another export: another query, format or set of columns"
    assert caught.value.hint == f"finish it with the command that began it, or remove `{part}` to start anew"
    assert service.asked == []
    part.unlink()
    assert exported(PagedService(ROWS), tmp_path / "r.csv", **other).rows == 35


def test_another_version_does_not_go_on_with_it_r33(tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    path = tmp_path / "r.csv.part.checkpoint"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "tool": "0.0.1"}))
    with pytest.raises(BadInput, match=r"was begun by another version: 0\.0\.1"):
        exported(PagedService(ROWS), tmp_path / "r.csv")


def test_a_part_file_that_was_damaged_is_refused_r33(tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    part = tmp_path / "r.csv.part"
    data = part.read_bytes()
    for damaged in (data[:-1], data.replace(b"Fair", b"Fare", 1)):
        part.write_bytes(damaged)
        with pytest.raises(LocalFailure) as caught:
            exported(PagedService(ROWS), tmp_path / "r.csv")
        assert caught.value.message == f"`{part}` is not what its checkpoint says: it was changed or damaged"
        assert f"remove `{part}`" in caught.value.hint
    part.unlink()
    assert exported(PagedService(ROWS), tmp_path / "r.csv").resumed == 0


def test_bytes_beyond_the_checkpoint_are_cut_off_r33(tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    with (tmp_path / "r.csv.part").open("ab") as part:
        part.write(b"half a page")
    expected = whole(tmp_path)
    exported(PagedService(ROWS), tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_bytes() == expected


def test_a_part_file_without_its_checkpoint_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "r.csv.part").write_text("mine")
    with pytest.raises(BadInput, match="exists and has no checkpoint"):
        exported(PagedService(ROWS), tmp_path / "r.csv")
    assert (tmp_path / "r.csv.part").read_text() == "mine"


@pytest.mark.parametrize("text", ["", "[]", "{", "\xff"])
def test_a_checkpoint_that_cannot_be_read_says_so(text: str, tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    path = tmp_path / "r.csv.part.checkpoint"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(LocalFailure, match=f"not a checkpoint of an export: `{path}`"):
        exported(PagedService(ROWS), tmp_path / "r.csv")


def test_an_existing_file_needs_force_and_nothing_is_asked_before_r36(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("old")
    service = PagedService(ROWS)
    with pytest.raises(WrongCall) as caught:
        exported(service, tmp_path / "r.csv")
    assert (caught.value.message, service.asked) == (f"the file exists: `{tmp_path / 'r.csv'}`", [])
    assert names(tmp_path) == ["r.csv"]
    exported(service, tmp_path / "r.csv", force=True)
    assert (tmp_path / "r.csv").read_bytes() == whole(tmp_path)


def test_a_file_that_appears_meanwhile_is_not_overwritten_r36(tmp_path: Path) -> None:
    def intrude(pages: int, rows: int) -> None:
        (tmp_path / "r.csv").write_text("theirs")

    with pytest.raises(WrongCall, match="the file exists"):
        exported(PagedService(ROWS), tmp_path / "r.csv", on_page=intrude)
    assert (tmp_path / "r.csv").read_text() == "theirs"
    service = PagedService(ROWS)
    exported(service, tmp_path / "r.csv", force=True)
    assert service.asked == []


def test_links_folders_and_devices_are_not_written_to_r36(tmp_path: Path) -> None:
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    (tmp_path / "folder.csv").mkdir()
    for path in (tmp_path / "link.csv", tmp_path / "folder.csv", Path("/dev/null")):
        with pytest.raises(BadInput, match="not a file"):
            exported(PagedService(ROWS), path, format="csv", force=True)
    with pytest.raises(BadInput, match="no such folder"):
        exported(PagedService(ROWS), tmp_path / "no" / "r.csv")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="not a directory"):
        exported(PagedService(ROWS), tmp_path / "file" / "r.csv")
    assert not (tmp_path / "target.csv").exists()


def test_a_part_that_is_a_link_or_a_folder_is_not_followed_r36(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "r.csv.part").symlink_to(tmp_path / "secret")
    with pytest.raises(LocalFailure, match="cannot open"):
        exported(PagedService(ROWS), tmp_path / "r.csv")
    (tmp_path / "r.csv.part").unlink()
    (tmp_path / "r.csv.part").mkdir()
    with pytest.raises(LocalFailure, match="is a directory"):
        exported(PagedService(ROWS), tmp_path / "r.csv")
    (tmp_path / "r.csv.part").rmdir()
    os.mkfifo(tmp_path / "r.csv.part")
    with pytest.raises(BadInput, match="not a file"):
        exported(PagedService(ROWS), tmp_path / "r.csv")
    assert (tmp_path / "secret").read_text() == "mine"


def test_two_processes_do_not_export_to_one_file(tmp_path: Path) -> None:
    (tmp_path / "r.csv.part").touch()
    hold = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, 2); print(1, flush=True); sys.stdin.read()"
    other = subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path / "r.csv.part")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout and other.stdin
    other.stdout.readline()
    with pytest.raises(LocalFailure) as caught:
        exported(PagedService(ROWS), tmp_path / "r.csv")
    assert caught.value.message == f"another roomctl is exporting to this file: `{tmp_path / 'r.csv'}`"
    other.communicate()
    assert exported(PagedService(ROWS), tmp_path / "r.csv").rows == 35


def test_a_manifest_without_its_file_is_finished_without_asking_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = whole(tmp_path)

    def fail(self: Path, target: Path) -> None:
        if target == tmp_path / "r.csv":
            raise OSError(5, "Input/output error")
        replace(self, target)

    replace = Path.replace
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        with pytest.raises(LocalFailure, match=r"cannot write .*: input/output error"):
            exported(PagedService(ROWS), tmp_path / "r.csv")
    assert manifest.path_of(tmp_path / "r.csv").exists()
    assert not (tmp_path / "r.csv").exists()
    service = PagedService(ROWS)
    exported(service, tmp_path / "r.csv")
    assert service.asked == []
    assert (tmp_path / "r.csv").read_bytes() == expected
    assert names(tmp_path) == ["r.csv", "r.csv.manifest.json"]


@pytest.mark.parametrize("name", ["r.csv", "r.ndjson"])
def test_a_file_with_its_name_needs_only_tidying(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> None:
        if path.name.endswith((".part", ".facts")):
            raise OSError(5, "Input/output error")
        unlink(path)

    unlink = os.unlink
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", fail)
        with pytest.raises(LocalFailure, match="cannot remove"):
            exported(PagedService(ROWS), tmp_path / name)
    assert (tmp_path / name).exists()
    facts = exported(service := PagedService(ROWS), tmp_path / name)
    assert (facts.rows, service.asked, names(tmp_path)) == (35, [], [name, f"{name}.manifest.json"])


def test_rows_that_do_not_fit_are_kept_raw_and_make_the_result_partial_r29(tmp_path: Path) -> None:
    odd = ["text", {"registrationId": identifier(100), "values": 5}, 7]
    service = PagedService([*ROWS[:5], *odd, *ROWS[5:]])
    with pytest.raises(Partial) as caught:
        exported(service, tmp_path / "r.csv", size=4)
    assert caught.value.exit == 6
    assert caught.value.message == f"3 of 38 rows did not fit and are not in `{tmp_path / 'r.csv'}`"
    kept = [json.loads(line) for line in (tmp_path / "r.csv.flagged.ndjson").read_bytes().splitlines()]
    assert kept == [
        {"why": "not an object", "row": "text"},
        {"why": "`values` is not an array", "row": odd[1]},
        {"why": "not an object", "row": 7},
    ]
    facts = manifest.read(manifest.path_of(tmp_path / "r.csv"))
    assert (facts.complete, facts.why) == (False, "3 of the rows did not fit")
    assert (facts.received, facts.rows, facts.flagged) == (38, 35, 3)
    assert facts.document() == caught.value.details
    assert (tmp_path / "r.csv").read_bytes() == whole(tmp_path)
    exported(PagedService(ROWS), tmp_path / "r.csv", force=True)
    assert not (tmp_path / "r.csv.flagged.ndjson").exists()


@pytest.mark.parametrize("name", ["ndjson", "json"])
def test_rows_that_are_no_objects_are_flagged_in_json_too_r29(name: str, tmp_path: Path) -> None:
    with pytest.raises(Partial):
        exported(PagedService([ROWS[0], None, ROWS[1]]), tmp_path / "r", format=name)
    facts = manifest.read(manifest.path_of(tmp_path / "r"))
    assert (facts.rows, facts.flagged) == (2, 1)


def test_a_page_of_nothing_that_fits_is_no_trouble_r29(tmp_path: Path) -> None:
    with pytest.raises(Partial, match="2 of 2 rows did not fit"):
        exported(PagedService(["a", "b"]), tmp_path / "r.csv")
    facts = manifest.read(manifest.path_of(tmp_path / "r.csv"))
    assert (facts.rows, facts.first_id, facts.last_id) == (0, None, None)


def test_a_service_that_ignores_page_leaves_no_file_r31(tmp_path: Path) -> None:
    with pytest.raises(Partial, match="the list is not proven complete"):
        exported(PagedService(ROWS, ignores_page=True), tmp_path / "r.csv")
    assert names(tmp_path) == ["r.csv.part", "r.csv.part.checkpoint", "r.csv.part.facts"]
    with pytest.raises(Partial, match="the list is not proven complete"):
        exported(PagedService(ROWS, ignores_page=True), tmp_path / "r.csv")


def test_duplicates_and_drift_stand_in_the_manifest_and_are_no_failure_r32(tmp_path: Path) -> None:
    def insert(service: PagedService) -> None:
        if len(service.asked) == 1:
            service.rows.insert(0, registration(99))

    facts = exported(PagedService(ROWS, between=insert), tmp_path / "r.csv")
    assert (facts.duplicates_dropped, facts.drift_seen, facts.rows, facts.complete) == (1, True, 35, True)
    assert facts.received == 36


def test_a_refused_size_is_remembered_when_the_export_goes_on(tmp_path: Path) -> None:
    with pytest.raises(Temporary):
        exported(PagedService(ROWS, refuses_above=20, fails_at=1), tmp_path / "r.csv", size=500)
    service = PagedService(ROWS, refuses_above=20)
    facts = exported(service, tmp_path / "r.csv", size=500)
    assert service.asked == [(0, 20), (1, 20), (2, 20)]
    assert facts.rows == 35


def test_a_change_while_nobody_read_is_seen_at_the_seam(tmp_path: Path) -> None:
    interrupted(tmp_path / "r.csv")
    notes: list[str] = []
    facts = exported(PagedService(ROWS[5:]), tmp_path / "r.csv", note=notes.append)
    assert (facts.drift_seen, facts.rows) == (True, 35)
    assert notes[-1] == "the list changed while the export was interrupted"
    assert facts.received == facts.rows + facts.duplicates_dropped


def test_the_progress_is_told_after_each_page(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    exported(PagedService(ROWS), tmp_path / "r.csv", on_page=lambda pages, rows: told.append((pages, rows)))
    assert told == [(1, 10), (2, 20), (3, 30), (4, 35)]


@pytest.mark.parametrize("concurrency", [2, 8])
def test_concurrency_changes_nothing_in_the_file(concurrency: int, tmp_path: Path) -> None:
    exported(PagedService(ROWS), tmp_path / "r.csv", concurrency=concurrency, size=2)
    assert (tmp_path / "r.csv").read_bytes() == whole(tmp_path)


def test_headings_may_be_renamed(tmp_path: Path) -> None:
    facts = exported(
        PagedService(ROWS), tmp_path / "r.csv", columns=["registrationId", "Company"], rename={"Company": "Firma"}
    )
    assert (tmp_path / "r.csv").read_text().splitlines()[:2] == ["registrationId,Firma", f'{identifier(0)},"ACME, 0"']
    assert facts.columns == ["registrationId", "Firma"]
