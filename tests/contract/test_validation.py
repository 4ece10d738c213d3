"""What a person writes, and what the sandbox accepts, is checked strictly."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.contract.annotations import Strictness
from roomctl.contract.fields import fields, resources
from roomctl.contract.models import RESOURCES
from roomctl.contract.validation import MOST_PROBLEMS, Problem, check
from tests.conftest import Cases

JSON = Any
Values = Callable[[str], st.SearchStrategy[JSON]]

ID = "3f0c1d2e-0000-4000-8000-00000000000a"
A_DATE_TIME = "must be a date-time with its offset, such as 2026-12-01T18:00:00+01:00"
A_UUID = "must be a canonical uuid of 36 characters"


@given(st.data())
def test_one_field_that_does_not_fit_is_the_one_problem(misfits: Values, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*resources()]))
    record = data.draw(misfits(name))
    problems = check(name, record, allow_placeholders=True)
    assert len(problems) == 1
    assert problems[0].path.partition("[")[0] in record


@given(st.data())
def test_any_json_gives_problems_and_never_an_exception(any_json: st.SearchStrategy[JSON], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["RoomSet", "Social", "SocialInvite[]", "CustomTheme", "uuid[]", "date-time"]))
    value = data.draw(any_json)
    strict, lenient = check(name, value), check(name, value, allow_unknown=True)
    assert set(lenient) <= set(strict)


def test_what_does_not_fit_is_told_with_its_place_and_what_it_must_be(cases: Cases) -> None:
    """Unknown fields, values and placeholders are let through on request."""

    def says(type_name: str, value: JSON, allowed: JSON = None) -> str:
        problems = check(type_name, value, **(allowed or {}))
        return "; ".join(f"{each.path or 'it'} {each.message}" for each in problems) or "fits"

    cases("problems.txt", says)


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
