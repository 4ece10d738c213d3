"""The served sandbox under schemathesis, driven by the published OpenAPI document."""

from functools import cache
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from roomctl.contract.openapi import document
from roomctl.contract.operations import OPERATIONS
from tests.conftest import soak

CASES = 28
"""For each operation that fit, and as many that do not: 1,008 in all."""
SOAK = 2800
"""For each operation, half of them that fit: 50,400 in all."""
schema = cache(lambda: import_module("schemathesis").openapi.from_dict(document()))
"""Made when it is needed, for schemathesis takes its time."""
REASONS = (
    "names no",  # an id of a theme, a playlist or a configuration that there is not
    "must name a top-level field",  # a name to sort by
    "names a room that is not in the set",
    "is required, a uuid: the room to copy",  # the document cannot demand what the interface does not show
    "is required where no room set exists",
)
"""What keeps data that fit the document from being taken, beside ids of records that there are not (404)."""


def test_the_document_has_all_operations() -> None:
    assert len(list(schema().get_all_operations())) == len(OPERATIONS)


def whole(value: Any) -> Any:
    """Write whole numbers as such: `499.0` is an integer to JSON Schema, not to the sandbox."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(each) for each in value]
    return {name: whole(each) for name, each in value.items()} if isinstance(value, dict) else value


def refused_for_a_reason(status: int, reply: Any) -> bool:
    return status == 404 or any(each["message"].startswith(REASONS) for each in reply["problems"])


def must_be_refused(case: Any, names: set[str]) -> bool:
    """Say whether the case breaks more than what the sandbox overlooks: further query parameters, and the key."""
    wrong = {place.value for place, part in case.meta.components.items() if part.mode.value == "negative"}
    return bool(wrong - {"header"}) and set(case.query or ()) <= names


def attack(served: Any, number: int, operation: Any, negative: bool) -> int:
    """Try so many cases of an operation, or fewer where it has no more; give how many there were."""
    mode = import_module("schemathesis").GenerationMode("negative" if negative else "positive")
    checks, of_document = map(import_module, ("schemathesis.checks", "schemathesis.specs.openapi.checks"))
    usual = [checks.not_a_server_error, of_document.status_code_conformance, of_document.response_schema_conformance]
    names = {each.name for each in operation.query}
    tried = 0

    @seed(number)
    @settings(
        max_examples=number, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        nonlocal tried
        tried += 1
        if not negative:
            case.body = whole(case.body)
        more = [of_document.negative_data_rejection] if negative and must_be_refused(case, names) else []
        how: Any = {"base_url": served.url + "/api/v1", "headers": {"X-API-Key": served.key}, "timeout": 30}
        reply = case.call_and_validate(checks=[*usual, *more], **how)
        if not negative and reply.status_code != 200:
            assert refused_for_a_reason(reply.status_code, reply.json()), (case.body, case.query, reply.text)

    run()
    return tried


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS])
@pytest.mark.parametrize("negative", [False, True], ids=["fits", "does-not-fit"])
@pytest.mark.parametrize("number", [CASES, soak(SOAK // 2)])
def test_no_case_makes_a_server_error_or_breaks_the_schema(name: str, negative: bool, number: int, served: Any) -> None:
    operation = next(each for each in OPERATIONS if each.name == name)
    tried = attack(served, number, schema()[operation.path][operation.method], negative)
    assert number == CASES or tried == number
