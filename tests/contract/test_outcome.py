"""Replies to invitations are matched with the people they are about."""

from typing import Any

import pytest

from roomctl.bulk.people import fault_of_address
from roomctl.contract.outcome import NO_ID, NO_RECORD, Outcome, denial, differing, invited

JSON = Any
A, B = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
PEOPLE = [A, "Ada@example.org"]
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


THREE = ["a@x.org", "b@x.org", A]


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{}, {"error": "full"}, {}], ["ok", "failed", "ok"]),
        ([{"invitedUserId": B}, {"error": "full"}, {"invitedUserId": A.upper()}], ["ok", "failed", "ok"]),
        ([{"invitedUser": {"name": "Ada"}}, {}, {"success": False}], ["ok", "ok", "failed"]),
        ([{"invitedUserId": A}, {"error": "full"}, {}], ["unknown", "unknown", "ok"]),  # another order than was sent
        ([{}, {"invitedUser": {"emailAddress": "z@x.org"}}, {}], ["ok", "unknown", "ok"]),
        ([{}, {"socialId": B}, {"error": "full"}], ["unknown", "unknown", "unknown"]),  # of another room: two are left
        ([{"error": "full"}, {}], ["unknown", "unknown", "unknown"]),
        ([{"invitedUserId": A}, {"invitedUserId": A, "error": "full"}], ["unknown", "unknown", "unknown"]),
        ([{}, {}, {}, {"error": "full"}], ["unknown", "unknown", "unknown"]),
    ],
)
def test_r45_records_that_name_nobody_are_matched_by_position_and_no_error_is_dropped(
    records: list[dict[str, Any]], said: list[str]
) -> None:
    heard: list[str] = []
    replies = [{"socialInviteId": B, **record} for record in records]
    found = invited(THREE, replies, A, heard.append)
    assert [each.status for each in found] == said
    errors = [each for each in records if each.get("error") or each.get("success") is False]
    told = " ".join([*heard, *(each.error for each in found)])
    assert all((each.get("error") or "no success") in told for each in errors), told


def test_r45_an_error_beside_whole_records_is_said() -> None:
    heard: list[str] = []
    records = [{"invitedUserId": A, "socialInviteId": B}, {"invitedUserId": B, "error": "full"}]
    assert [each.status for each in invited(THREE[2:], records, A, heard.append)] == ["ok"]
    assert heard == ["the service names an error of an invitation that was not sent: full"]


def test_a_missing_record_is_unknown_and_never_done() -> None:
    made = {"invitedUserId": A, "socialInviteId": B}
    assert invited(PEOPLE, [made], B) == [Outcome("ok", id=B, reply=made), MISSING]
    assert invited(PEOPLE, [{"invitedUserId": A}], B)[0] == Outcome("unknown", NO_ID, reply={"invitedUserId": A})
    assert invited(PEOPLE, [{"invitedUserId": B}, {"invitedUserId": A}], B)[1] == MISSING
    assert invited(PEOPLE, None, B) == [MISSING, MISSING]
    assert invited(PEOPLE, ["x", 1], B) == [MISSING, MISSING]


def test_addresses_are_checked_before_they_are_sent() -> None:
    assert [fault_of_address(text) for text in ("ada@example.org", "a+b@x.y", "é@ü.example")] == ["", "", ""]
    for text in ("ada", "@example.org", "ada@", "a b@example.org", "a@b@example.org", "a@.org", "a@x.", "a\n@x.org"):
        assert fault_of_address(text)


@pytest.mark.parametrize(
    "denied",
    [
        *({"success": each} for each in (False, "false", "no", 0)),
        *({name: "not allowed"} for name in ("error", "errors", "errorMessage", "error_code", "exception", "problem")),
        *({name: True} for name in ("failed", "denied", "rejected", "isError")),
        *({name: each} for name in ("status", "statusCode", "code", "result") for each in ("ERROR", "FAILURE", 500)),
        {"code": "E_DENIED"},
        {"code": "409 Conflict"},
        {"ok": "no"},
        {"accepted": False},
    ],
    ids=str,
)
def test_r45_a_record_denies_in_any_of_the_usual_ways(denied: JSON) -> None:
    assert denial({"socialId": "x", **denied})


@pytest.mark.parametrize(
    "fine",
    [
        *({"success": each} for each in (True, "true", 1)),
        {"error": None},
        {"error": ""},
        {"errors": []},
        {"errors": {}},
        *({"code": each} for each in (200, "OK", 0, "NO_ERROR", None)),
        {"status": "COMPLETE"},
        {"failed": False},
        {"message": "done"},
    ],
    ids=str,
)
def test_a_record_that_says_nothing_bad_denies_nothing(fine: JSON) -> None:
    assert denial({"socialId": "x", **fine}) == ""


def test_a_field_that_the_interface_declares_is_data() -> None:
    assert denial({"status": "FAILED"}, {"status"}) == ""
    assert denial({"status": "FAILED"})
    assert denial({"status": 409}, {"status"})


def test_moments_in_another_form_are_the_same() -> None:
    sent = {"startDateTime": "2026-12-01T17:30:00Z", "name": "a", "description": None}
    assert differing({"startDateTime": "2026-12-01T18:30:00.000+01:00", "name": "a", "description": "x"}, sent) == []
    assert differing({"startDateTime": "2026-12-01T18:30:00Z", "name": "b"}, sent) == ["startDateTime", "name"]
