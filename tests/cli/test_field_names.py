"""A name of a field that nothing has is refused rather than shown as blanks."""

from roomctl.cli.field_names import is_field, value_named
from roomctl.output.columns import resource_of
from tests.output.test_columns import RESOURCES


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
