"""A name of a field that nothing has is refused rather than shown as blanks."""

import json
from collections.abc import Callable
from pathlib import Path
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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--columns emailAddress", "did you mean `user.emailAddress`? `values.emailAddress` is an answer of that name"),
        ("--columns email", "did you mean `user.emailAddress`?"),
        ("--columns Name", "did you mean `user.name`? `values.Name` is an answer"),
        ("--columns registrationid", "did you mean `registrationId`?"),
        ("--columns user_name", "did you mean `user.name`?"),
        ("--columns StartDateTime", "did you mean `event.startDateTime`?"),
        ("--columns confirmed.x", "did you mean `confirmed`?"),
        ("--columns event.user.name.first", "did you mean `event.user.name`?"),
        ("--columns guestBearer", "no option shows them"),
        ("--columns refreshBearer", "no option shows them"),
        ("--rename sorce=From", "did you mean `source`?"),
        ("--rename user.profileId=P", "`--rename` gives a heading to what is no column of the file: user.profileId"),
        ("--columns source --rename confirmed=OK", "`--rename` gives a heading to what is no column of the file"),
        ("--rename source=A --rename source=B", "`--rename source=A` and `--rename source=B` contradict each other"),
        ("--columns source --attendance", "`--attendance` adds columns, and `--columns` names none of them"),
        ("--format json --attendance --tz UTC", "headings and a time zone are for columns, and json keeps rows"),
        ("--format ndjson --rename source=A", "headings and a time zone are for columns, and ndjson keeps rows"),
        ("--format parquet --guard", "`--guard` is for spreadsheets, and none reads parquet"),
    ],
)
def test_what_no_export_can_have_or_honour_is_2_before_anything_is_sent_r47(
    options: str, said: str, roomctl: Run, variables: Any, tmp_path: Path
) -> None:
    variables.update(ROOMCTL_BASE_URL="http://127.0.0.1:9", ROOMCTL_API_KEY="fields-test-key")
    event = "33333333-3333-4333-8333-333333333333"
    done = roomctl("registration", "export", event, "--to", str(tmp_path / "x.csv"), *options.split(" "))
    assert (done.status, done.stdout, said in done.stderr) == (2, "", True), done.stderr
    assert not list(tmp_path.glob("x.csv*"))


@pytest.mark.parametrize(
    "column",
    [
        "Company",
        "Customer number",
        "values.email",
        "values.guestBearer",
        "refreshBeare",
        "values",
        "user",
        "event.user.name",
        "user.shoeSize",
    ],
)
def test_the_name_of_an_answer_and_what_the_service_may_have_added_are_columns(
    column: str, sandbox: Run, tmp_path: Path
) -> None:
    to = tmp_path / "x.json"
    done = sandbox("registration", "export", EVENT, "--to", str(to), "--columns", f"registrationId,{column}")
    assert done.status == 0, done.stderr
    assert {(*row,) for row in json.loads(to.read_bytes())} == {("registrationId", column)}
    empty = column not in ("Customer number", "values", "user")
    assert ("no row has a value in these columns" in done.stderr) == empty


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
