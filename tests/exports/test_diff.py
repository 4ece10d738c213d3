"""Two exports compared."""

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.errors import BadInput
from roomctl.exports import manifest
from roomctl.exports.attendance import COLUMNS as ATTENDANCE
from roomctl.exports.columns import REGISTRATION
from roomctl.exports.diff import diff
from roomctl.exports.exported import earlier
from roomctl.exports.job import Enriched, Enrichment
from tests.exports.paged import PARQUET, PagedService, exported, identifier, registration

OLD = [registration(number) for number in range(5)]


def changed(row: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**row, **fields}


NEW = [
    registration(9),
    changed(OLD[1], confirmed=True, user={**OLD[1]["user"], "timeZone": "UTC"}),
    changed(OLD[3], values=[{"name": "Company", "value": "new"}, {"name": "Late", "value": "x"}]),
    OLD[4],
    OLD[0],
]


@pytest.mark.parametrize("name", ["ndjson", "json"])
def test_json_exports_say_what_is_new_changed_and_gone(name: str, tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old", format=name)
    exported(PagedService(NEW), tmp_path / "new.ndjson")
    assert diff(tmp_path / "old", tmp_path / "new.ndjson").changes == [
        {"id": identifier(9), "change": "new", "fields": []},
        {"id": identifier(1), "change": "changed", "fields": ["confirmed", "user.timeZone"]},
        {"id": identifier(3), "change": "changed", "fields": ["values.Company", "values.Diet", "values.Late"]},
        {"id": identifier(2), "change": "gone", "fields": []},
    ]


@pytest.mark.parametrize("name", ["csv", "tsv", "excel-csv", "sqlite", "xlsx", PARQUET])
def test_tables_say_the_same_and_a_new_column_alone_changes_no_row(name: str, tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old", format=name)
    exported(PagedService(NEW), tmp_path / "new", format=name)
    assert diff(tmp_path / "old", tmp_path / "new").changes == [
        {"id": identifier(9), "change": "new", "fields": []},
        {"id": identifier(1), "change": "changed", "fields": ["confirmed", "user.timeZone"]},
        {"id": identifier(3), "change": "changed", "fields": ["Company", "Late"]},
        {"id": identifier(2), "change": "gone", "fields": []},
    ]


CUT = ["registrationId", "confirmed", "registeredDateTime"]


@pytest.mark.parametrize("name", ["csv", "tsv", "excel-csv", "sqlite", "xlsx", "ndjson"])
@pytest.mark.parametrize("cut_first", [True, False])
@pytest.mark.parametrize("renamed", [{}, {"registrationId": "Number", "confirmed": "OK?"}])
def test_the_columns_that_both_have_are_compared_and_the_others_are_named(
    name: str, cut_first: bool, renamed: dict[str, str], tmp_path: Path
) -> None:
    cut, full = tmp_path / "cut", tmp_path / "full"
    more = [{**row, "source": "app", "confirmed": not row["confirmed"]} for row in OLD[:2]]
    exported(PagedService(OLD), cut, format=name, columns=CUT, rename=renamed)
    exported(PagedService([*more, *OLD[2:]]), full, format=name)
    found = diff(cut, full) if cut_first else diff(full, cut)
    assert found.changes == [
        {"id": identifier(number), "change": "changed", "fields": ["confirmed"]} for number in range(2)
    ]
    assert set(found.left_out.values()) == {f"only in `{full}`"}
    expected = {"all other fields"} if name == "ndjson" else {*REGISTRATION, "Company", "Diet"} - {*CUT}
    assert found.left_out.keys() == expected


@pytest.mark.parametrize("name", ["csv", "sqlite", "xlsx", "ndjson"])
def test_moments_on_the_clocks_of_two_zones_are_not_compared(name: str, tmp_path: Path) -> None:
    there = {**OLD[0], "registeredDateTime": "2026-10-02T12:00:00Z", "confirmed": None}
    exported(PagedService(OLD[:1]), tmp_path / "a", format=name, columns=CUT)
    exported(PagedService([there]), tmp_path / "b", format=name, columns=CUT, zone=ZoneInfo("Asia/Tokyo"))
    found = diff(tmp_path / "a", tmp_path / "b")
    assert found.changes == [{"id": identifier(0), "change": "changed", "fields": ["confirmed"]}]
    assert found.left_out == {"registeredDateTime": "on the clocks of two zones"}


@pytest.mark.parametrize("name", ["csv", "ndjson"])
def test_columns_of_attendance_that_one_has_are_not_compared(name: str, tmp_path: Path) -> None:
    def seen(row: Any) -> Enriched:
        return Enriched({**row, **dict.fromkeys(ATTENDANCE, 1)})

    exported(PagedService(OLD), tmp_path / "a", format=name, enrich=Enrichment("seen", ATTENDANCE, "", seen))
    exported(PagedService(OLD), tmp_path / "b", format=name)
    assert diff(tmp_path / "a", tmp_path / "b") == ([], dict.fromkeys(ATTENDANCE, f"only in `{tmp_path / 'a'}`"), "")
    assert diff(tmp_path / "a", tmp_path / "a") == ([], {}, "")


def test_files_without_manifests_are_compared_by_what_they_show(tmp_path: Path) -> None:
    texts = {
        "a.ndjson": '{"registrationId":"1","user.name":"A"}\n',
        "b.ndjson": '{"registrationId":"1","user":{"name":"B"},"source":"web"}\n',
        "c.csv": "registrationId,source\n1,web\n",
        "d.csv": "registrationId,confirmed\n1,true\n",
        "e.csv": "registrationId,confirmed\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    changed = [{"id": "1", "change": "changed", "fields": ["user.name"]}]
    apart = {"source": f"only in `{tmp_path / 'c.csv'}`", "confirmed": f"only in `{tmp_path / 'd.csv'}`"}
    for one, other, changes, left_out in (
        ("a.ndjson", "b.ndjson", changed, {"all other fields": f"only in `{tmp_path / 'b.ndjson'}`"}),
        ("c.csv", "d.csv", [], apart),
        ("c.csv", "e.csv", [{"id": "1", "change": "gone", "fields": []}], {}),
    ):
        bare = f"`{tmp_path / one}` and `{tmp_path / other}`"
        unproven = f"nothing shows that all is there, without a manifest: {bare}"
        assert diff(tmp_path / one, tmp_path / other) == (changes, left_out, unproven)


@pytest.mark.parametrize("ending", ["csv", "ndjson", "sqlite", "xlsx"])
@pytest.mark.parametrize("bare", [["a"], ["b"], ["a", "b"]], ids=str)
def test_exports_of_two_events_are_told_apart_without_their_manifests(
    ending: str, bare: list[str], tmp_path: Path
) -> None:
    files = {name: tmp_path / f"{name}.{ending}" for name in "abc"}
    for name, event in (("a", identifier(7)), ("b", identifier(8)), ("c", identifier(7))):
        rows = [changed(row, event={"socialEventId": event}) for row in OLD]
        exported(PagedService(rows), files[name], query=[("socialEventId", event)])
    for name in bare:
        manifest.path_of(files[name]).unlink()
    with pytest.raises(BadInput) as raised:
        diff(files["a"], files["b"])
    events = f"{identifier(7)} and {identifier(8)}"
    assert raised.value.message == f"exports of different events cannot be compared: {events}"
    unproven = f"nothing shows that all is there, without a manifest: `{files['a']}`" if "a" in bare else ""
    found = diff(files["a"], files["c"])
    assert (found.changes, found.unproven) == ([], unproven)


def test_the_order_of_fields_and_rows_changes_nothing(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old.ndjson")
    exported(PagedService([dict(reversed(row.items())) for row in reversed(OLD)]), tmp_path / "new.ndjson")
    assert diff(tmp_path / "old.ndjson", tmp_path / "new.ndjson").changes == []


def test_values_that_are_odd_are_compared_whole(tmp_path: Path) -> None:
    exported(PagedService([changed(OLD[0], values=["a"])]), tmp_path / "old.ndjson")
    exported(PagedService([changed(OLD[0], values=["b"])]), tmp_path / "new.ndjson")
    assert diff(tmp_path / "old.ndjson", tmp_path / "new.ndjson").changes[0]["fields"] == ["values"]


def test_the_same_values_in_another_order_are_a_change_of_values(tmp_path: Path) -> None:
    exported(PagedService([OLD[0]]), tmp_path / "old.ndjson")
    exported(PagedService([changed(OLD[0], values=OLD[0]["values"][::-1])]), tmp_path / "new.ndjson")
    assert diff(tmp_path / "old.ndjson", tmp_path / "new.ndjson").changes[0]["fields"] == ["values"]


def test_exports_of_different_formats_are_not_compared(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "a.csv")
    exported(PagedService(OLD), tmp_path / "b.ndjson")
    with pytest.raises(BadInput, match="exports of different formats cannot be compared: csv and ndjson"):
        diff(tmp_path / "a.csv", tmp_path / "b.ndjson")


def test_what_an_export_left_out_is_not_called_gone(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old.ndjson")
    since = earlier(tmp_path / "old.ndjson", "registrationId")
    exported(PagedService(OLD), tmp_path / "news.ndjson", since=since)
    message = f"`{tmp_path / 'news.ndjson'}` leaves out rows of its list: what is not in it is neither new nor gone"
    for pair in (("old.ndjson", "news.ndjson"), ("news.ndjson", "old.ndjson")):
        with pytest.raises(BadInput) as raised:
            diff(*(tmp_path / name for name in pair))
        assert (raised.value.message, raised.value.hint) == (
            message,
            "compare two exports without `--since`, `--absent` and `--stayed`",
        )


def test_exports_of_one_list_in_different_orders_are_compared(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "a.ndjson")
    exported(PagedService(OLD), tmp_path / "b.ndjson", query=[("socialEventId", identifier(999_999)), ("sort", "x")])
    assert diff(tmp_path / "a.ndjson", tmp_path / "b.ndjson").changes == []


@pytest.mark.parametrize("more", [[("text", "ada")], [("socialEventId", identifier(1))]])
def test_exports_of_different_lists_are_not_compared(more: list[tuple[str, str]], tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "all.ndjson")
    query = [("socialEventId", identifier(999_999)), *more][-2:]
    rows = [changed(row, event={"socialEventId": dict(query)["socialEventId"]}) for row in NEW]
    exported(PagedService(rows), tmp_path / "some.ndjson", query=query)
    with pytest.raises(BadInput, match="exports of different lists cannot be compared"):
        diff(tmp_path / "all.ndjson", tmp_path / "some.ndjson")


def test_lines_that_are_no_objects_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_text("1\n")
    with pytest.raises(BadInput, match="not an export of objects"):
        diff(tmp_path / "a.ndjson", tmp_path / "a.ndjson")


def test_tables_without_a_column_of_ids_are_not_compared(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old.csv")
    exported(PagedService(NEW), tmp_path / "new.csv", columns=["user.emailAddress", "confirmed"])
    with pytest.raises(BadInput) as raised:
        diff(tmp_path / "old.csv", tmp_path / "new.csv")
    assert raised.value.message == f"`{tmp_path / 'new.csv'}` has no column of ids, so nothing tells which row is which"
    assert raised.value.hint == "export it with that column: for registrations, `registrationId`"


def test_a_file_that_was_edited_is_not_compared(tmp_path: Path) -> None:
    for name in ("a.ndjson", "b.ndjson"):
        exported(PagedService([registration(n) for n in range(9)]), tmp_path / name)
    lines = (tmp_path / "b.ndjson").read_text().splitlines(keepends=True)
    (tmp_path / "b.ndjson").write_text("".join(lines[:4]))
    with pytest.raises(BadInput, match="does not match its manifest"):
        diff(tmp_path / "a.ndjson", tmp_path / "b.ndjson")
