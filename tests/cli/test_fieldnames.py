"""A name of a field that nothing has is refused rather than shown as blanks."""

from collections.abc import Callable
from typing import Any

import pytest

EVENT = "c7951964-2838-427f-8267-5f07922a7056"
Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("social list --fields nam,isOpen", "did you mean `name`?"),
        ("social list --fields user.nmae", "did you mean `user.name`?"),
        ("social list --fields usr.name", "did you mean `user.name`?"),
        ("social list --sort-by nam,desc", "no field of Social: --sort-by nam"),
        ("roomset tree --fields socials.0.isOpn", "did you mean `socials.0.isOpen`?"),
        ("social end X --yes --fields statu", "did you mean `status`?"),
        ("social end X --yes --fields zzzz", "no field of Social or Result: --fields zzzz"),
        ("social list --fields ,", "',' names no field"),
        ("registration export EVENT --to x.csv --columns user.nam", "did you mean `user.name`?"),
        ("registration export EVENT --to x.csv --columns confirmd", "did you mean `confirmed`?"),
        ("registration export EVENT --to x.csv --columns ,", "',' names no column"),
    ],
)
def test_a_wrong_name_is_2_before_anything_is_sent(line: str, said: str, roomctl: Run, variables: Any) -> None:
    variables.update(ROOMCTL_BASE_URL="http://127.0.0.1:9", ROOMCTL_API_KEY="fields-test-key")
    words = line.replace("EVENT", "33333333-3333-4333-8333-333333333333").split(" ")
    done = roomctl(*words)
    assert (done.status, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_what_is_near_nothing_is_asked_for_and_then_refused(form: str, sandbox: Run) -> None:
    done = sandbox("social", "list", "--fields", "name,zzzzz", "-o", form)
    assert (done.status, done.stdout) == (2, "")
    assert "nothing that came has this field: --fields zzzzz" in done.stderr


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("social list --fields name,present", "did you mean `socialMeta.numberCurrentlyPresent`?"),
        ("social list --sort-by starts", "did you mean `startDateTime`?"),
        ("social list --fields numberCurrentlyPresent", "did you mean `socialMeta.numberCurrentlyPresent`?"),
        (f"registration list {EVENT} --limit 1 --fields email", "did you mean `user.emailAddress`?"),
        ("roomset list --fields zzzzz", "there are name, socialRoomSetId, hostUser.name, entryOption,"),
    ],
)
def test_a_heading_of_the_table_brings_the_field_that_stands_below_it(line: str, meant: str, sandbox: Run) -> None:
    done = sandbox(*line.split(" "))
    assert (done.status, done.stdout) == (2, "")
    assert meant in done.stderr


def test_rows_of_the_tool_itself_are_held_against_what_came(roomctl: Run) -> None:
    done = roomctl("help", "exit-codes", "--fields", "exti")
    assert done.status == 2
    assert "did you mean `exit`?" in done.stderr
    assert roomctl("help", "exit-codes", "--fields", "exit", "--sort-by", "exit,desc", "-o", "csv").status == 0


def test_fields_of_the_interface_are_there_also_where_no_row_shows_them(sandbox: Run) -> None:
    done = sandbox("social", "get", "Main Stage", "--fields", "updatedByUser.name,myBadgeData.title", "-o", "json")
    assert done.json == {"updatedByUser.name": None, "myBadgeData.title": None}
    nested = sandbox("roomset", "get", "Autumn Summit", "--fields", "socials.0.user.name,socials.name", "-o", "json")
    assert nested.json["socials.0.user.name"] == "Ada Lovelace"


def test_after_an_expression_the_names_are_those_of_its_rows(sandbox: Run) -> None:
    query = ("--query", "[].{room: name}")
    assert sandbox("social", "list", *query, "--fields", "room", "-o", "csv").status == 0
    assert sandbox("social", "list", *query, "--fields", "name", "-o", "csv").status == 2


def test_a_shown_request_has_its_own_fields(sandbox: Run) -> None:
    done = sandbox("social", "end", "Main Stage", "--dry-run", "--fields", "method", "-o", "json")
    assert done.json == {"method": "POST"}
