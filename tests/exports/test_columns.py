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
    cells = layout.cells(registration(1))
    assert dict(zip(layout.names, cells, strict=True)) == {
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


def values(*pairs: tuple[str, Any]) -> dict[str, Any]:
    return {"registrationId": "x", "values": [{"name": name, "value": value} for name, value in pairs]}


def columns(layout: Layout, *rows: Any) -> list[Sequence[Any]]:
    return layout.columns([layout.cells(row) for row in rows])


def answers(layout: Layout, *rows: Any) -> list[Sequence[Any]]:
    return columns(layout, *rows)[len(layout.fixed) :]


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
        (Flat([]), {"a.b": 1, "a": {"b": 2}}, "two of its fields have one dotted name"),
        (Chosen(["user.name"]), {"user": "x"}, "`user` is not an object"),
        (Chosen(["user.name"]), {"values": 1}, "`values` is not an array"),
    ],
)
def test_a_row_that_does_not_fit_says_why_r29(layout: Layout, row: Any, why: str) -> None:
    with pytest.raises(Misfit) as caught:
        layout.cells(row)
    assert str(caught.value) == why


def test_columns_found_before_are_gone_on_with() -> None:
    layout = Registrations(("a", "b"))
    assert answers(layout, values(("b", "1"), ("c", "2"))) == [(None,), ("1",), ("2",)]
    assert layout.found == ("a", "b", "c")


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
    assert layout.found == ("Company", "source", "values.source", "user.name", "T", "x.y.z")


def test_the_layout_follows_from_the_resource_and_the_choice() -> None:
    given: dict[str, Any] = {"extra": ["seen"], "found": ["a"]}
    assert layout_of("Registration", "registrationId", chosen=[], **given).names == (*REGISTRATION, "seen", "a")
    assert layout_of("Recording", "socialRecordingId", chosen=[], **given).names == ("socialRecordingId", "seen", "a")
    assert layout_of("Registration", "registrationId", chosen=["b"], **given).names == ("b",)
