"""Two exports compared."""

from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadInput
from roomctl.exports.diff import diff
from roomctl.exports.since import earlier
from tests.exports.paged import PagedService, exported, identifier, registration

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
    assert diff(tmp_path / "old", tmp_path / "new.ndjson") == [
        {"id": identifier(9), "change": "new", "fields": []},
        {"id": identifier(1), "change": "changed", "fields": ["confirmed", "user.timeZone"]},
        {"id": identifier(3), "change": "changed", "fields": ["values.Company", "values.Diet", "values.Late"]},
        {"id": identifier(2), "change": "gone", "fields": []},
    ]


@pytest.mark.parametrize("name", ["csv", "tsv", "excel-csv", "sqlite", "xlsx", "parquet"])
def test_tables_say_the_same_and_a_new_column_alone_changes_no_row(name: str, tmp_path: Path) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    exported(PagedService(OLD), tmp_path / "old", format=name)
    exported(PagedService(NEW), tmp_path / "new", format=name)
    assert diff(tmp_path / "old", tmp_path / "new") == [
        {"id": identifier(9), "change": "new", "fields": []},
        {"id": identifier(1), "change": "changed", "fields": ["confirmed", "user.timeZone"]},
        {"id": identifier(3), "change": "changed", "fields": ["Company", "Late"]},
        {"id": identifier(2), "change": "gone", "fields": []},
    ]


def test_the_order_of_fields_and_rows_changes_nothing(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old.ndjson")
    exported(PagedService([dict(reversed(row.items())) for row in reversed(OLD)]), tmp_path / "new.ndjson")
    assert diff(tmp_path / "old.ndjson", tmp_path / "new.ndjson") == []


def test_values_that_are_odd_are_compared_whole(tmp_path: Path) -> None:
    exported(PagedService([changed(OLD[0], values=["a"])]), tmp_path / "old.ndjson")
    exported(PagedService([changed(OLD[0], values=["b"])]), tmp_path / "new.ndjson")
    assert diff(tmp_path / "old.ndjson", tmp_path / "new.ndjson")[0]["fields"] == ["values"]


def test_the_same_values_in_another_order_are_a_change_of_values(tmp_path: Path) -> None:
    exported(PagedService([OLD[0]]), tmp_path / "old.ndjson")
    exported(PagedService([changed(OLD[0], values=OLD[0]["values"][::-1])]), tmp_path / "new.ndjson")
    assert diff(tmp_path / "old.ndjson", tmp_path / "new.ndjson")[0]["fields"] == ["values"]


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
    assert diff(tmp_path / "a.ndjson", tmp_path / "b.ndjson") == []


@pytest.mark.parametrize("more", [[("text", "ada")], [("socialEventId", identifier(1))]])
def test_exports_of_different_lists_are_not_compared(more: list[tuple[str, str]], tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "all.ndjson")
    exported(PagedService(NEW), tmp_path / "some.ndjson", query=[("socialEventId", identifier(999_999)), *more][-2:])
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
