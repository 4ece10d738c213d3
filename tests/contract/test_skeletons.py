"""A skeleton is a body to fill in."""

from typing import Any

import pytest

from roomctl.contract.fields import resources, skeleton
from roomctl.contract.operations import OPERATIONS
from roomctl.contract.validation import check

JSON = Any

BODIES = [operation.body for operation in OPERATIONS if operation.body]
ID = "3f0c1d2e-0000-4000-8000-00000000000a"
FILLED = {"<string>": "a text", "<uuid>": ID, "<base64>": "QQ==", "<integer>": 1, "true | false": True}
FILLED["<date-time, such as 2026-12-01T18:00:00+01:00>"] = "2026-12-01T18:00:00+01:00"


def filled(value: JSON) -> JSON:
    if isinstance(value, list):
        return [filled(item) for item in value]
    if isinstance(value, dict):
        return {name: filled(item) for name, item in value.items()}
    return FILLED.get(value, value.partition(" | ")[0])


def leaves(value: JSON) -> int:
    items = value if isinstance(value, list) else value.values() if isinstance(value, dict) else None
    return 1 if items is None else sum(map(leaves, items))


@pytest.mark.parametrize("type_name", [*BODIES, *resources()])
def test_a_skeleton_passes_the_check_once_it_is_filled_in(type_name: str) -> None:
    assert check(type_name, filled(skeleton(type_name))) == []


@pytest.mark.parametrize("type_name", [*BODIES, *resources()])
def test_each_placeholder_that_was_not_filled_in_is_a_problem(type_name: str) -> None:
    assert len(check(type_name, skeleton(type_name))) == leaves(skeleton(type_name)) > 0
