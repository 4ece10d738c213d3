"""The table and the models against the interface document, typed a second time in `interface.toml`."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.fields import Field, fields, resources
from roomctl.contract.models import RESOURCES
from roomctl.contract.operations import OPERATIONS, PREFIX, Operation, Param

INTERFACE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("interface.toml").read_text("utf-8"))


def as_typed(field: Field) -> str | list[str]:
    return list(field.values) if field.type == "enum" else field.type


def as_written(param: Param) -> str:
    rest = " required" if param.required else f" = {param.default}" if param.default is not None else ""
    return f"{param.name} {param.type}{rest}"


def as_transcribed(operation: Operation) -> dict[str, Any]:
    row: dict[str, Any] = {"number": operation.number, "title": operation.summary}
    row["request"] = f"{operation.method} {PREFIX}{operation.path}"
    if operation.path_params:
        row["path"] = [as_written(param) for param in operation.path_params]
    if operation.query_params:
        row["query"] = [as_written(param) for param in operation.query_params]
    if operation.body:
        row["body"] = operation.body
    if operation.reply:
        row["reply"] = operation.reply
    return row


def test_the_document_has_twenty_resources_and_eighteen_operations_and_says_not_shown_in_twenty_four_places() -> None:
    assert [len(INTERFACE[part]) for part in ("resources", "operations", "not_shown")] == [20, 18, 24]


def test_the_resources_stand_in_the_order_of_the_document() -> None:
    assert [*resources()] == [*INTERFACE["resources"]]
    assert [*RESOURCES] == [*INTERFACE["resources"]]


@pytest.mark.parametrize("name", INTERFACE["resources"])
def test_a_resource_has_exactly_the_fields_types_and_values_of_the_document_in_its_order(name: str) -> None:
    typed = [(field.name, as_typed(field)) for field in fields(name).values()]
    assert typed == [*INTERFACE["resources"][name].items()]


@pytest.mark.parametrize("number", range(1, len(OPERATIONS) + 1))
def test_an_operation_stands_in_the_table_as_in_the_document(number: int) -> None:
    row = as_transcribed(OPERATIONS[number - 1])
    if number == 17:  # the document gives its path parameter no type; ours is the type of User.userId
        assert row["path"] == ["userId uuid required"]
        row["path"] = ["userId"]
    assert row == INTERFACE["operations"][number - 1]


def test_an_operation_quotes_each_place_where_the_document_says_not_shown_about_it() -> None:
    for operation in OPERATIONS:
        places = [place for place in INTERFACE["not_shown"] if place.get("operation") == operation.number]
        pairs = [*zip(places, operation.not_shown, strict=True)]
        assert [(place["quote"] in ours, ours in place["line"]) for place, ours in pairs] == [(True, True)] * len(pairs)


def test_the_operations_without_documented_query_parameters_are_open() -> None:
    silent = {place["operation"] for place in INTERFACE["not_shown"] if place["quote"].startswith("Query parameters")}
    copied = {place["operation"] for place in INTERFACE["not_shown"] if "room to copy" in place["quote"]}
    assert {operation.number for operation in OPERATIONS if operation.open_query} == silent | copied == {1, 5, 6}


def test_only_a_patch_is_compared_and_only_an_end_is_looked_at_before_it_is_sent_again() -> None:
    assert [operation.name for operation in OPERATIONS if operation.repeat == "patch"] == ["roomset.update"]
    assert [operation.name for operation in OPERATIONS if operation.repeat == "end"] == ["social.end"]


def test_the_writes_that_cannot_be_read_back_are_invitations_themes_and_playlists() -> None:
    blind = [operation.name for operation in OPERATIONS if operation.writes and operation.readback is None]
    assert blind == ["invite.send", "theme.save", "playlist.create"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_reply_row_is_identified_by_the_first_field_of_its_resource(operation: Operation) -> None:
    first = next(iter(resources()[operation.resource])) if operation.resource else None
    assert operation.row_id == first
