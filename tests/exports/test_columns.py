"""Rows as cells (R29)."""

from collections.abc import Sequence
from typing import Any

import pytest

from roomctl.exports.columns import REGISTRATION, Chosen, Flat, Layout, Misfit, Registrations, layout_of
from tests.exports.paged import identifier, registration


def test_the_columns_of_a_registration_are_the_promised_ones() -> None:
    assert REGISTRATION == (
        "registrationId",
        "registeredDateTime",
        "confirmed",
        "source",
        "user.userId",
        "user.name",
        "user.firstName",
        "user.middleName",
        "user.lastName",
        "user.emailAddress",
        "user.emailVerified",
        "user.mobilePhone",
        "user.timeZone",
        "event.socialEventId",
        "event.name",
        "event.startDateTime",
        "event.endDateTime",
    )


def test_a_registration_becomes_one_row_of_cells() -> None:
    layout = Registrations()
    cells = dict(zip(layout.names, layout.cells(registration(1)), strict=False))
    table, misfits = layout.table([registration(1)])
    assert misfits == {}
    assert dict(zip(layout.names, (column[0] for column in table), strict=True)) == {
        "registrationId": identifier(1),
        "registeredDateTime": "2026-10-01T12:00:00Z",
        "confirmed": False,
        "source": "web",
        "user.userId": identifier(500_001),
        "user.name": "Jürgen Müller 1",
        "user.firstName": "Jürgen",
        "user.middleName": None,
        "user.lastName": "Müller 1",
        "user.emailAddress": "j1@example.org",
        "user.emailVerified": True,
        "user.mobilePhone": "+49 30 1234",
        "user.timeZone": "Europe/Berlin",
        "event.socialEventId": identifier(999_999),
        "event.name": "Fair",
        "event.startDateTime": "2026-12-01T12:00:00Z",
        "event.endDateTime": "2026-12-01T14:00:00Z",
        "Company": "ACME, 1",
        "Diet": None,
    }
    assert cells["registrationId"] == identifier(1)


def values(*pairs: tuple[str, Any]) -> dict[str, Any]:
    return {"registrationId": "x", "values": [{"name": name, "value": value} for name, value in pairs]}


def answers(layout: Layout, *rows: Any) -> list[Sequence[Any]]:
    table, misfits = layout.table(rows)
    assert misfits == {}
    return table[len(layout.fixed) :]


def test_names_become_columns_in_the_order_in_which_they_are_first_seen() -> None:
    layout = Registrations()
    found = answers(layout, values(("b", "1"), ("a", "2")), values(("c", "3"), ("a", "4")), {"registrationId": "y"})
    assert layout.found == ("b", "a", "c")
    assert found == [("1", None, None), ("2", "4", None), (None, "3", None)]


def test_the_same_name_twice_in_one_registration_is_joined() -> None:
    layout = Registrations()
    row = values(("a", "1"), ("a", "2"), ("b", None), ("b", "x"), ("c", True), ("c", 3), ("d", "x"), ("d", ""))
    assert answers(layout, row) == [("1 | 2",), ("x",), ("true | 3",), ("x | ",)]


def test_a_name_like_a_fixed_column_is_told_apart() -> None:
    layout = Registrations(extra=["seen"])
    answers(layout, values(("source", "1"), ("seen", "2"), ("user", "3")))
    assert layout.names[-3:] == ("values.source", "values.seen", "user")
    assert layout.names[-4] == "seen"


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("text", "not an object"),
        (None, "not an object"),
        ([1], "not an object"),
        ({"user": "x"}, "`user` or `event` is not an object"),
        ({"event": []}, "`user` or `event` is not an object"),
        ({"user": False}, "`user` or `event` is not an object"),
        ({"values": {}}, "`values` is not an array"),
        ({"values": ""}, "`values` is not an array"),
        ({"values": {"name": 1}}, "`values` is not an array"),
        ({"values": ["x"]}, "one of `values` is not an object with a name"),
        ({"values": [{"value": 1}]}, "one of `values` is not an object with a name"),
        ({"values": [None]}, "one of `values` is not an object with a name"),
        ({"values": [{"name": 1}]}, "the name of one of `values` is not a string"),
    ],
)
def test_a_row_that_does_not_fit_says_why_r29(row: Any, why: str) -> None:
    fitting = {"registrationId": "a", "values": None, "user": None, "event": None}
    table, misfits = Registrations().table([fitting, row, fitting])
    assert misfits == {1: why}
    assert table[0] == ("a", "a")


def test_a_cell_that_is_too_long_for_the_format_does_not_fit_r29() -> None:
    _, misfits = Registrations().table([values(("a", "x" * 11)), values(("a", "x" * 10))], longest=10)
    assert misfits == {0: "a cell is longer than 10 characters"}


def test_columns_found_before_are_gone_on_with() -> None:
    layout = Registrations(("a", "b"))
    assert answers(layout, values(("b", "1"), ("c", "2"))) == [(None,), ("1",), ("2",)]
    assert layout.found == ("a", "b", "c")


def test_other_resources_are_flattened_as_they_come() -> None:
    layout = Flat(["id"])
    rows = [{"id": 1, "user": {"name": "A", "meta": {"x": 1}}, "tags": ["a"]}, {"id": 2, "new": None, "user": {}}]
    table, misfits = layout.table(rows)
    assert misfits == {}
    assert layout.names == ("id", "user.name", "user.meta.x", "tags", "new", "user")
    assert table == [(1, 2), ("A", None), (1, None), (["a"], None), (None, None), (None, {})]


@pytest.mark.parametrize(
    ("row", "why"), [("x", "not an object"), ({"a.b": 1, "a": {"b": 2}}, "two of its fields have one dotted name")]
)
def test_other_rows_that_do_not_fit_say_why_r29(row: Any, why: str) -> None:
    assert Flat([]).table([row]) == ([], {0: why})


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
    assert layout.found == ("Company", "source", "values.source", "user.name", "T", "x.y.z")


@pytest.mark.parametrize(
    ("row", "why"),
    [(1, "not an object"), ({"user": "x"}, "`user` is not an object"), ({"values": 1}, "`values` is not an array")],
)
def test_chosen_columns_of_a_row_that_does_not_fit_say_why_r29(row: Any, why: str) -> None:
    with pytest.raises(Misfit) as caught:
        Chosen(["user.name"]).cells(row)
    assert str(caught.value) == why


def test_the_layout_follows_from_the_resource_and_the_choice() -> None:
    given: dict[str, Any] = {"extra": ["seen"], "found": ["a"]}
    assert layout_of("Registration", "registrationId", chosen=[], **given).names == (*REGISTRATION, "seen", "a")
    assert layout_of("Recording", "socialRecordingId", chosen=[], **given).names == ("socialRecordingId", "seen", "a")
    assert layout_of("Registration", "registrationId", chosen=["b"], **given).names == ("b",)
