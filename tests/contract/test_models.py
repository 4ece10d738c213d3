"""Replies as typed objects: tolerant of values, strict about JSON types."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roomctl.contract.fields import resources
from roomctl.contract.models import RESOURCES
from roomctl.contract.validation import check, read

JSON = Any
Values = Callable[[str], st.SearchStrategy[JSON]]

ID = "3f0c1d2e-0000-4000-8000-00000000000a"


def test_unknown_fields_and_values_of_enumerations_and_odd_texts_are_kept_as_they_came() -> None:
    social = {
        "socialPermissionType": "EVERYBODY",
        "startDateTime": "20261201",
        "socialId": "no uuid",
        "maxParticipants": 2**70,
        "name": "\ud800\x1b[2J",
        "later": {"deep": [1.5, None]},
        "model_dump": 1,
        "user": {"nick": "x"},
    }
    assert read("Social", copy.deepcopy(social)).model_dump(exclude_unset=True) == social


@pytest.mark.parametrize(
    ("type_name", "value", "message"),
    [
        ("User", {"name": 3}, "User.name: must be of another JSON type"),
        ("User", {"active": "true"}, "User.active: must be of another JSON type"),
        ("User", {"active": 1}, "User.active: must be of another JSON type"),
        ("Tile", {"x": "1"}, "Tile.x: must be of another JSON type"),
        ("Tile", {"x": 1.0}, "Tile.x: must be of another JSON type"),
        ("Social", {"user": []}, "Social.user: must be of another JSON type"),
        ("Social", {"alternateHosts": {}}, "Social.alternateHosts: must be of another JSON type"),
        ("Social", {"alternateHosts": [None]}, "Social.alternateHosts.0: must be of another JSON type"),
        ("Social", None, "Social: must be of another JSON type"),
        ("Recording[]", {}, "Recording[]: must be an array"),
        ("Recording[]", [{}, 1], "Recording[1]: must be of another JSON type"),
    ],
)
def test_a_value_of_another_json_type_is_an_error_that_says_where(type_name: str, value: JSON, message: str) -> None:
    with pytest.raises(ValueError, match=r"JSON type|array") as caught:
        read(type_name, value)
    assert str(caught.value) == message


def test_R8_an_error_repeats_no_value() -> None:
    with pytest.raises(ValueError, match="JSON type") as caught:
        read("User", {"name": {"x": "s3cr3t-canary"}})
    assert "s3cr3t" not in repr(caught.value)
    assert caught.value.__cause__ is None
    with pytest.raises(ValueError, match="validation error") as caught:
        RESOURCES["User"].model_validate({"name": {"x": "s3cr3t-canary"}})
    assert "s3cr3t" not in str(caught.value)


def test_R7_a_bearer_credential_is_not_in_what_a_model_shows_of_itself() -> None:
    registration = read("Registration", {"guestBearer": "s3cr3t-canary", "refreshBearer": "s3cr3t-canary"})
    assert "s3cr3t" not in repr(registration) + str(registration)


@settings(deadline=None)
@given(st.data())
def test_what_passes_the_check_reads_as_a_model_and_comes_back_unchanged(fits: Values, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*resources()]))
    value = data.draw(fits(name))
    assert read(name, copy.deepcopy(value)).model_dump(exclude_unset=True) == value


@settings(deadline=None)
@given(st.data())
def test_what_a_model_refuses_the_check_refuses(misfits: Values, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*resources()]))
    value = data.draw(misfits(name))
    try:
        read(name, value)
    except ValueError:
        assert check(name, value) != []
