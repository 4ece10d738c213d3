"""The result file: what it says, when it may be written, and that a kill loses nothing of it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from roomctl.bulk import Mark, Result, ResultsFile, Table
from roomctl.errors import BadInput, LocalFailure, WrongCall
from tests.conftest import Patch, error_of
from tests.faults import Faults

PEOPLE = "name;emailAddress\nAda;a@b.c\nBob;b@b.c\nCyd;c@b.c\n"


def results_of(table: Table, *statuses: Any) -> list[Result]:
    said = {"failed": ("no", ""), "ok": ("", "new")}
    pairs = zip(table.rows, statuses, strict=False)
    return [Result(row, status, *said.get(status, ("", "")), "t") for row, status in pairs]


def begun(folder: Path, table: Table, **more: Any) -> ResultsFile:
    file = ResultsFile(folder / "out.csv", table, **more)
    file.start()
    return file


def test_texts_of_the_service_are_cleaned_and_cells_of_the_person_are_not(table: Any, tmp_path: Path) -> None:
    people = table("emailAddress,n\na@b.c,\x1b[1m\n")
    begun(tmp_path, people).finish([Result(people.rows[0], "failed", "\x1b[2Jno", "\x1b", "t")])
    _, row = (tmp_path / "out.csv").read_text().splitlines()
    assert row.startswith("a@b.c,\x1b[1m,failed,\\x1b[2Jno,\\x1b,t, #")


def test_r36_a_symbolic_link_is_not_followed(table: Any, tmp_path: Path) -> None:
    for name, target in (("out.csv", "elsewhere"), ("new.csv.part", "elsewhere")):
        (tmp_path / name).symlink_to(tmp_path / target)
    with pytest.raises(WrongCall) as link:
        ResultsFile(tmp_path / "out.csv", table(PEOPLE), force=True).start()
    assert link.value.message == f"the result file is a symbolic link: {tmp_path / 'out.csv'}"
    with pytest.raises(WrongCall):
        ResultsFile(tmp_path / "new.csv", table(PEOPLE), force=True).start()
    with pytest.raises(LocalFailure):
        ResultsFile(tmp_path / "new.csv", table(PEOPLE), force=True).resume()
    assert not (tmp_path / "elsewhere").exists()


def test_r36_a_file_that_appears_during_the_run_is_not_replaced_and_nothing_is_lost(table: Any, tmp_path: Path) -> None:
    out, people = tmp_path / "out.csv", table(PEOPLE)
    file = begun(tmp_path, people)
    file.append(results_of(people, "ok"))
    out.write_text("precious")
    there = error_of(LocalFailure, file.finish, results_of(people, "ok"))
    assert there.message == f"the results cannot be written: {out} (File exists)"
    assert there.hint == f"look at {out}.part, which has the result of each row"
    assert (out.read_text(), file.part.exists()) == ("precious", True)


def test_a_run_that_died_is_gone_on_with(table: Any, tmp_path: Path) -> None:
    people = table(PEOPLE)
    died = ResultsFile(tmp_path / "out.csv", people)
    died.start("run1")
    died.append(results_of(people, "failed", "unknown"))
    died.append(results_of(people, "ok"))
    died.close()
    with died.part.open("ab") as out:
        out.write(b'{"line":4,"status":"o')
    again = ResultsFile(tmp_path / "out.csv", people)
    assert again.resume() == {2: Mark("ok", "", "new", "t"), 3: Mark("unknown", "", "", "t")}
    assert again.run == "run1"
    again.append([Result(people.rows[2], "ok")])
    again.close()
    assert ResultsFile(tmp_path / "out.csv", people).resume()[4] == Mark("ok")


def test_a_part_without_its_head_is_given_one(table: Any, tmp_path: Path) -> None:
    people = table(PEOPLE)
    part, seal = tmp_path / "out.csv.part", Mark("ok").sealed("", people.rows[0]).job
    line = f'{{"line":2,"status":"ok","error":"","id":"","at":"","job":"{seal}"}}\nnull\n{{"line":true}}\n{{"line'
    for text in ("", '{"input":"peo', line):
        part.write_text(text)
        file = ResultsFile(tmp_path / "out.csv", people)
        assert file.resume() == ({2: Mark("ok")} if text.startswith('{"line') else {})
        file.close()
        assert json.loads(part.read_text().splitlines()[-1])["sha256"] == people.sha256


@pytest.mark.parametrize(
    ("more", "job", "told"),
    [
        ("Dan;d@b.c\n", "", "the input differs from that of {}: people.csv"),
        ("", "invite to b", "{} was started by another job: invite to a; this one is invite to b"),
        ("", "", "{} has results that were edited"),
    ],
)
def test_a_part_of_another_job_or_edited_is_refused(more: str, job: str, told: str, table: Any, tmp_path: Path) -> None:
    """R40: what was done to another room, or elsewhere, is not done here."""
    died = begun(tmp_path, table(PEOPLE), job="invite to a" if job else "")
    died.append(results_of(table(PEOPLE), "ok"))
    died.close()
    died.part.write_text(died.part.read_text().replace('"line": 2', '"line": 3'))
    other = error_of(BadInput, ResultsFile(tmp_path / "out.csv", table(PEOPLE + more), job=job).resume)
    assert other.message == told.format(died.part)


def test_r40_two_processes_do_not_go_on_with_the_same_run(table: Any, tmp_path: Path) -> None:
    file = begun(tmp_path, table(PEOPLE))
    busy = error_of(WrongCall, ResultsFile(tmp_path / "out.csv", table(PEOPLE)).resume)
    assert busy.message == f"another process is working on this run: {file.part}"
    with pytest.raises(WrongCall) as beside:  # a new run: it is not told to remove what the other writes
        ResultsFile(tmp_path / "out.csv", table(PEOPLE)).start()
    assert (beside.value.message, beside.value.hint) == (busy.message, "wait until it has finished")
    file.close()
    file.close()


def test_r40_a_disk_full_at_the_start_leaves_nothing_in_the_way(table: Any, tmp_path: Path, monkeypatch: Patch) -> None:
    with monkeypatch.context() as full:
        full.setattr("os.write", lambda *_: 0)
        error_of(LocalFailure, ResultsFile(tmp_path / "out.csv", table(PEOPLE)).start)
    assert list(tmp_path.iterdir()) == []
    ResultsFile(tmp_path / "out.csv", table(PEOPLE)).start()


def test_a_part_that_cannot_be_read_is_a_local_failure(table: Any, tmp_path: Path, monkeypatch: Patch) -> None:
    file = begun(tmp_path, table(PEOPLE))
    file.close()
    monkeypatch.setattr("os.dup", fails)
    with pytest.raises(LocalFailure):
        file.resume()


def fails(*_args: Any, **_named: Any) -> Any:
    raise OSError(1, "Operation not permitted")


@pytest.mark.parametrize("appears", [False, True])
def test_a_disk_without_hard_links_is_enough(table: Any, tmp_path: Path, monkeypatch: Patch, appears: bool) -> None:
    people, out = table(PEOPLE), tmp_path / "out.csv"
    file = begun(tmp_path, people)
    monkeypatch.setattr("os.link", fails)
    if appears:
        out.write_text("precious")
        with pytest.raises(LocalFailure):
            file.finish(results_of(people, "ok"))
        assert out.read_text() == "precious"
    else:
        file.finish(results_of(people, "ok"))
        assert out.read_text().count("\n") == 2


def test_whichever_step_of_finishing_fails_the_results_are_in_one_of_the_files(table: Any, tmp_path: Path) -> None:
    people = table(PEOPLE)
    results = results_of(people, "ok", "failed", "unknown")
    wanted = {result.row.line: result.status for result in results}
    for step in range(1, 100):
        (folder := tmp_path / str(step)).mkdir()
        file = begun(folder, people)
        file.append(results)
        with Faults(step) as faults:
            try:
                file.finish(results)
                done = True
            except LocalFailure:
                file.close()
                done = False
        if done:
            assert [line.split(";")[2] for line in file.path.read_text().splitlines()[1:]] == [*wanted.values()]
            assert [path.name for path in folder.iterdir()] == ["out.csv"]
            if not faults.failed:
                return
            continue
        again = ResultsFile(folder / "out.csv", people, force=True)
        assert {line: mark.status for line, mark in again.resume().items()} == wanted
        again.finish(results)
        assert [path.name for path in folder.iterdir()] == ["out.csv"]


def test_a_full_disk_is_said_and_leaves_no_torn_line(table: Any, tmp_path: Path, monkeypatch: Patch) -> None:
    people = table(PEOPLE)
    file = begun(tmp_path, people)
    before = file.part.read_bytes()
    real = os.write
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda out, data: real(out, data[:10]))
        with pytest.raises(LocalFailure) as full:
            file.append(results_of(people, "ok"))
    assert full.value.message == f"the results cannot be written: {file.part} (No space left on device)"
    assert file.part.read_bytes() == before
