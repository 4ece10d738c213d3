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


DEEP = {"socials": [{}, {"theme": {"tiles": [{"x": "1"}]}, "alternateHosts": [{"userId": 5}, None]}]}
LATER = {"platform": "PLATFORM_C", "later": {"deep": [1]}, "user": {"nick": "x"}}
VALID_TEXT = "must be valid text, without half of a surrogate pair"
BASE64 = "must be base64 text without line breaks"
VALUES: list[tuple[str, JSON, str]] = [
    ("RoomSet", None, "must be an object, not null"),
    ("RoomSet", [], "must be an object, not an array"),
    ("SocialInvite[]", {}, "must be an array, not an object"),
    ("uuid[]", "x", "must be an array, not a string"),
    ("uuid", None, "must be a uuid, not null"),
    ("string", 1, "must be a string, not an integer"),
    ("string", "\ud800", VALID_TEXT),
    ("boolean", 1, "must be true or false, not an integer"),
    ("integer", True, "must be an integer, not a boolean"),
    ("integer", 1.0, "must be an integer, not a decimal number"),
    *(("integer", each, "must be an integer of at most 64 bits") for each in (2**63, -(2**63) - 1)),
    ("date-time", 0, "must be a date-time, not an integer"),
    *(("date-time", f"{day}T00:00:00Z", "must be a valid date") for day in ("2026-02-30", "0000-01-01")),
    ("byte", ["QQ=="], "must be base64 text, not an array"),
    *(("byte", each, BASE64) for each in ("QQ", "QUFB\nQUFB", "QQ==QQ==", "é")),
    *(("date-time", each, A_DATE_TIME) for each in (
        "20261201", "2026-12-01", "2026-12-01T18:00:00", "2026-12-01 18:00:00Z", "2026-12-01T18:00Z", "",
        "2026-12-01T18:00:00+0100", "2026-12-01T24:00:00Z", "2026-12-01T18:60:00Z", "2026-12-01T18:00:60Z",
        "2026-12-01T18:00:00.Z", "2026-12-01T18:00:00+24:00", "2026-12-01T18:00:00Z\n", "２026-12-01T18:00:00Z")),
    *(("uuid", each, A_UUID) for each in (
        f"{{{ID}}}", f"urn:uuid:{ID}", ID.replace("-", ""), f"{ID}\n", f"３{ID[1:]}", "", "..", ID[:-1], f"{ID}0")),
]  # fmt: skip
"""Values of another kind than the type, each with what is said of it."""
PLACES: list[tuple[str, JSON, dict[str, bool], list[tuple[str, str]]]] = [
    ("RoomSet", DEEP, {}, [
        ("socials[1].theme.tiles[0].x", "must be an integer, not a string"),
        ("socials[1].alternateHosts[0].userId", "must be a uuid, not an integer"),
        ("socials[1].alternateHosts[1]", "must be an object, not null")]),
    ("SocialInvite[]", [{}, {"invitedUserId": "x"}], {}, [("[1].invitedUserId", A_UUID)]),
    ("uuid[]", [None], {}, [("[0]", "must be a uuid, not null")]),
    *(("Social", {name: 1}, {}, [(name, f"is not a known field; did you mean `{nearest}`?")]) for name, nearest in (
        ("maxParticipant", "maxParticipants"), ("MAXPARTICIPANTS", "maxParticipants"),
        ("startDatetime", "startDateTime"), ("roomSetId", "socialRoomSetId"))),
    ("Social", LATER, {"allow_unknown": True}, []),
    ("Social", {"platform": 1, "later": 1}, {"allow_unknown": True}, [
        ("platform", "must be a string, not an integer")]),
    ("Tile", {5: 1}, {"allow_unknown": True}, [("(an integer)", "must be a field whose name is a string")]),
    ("RoomSet", {"name": TEXT}, {}, [("name", "still holds the placeholder of the skeleton")]),
    ("RoomSet", {"name": TEXT, "x": 1}, {"allow_placeholders": True}, [("x", "is not a known field")]),
]  # fmt: skip
"""What is wrong inside a value, and where; unknown fields, values and placeholders are let through on request."""


@pytest.mark.parametrize(
    ("type_name", "value", "allowed", "told"),
    [*((name, value, {}, [("", message)]) for name, value, message in VALUES), *PLACES],
)
def test_what_does_not_fit_is_told_with_its_place_and_what_it_must_be(
    type_name: str, value: JSON, allowed: dict[str, bool], told: list[tuple[str, str]]
) -> None:
    assert check(type_name, value, **allowed) == [Problem(*each) for each in told]


def test_null_clears_any_field() -> None:
    for name in resources():
        assert check(name, dict.fromkeys(fields(name))) == []


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
