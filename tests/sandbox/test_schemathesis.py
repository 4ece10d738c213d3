"""The served sandbox under schemathesis, driven by the published OpenAPI document."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    response_schema_conformance,
    status_code_conformance,
)

from roomctl.contract.openapi import document
from roomctl.contract.operations import OPERATIONS

SCHEMA: Any = schemathesis.openapi.from_dict(document())
CASES = 30
SOAK = 2500
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


def test_the_document_has_all_operations() -> None:
    assert len(list(SCHEMA.get_all_operations())) == len(OPERATIONS)


def attack(served: Any, number: int, operation: Any, mode: Any) -> None:
    @seed(number)
    @settings(
        max_examples=number, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        case.call_and_validate(
            base_url=served.url + "/api/v1", headers={"X-API-Key": served.key}, checks=CHECKS, timeout=10
        )

    run()


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS])
@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_no_case_makes_a_server_error_or_breaks_the_schema(name: str, mode: str, served: Any) -> None:
    attack(served, CASES, found(name), schemathesis.GenerationMode[mode])


@pytest.mark.soak
@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS])
def test_no_case_of_many_does(name: str, served: Any) -> None:
    attack(served, SOAK, found(name), schemathesis.GenerationMode.POSITIVE)


def found(name: str) -> Any:
    operation = next(each for each in OPERATIONS if each.name == name)
    return SCHEMA[operation.path][operation.method]
