"""A name of a field that nothing has is refused rather than shown as blanks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.cli.fieldnames import is_field, value_named
from roomctl.output.columns import COLUMNS

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
        ("--columns emailAddr", "did you mean `user.emailAddress`? `values.emailAddr` is an answer of that name"),
        ("--columns user_name", "did you mean `user.name`?"),
        ("--columns StartDateTimes", "did you mean `event.startDateTime`?"),
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


def test_columns_of_an_export_have_short_names_too(sandbox: Run, tmp_path: Path) -> None:
    to = tmp_path / "x.csv"
    done = sandbox(
        "registration", "export", EVENT, "--to", str(to), "--columns", "id,e-mail,mobilePhone", "--rename", "Id=No"
    )
    assert to.read_text().partition("\n")[0] == "No,user.emailAddress,user.mobilePhone", done.stderr


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
    ("line", "out"),
    [
        (
            "social list --fields name,present --sort-by present,desc",
            "Board Games\t37\nHelp Desk\t24\nMain Stage\t22\n",
        ),
        ("social list --fields startDateTime,numberCurrentlyPresent --sort-by starts", "2025-10-17T08:00:00Z\t0\n"),
        ("social list --fields name,Open --sort-by name", "Coffee Corner\ttrue\n"),
        ("roomset list --fields name,present,open,rooms --sort-by present,desc", "Autumn Summit\t64\t4\t4\n"),
        (f"registration list {EVENT} --limit 1 --fields e-mail,host.nobody,startDateTime", ""),
        (f"registration list {EVENT} --limit 1 --fields e-mail,startDateTime", "@example.org\t2026-11-21T06:00:00Z\n"),
        (f"registration list {EVENT} --limit 1 --fields emailAddress -o ndjson", '{"emailAddress":"'),
        ("user get a2b7faa7-549d-4d69-8a65-825f3dafca2e --fields phone,e-mail -o json", '"e-mail": "ada.lovelace@'),
    ],
)
def test_a_field_may_be_named_by_its_heading_or_by_the_last_part_of_its_path(line: str, out: str, sandbox: Run) -> None:
    done = sandbox(*line.split(" "), *(() if "-o" in line else ("--no-header",)))
    assert (done.status, out in done.stdout) == (0 if out else 2, True), done.stderr + done.stdout


def test_what_is_sorted_by_a_column_that_is_reckoned_keeps_its_fields(sandbox: Run) -> None:
    plain = sandbox("roomset", "list", "-o", "json").json
    done = sandbox("roomset", "list", "--sort-by", "present,desc", "-o", "json")
    by_name = {row["name"]: row for row in plain}
    assert done.json == [by_name[name] for name in ("Autumn Summit", "Team Socials", "Onboarding", "Archive 2025")]


def test_a_name_that_is_none_brings_those_that_there_are(sandbox: Run) -> None:
    said = sandbox("roomset", "list", "--fields", "zzzzz").stderr
    assert "there are name, socialRoomSetId, hostUser.name, entryOption," in said


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


def test_every_column_can_be_asked_for_by_the_name_that_tables_and_tab_give_it() -> None:
    for resource, columns in COLUMNS.items():
        for column in columns:
            name = column.short_name
            assert is_field(resource, name) or value_named(resource, name), f"{resource}: {name}"
