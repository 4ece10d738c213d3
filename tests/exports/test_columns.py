"""Rows as cells (R29)."""

from collections.abc import Sequence
from typing import Any

import pytest

from roomctl.exports.columns import Chosen, Flat, Layout, Misfit, Registrations
from tests.conftest import error_of


def values(*pairs: tuple[str, Any]) -> dict[str, Any]:
    return {"registrationId": "x", "values": [{"name": name, "value": value} for name, value in pairs]}


def columns(layout: Layout, *rows: Any) -> list[Sequence[Any]]:
    return layout.columns([layout.cells(row) for row in rows])


@pytest.mark.parametrize(
    ("layout", "row", "why"),
    [
        (Registrations(), {"user": "x"}, "`user` or `event` is not an object"),
        (Registrations(), {"event": []}, "`user` or `event` is not an object"),
        (Registrations(), {"user": False}, "`user` or `event` is not an object"),
        (Registrations(), {"values": {}}, "`values` is not an array"),
        (Registrations(), {"values": ""}, "`values` is not an array"),
        (Registrations(), {"values": {"name": 1}}, "`values` is not an array"),
        (Registrations(), {"values": ["x"]}, "one of `values` is not an object with a name"),
        (Registrations(), {"values": [{"value": 1}]}, "one of `values` is not an object with a name"),
        (Registrations(), {"values": [None]}, "one of `values` is not an object with a name"),
        (Registrations(), {"values": [{"name": 1}]}, "the name of one of `values` is not a string"),
        (Flat([]), {"a.b": 1, "a": {"b": 2}}, "two of its fields have the same dotted name"),
        (Chosen(["user.name"]), {"user": "x"}, "`user` is not an object"),
        (Chosen(["user.name"]), {"values": 1}, "`values` is not an array"),
    ],
)
def test_a_row_that_does_not_fit_says_why_r29(layout: Layout, row: Any, why: str) -> None:
    assert str(error_of(Misfit, layout.cells, row)) == why


def test_other_resources_are_flattened_as_they_come() -> None:
    layout = Flat(["id"])
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
