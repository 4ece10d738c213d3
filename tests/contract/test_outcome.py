"""Replies to invitations are matched with the people they are about."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from roomctl.contract.fields import fields, resources
from roomctl.contract.invitations import all_stood, done_for_all, invited, stood
from roomctl.contract.operations import BY_NAME
from roomctl.contract.outcome import Outcome, denial, differing, refuses, remarks, unlike
from roomctl.contract.paging import Rows
from roomctl.contract.statements import says
from roomctl.contract.vocabulary import STATE
from tests.conftest import Cases

JSON = Any
A, B = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
C = "cccccccc-3333-4333-8333-333333333333"
IDS = {"A": A, "B": B, "C": C, "C!": C.upper()}


def test_r45_records_are_matched_with_the_people_they_are_about(cases: Cases) -> None:
    def says(*replies: Any) -> str:
        heard: list[str] = []
        made: dict[str, object] = {}
        given = json.loads(re.sub(r'"([ABC]!?)"', lambda word: f'"{IDS[word[1]]}"', json.dumps(replies)))
        found = []
        for people, records in zip(given[::2], given[1::2], strict=True):
            found += invited(people, records, B, heard.append, made=made)
        told = [" ".join(filter(None, (each.status, each.id, each.error))) for each in found]
        text = "; ".join([*told, *heard])
        for word, key in IDS.items():
            text = text.replace(key, word)
        return text

    cases("matched.txt", says)


THREE = [["a@x.org"], ["b@x.org"], [A]]


def test_r45_records_that_name_nobody_are_matched_by_position_and_no_error_is_dropped(cases: Cases) -> None:
    def says(*records: dict[str, Any]) -> str:
        heard: list[str] = []
        replies = [{"socialInviteId": B[:-1] + str(place), **record} for place, record in enumerate(records)]
        found = invited(THREE, replies, A, heard.append)
        errors = [each for each in records if each.get("error") or each.get("success") is False]
        told = " ".join([*heard, *(each.error for each in found)])
        assert all((each.get("error") or "`success` is") in told for each in errors), told
        return " ".join(each.status for each in found)

    cases("unnamed-invitations.txt", says)


def test_r45_an_invitation_is_made_where_its_record_is_of_that_person_and_leaves_no_doubt(cases: Cases) -> None:
    def says(names: list[str], shows: JSON) -> str:
        replies = Rows([{"socialInviteId": B, **shows}])
        replies.made = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
        [made] = invited([names], replies, C)
        assert done_for_all(b"[{}]", C, replies) is (made.status == "ok" or len(names) > 1)
        return f"{made.status}: {made.error}" if made.error else made.status

    cases("invitations.txt", says)


def test_r45_a_record_denies_in_any_of_the_usual_ways_and_no_other(cases: Cases) -> None:
    def says(record: JSON) -> str:
        told = denial({"socialId": "x", **record}, "Social")
        assert denial({"socialId": "x", **record}) or not told  # what denies, denies whatever was requested
        return told or "it denies nothing"

    cases("denials.txt", says)


@pytest.mark.parametrize("new", [{"failedLoginCount": 3}, {"valid": False}, {"invalidTries": ["x"]}, {"success": None}])
def test_what_the_interface_may_have_got_since_denies_no_reading(new: JSON) -> None:
    assert denial(new, "User", read=True) == ""
    failed: list[JSON] = [{"error": "x"}, {"success": False}, {"isSuccess": False}, {"errorMessages": ["x"]}]
    assert all(denial(each, "User", read=True) for each in failed)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ([{"property": "a"}], ""),
        ([], ""),
        (None, ""),
        *(([{"property": "a"}, each], "a record whose `rules` is incomplete") for each in (None, {"error": "x"})),
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
    def told(record: JSON) -> str:
        said = remarks(record, "Social")
        words = f"{said}, which denies it" if refuses(said) else said or "no remark"
        doubt = says(record, fields("Social"), STATE, texts=False)
        return f"{f'`{doubt.name}` says that it is not done' if doubt else 'it is done'}; {words}"

    cases("remarks.txt", told)


def test_moments_in_another_form_are_the_same_and_what_was_cleared_may_be_absent_or_empty() -> None:
    sent = {"startDateTime": "2026-12-01T17:30:00Z", "name": "a", "description": None}
    assert differing({"startDateTime": "2026-12-01T18:30:00.000+01:00", "name": "a"}, sent) == []
    told = {"startDateTime": "2026-12-01T18:30:00Z", "name": "b", "description": "x"}
    assert differing(told, sent) == ["startDateTime", "name", "description"]
    assert differing({"description": ""}, sent) == []


def test_only_plain_words_prove_that_somebody_is_invited_already() -> None:
    proven = ["already invited", "Already invited at 2025-01-01T00:00:00Z", "This user has already been invited."]
    others = ["not already invited", "the invitation limit is already reached", "you have already used the invitation"]
    found = [text for text in (*proven, *others) if stood(Outcome("failed", text))]
    assert (found, stood(Outcome("unknown", proven[0]))) == (proven, False)
    assert [text for text in (*proven, *others) if all_stood([{"error": text}])] == proven
