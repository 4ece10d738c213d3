"""R45: what a member that the interface does not declare says, and what is data."""

from typing import Any

import pytest

from roomctl.contract.evidence import cut_short
from roomctl.contract.rooms import hides_rooms, is_open, present_in
from roomctl.contract.statements import READ, STATE, WRITE, says

A, B = (f"{each * 8}-1111-4111-8111-111111111111" for each in "ab")
SAYS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    *[(READ, each) for each in ({"isFromCache": True}, {"_error": "x"}, {"found": False}, {"truncated": "yes"})],
    *[(READ, each) for each in ({"degraded": 1}, {"message": "answers could not be loaded"}, {"@type": "Error"})],
    *[(READ, each) for each in ({"warnings": ["only the first 3"]}, {"status": "ERROR"}, {"stale": {"by": 3}})],
    *[(READ, each) for each in ({"asOf": "2020-01-01T00:00:00Z"}, {"resultCode": 1})],
    (READ, {"conditions": [{"type": "Ready", "status": "False"}]}),
    *[(STATE, each) for each in ({"phase": "Terminating"}, {"isFinal": False}, {"status": "PENDING_REVIEW"})],
    *[(STATE, each) for each in ({"progress": 40}, {"warnings": ["presence unknown"]}, {"draft": True})],
    (READ, {"details": [{"severity": "ERROR"}]}),
    *[(STATE, each) for each in ({"status": "REJECTED"}, {"accessDenied": True}, {"info": "3 segments failed"})],
    (WRITE, {"accepted": False}),
    *[(WRITE, each) for each in ({"isNew": False}, {"alreadyExists": True}, {"revokedAt": "2020-01-01T00:00:00Z"})],
    *[(WRITE, each) for each in ({"emailSent": False}, {"requiresApproval": True}, {"bounced": True})],
]
DATA: list[dict[str, Any]] = [
    *({"waitingRoom": True}, {"previewImageUri": "https://x.org/a.png"}, {"blockedUsers": 3}, {"guestsAllowed": False}),
    *({"message": "Welcome to the lobby"}, {"lastUpdated": "2020-01-01T00:00:00Z"}, {"state": "OPEN"}, {"errors": []}),
    *({"failed": False}, {"code": 1234}, {"alreadyInvited": False}, {"info": "finished without errors"}),
    *({"expiresAt": "2999-01-01T00:00:00Z"}, {"emailRequired": True}, {"createdAt": "2020-01-01T00:00:00Z"}),
    *({"isDeleted": False, "deletedAt": None, "archived": False}, {"state": "ACTIVE", "code": "K-4", "version": 3}),
]


@pytest.mark.parametrize(("scope", "said"), SAYS)
def test_a_family_counts_from_its_scope_on(scope: tuple[str, ...], said: dict[str, Any]) -> None:
    found = [says({"name": "n", **said}, {"name"}, each) is not None for each in (READ, STATE, WRITE)]
    assert found == [len(each) >= len(scope) for each in (READ, STATE, WRITE)]


@pytest.mark.parametrize("said", DATA)
def test_what_is_no_word_of_a_family_alone_is_data(said: dict[str, Any]) -> None:
    assert says(said, (), WRITE) is None


@pytest.mark.parametrize("said", [said for scope, said in SAYS if scope != WRITE])
def test_r46_a_doubtful_room_is_neither_closed_nor_empty(said: dict[str, Any]) -> None:
    room = {"isOpen": False, "socialMeta": {"numberCurrentlyPresent": 0}}
    assert (is_open(room), present_in(room)) == (False, 0)
    assert (is_open({**room, **said}), present_in({**room, **said})) == (None, None)
    assert present_in({**room, "socialMeta": {"numberCurrentlyPresent": 0, **said}}) is None


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
