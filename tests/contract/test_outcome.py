"""Replies to invitations are matched with the people they are about."""

from datetime import UTC, datetime
from typing import Any

import pytest

from roomctl.contract.fields import fields, resources
from roomctl.contract.invitations import NO_ID, NO_RECORD, SAME, TWO_PEOPLE, done_for_all, invited
from roomctl.contract.operations import BY_NAME
from roomctl.contract.outcome import Outcome, denial, differing, remarks, unlike, waits
from roomctl.contract.paging import Rows
from tests.conftest import Cases

JSON = Any
A, B = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
C = "cccccccc-3333-4333-8333-333333333333"
PEOPLE = [[A], ["Ada@example.org"]]
MISSING = Outcome("unknown", NO_RECORD)


def test_records_are_matched_by_id_and_by_address_in_any_order_and_case() -> None:
    first = {"invitedUser": {"emailAddress": "ada@EXAMPLE.org"}, "socialInviteId": B}
    second = {"invitedUserId": A.upper(), "error": "blocked"}
    assert invited(PEOPLE, [first, second], B) == [
        Outcome("failed", "blocked", reply=second),
        Outcome("ok", id=B, reply=first),
    ]


def test_records_without_a_name_are_matched_by_position_only_where_all_are_there() -> None:
    assert invited(PEOPLE, [{"error": "full"}, {"socialInviteId": A}], B) == [
        Outcome("failed", "full", reply={"error": "full"}),
        Outcome("ok", id=A, reply={"socialInviteId": A}),
    ]
    told = Outcome("unknown", f"{NO_RECORD}; it says: full")
    assert invited(PEOPLE, [{"error": "full"}], B) == [told, told]


THREE = [["a@x.org"], ["b@x.org"], [A]]


def test_r45_records_that_name_nobody_are_matched_by_position_and_no_error_is_dropped(cases: Cases) -> None:
    def says(*records: dict[str, Any]) -> str:
        heard: list[str] = []
        replies = [{"socialInviteId": B[:-1] + str(place), **record} for place, record in enumerate(records)]
        found = invited(THREE, replies, A, heard.append)
        errors = [each for each in records if each.get("error") or each.get("success") is False]
        told = " ".join([*heard, *(each.error for each in found)])
        assert all((each.get("error") or "`success` says") in told for each in errors), told
        return " ".join(each.status for each in found)

    cases("unnamed-invitations.txt", says)


@pytest.mark.parametrize(
    ("people", "one", "other"),
    [
        ([A, B], {"invitedUserId": A, "socialInviteId": C}, {"invitedUserId": B, "socialInviteId": C.upper()}),
        (["a@x.org", "b@x.org"], {"invitedUserId": C}, {"invitedUser": {"userId": C.upper()}}),
        ([A, B], {"invitedUser": {"emailAddress": "a@x.org"}}, {"invitedUser": {"emailAddress": "A@x.org"}}),
    ],
)
def test_r45_what_identifies_one_invitation_is_not_that_of_another_in_a_whole_run(
    people: list[str], one: JSON, other: JSON
) -> None:
    records = [{"socialInviteId": A, **one}, {"socialInviteId": B, **other}]
    found = invited([[each] for each in people], records, C)
    assert [(each.status, each.error) for each in found] == [("unknown", SAME)] * 2
    assert not done_for_all(b"[{}, {}]", records)
    made: dict[str, object] = {}
    alone = [invited([[who]], [record], C, made=made)[0] for who, record in zip(people, records, strict=True)]
    assert [each.status for each in alone] == ["ok", "unknown"]
    in_another_room = {**records[0], "socialInviteId": A[:-1] + "9"}
    assert invited([people[:1]], [in_another_room], A, made=made)[0].status == "ok"


def test_r45_an_invitation_is_made_where_its_record_is_of_that_person_and_nothing_in_it_leaves_a_doubt(
    cases: Cases,
) -> None:
    def says(names: list[str], shows: JSON) -> str:
        replies = Rows([{"socialInviteId": B, **shows}])
        replies.made = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
        [made] = invited([names], replies, C)
        assert done_for_all(b"[{}]", replies) is (made.status == "ok" or len(names) > 1)
        return f"{made.status}: {made.error}" if made.error else made.status

    cases("invitations.txt", says)


def test_r45_an_error_beside_whole_records_is_said() -> None:
    heard: list[str] = []
    records = [{"invitedUserId": A, "socialInviteId": B}, {"invitedUserId": B, "error": "full"}]
    assert [each.status for each in invited(THREE[2:], records, A, heard.append)] == ["ok"]
    invited(THREE[2:], [records[0], {"error": "quota"}], A, heard.append)
    stranger = {"invitedUserId": C, "socialInviteId": C}
    assert [each.status for each in invited(THREE[2:], [records[0], stranger], A, heard.append)] == ["ok"]
    assert heard.pop() == f"the service reports an invitation that was not sent: to {C}"
    assert heard == [
        "the service reports an error for an invitation that was not sent: full",
        "the service reports an error for nobody in particular: quota",
    ]


def test_a_missing_record_is_unknown_and_never_done() -> None:
    made = {"invitedUserId": A, "socialInviteId": B}
    assert invited(PEOPLE, [made], B) == [Outcome("ok", id=B, reply=made), MISSING]
    assert invited(PEOPLE, [{"invitedUserId": A}], B)[0] == Outcome("unknown", NO_ID, reply={"invitedUserId": A})
    assert invited(PEOPLE, [{"invitedUserId": B}, {"invitedUserId": A}], B)[1] == MISSING
    other = {**made, "invitedUser": {"userId": C}}
    assert invited(PEOPLE[:1], [other], B) == [Outcome("unknown", TWO_PEOPLE, reply=other)]
    same = {**made, "invitedUser": {"userId": A.upper()}}
    assert invited(PEOPLE[:1], [same, {"invitedUserId": A, "socialId": C}], B) == [Outcome("ok", id=B, reply=same)]
    assert invited(PEOPLE, None, B) == [MISSING, MISSING]
    assert invited(PEOPLE, ["x", 1], B) == [MISSING, MISSING]


def test_r45_a_record_denies_in_any_of_the_usual_ways_and_no_other(cases: Cases) -> None:
    def says(record: JSON) -> str:
        told = denial({"socialId": "x", **record}, "Social")
        assert denial({"socialId": "x", **record}) or not told  # what denies, denies whatever was requested
        return told or "it denies nothing"

    cases("denials.txt", says)


@pytest.mark.parametrize("new", [{"failedLoginCount": 3}, {"valid": False}, {"invalidTries": ["x"]}, {"success": None}])
def test_what_the_interface_may_have_got_since_denies_no_reading(new: JSON) -> None:
    assert (denial(new, "User", read=True), bool(denial(new, "User"))) == ("", True)
    assert denial({"error": "x"}, "User", read=True) and denial({"success": False}, "User", read=True)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ([{"property": "a"}], ""),
        ([], ""),
        (None, ""),
        *(([{"property": "a"}, each], "a record whose `rules` did not all come") for each in (None, {"error": "x"})),
    ],
)
def test_entry_rules_of_which_one_did_not_come_are_not_those_that_were_requested(rules: JSON, why: str) -> None:
    assert unlike(BY_NAME["rules.get"], {"rules": rules}, {}) == why


@pytest.mark.parametrize("resource", resources())
def test_a_field_that_the_interface_declares_is_data_unless_it_says_what_failed(resource: str) -> None:
    says = {"SocialInvite": "error", "UploadStatus": "failureReason", "Theme": "uploadStatus"}.get(resource, "")
    for value in ("invalid", 7, True, False, 0, None):
        record = {
            name: field.values[-1] if field.values else dict.fromkeys(fields(field.type), value) or value
            for name, field in fields(resource).items()
        }
        wanted = f"a record whose `{says}` says that it failed" if says and value else ""
        assert denial(record, resource) == wanted


def test_a_declared_state_denies_where_it_is_none_of_its_values() -> None:
    assert [denial({"status": each}, "Transcription") for each in ("FAILED", "COMPLETE")] == ["", ""]
    assert all(denial({"status": each}, "Transcription") for each in ("ERROR", 409))


def test_r45_what_a_record_leaves_open_and_what_it_says_in_words(cases: Cases) -> None:
    def says(record: JSON) -> str:
        return f"{waits(record, 'Social') or 'it is done'}; {remarks(record, 'Social') or 'no remark'}"

    cases("remarks.txt", says)


def test_moments_in_another_form_are_the_same_and_what_was_cleared_may_be_absent_or_empty() -> None:
    sent = {"startDateTime": "2026-12-01T17:30:00Z", "name": "a", "description": None}
    assert differing({"startDateTime": "2026-12-01T18:30:00.000+01:00", "name": "a"}, sent) == []
    told = {"startDateTime": "2026-12-01T18:30:00Z", "name": "b", "description": "x"}
    assert differing(told, sent) == ["startDateTime", "name", "description"]
    assert differing({"description": ""}, sent) == []
