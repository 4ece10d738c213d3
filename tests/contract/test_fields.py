"""The fields of a resource are known without its model."""

import json

from roomctl.contract.fields import INDEX, Field, fields


def test_the_index_of_fields_says_what_the_models_say(update: bool) -> None:
    from roomctl.contract.openapi import field_index

    text = json.dumps(field_index(), indent=1) + "\n"
    if update:
        INDEX.write_text(text, encoding="utf-8")
    assert INDEX.read_text("utf-8") == text, "run `pytest --update`"


def test_the_fields_of_a_resource_come_with_their_types_as_the_interface_writes_them() -> None:
    assert [*fields("EntryConfig").values()] == [
        Field("configurationId", "uuid"),
        Field("name", "string"),
        Field("entryOption", "enum", ("DEFAULT", "ACCOUNT", "CUSTOM_RULES", "STARTING_POINT")),
        Field("groupSpawnSize", "integer"),
        Field("groupFormerCount", "integer"),
        Field("startingPointX", "integer"),
        Field("startingPointY", "integer"),
        Field("entryFlow", "enum", ("SPIRAL", "GRID")),
        Field("rules", "Rule[]"),
        Field("associatedSocialIds", "uuid[]"),
    ]


def test_an_array_has_the_fields_of_its_items_and_a_plain_value_has_none() -> None:
    assert fields("SocialInvite[]") is not None
    assert [*fields("Rule[]")] == ["property", "operator", "value"]
    assert [dict(fields(name)) for name in ("uuid[]", "uuid", "enum", "Room")] == [{}] * 4


def test_an_array_knows_its_item() -> None:
    hosts = fields("Social")["alternateHosts"]
    assert (hosts.array, hosts.item) == (True, Field("alternateHosts", "User"))
    assert (hosts.item.array, hosts.item.item) == (False, hosts.item)
