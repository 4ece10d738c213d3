"""A skeleton is a body to fill in."""

from typing import Any

import pytest

from roomctl.contract.fields import _LEFT_OUT, fields, resources, skeleton
from roomctl.contract.operations import OPERATIONS
from roomctl.contract.validation import Problem, check

JSON = Any

BODIES = [operation.body for operation in OPERATIONS if operation.body]
ID = "3f0c1d2e-0000-4000-8000-00000000000a"
FILLED = {
    "<string>": "a text",
    "<uuid>": ID,
    "<date-time, such as 2026-12-01T18:00:00+01:00>": "2026-12-01T18:00:00+01:00",
    "<base64>": "QQ==",
    "<integer>": 1,
    "true | false": True,
}


def filled(value: JSON) -> JSON:
    if isinstance(value, list):
        return [filled(item) for item in value]
    if isinstance(value, dict):
        return {name: filled(item) for name, item in value.items()}
    return FILLED.get(value, value.partition(" | ")[0])


def leaves(value: JSON) -> int:
    items = value if isinstance(value, list) else value.values() if isinstance(value, dict) else None
    return 1 if items is None else sum(map(leaves, items))


def test_a_skeleton_shows_what_each_field_allows() -> None:
    assert skeleton("Playlist") == {
        "name": "<string>",
        "type": "FREE_PLAYLIST | PAID_PLAYLIST",
        "qty": "<integer>",
        "duration": "<integer>",
        "available": "true | false",
    }
    assert skeleton("uuid[]") == ["<uuid>"]


def test_the_skeleton_of_an_update_holds_the_id_that_says_what_is_updated() -> None:
    assert skeleton("RoomSet")["socialRoomSetId"] == "<uuid>"
    assert skeleton("CustomTheme")["theme"]["socialThemeId"] == "<uuid>"
    assert skeleton("EntryConfig")["configurationId"] == "<uuid>"
    assert skeleton("Transcription")["socialTranscriptionId"] == "<uuid>"


def test_an_invitation_names_a_person_by_id_or_address_and_nothing_that_the_service_answers() -> None:
    (invite,) = skeleton("SocialInvite[]")
    assert [*invite] == ["invitedUserId", "invitedUser"]
    assert [*invite["invitedUser"]] == [
        *("userId", "name", "firstName", "middleName", "lastName", "emailAddress", "mobilePhone", "timeZone")
    ]


@pytest.mark.parametrize("type_name", [*BODIES, *resources()])
def test_a_skeleton_passes_the_check_once_it_is_filled_in(type_name: str) -> None:
    assert check(type_name, filled(skeleton(type_name))) == []


@pytest.mark.parametrize("type_name", [*BODIES, *resources()])
def test_each_placeholder_that_was_not_filled_in_is_a_problem(type_name: str) -> None:
    assert len(check(type_name, skeleton(type_name))) == leaves(skeleton(type_name)) > 0


def test_what_a_skeleton_leaves_out_are_fields_of_the_resource_and_may_still_be_written() -> None:
    for name, left_out in _LEFT_OUT.items():
        assert left_out < fields(name).keys()
    assert check("Social", {"socialId": ID}) == []
    assert check("Social", {"socialid": ID}) == [
        Problem("socialid", "Social has no such field; did you mean `socialId`?")
    ]
