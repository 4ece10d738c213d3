"""The default columns: all of them exist, and scripts can count on those of csv and tsv."""

import re
from pathlib import Path

import pytest

from roomctl.cli.field_names import is_field, value_named
from roomctl.contract.fields import fields
from roomctl.output import columns
from roomctl.output.columns import FILE_ONLY, resource_of
from tests.conftest import Golden

OURS = {"StepResult", "InviteResult", "RoomInviteResult", "JournalEntry", "JournalRun", "SandboxSnapshot"}
OURS |= {"SandboxFault", "SandboxRequest", "Mistake", "Rehearsed", "Profile", "PlanStep", "Finding", "LintCode"}
OURS |= {"Operation", "WatchedRoom", "WatchedRoomOfSets", "RoomResult", "UserResult", "Verified", "Setting"}
OURS |= {"CommonOption", "RegistrationChange", "FaultWord", "FilePlace", "Difference", "Gap", "ErrorCode"}
NAMES = re.findall(r"^\[(\w+)\]", Path(columns.__file__).with_suffix(".txt").read_text("utf-8"), re.MULTILINE)
RESOURCES = [name for name in NAMES if resource_of(name).columns]


def test_the_columns_of_csv_and_tsv_are_only_ever_added_to_at_their_end(golden: Golden) -> None:
    golden("columns.txt", "".join(f"{resource}: {' '.join(resource_of(resource).paths)}\n" for resource in RESOURCES))


@pytest.mark.parametrize("resource", sorted({*RESOURCES} - OURS))
def test_a_column_is_a_field_of_its_resource(resource: str) -> None:
    for path in resource_of(resource).paths:
        where = resource
        for name in path.split("."):
            assert name in fields(where), f"{resource}: {path}"
            where = fields(where)[name].type


@pytest.mark.parametrize("resource", sorted(RESOURCES))
def test_what_people_see_has_a_heading_and_something_that_is_never_dropped(resource: str) -> None:
    shown = [column for column in resource_of(resource).columns if column.rank < FILE_ONLY]
    assert all(column.heading for column in shown)
    assert any(column.rank == 0 for column in shown)


def test_every_column_can_be_asked_for_by_the_name_that_tables_and_tab_give_it() -> None:
    for resource in RESOURCES:
        for column in resource_of(resource).columns:
            found = is_field(resource, column.short_name) or value_named(resource, column.short_name)
            assert found, f"{resource}: {column.short_name}"


def test_by_its_heading_the_name_of_a_thing_is_asked_for_and_by_its_path_the_id() -> None:
    key = "aaaaaaaa-1111-4111-8111-111111111111"
    read = value_named("Social", "room set", {key: "Gala"})
    assert read is not None
    assert [read({"socialRoomSetId": each}) for each in (key.upper(), "other")] == ["Gala", "other"]
