"""The fields of a resource are read off its shape."""

from roomctl.contract.fields import Field, fields


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
