"""R45: what a member that the interface does not declare says, and what is data."""

from typing import Any

import pytest

from roomctl.contract.evidence import cut_short
from roomctl.contract.rooms import hides_rooms, is_open, present_in
from roomctl.contract.statements import says
from roomctl.contract.vocabulary import READ, STATE, WRITE
from tests.conftest import Cases

SCOPES = {"READ": READ, "STATE": STATE, "WRITE": WRITE}
A, B = (f"{each * 8}-1111-4111-8111-111111111111" for each in "ab")


def test_a_family_counts_from_its_scope_on_and_r46_a_doubtful_room_is_neither_closed_nor_empty(cases: Cases) -> None:
    """What no family knows is data."""

    def counts(said: dict[str, Any]) -> str:
        found = [name for name, each in SCOPES.items() if says({"name": "n", **said}, {"name"}, each)]
        assert found == [*SCOPES][len(SCOPES) - len(found) :]
        if "STATE" in found:
            room: dict[str, Any] = {"isOpen": False, "socialMeta": {"numberCurrentlyPresent": 0}}
            assert (is_open(room), present_in(room)) == (False, 0)
            assert (is_open({**room, **said}), present_in({**room, **said})) == (None, None)
            assert present_in({**room, "socialMeta": {**room["socialMeta"], **said}}) is None
        return f"counts in {', '.join(found)}" if found else "data"

    cases("statements.txt", counts)


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        *[({"_links": {"socials": {"next": "/x"}}}, True), ({"openRooms": 2}, True)],
        *[({"socialsPage": {"number": 0, "totalPages": 2}}, True), ({"message": "rooms could not be loaded"}, True)],
        *[
            ({"socialIds": [A]}, False),
            ({"roomWidth": 800}, False),
            ({"maxRooms": 9}, False),
            ({"openRooms": 1}, False),
        ],
    ],
)
def test_r46_a_set_that_counts_other_rooms_does_not_show_all(said: dict[str, Any], hidden: bool) -> None:
    assert hides_rooms({"socialRoomSetId": B, "socials": [{"socialId": A}], **said}) is hidden


@pytest.mark.parametrize(
    "said", [{"valuesTotal": 9}, {"hasMoreValues": True}, {"_truncated": ["values"]}, {"partial": True}]
)
def test_r32_a_registration_may_say_that_its_answers_are_cut(said: dict[str, Any]) -> None:
    record = {"registrationId": A, "values": [{"name": "Company", "value": "Acme"}]}
    assert (cut_short(record, "Registration"), bool(cut_short({**record, **said}, "Registration"))) == ("", True)
