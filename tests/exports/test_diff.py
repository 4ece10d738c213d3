"""Two exports compared."""

import shutil
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest

from roomctl.errors import BadInput
from roomctl.exports import manifest
from roomctl.exports.attendance import COLUMNS as ATTENDANCE
from roomctl.exports.attendance import Attendance, Enrichment
from roomctl.exports.columns import REGISTRATION
from roomctl.exports.diff import diff
from roomctl.exports.exported import READABLE, earlier
from tests.conftest import error_of
from tests.exports.paged import PARQUET, PagedService, exported, identifier, registration

HIDDEN, ESCAPED = "\r\u2028\u202e\x00", r"\r\u2028\u202e\x00"
OLD = [registration(number) for number in range(5)]
OLD[1]["user"]["timeZone"] = HIDDEN
CHANGED = {"confirmed": True, "user": {**OLD[1]["user"], "timeZone": ESCAPED}}
ANSWERED = [{"name": "Company", "value": "new"}, {"name": "Late", "value": "x"}]
NEW = [registration(9), {**OLD[1], **CHANGED}, {**OLD[3], "values": ANSWERED}, OLD[4], OLD[0]]


def told(changes: list[dict[str, Any]]) -> list[tuple[str, str, list[str]]]:
    return [(each["id"], each["change"], each["fields"]) for each in changes]


@pytest.mark.parametrize("name", ["ndjson", "json", "csv", "tsv", "excel-csv", "sqlite", "xlsx", PARQUET])
def test_what_is_new_changed_and_gone_is_said_and_a_new_column_changes_no_row(name: str, tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old", format=name)
    exported(PagedService(NEW), tmp_path / "new", format=name.replace("nd", "").replace("json", "ndjson"))
    answers = ["values.Company", "values.Diet", "values.Late"] if "json" in name else ["Company", "Late"]
    changed = {9: ("new", []), 1: ("changed", ["confirmed", "user.timeZone"]), 3: ("changed", answers), 2: ("gone", [])}
    changes = diff(tmp_path / "old", tmp_path / "new").changes
    assert told(changes) == [(identifier(number), *each) for number, each in changed.items()]
    people = [(each["name"], each["emailAddress"]) for each in changes]
    assert people == [(f"Jürgen Müller {number}", f"j{number}@example.org") for number in changed]
    assert changes[1]["changes"][1] == {"field": "user.timeZone", "old": HIDDEN, "new": ESCAPED}
    assert changes[2]["changes"][0] == {"field": answers[0], "old": "ACME, 3", "new": "new"}


def test_an_answer_that_was_null_is_told_from_one_that_was_not_there(tmp_path: Path) -> None:
    for file, values in (("null", [{"name": "Diet", "value": None}]), ("none", [])):
        exported(PagedService([{**OLD[1], "values": values}]), tmp_path / file, format="json")
    found = [diff(tmp_path / one, tmp_path / other).changes for one, other in (("null", "none"), ("none", "null"))]
    assert [each["changes"][-1] for [each] in found] == [{"field": "values.Diet", at: None} for at in ("old", "new")]


@pytest.mark.parametrize("name", ["ndjson", "csv"])
def test_ids_in_another_case_are_the_same_ids_r48(name: str, tmp_path: Path) -> None:
    old = [registration(n, registrationId=f"abcdef{n:02d}-0000-4000-8000-000000000000") for n in range(5)]
    upper = [{**row, "registrationId": row["registrationId"].upper()} for row in old]
    exported(PagedService(old), tmp_path / "old", format=name, keep_ids=True)
    exported(PagedService([*upper[:4], {**upper[4], "source": "x"}]), tmp_path / "new", format=name)
    only = (old[4]["registrationId"], "changed", ["source"])
    assert told(diff(tmp_path / "old", tmp_path / "new").changes) == [only]
    since = earlier(tmp_path / "old", "registrationId")
    assert exported(PagedService(upper), tmp_path / "newer", since=since, format=name).rows == 0


CUT = ["registrationId", "confirmed", "registeredDateTime"]


@pytest.mark.parametrize("name", ["csv", "tsv", "excel-csv", "sqlite", "xlsx"])
@pytest.mark.parametrize("cut_first", [True, False])
@pytest.mark.parametrize("renamed", [{}, {"registrationId": "Number", "confirmed": "OK?"}])
def test_columns_of_both_are_compared_others_named(name: str, cut_first: bool, renamed: Any, tmp_path: Path) -> None:
    cut, full = tmp_path / "cut", tmp_path / "full"
    more = [{**row, "source": "app", "confirmed": not row["confirmed"]} for row in OLD[:2]]
    exported(PagedService(OLD), cut, format=name, columns=CUT, rename=renamed)
    exported(PagedService([*more, *OLD[2:]]), full, format=name)
    found = diff(cut, full) if cut_first else diff(full, cut)
    assert told(found.changes) == [(identifier(number), "changed", ["confirmed"]) for number in range(2)]
    assert set(found.left_out.values()) == {f"only in {full}"}
    assert found.left_out.keys() == {*REGISTRATION, "Company", "Diet"} - {*CUT}


def test_rows_as_they_came_are_not_compared_with_those_of_columns(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "cut", format="ndjson", columns=CUT)
    exported(PagedService(OLD), tmp_path / "full", format="json")
    raised = error_of(BadInput, diff, tmp_path / "cut", tmp_path / "full")
    assert raised.message == "exports of different formats cannot be compared: ndjson with columns and json"


@pytest.mark.parametrize("name", ["csv", "sqlite"])
def test_files_that_share_only_ids_do_not_say_that_nothing_changed(name: str, tmp_path: Path) -> None:
    other = [{**row, "source": "app"} for row in OLD[1:]]
    ids, full, confirmed = (tmp_path / each for each in ("ids", "full", "confirmed"))
    exported(PagedService(OLD), ids, format=name, columns=CUT[:1])
    exported(PagedService(other), full, format=name)
    exported(PagedService(other), confirmed, format=name, columns=CUT[:2])
    for one in (full, confirmed):
        with pytest.raises(BadInput, match="have only registrationId in common, so changes cannot be seen"):
            diff(ids, one)


@pytest.mark.parametrize("name", ["csv", "tsv", "excel-csv"])
@pytest.mark.parametrize("bare", [0, 1])
def test_the_guard_against_formulas_changes_no_row_r26(name: str, bare: int, tmp_path: Path) -> None:
    texts = ["=1", "'=1", "-2", "''=1", "'x", "'\t=1", "a\nb", "a\\nb", "+49 30 1234", "-2"]
    rows = [registration(n, source=each, values=[{"name": "=A", "value": each}]) for n, each in enumerate(texts)]
    rows[-1]["source"] = -2
    changed = [{**rows[0], "source": "'=1"}, *rows[1:]]
    changed[6] = {**rows[6], "source": texts[7]}  # a line break, and the two characters that stand for one
    exported(PagedService(rows), tmp_path / "a", format=name, guard=not bare, columns=[*CUT, "source", "=A"])
    exported(PagedService(changed), tmp_path / "b", format=name, guard=bool(bare))
    found = diff(tmp_path / "a", tmp_path / "b")
    assert told(found.changes) == [(identifier(number), "changed", ["source"]) for number in (0, 6)]
    assert found.changes[1]["changes"] == [{"field": "source", "old": "a\nb", "new": "a\\nb"}]
    assert {"source", "=A"}.isdisjoint(found.left_out)


@pytest.mark.parametrize("name", ["csv", "sqlite", "xlsx", "ndjson"])
def test_moments_on_the_clocks_of_two_zones_are_not_compared(name: str, tmp_path: Path) -> None:
    there = {**OLD[0], "registeredDateTime": "2026-10-02T12:00:00Z", "confirmed": None}
    exported(PagedService(OLD[:1]), tmp_path / "a", format=name, columns=CUT)
    exported(PagedService([there]), tmp_path / "b", format=name, columns=CUT, zone=ZoneInfo("Asia/Tokyo"))
    found = diff(tmp_path / "a", tmp_path / "b")
    assert told(found.changes) == [(identifier(0), "changed", ["confirmed"])]
    assert found.left_out == {"registeredDateTime": "in different time zones"}


@pytest.mark.parametrize("name", ["csv", "ndjson"])
def test_columns_of_attendance_that_one_has_are_not_compared(name: str, tmp_path: Path) -> None:
    nobody = Enrichment(Attendance((), {}, None), "")
    exported(PagedService(OLD), tmp_path / "a", format=name, enrich=nobody)
    exported(PagedService(OLD), tmp_path / "b", format=name)
    assert diff(tmp_path / "a", tmp_path / "b") == ([], dict.fromkeys(ATTENDANCE, f"only in {tmp_path / 'a'}"), "")
    assert diff(tmp_path / "a", tmp_path / "a") == ([], {}, "")


@pytest.mark.parametrize("ending", ["csv", "ndjson", "sqlite", "xlsx"])
@pytest.mark.parametrize("bare", [["a"], ["b"], ["a", "b"]], ids=str)
def test_exports_of_two_events_are_told_apart_without_manifests(ending: str, bare: list[str], tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.{ending}" for name in "abc"}
    for name, event in (("a", identifier(7)), ("b", identifier(8)), ("c", identifier(7))):
        rows = [{**row, "event": {"socialEventId": event}} for row in OLD]
        exported(PagedService(rows), files[name], query=[("socialEventId", event)])
    for name in bare:
        manifest.path_of(files[name]).unlink()
    raised = error_of(BadInput, diff, files["a"], files["b"])
    events = f"{identifier(7)} and {identifier(8)}"
    assert raised.message == f"exports of different events cannot be compared: {events}"
    unproven = f"{files['a']} has no manifest, so it may be incomplete" if "a" in bare else ""
    found = diff(files["a"], files["c"])
    assert (found.changes, found.unproven) == ([], unproven)


def test_a_workbook_that_another_program_saved_is_refused_with_the_formats_that_can_be_compared(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "a.xlsx")
    shutil.copy(tmp_path / "a.xlsx", tmp_path / "b.xlsx")
    with ZipFile(tmp_path / "b.xlsx", "a") as archive:
        archive.writestr("docProps/app.xml", "")
    raised = error_of(BadInput, diff, tmp_path / "a.xlsx", tmp_path / "b.xlsx")
    why = f"cannot read {tmp_path / 'b.xlsx'} as xlsx: another program saved this workbook"
    assert (raised.message, raised.hint) == (why, READABLE)
