"""What a person writes, and what the sandbox accepts, is checked strictly."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roomctl.contract.annotations import Strictness
from roomctl.contract.fields import fields, resources
from roomctl.contract.models import RESOURCES
from roomctl.contract.scalars import TEXT_PLACEHOLDER as TEXT
from roomctl.contract.validation import MOST_PROBLEMS, Problem, check

JSON = Any
Values = Callable[[str], st.SearchStrategy[JSON]]

ID = "3f0c1d2e-0000-4000-8000-00000000000a"
A_DATE_TIME = "must be a date-time with its offset, such as 2026-12-01T18:00:00+01:00"
A_UUID = "must be a canonical uuid of 36 characters"


@settings(deadline=None)
@given(st.data())
def test_one_field_that_does_not_fit_is_the_one_problem(misfits: Values, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*resources()]))
    record = data.draw(misfits(name))
    problems = check(name, record, allow_placeholders=True)
    assert len(problems) == 1
    assert problems[0].path.partition("[")[0] in record


@settings(deadline=None)
@given(st.data())
def test_any_json_gives_problems_and_never_an_exception(any_json: st.SearchStrategy[JSON], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["RoomSet", "Social", "SocialInvite[]", "CustomTheme", "uuid[]", "date-time"]))
    value = data.draw(any_json)
    strict, lenient = check(name, value), check(name, value, allow_unknown=True)
    assert set(lenient) <= set(strict)


def test_the_path_leads_to_the_value() -> None:
    sets = {"socials": [{}, {"theme": {"tiles": [{"x": "1"}]}, "alternateHosts": [{"userId": 5}, None]}]}
    assert check("RoomSet", sets) == [
        Problem("socials[1].theme.tiles[0].x", "must be an integer, not a string"),
        Problem("socials[1].alternateHosts[0].userId", "must be a uuid, not an integer"),
        Problem("socials[1].alternateHosts[1]", "must be an object, not null"),
    ]
    assert check("SocialInvite[]", [{}, {"invitedUserId": "x"}]) == [Problem("[1].invitedUserId", A_UUID)]


@pytest.mark.parametrize(
    ("type_name", "value", "message"),
    [
        ("RoomSet", None, "must be an object, not null"),
        ("RoomSet", [], "must be an object, not an array"),
        ("SocialInvite[]", {}, "must be an array, not an object"),
        ("uuid[]", "x", "must be an array, not a string"),
        ("uuid", None, "must be a uuid, not null"),
        ("string", 1, "must be a string, not an integer"),
        ("string", "\ud800", "must be valid text, without half of a surrogate pair"),
        ("boolean", 1, "must be true or false, not an integer"),
        ("integer", True, "must be an integer, not a boolean"),
        ("integer", 1.0, "must be an integer, not a decimal number"),
        ("integer", 2**63, "must be an integer of at most 64 bits"),
        ("integer", -(2**63) - 1, "must be an integer of at most 64 bits"),
        ("date-time", 0, "must be a date-time, not an integer"),
        ("date-time", "2026-02-30T00:00:00Z", "must be a valid date"),
        ("date-time", "0000-01-01T00:00:00Z", "must be a valid date"),
        ("byte", ["QQ=="], "must be base64 text, not an array"),
        ("byte", "QQ", "must be base64 text without line breaks"),
        ("byte", "QUFB\nQUFB", "must be base64 text without line breaks"),
        ("byte", "QQ==QQ==", "must be base64 text without line breaks"),
        ("byte", "é", "must be base64 text without line breaks"),
    ],
)
def test_a_value_of_another_kind_is_told_what_it_must_be(type_name: str, value: JSON, message: str) -> None:
    assert check(type_name, value) == [Problem("", message)]


@pytest.mark.parametrize(
    "text",
    [
        *("20261201", "2026-12-01", "2026-12-01T18:00:00", "2026-12-01 18:00:00Z", "2026-12-01T18:00Z", ""),
        *("2026-12-01T18:00:00+0100", "2026-12-01T24:00:00Z", "2026-12-01T18:60:00Z", "2026-12-01T18:00:60Z"),
        *("2026-12-01T18:00:00.Z", "2026-12-01T18:00:00+24:00", "2026-12-01T18:00:00Z\n", "２026-12-01T18:00:00Z"),
    ],
)
def test_a_date_time_needs_all_its_parts(text: str) -> None:
    assert check("date-time", text) == [Problem("", A_DATE_TIME)]


@pytest.mark.parametrize(
    "text",
    [f"{{{ID}}}", f"urn:uuid:{ID}", ID.replace("-", ""), f"{ID}\n", f"３{ID[1:]}", "", "..", ID[:-1], f"{ID}0"],
)
def test_an_id_is_canonical_or_refused(text: str) -> None:
    assert check("uuid", text) == [Problem("", A_UUID)]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("maxParticipant", "maxParticipants"),
        ("MAXPARTICIPANTS", "maxParticipants"),
        ("startDatetime", "startDateTime"),
        ("roomSetId", "socialRoomSetId"),
    ],
)
def test_an_unknown_field_is_told_the_nearest_known_one(name: str, nearest: str) -> None:
    assert check("Social", {name: 1}) == [Problem(name, f"no such field; did you mean `{nearest}`?")]


def test_unknown_fields_and_values_of_enumerations_pass_when_they_are_allowed() -> None:
    social = {"platform": "PLATFORM_C", "later": {"deep": [1]}, "user": {"nick": "x"}}
    assert check("Social", social, allow_unknown=True) == []
    assert check("Social", {"platform": 1, "later": 1}, allow_unknown=True) == [
        Problem("platform", "must be a string, not an integer")
    ]


def test_null_clears_any_field_and_is_no_item_of_an_array() -> None:
    for name in resources():
        assert check(name, dict.fromkeys(fields(name))) == []
    assert check("uuid[]", [None]) == [Problem("[0]", "must be a uuid, not null")]


def test_a_name_that_is_no_text_is_a_problem_even_where_unknown_fields_are_allowed() -> None:
    problem = Problem("(an integer)", "must be a field whose name is a string")
    assert check("Tile", {5: 1}, allow_unknown=True) == [problem]


def test_a_text_that_the_skeleton_left_to_fill_in_is_a_problem_but_not_for_a_service() -> None:
    assert check("RoomSet", {"name": TEXT}) == [Problem("name", "still holds the placeholder of the skeleton")]
    assert check("RoomSet", {"name": TEXT, "x": 1}, allow_placeholders=True) == [Problem("x", "no such field")]


@pytest.mark.parametrize("type_name", [*resources(), "uuid[]", "date-time"])
@given(data=st.data())
def test_R8_a_problem_never_repeats_a_value(type_name: str, data: st.DataObject) -> None:
    secret = "s3cr3t-canary"
    wrong = data.draw(st.sampled_from([secret, [secret], {"later": secret}, {secret[:0]: [secret]}]))
    value = dict.fromkeys(fields(type_name), wrong) if type_name in resources() else [wrong]
    assert secret not in repr(check(type_name, value))


def test_a_body_with_a_million_mistakes_is_answered_with_the_first_thousand() -> None:
    problems = check("uuid[]", ["x"] * 1_000_000)
    assert len(problems) == MOST_PROBLEMS
    assert problems[-1] == Problem("[999]", A_UUID)


def test_R8_an_error_of_a_model_repeats_no_value() -> None:
    with pytest.raises(ValueError, match="validation error") as caught:
        RESOURCES["User"].model_validate({"name": {"x": "s3cr3t-canary"}}, context=Strictness())
    assert "s3cr3t" not in str(caught.value)
