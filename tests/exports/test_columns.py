"""Rows as cells (R29)."""

from collections.abc import Sequence
from typing import Any

from roomctl.exports.columns import REGISTRATION, Chosen, Layout, Misfit, Registrations, respelled
from tests.conftest import Cases, error_of


def values(*pairs: tuple[str, Any]) -> dict[str, Any]:
    return {"registrationId": "x", "values": [{"name": name, "value": value} for name, value in pairs]}


def columns(layout: Layout, *rows: Any) -> list[Sequence[Any]]:
    return layout.columns([layout.cells(row) for row in rows])


def test_a_row_that_does_not_fit_says_why_r29(cases: Cases) -> None:
    layouts = {"registration": Registrations(), "other": Layout([]), "chosen": Chosen(["user.name"])}
    cases("misfits.txt", lambda layout, row: str(error_of(Misfit, layouts[layout].cells, row)))


def test_other_resources_are_flattened_as_they_come() -> None:
    layout = Layout(["id"])
    rows = [{"id": 1, "user": {"name": "A", "meta": {"x": 1}}, "tags": ["a"]}, {"id": 2, "new": None, "user": {}}]
    table = columns(layout, *rows)
    assert layout.names == ("id", "user.name", "user.meta.x", "tags", "new", "user")
    assert table == [(1, 2), ("A", None), (1, None), (["a"], None), (None, None), (None, {})]


def test_chosen_columns_are_paths_or_names_of_values() -> None:
    row = {
        **values(("Company", "ACME"), ("source", "other"), ("T", "1"), ("T", "2")),
        "source": "web",
        "user": {"name": "A"},
        "x": {"y": {"z": 1}},
    }
    layout = Chosen(
        ["Company", "source", "values.source", "user.name", "T", "x.y.z", "x.no", "nope", "no.pe", "values.no"]
    )
    assert layout.cells(row) == ["ACME", "web", "other", "A", "1 | 2", 1, None, None, None, None]
    assert [*layout.found] == ["Company", "source", "values.source", "user.name", "T", "x.y.z"]


def test_columns_that_a_row_has_under_another_spelling_only_are_named() -> None:
    row: dict[str, Any] = {
        "registration_id": "x",
        "Confirmed": None,
        "source": "web",
        "Source": "x",
        "user": {"e-mailAddress": "a"},
    }
    row["event"] = {"start_date_time": "2026-10-01T12:00:00Z", "name": None}
    assert respelled(row, REGISTRATION) == {
        "registrationId": "registration_id",
        "user.emailAddress": "user.e-mailAddress",
        "event.startDateTime": "event.start_date_time",
    }
